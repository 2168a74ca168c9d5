// Interrupted transfers: the network, the server, the page or the session disappears in between.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, expect, inject, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import type { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { callWith, openCompany, password, startRestartable } from './company.ts'
import { sha256, untilContentStored } from './stored-contents.ts'

const server = await startRestartable()
const company = await openCompany(server.url)
const browser = await openBrowser()
const folder = await mkdtemp(join(tmpdir(), 'cloudoc-upload-'))
afterAll(() => rm(folder, { recursive: true }))

async function onDisk(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

async function signIn(account: string): Promise<FilesPage> {
  return new LoginPage(await browser.open(company.url)).signIn(account, password)
}

/** Removes the errors that a lost network causes in the console. */
function forgiveTheNetwork(): void {
  const own = browser.problems.filter((problem) => !/net::ERR_|WebSocket connection to|status of 50[23]/.test(problem))
  browser.problems.splice(0, browser.problems.length, ...own)
}

/** Resolves when at most `count` files are left. */
async function leftAtMost(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (most) => {
      const title = document.querySelector('.dr-transfer header b')?.textContent ?? ''
      const [, done, all] = /已传 ([\d,]+) \/ ([\d,]+)/.exec(title) ?? []
      if (done === undefined || all === undefined) return title.startsWith('已上传')
      return Number(all.replaceAll(',', '')) - Number(done.replaceAll(',', '')) <= most
    },
    count,
    { timeout: 200_000 },
  )
}

/** Blocks matching requests until released. */
async function hold(page: Page, url: string, from = 1): Promise<{ held: Promise<void>; letGo: () => Promise<void> }> {
  const held = Promise.withResolvers<void>()
  const waiting: Route[] = []
  let seen = 0
  await page.route(url, async (route) => {
    seen += 1
    if (seen < from) return route.continue()
    waiting.push(route)
    held.resolve()
  })
  return {
    held: held.promise,
    async letGo() {
      await page.unroute(url)
      await Promise.all(waiting.map((route) => route.continue().catch(() => undefined)))
    },
  }
}

// 2,000 files in the long version.
const [folders, eachFolder] = [inject('full') ? 20 : 3, 100]

// [R398] Folders retain their tree, empty ones too; uploads continue after a network cut or a server restart, byte for
// byte.
test('[R398] folders full of files arrive once and whole over a network cut and a restart of the server', async () => {
  const lin = await company.person('linxia', '林夏')
  const root = join(folder, '巡检')
  const contents = new Map<string, string>()
  for (let f = 0; f < folders; f++) {
    const name = `站点 ${String(f).padStart(2, '0')}`
    await mkdir(join(root, name), { recursive: true })
    for (let n = 0; n < eachFolder; n++) {
      const text = `${name} 第 ${n} 次巡检\n`.repeat(1 + n)
      contents.set(`${name}/记录 ${n}.txt`, text)
      await writeFile(join(root, name, `记录 ${n}.txt`), text)
    }
  }
  await mkdir(join(root, '空'))
  const files = await signIn('linxia')
  const { page } = files
  await files.folder('林夏').or(page.getByText('这个文件夹是空的')).first().waitFor()
  await files.drop(root)

  await leftAtMost(page, folders * eachFolder * 0.85)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /连接中断/ }).waitFor()
  await page.context().setOffline(false)
  await leftAtMost(page, folders * eachFolder * 0.55)
  await server.stop()
  await page.getByRole('button', { name: /连接中断/ }).waitFor()
  await server.start()
  await leftAtMost(page, 0)
  await files.transfers
    .getByText(`已上传 ${(folders * eachFolder).toLocaleString('en')} 个文件`)
    .waitFor({ timeout: 200_000 })
  forgiveTheNetwork()

  const inside = (await lin.idsIn(lin.library)).get('巡检') ?? 0
  const arrived = await lin.idsIn(inside)
  expect(arrived.size).toBe(folders + 1)
  expect(await lin.names(arrived.get('空') ?? 0)).toEqual([])
  for (const [name, folderId] of arrived) {
    if (name === '空') continue
    const found = await lin.idsIn(folderId)
    expect(found.size).toBe(eachFolder)
    const wrong = await Promise.all(
      [...found].map(async ([file, fileId]) => {
        const text = (await lin.download(fileId)).toString()
        return text === contents.get(`${name}/${file}`) ? [] : [file]
      }),
    )
    expect(wrong.flat()).toEqual([])
  }
}, 600_000)

longTest(
  '[R192] [R194] a paused upload survives the page: the file is chosen again, another is not taken, and it arrives byte for byte',
  async () => {
    const chen = await company.person('chenxiao', '陈晓')
    // Larger than what the browser stores of a file.
    const bytes = randomBytes(72 * 1024 * 1024)
    const path = await onDisk('培训录像.mp4', bytes)
    const files = await signIn('chenxiao')
    const { page } = files
    const parts = await hold(page, '**/services2/upload/part/**', 4)
    await files.chooseFiles([path])
    await parts.held
    await files.transfers.getByRole('button', { name: '暂停', exact: true }).click()
    await page.getByRole('button', { name: /已暂停/ }).waitFor()
    await parts.letGo()

    await page.goto(`${company.url}/doc/folder/transfer`)
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: '培训录像.mp4' })
    await row.getByText('已暂停').waitFor()
    await row.getByText('请重新选择 1 个文件，从断开的地方接着传').waitFor()
    const choose = async (chosen: string): Promise<void> => {
      const chooser = page.waitForEvent('filechooser')
      await row.getByRole('button', { name: '重新选择文件' }).click()
      await (await chooser).setFiles(chosen)
    }
    await mkdir(join(folder, '另一个'))
    const other = join(folder, '另一个', '培训录像.mp4')
    await writeFile(other, randomBytes(bytes.length))
    await choose(other)
    await page.getByText('有些文件不是原来的文件，或者已经改过，没有续传').waitFor()
    // A copy with a different modification time counts as the same file.
    await utimes(path, 1, 1)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/upload/part/')) sent.push(request.url())
    })
    await choose(path)
    await page.getByText('1 个文件已上传到 陈晓').waitFor()
    expect(sent.length).toBeLessThan(9)
    const fileId = (await chen.idsIn(chen.library)).get('培训录像.mp4') ?? 0
    expect(sha256(await chen.download(fileId))).toBe(sha256(bytes))
    await page.getByRole('link', { name: '已完成' }).click()
    await page.getByRole('main').getByTitle('培训录像.mp4').waitFor()
  },
)

longTest('[R192] what the browser kept goes on by itself when the page is opened again', async () => {
  const wang = await company.person('wangmin', '王敏')
  const bytes = randomBytes(20 * 1024 * 1024)
  const path = await onDisk('图纸.dwg', bytes)
  const files = await signIn('wangmin')
  const { page } = files
  const parts = await hold(page, '**/services2/upload/part/**', 2)
  await files.chooseFiles([path])
  await parts.held
  await untilContentStored(page, wang)
  // The page closes, the browser stays.
  const next = await page.context().newPage()
  await page.close()
  await next.goto(company.url)
  await next.getByText('1 个文件已上传到 王敏').waitFor()
  const fileId = (await wang.idsIn(wang.library)).get('图纸.dwg') ?? 0
  expect(sha256(await wang.download(fileId))).toBe(sha256(bytes))
})

longTest('[R207] who has no room left is told so in one sentence, and retries when there is room', async () => {
  const ma = await company.person('malin', '马琳')
  await company.admin.call('modifyAccount', { userId: ma.userId, quota: 1024 * 1024 })
  const path = await onDisk('展板.psd', randomBytes(3 * 1024 * 1024))
  const files = await signIn('malin')
  await files.chooseFiles([path])
  await files.transfers.getByText('超出用户空间限制。请清理空间或请管理员扩容，然后重试').waitFor()
  await expectAccessible(files.page)
  expect(await ma.names(ma.library)).toEqual([])
  await company.admin.call('modifyAccount', { userId: ma.userId, quota: null })
  await files.transfers.getByRole('button', { name: '重试未成功的' }).click()
  await files.transfers.getByText('已上传 1 个文件').waitFor()
  expect(await ma.names(ma.library)).toEqual(['展板.psd'])
})

longTest('[R035] a session that ends in the middle asks for the password, and the upload goes on', async () => {
  const zhou = await company.person('zhoujie', '周杰')
  const bytes = randomBytes(20 * 1024 * 1024)
  const files = await signIn('zhoujie')
  const { page } = files
  const parts = await hold(page, '**/services2/upload/part/**', 2)
  await files.chooseFiles([await onDisk('方案.pptx', bytes)])
  await parts.held
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name === 'cloudoc_session')?.value ?? ''
  await callWith(company.url, token, 'logout2', {})
  await parts.letGo()
  const dialog = files.dialog('登录已过期')
  await dialog.getByLabel('密码', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: '继续' }).click()
  await files.transfers.getByText('已上传 1 个文件').waitFor()
  const fileId = (await zhou.idsIn(zhou.library)).get('方案.pptx') ?? 0
  expect(sha256(await zhou.download(fileId))).toBe(sha256(bytes))
})

// [R192] Doing, done, /progress and the window of a transfer show and control the same live tasks in every tab;
// unfinished ones continue after a reload or in the next page.
longTest(
  '[R192] [R196] a name taken meanwhile waits for a decision; another tab, /progress and the window show the same task and steer it',
  async () => {
    const yang = await company.person('yangfan', '杨帆')
    const files = await signIn('yangfan')
    const { page } = files
    const sending = await hold(page, '**/services2/upload/raw?*')
    const names = ['一月.txt', '二月.txt', '三月.txt']
    await files.chooseFiles(names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`新 ${name}`) })))
    await sending.held
    // Another user was faster.
    await yang.upload(yang.library, '二月.txt', Buffer.from('旧'))

    const second = await page.context().newPage()
    await second.goto(`${company.url}/progress`)
    const row = second.getByRole('listitem').filter({ hasText: '一月.txt 等 3 个' })
    await row.getByText('在另一个标签页中传输').waitFor()
    await row.getByRole('button', { name: '暂停' }).click()
    await page.getByRole('button', { name: /已暂停/ }).waitFor()
    await row.getByText('已暂停').waitFor()
    await expectAccessible(second)
    await row.getByRole('button', { name: '继续' }).click()
    await row.getByRole('button', { name: '暂停' }).waitFor()
    await sending.letGo()

    await files.transfers.getByText('1 个文件同名，等你决定；其余文件不受影响').waitFor()
    await files.transfers.getByRole('button', { name: '全部显示' }).click()
    await page.getByRole('button', { name: '一月.txt 等 3 个' }).click()
    const detail = files.dialog('传输详情')
    await detail.getByRole('listitem').filter({ hasText: '二月.txt' }).getByText('同名，等你决定').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('main').getByRole('button', { name: '去处理' }).click()
    const dialog = files.dialog('上传到 杨帆：1 个文件同名')
    await dialog.getByRole('radio', { name: '保留两者' }).check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: '继续' }).click()
    await page.getByText('没有正在传输的文件').waitFor()
    await second.getByText('没有正在传输的文件').waitFor()
    await expectAccessible(second)
    await expectAccessible(page)
    expect(await yang.names(yang.library)).toEqual(expect.arrayContaining([...names, '二月 (2).txt']))
    const stored = await yang.idsIn(yang.library)
    expect((await yang.download(stored.get('二月.txt') ?? 0)).toString()).toBe('旧')
    expect((await yang.download(stored.get('二月 (2).txt') ?? 0)).toString()).toBe('新 二月.txt')
  },
)

// [R196] Name conflicts are decided one by one or for all, 100 are listed, the choice applies to the task.
longTest('[R196] 103 taken names are decided at once, 100 of them are listed', async () => {
  const zhao = await company.person('zhaolei', '赵磊')
  const texts = Array.from({ length: 103 }, (_, n) => ({
    name: `合同 ${String(n).padStart(3, '0')}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`新 ${n}`),
  }))
  for (const { name } of texts) await zhao.upload(zhao.library, name, Buffer.from('旧'))
  const files = await signIn('zhaolei')
  await files.row('合同 000.txt').waitFor()
  await files.chooseFiles(texts)
  const dialog = files.dialog('上传到 赵磊：103 个文件同名')
  await dialog.getByText('还有 3 项').waitFor()
  expect(await dialog.getByRole('listitem').count()).toBe(100)
  await dialog.getByRole('radio', { name: '覆盖为新版本' }).check()
  await dialog.getByRole('button', { name: '继续' }).click()
  await files.transfers.getByText('已上传 103 个文件').waitFor({ timeout: 100_000 })
  const stored = await zhao.idsIn(zhao.library)
  expect(stored.size).toBe(103)
  expect((await zhao.call('getFileInfo', { fileId: stored.get('合同 102.txt') ?? 0 })).version).toBe(2)
})

// [R204] Files over the limit are confirmed before the rest is sent; an upload by the right button ends with a link to
// its folder.
longTest(
  '[R204] what is too large is named before the rest goes; an upload by the right button ends with the way to its folder; what is here already is not sent',
  async () => {
    const sun = await company.person('sunli', '孙丽')
    await company.admin.call('setServerSetting', { upload_max_size: 4 * 1024 * 1024 })
    const files = await signIn('sunli')
    const { page } = files
    const known = randomBytes(2 * 1024 * 1024)
    const large = { name: '大.bin', mimeType: '', buffer: randomBytes(5 * 1024 * 1024) }
    await files.chooseFiles([large, { name: '小.bin', mimeType: '', buffer: known }])
    const dialog = files.dialog('文件太大')
    await dialog.getByTitle('大.bin').waitFor()
    await company.admin.call('setServerSetting', { upload_max_size: 0 })
    await dialog.getByRole('button', { name: '上传其余 1 个文件' }).click()
    await files.transfers.getByText('已上传 1 个文件').waitFor()
    await files.toasts.getByText('已上传').waitFor({ state: 'detached' })
    expect(await sun.names(sun.library)).toEqual(['小.bin'])

    const sent: string[] = []
    page.on('request', (request) => {
      if (/upload\/(part|raw)/.test(request.url())) sent.push(request.url())
    })
    const chooser = page.waitForEvent('filechooser')
    const box = await page.getByRole('main').boundingBox()
    if (box === null) throw new Error('there is no list')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height - 80, { button: 'right' })
    await page.getByRole('menuitem', { name: '上传文件', exact: true }).click()
    await (await chooser).setFiles([{ name: '小的副本.bin', mimeType: '', buffer: known }])
    const finished = files.dialog('上传完成')
    await finished.getByText('“小的副本.bin”已上传到 孙丽').waitFor()
    expect(sent).toEqual([])
    await finished.getByRole('button', { name: '打开所在文件夹' }).click()
    await files.row('小的副本.bin').waitFor()
    await page.goto(`${company.url}/doc/folder/transfer/done`)
    await page.getByRole('main').getByRole('listitem').filter({ hasText: '小的副本.bin' }).getByText('秒传').waitFor()
    await expectAccessible(page)
  },
)
