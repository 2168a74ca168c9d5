// Shortcuts, the clipboard shared by all tabs, and the order of a folder.
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()

// [R121] Batch copy, move, delete and link; a link has its own name in its folder and grants no rights.
test('[R121] a shortcut is made, opened, broken live and thrown away', async () => {
  const lin = await company.person('linxia', '林夏')
  const folderId = await lin.folder(lin.library, '项目')
  await lin.folder(lin.library, '桌面')
  const fileId = await lin.upload(folderId, '说明.txt', Buffer.from('第一行'))
  const files = await new LoginPage(await browser.open(company.url)).signIn(company.account('linxia'), password)
  await files.choose('项目', '创建快捷方式…')
  const picker = files.dialog('创建快捷方式到')
  await picker.getByRole('combobox', { name: '查找文件夹' }).fill('zm')
  await picker.getByRole('option', { name: '桌面' }).waitFor()
  await files.page.keyboard.press('Enter')
  await picker.getByRole('button', { name: '创建到 桌面', exact: true }).click()
  await files.toasts.getByText('已在“桌面”创建“项目”的快捷方式').waitFor()
  await files.openFolder('桌面')
  await files.row('项目').getByRole('img', { name: '快捷方式', exact: true }).waitFor()
  await files.openFolder('项目')
  await files.row('说明.txt').waitFor()

  const desk = (await lin.call('getSubItemList3', { folderId: lin.library })).list.find((one) => one.fName === '桌面')
  await lin.call('fileOrFolderLink', { fileIdArray: [fileId], targetFolderId: desk?.fId ?? 0 })
  await files.page.goBack()
  await files.open('说明.txt')
  await files.page.getByText('第一行').waitFor()
  await files.page.keyboard.press('Escape')
  await lin.call('fileOrFolderDelete', { fileIdArray: [fileId] })
  await files.row('说明.txt').getByRole('img', { name: '失效的快捷方式' }).waitFor()
  await files.open('说明.txt')
  await files.toasts.getByText('“说明.txt”指向的文件或文件夹已不存在，或你无权查看').waitFor()
  await files.select('说明.txt')
  await files.page.keyboard.press('F2')
  await files.nameField.fill('旧说明.txt')
  await files.page.keyboard.press('Enter')
  await files.row('旧说明.txt').waitFor()
  await files.page.keyboard.press('Delete')
  await files.row('旧说明.txt').waitFor({ state: 'detached' })
  expect(await lin.names(desk?.fId ?? 0)).toEqual(['项目'])
  await files.page.keyboard.press('Control+z')
  await files.row('旧说明.txt').waitFor()
})

// [R127] Items cut or copied in one tab are pasted in another, also on plain HTTP.
longTest('[R127] what is cut in one tab is pasted in another', async () => {
  const chen = await company.person('chenxiao', '陈晓')
  const target = await chen.folder(chen.library, '目标')
  await chen.upload(chen.library, '纪要.txt', Buffer.from('x'))
  const one = await new LoginPage(await browser.open(company.url)).signIn(company.account('chenxiao'), password)
  const page = await one.page.context().newPage()
  await page.goto(company.url)
  const two = new FilesPage(page)
  await two.openFolder('目标')
  await one.select('纪要.txt')
  await one.page.keyboard.press('Control+x')
  await two.page.bringToFront()
  await two.grid.focus()
  await two.page.keyboard.press('Control+v')
  await two.row('纪要.txt').waitFor()
  await one.row('纪要.txt').waitFor({ state: 'detached' })
  expect(await chen.names(target)).toEqual(['纪要.txt'])
})

// [R119] Folder trees in one call, existence checks, folder properties and limits, a shared order of folders, the tree
// opened at a folder, item lookup by id strings.
longTest('[R119] a folder is put in an order for everybody who has not chosen one', async () => {
  const zhou = await company.person('zhoujing', '周静')
  const folderId = await zhou.folder(zhou.library, '合同')
  for (const [name, size] of [
    ['甲.txt', 1],
    ['乙.txt', 30],
    ['丙.txt', 20],
  ] as const)
    await zhou.upload(folderId, name, Buffer.alloc(size))
  const files = await new LoginPage(await browser.open(company.url)).signIn(company.account('zhoujing'), password)
  await files.openFolder('合同')
  await expect.poll(() => files.names()).toEqual(['丙.txt', '甲.txt', '乙.txt'])
  const box = await files.page.getByRole('main').boundingBox()
  await files.page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) - 80, {
    button: 'right',
  })
  await files.page.getByRole('menuitem', { name: '文件排序…', exact: true }).click()
  const dialog = files.dialog('文件排序')
  await dialog.getByRole('radio', { name: '大小' }).check()
  await dialog.getByRole('radio', { name: '降序' }).check()
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect.poll(() => files.names()).toEqual(['乙.txt', '丙.txt', '甲.txt'])
  expect(await zhou.names(folderId)).toEqual(['乙.txt', '丙.txt', '甲.txt'])
})
