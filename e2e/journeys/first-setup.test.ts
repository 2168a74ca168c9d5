// The first hour of an installation: the setup wizard guides the administrator, who imports all people, and the first
// of them starts working.
import { afterAll, expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { password, signIn, startServer } from './company.ts'

const pictures = process.env['PICTURES']
const url = await startServer([], afterAll)
const browser = await openBrowser()

// [R009] The company's code and picture are set in the first-run wizard and in the settings; the picture is shown on
// the login page and on every page.
// [R347] An administrator imports people in the browser.
test('[R009] [R207] [R286] [R288] [R347] an empty installation becomes a company: departments, 128 people from a table with three wrong rows, a role, a library with a limit; the first of them uploads', async () => {
  const page = await browser.open(url)
  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` })
  }
  await page.getByLabel('账号').fill('admin')
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.getByRole('heading', { name: '首次设置' }).waitFor()
  const next = page.getByRole('button', { name: '保存并继续' })
  const at = (title: string) => page.getByRole('heading', { name: title }).waitFor()

  await page.getByRole('textbox', { name: '公司名称' }).fill('华信集团')
  await page.getByRole('textbox', { name: '企业代码' }).fill('huaxin')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: '选择图片…' }).click(),
  ])
  await chooser.setFiles({ name: '标志.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await page.getByRole('dialog', { name: '裁剪图片' }).getByRole('button', { name: '使用', exact: true }).click()
  await page.locator('.su-preview img[src*=getPicture]').waitFor()
  await page.locator('.su-preview').getByText('登录华信集团').waitFor()
  await expectAccessible(page)
  await picture('setup-company')
  await next.click()
  await at('换成你自己的密码')
  // Completed steps stay completed when the administrator leaves the wizard.
  await page.getByRole('button', { name: '以后再设置' }).click()
  await page.getByRole('link', { name: '管理' }).click()
  await page.getByRole('link', { name: '继续设置' }).click()
  await at('换成你自己的密码')
  await next.click()
  await at('有授权文件吗？')
  await next.click()
  await at('文件存放在哪里？')
  await picture('setup-storage')
  await next.click()
  await at('员工用什么地址打开？')
  await picture('setup-address')
  await next.click()
  // A step can be left for later, and is found again.
  const skip = page.getByRole('button', { name: '跳过' })
  await at('从哪里发邮件？')
  await skip.click()
  await at('文件分几个密级？')
  await next.click()
  await at('填入一家示例公司？')
  await picture('setup-demo')
  await next.click()
  await at('公司有哪些部门？')
  await page.getByRole('button', { name: '填入示例' }).click()
  await picture('setup-organisation')
  await next.click()
  await at('每个人和每个库能存多少？')
  await page.getByRole('textbox', { name: '第一个项目库' }).fill('B2 厂房')
  await picture('setup-libraries')
  await next.click()
  await at('现在备份一次？')
  await picture('setup-backup')
  await page.getByRole('button', { name: '完成', exact: true }).click()
  await page.getByRole('heading', { name: '公司已经可以使用' }).waitFor()
  await picture('setup-finished')
  await page.getByRole('link', { name: /上传文件/ }).click()
  await page.getByRole('grid').first().waitFor()
  // A finished wizard opens again for the step that was left, until that is done.
  await page.goto(`${url}/doc/admin/overview`)
  await page.getByRole('link', { name: '继续设置' }).click()
  await at('从哪里发邮件？')
  await page.getByRole('button', { name: '完成', exact: true }).click()
  await page.getByRole('heading', { name: '公司已经可以使用' }).waitFor()
  await page.goto(`${url}/doc/setup`)
  await page.waitForURL(/\/doc\/folder/)

  const admin = await signIn(url, 'admin', password)
  const { list } = await admin.call('getLibraries', {})
  expect(list.map(({ name }) => name)).toEqual(expect.arrayContaining(['市场中心', '研发中心', 'B2 厂房']))
  const library = list.find(({ name }) => name === 'B2 厂房')?.libraryId ?? 0

  // Imports 128 people, three of whom are corrected on the page; the import is all or nothing.
  await admin.call('createAccount', { account: 'wangmin', accountName: '王敏', groupId: 0 })
  const lines = Array.from({ length: 128 }, (_, n) => `导入${n},import-${n},市场中心,${n % 2 === 0 ? '内部' : ''}`)
  lines[0] = '林夏,linxia,市场中心,内部'
  lines[9] = '王小敏,wangmin,市场中心,'
  lines[40] = '何书宁,heshuning,市场中心 / 华西大区,'
  lines[100] = '郑一帆,zhengyifan,市场中心,超密'
  await page.goto(`${url}/doc/admin/people/import`)
  const before = (await admin.call('countPeople', {})).total
  await page.locator('input[type=file]').setInputFiles({
    name: '通讯录.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['姓名,账号,部门,密级', ...lines].join('\r\n')),
  })
  await page.getByRole('button', { name: '有误 3' }).click()
  await page.getByText('第 11、42、102 行').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'wangmin2' }).click()
  await page.getByRole('button', { name: '新建这个部门' }).click()
  await page.getByLabel('102 密级').fill('机密')
  await page.getByLabel('102 密级').press('Enter')
  await page.getByRole('button', { name: '导入 128 人' }).click()
  await page.getByText('已新增 128 人').waitFor()
  expect((await admin.call('countPeople', {})).total).toBe(before + 128)
  await page.getByRole('button', { name: '生成设置密码的链接' }).click()
  const slip = page.getByRole('dialog').locator('li').filter({ hasText: 'linxia' })
  const code = (await slip.locator('code').textContent()) ?? ''

  await page.goto(`${url}/doc/admin/roles`)
  await page.getByRole('button', { name: '新建角色' }).click()
  const newRole = page.getByRole('dialog', { name: '新建角色' }).getByRole('textbox')
  await newRole.fill('项目成员')
  await newRole.press('Enter')
  await page.getByRole('button', { name: '添加部门…' }).click()
  await page
    .getByRole('dialog')
    .getByRole('treeitem', { name: /市场中心/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: '添加', exact: true }).click()
  await page.getByText(/“项目成员”现有 \d+ 人/).waitFor()

  await page.goto(`${url}/doc/admin/libraries`)
  await page.getByRole('button', { name: /B2 厂房/ }).click()
  const drawer = page.getByRole('complementary', { name: 'B2 厂房' })
  await drawer.getByRole('textbox', { name: '配额' }).fill('1')
  await drawer.getByRole('combobox', { name: '单位' }).click()
  await page.getByRole('option', { name: 'MB' }).click()
  await drawer.getByRole('combobox', { name: '默认权限' }).fill('项目成员')
  await page.getByRole('option', { name: /项目成员/ }).click()
  await picture('library')
  await drawer.getByRole('button', { name: '保存' }).click()
  await page.getByText('已保存“B2 厂房”').waitFor()

  const theirs = await browser.open(`${url}/doc/set-password?code=${code}`)
  await theirs.getByLabel('新密码', { exact: true }).fill('abc')
  await theirs.getByRole('button', { name: '设置密码' }).click()
  await theirs.getByText('至少 8 位，含大写字母、小写字母、数字和符号').waitFor()
  await theirs.getByLabel('新密码', { exact: true }).fill(password)
  await theirs.getByLabel('确认新密码').fill(password)
  await theirs.getByRole('button', { name: '设置密码' }).click()
  await theirs.waitForURL(/\/doc\/login/)
  expect(await theirs.getByLabel('账号').inputValue()).toBe('linxia')
  const files = await new LoginPage(theirs).signIn('linxia', password)
  await files.page.goto(`${url}/doc/folder/files?itemIdStr=s0f-${library}`)
  await files.page.getByText('这个文件夹是空的').waitFor()
  const drop = async (name: string, bytes: number): Promise<void> =>
    files.page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(bytes) })
  await drop('图纸.bin', 1024 * 1024 + 1)
  await files.page.getByText('超出文件夹大小限制').first().waitFor()
  await drop('说明.txt', 5)
  await files.row('说明.txt').waitFor()
  expect((await admin.call('getLibraries', { libraryId: library })).list[0]).toMatchObject({
    used: 5,
    quota: 1024 ** 2,
  })

  await page.goto(`${url}/doc/admin/libraries/storage`)
  await page.getByText('按部门').waitFor()
  await picture('storage')
  await page.goto(`${url}/doc/admin/overview`)
  await page.getByText('还没有做过备份').waitFor()
  await expectAccessible(page)
  await picture('overview')

  // The overview leads to the backups: one is made and checked, and the page says how it is restored.
  await page.getByRole('listitem').filter({ hasText: '还没有做过备份' }).getByRole('link', { name: '查看' }).click()
  await page.getByRole('button', { name: '立即备份' }).click()
  await page.getByRole('button', { name: '检查能否恢复' }).click()
  await page.getByText(/^完好/).waitFor()
  await page.getByText(/npm run restore -- /).waitFor()
  await expectAccessible(page)
  await picture('backups')
  await page.goto(`${url}/doc/admin/audit`)
  await page
    .getByRole('option', { name: /检查备份能否恢复/ })
    .first()
    .waitFor()
  await page.goto(`${url}/doc/admin/links`)
  await page.getByText('没有这类外链').waitFor()

  // The first of them leaves: what she made goes to her colleague.
  await page.goto(`${url}/doc/admin/people`)
  await page.getByLabel('姓名、账号、拼音').fill('linxia')
  await page.getByRole('grid', { name: '组织与成员' }).getByText('林夏').click()
  await page.getByRole('button', { name: '离职移交…' }).click()
  const leaving = page.getByRole('dialog', { name: '离职移交 — 林夏' })
  await leaving.getByRole('combobox').fill('王敏')
  await page.getByRole('option', { name: /王敏/ }).click()
  await leaving.getByRole('button', { name: '冻结并移交' }).click()
  await leaving.getByText('已移交给 王敏，与预览一致').waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${url}/doc/admin/reports/absent`)
  await page.getByText('没有数据').waitFor()
})
