// Transfers by keyboard only, single files of a task, files that the browser finds again, and a site on plain HTTP.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser, patienceMs } from '../browser.ts'
import { longTest } from '../long-test.ts'
import type { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'
import { sha256, untilContentStored } from './stored-contents.ts'

const company = await openCompany()
const browser = await openBrowser()
const wait = { timeout: patienceMs }

const textFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`内容 ${name}`) })

async function signIn(account: string): Promise<FilesPage> {
  return new LoginPage(await browser.open(company.url)).signIn(account, password)
}

/** Blocks the small uploads of these names until released. */
async function holdSmall(page: Page, names: () => readonly string[]): Promise<() => Promise<void>> {
  const waiting: Route[] = []
  await page.route('**/services2/upload/raw?*', async (route) => {
    const name = new URL(route.request().url()).searchParams.get('fileName') ?? ''
    if (names().includes(name)) waiting.push(route)
    else await route.continue()
  })
  return async () => {
    await Promise.all(waiting.splice(0).map((route) => route.continue().catch(() => undefined)))
  }
}

/** The name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
  })
}

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let n = 0; n < 80; n++) {
    const here = await focused(page)
    if (typeof name === 'string' ? here === name : name.test(here)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}; the focus is at ${await focused(page)}`)
}

async function expectFocus(page: Page, name: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const element = document.activeElement
    return (element?.getAttribute('aria-label') ?? element?.textContent?.trim()) === wanted
  }, name)
}

// [R192] By the keyboard alone: pause, resume, retry, cancel, remove, clear; the focus is never lost.
test('[R192] [R194] by the keyboard alone: a transfer rests, goes on, is tried again, cancelled and cleared, and the focus is never lost', async () => {
  const lin = await company.person('linxia', '林夏')
  await lin.upload(lin.library, '零.txt', Buffer.from('零'))
  await company.admin.call('modifyAccount', { userId: lin.userId, quota: 4 })
  const files = await signIn(company.account('linxia'))
  const { page } = files
  const held = new Set(['甲.txt'])
  const letGo = await holdSmall(page, () => [...held])
  await files.row('零.txt').waitFor()
  await files.chooseFiles([textFile('甲.txt'), textFile('乙.txt')])
  await files.transfers.getByText(/超出用户空间限制/).waitFor()

  // The panel has opened by itself without taking the focus; its button closes and opens it.
  const { keyboard } = page
  await tabTo(page, /^1/)
  await keyboard.press('Enter')
  await files.transfers.waitFor({ state: 'detached' })
  await keyboard.press('Enter')
  await files.transfers.waitFor()
  await tabTo(page, '暂停')
  await keyboard.press('Enter')
  await files.transfers.getByText('已暂停').waitFor()
  await expectFocus(page, '继续')
  await keyboard.press('Enter')
  await expectFocus(page, '暂停')

  await company.admin.call('modifyAccount', { userId: lin.userId, quota: null })
  await tabTo(page, '重试未成功的')
  await keyboard.press('Enter')
  // The message strip disappears with the failure; the task's row gets the focus.
  await expectFocus(page, '暂停')
  await files.row('乙.txt').waitFor()

  await keyboard.press('Escape')
  await files.transfers.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toMatch(/^1/)
  await keyboard.press('Enter')
  await tabTo(page, '取消传输')
  await keyboard.press('Enter')
  const question = page.getByRole('dialog').filter({ hasText: '取消“甲.txt 等 2 个”？' })
  await question.waitFor()
  await tabTo(page, '取消传输')
  await keyboard.press('Enter')
  await files.transfers.waitFor({ state: 'detached' })
  // Nothing is left to report: the focus is in the page.
  await page.waitForFunction(() => document.activeElement?.closest('main') !== null)
  await letGo()
  held.clear()

  // The transfers page.
  await files.chooseFiles([textFile('丙.txt')])
  await files.row('丙.txt').waitFor()
  await files.chooseFiles([textFile('丁.txt')])
  await files.row('丁.txt').waitFor()
  await tabTo(page, '传输')
  await keyboard.press('Enter')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^已完成/ })
    .waitFor()
  await tabTo(page, /^已完成\d/)
  await keyboard.press('Enter')
  await page.waitForURL('**/transfer/done')
  const records = page.getByRole('main').getByRole('listitem')
  await records.nth(1).waitFor()
  // The focus stays on the chosen tab.
  await expect.poll(() => focused(page)).toMatch(/^已完成\d/)
  await tabTo(page, '从记录移除')
  await keyboard.press('Enter')
  await records.nth(1).waitFor({ state: 'detached' })
  await expectFocus(page, '从记录移除')
  await page.waitForFunction(() => document.activeElement?.closest('li') !== null)
  await keyboard.press('Shift+Tab')
  await keyboard.press('Shift+Tab')
  await expectFocus(page, '清空记录')
  await keyboard.press('Enter')
  await page.getByText('还没有完成的传输').waitFor()
  await page.waitForFunction(() => document.activeElement?.closest('main') !== null)
  expect(await lin.names(lin.library)).toEqual(expect.arrayContaining(['乙.txt', '丙.txt', '丁.txt']))
})

// [R192] Where the browser supports file handles, large files continue after a reload without being chosen again.
longTest(
  '[R192] a file that the browser may read again by its handle goes on by itself after a reload, and not when it rests',
  async () => {
    const wang = await company.person('wangmin', '王敏')
    const files = await signIn(company.account('wangmin'))
    const { page } = files
    // Larger than what the browser stores of a file. A file in its private file system replaces one that the user has
    // given access to.
    const seed = randomBytes(512).toString('hex')
    const whole = Buffer.from(seed.repeat(65 * 1024))
    await page.evaluate(async (text) => {
      const root = await navigator.storage.getDirectory()
      const handle = await root.getFileHandle('模型.stl', { create: true })
      const writable = await handle.createWritable()
      await writable.write(text.repeat(65 * 1024))
      await writable.close()
    }, seed)
    const parts: Route[] = []
    const held = Promise.withResolvers<void>()
    await page.route('**/services2/upload/part/**', (route) => {
      parts.push(route)
      held.resolve()
    })
    await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory()
      const handle = await root.getFileHandle('模型.stl')
      const file = await handle.getFile()
      const data = new DataTransfer()
      const item = data.items.add(file)
      if (item === null) throw new Error('the file cannot be dragged')
      // Synthetic items have no entries and no handles: this one behaves like a dragged one.
      const entry = { isFile: true, name: file.name, file: (done: (one: File) => void) => done(file) }
      const prototype = DataTransferItem.prototype as unknown as Record<string, unknown>
      prototype.webkitGetAsEntry = () => entry
      prototype.getAsFileSystemHandle = async () => handle
      const main = document.querySelector('main [role=grid]') ?? document.querySelector('main')
      const { left, top, width, height } = (main as Element).getBoundingClientRect()
      const at = { clientX: left + width / 2, clientY: top + height - 80 }
      const target = document.elementFromPoint(at.clientX, at.clientY)
      for (const type of ['dragenter', 'dragover', 'drop']) {
        target?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data, ...at }))
      }
    })
    await held.promise
    await files.transfers.getByRole('button', { name: '暂停', exact: true }).click()
    await page.getByRole('button', { name: /已暂停/ }).waitFor()

    // The page closes and the browser stays; paused transfers stay paused.
    await page.goto(`${company.url}/doc/folder/transfer`)
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: '模型.stl' })
    await row.getByText('已暂停').waitFor()
    await row.getByRole('button', { name: '继续' }).click()
    await row.getByRole('button', { name: '暂停' }).waitFor()
    const next = await page.context().newPage()
    await page.close()
    await next.goto(company.url)
    await next.getByText('1 个文件已上传到 王敏').waitFor({ timeout: 100_000 })
    expect(sha256(await wang.download((await wang.idsIn(wang.library)).get('模型.stl') ?? 0))).toBe(sha256(whole))
  },
)

// [R192] One file of a task is retried or skipped.
longTest(
  '[R192] one file of a task is tried again and another left out, in the window of the transfer and by the keyboard',
  async () => {
    const chen = await company.person('chenxiao', '陈晓')
    await company.admin.call('modifyAccount', { userId: chen.userId, quota: 1 })
    const files = await signIn(company.account('chenxiao'))
    const { page } = files
    await holdSmall(page, () => ['一.txt'])
    await files.chooseFiles(['一.txt', '二.txt', '三.txt', '四.txt'].map(textFile))
    await files.transfers.getByText(/3 个文件未成功/).waitFor()
    await company.admin.call('modifyAccount', { userId: chen.userId, quota: null })
    await files.transfers.getByRole('button', { name: '查看' }).click()
    const detail = files.dialog('传输详情')
    const line = (name: string) => detail.getByRole('listitem').filter({ has: page.getByTitle(name, { exact: true }) })
    await line('二.txt')
      .getByText(/超出用户空间限制/)
      .waitFor()
    await expectAccessible(page)
    await line('二.txt').getByRole('button', { name: '重试这个文件' }).focus()
    await page.keyboard.press('Enter')
    await line('二.txt').getByText('已上传').waitFor()
    await line('三.txt').getByRole('button', { name: '不传这个文件' }).focus()
    await page.keyboard.press('Enter')
    await line('三.txt').waitFor({ state: 'detached' })
    await expectFocus(page, '不传这个文件')
    await page.waitForFunction(() => document.activeElement?.closest('[role=listitem]') !== null)
    await detail.getByText('上传到 陈晓 · 已传 1 / 3 个').waitFor()
    await detail.getByRole('button', { name: '未成功 1' }).waitFor()
    // Cancels the file in transfer; only the failed one is left.
    await line('一.txt').getByRole('button', { name: '不传这个文件' }).click()
    await detail.getByText('上传到 陈晓 · 已传 1 / 2 个').waitFor()
    // The message is shown for some seconds, also behind the window.
    const told = page.getByText('已上传 2 个文件').first().waitFor()
    await line('四.txt').getByRole('button', { name: '重试这个文件' }).click()
    await line('四.txt').getByText('已上传').waitFor()
    await told
    await page.keyboard.press('Escape')
    expect((await chen.names(chen.library)).toSorted()).toEqual(['二.txt', '四.txt'].toSorted())
  },
)

// [R192] All transfers work over plain HTTP at a network address, where the browser has no secure context.
longTest(
  '[R192] at an address of the network over plain HTTP people sign in, upload, also what is here already, download and copy a link',
  async () => {
    const zhou = await company.person('zhoujie', '周杰')
    const { port } = new URL(company.url)
    const site = `http://cloudoc.example:${port}`
    const page = await browser.open(site)
    expect(await page.evaluate(() => [isSecureContext, crypto.subtle, navigator.clipboard, navigator.storage])).toEqual(
      [false, undefined, undefined, undefined],
    )
    const files = await new LoginPage(page).signIn(company.account('zhoujie'), password)
    const bytes = randomBytes(3 * 1024 * 1024)
    const opened: string[] = []
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('uploadOpen')) opened.push(request.postData() ?? '')
      if (request.url().includes('/upload/part/')) sent.push(request.url())
    })
    await files.chooseFiles([{ name: '方案.bin', mimeType: '', buffer: bytes }, textFile('说明.txt')])
    await files.transfers.getByText('已上传 2 个文件').waitFor()
    // Hashed in the page's worker, without crypto.subtle.
    expect(opened.join()).toContain(sha256(bytes))
    expect(sent.length).toBeGreaterThan(0)
    sent.length = 0
    await files.chooseFiles([{ name: '方案副本.bin', mimeType: '', buffer: bytes }])
    await files.row('方案副本.bin').waitFor()
    expect(sent).toEqual([])
    expect(sha256(await zhou.download((await zhou.idsIn(zhou.library)).get('方案副本.bin') ?? 0))).toBe(sha256(bytes))

    const [download] = await Promise.all([page.waitForEvent('download'), files.choose('方案.bin', '下载')])
    expect(sha256(await readFile(await download.path()))).toBe(sha256(bytes))

    await page.getByRole('navigation', { name: '当前位置', exact: true }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: '复制链接', exact: true }).click()
    await files.toasts.getByText('已复制', { exact: true }).waitFor()
    await files.openSearch()
    await page.keyboard.press('Control+v')
    expect(await files.search.inputValue()).toContain(site)
    await page.keyboard.press('Escape')

    // A stored upload resumes on plain HTTP as well.
    const held = Promise.withResolvers<void>()
    await page.route('**/services2/upload/part/**', () => held.resolve())
    const more = randomBytes(2 * 1024 * 1024)
    await files.chooseFiles([{ name: '附件.bin', mimeType: '', buffer: more }])
    await held.promise
    await untilContentStored(page, zhou)
    const next = await page.context().newPage()
    await page.close()
    await next.goto(site)
    await next.getByText('1 个文件已上传到 周杰').waitFor()
    expect(sha256(await zhou.download((await zhou.idsIn(zhou.library)).get('附件.bin') ?? 0))).toBe(sha256(more))
  },
)

// [R192] A download shows its progress, pauses, resumes in this page or the next, and is done when its last byte is
// written.
test('[R192] [R195] a download shows how far it is, rests, goes on after a reload, and a refused one says why', async () => {
  const meng = await company.person('mengyao', '孟瑶')
  const bytes = randomBytes(24 * 1024 * 1024)
  await meng.upload(meng.library, '影像.bin', bytes)
  const folderId = await meng.folder(meng.library, '资料')
  await meng.upload(folderId, '内.txt', Buffer.from('内'))
  const files = await signIn(company.account('mengyao'))
  const { page } = files
  const client = await page.context().newCDPSession(page)
  const slow = (bytesASecond: number) =>
    client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      uploadThroughput: -1,
      downloadThroughput: bytesASecond,
    })
  await files.row('影像.bin').waitFor()
  await slow(6 * 1024 * 1024)
  // The first download stops in the middle, so it cannot finish before the test presses the button.
  await page.evaluate(
    (most) => {
      const send = window.fetch.bind(window)
      window.fetch = async (input, init) => {
        const response = await send(input, init)
        if (!response.url.includes('/DownloadServlet') || response.body === null) return response
        let passed = 0
        const stopping = new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            controller.enqueue(chunk)
            passed += chunk.length
            return passed > most ? new Promise<void>(() => undefined) : undefined
          },
        })
        const { status, headers } = response
        return new Response(response.body.pipeThrough(stopping, init?.signal ? { signal: init.signal } : {}), {
          status,
          headers,
        })
      }
    },
    12 * 1024 * 1024,
  )
  const ranges: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/DownloadServlet')) ranges.push(request.headers()['range'] ?? '')
  })
  await files.choose('影像.bin', '下载')
  await files.transfers.getByText('正在下载，已完成 0 / 1 项').waitFor()
  await files.transfers.getByText(/MB\/s/).waitFor()
  const bar = files.transfers.getByRole('progressbar')
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow')), wait).toBeGreaterThan(450)
  await files.transfers.getByRole('button', { name: '暂停', exact: true }).click()
  await files.transfers.getByText('已暂停').waitFor()
  await slow(-1)

  await expectAccessible(page)

  // The next page resumes with the content that this one has stored.
  await page.reload()
  await page.goto(`${company.url}/doc/folder/transfer/doing`)
  await page.getByText('下载到本机').waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '继续', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toBe('影像.bin')
  expect(sha256(await readFile(await download.path()))).toBe(sha256(bytes))
  expect(ranges[0]).toBe('')
  // Content is stored in pieces of 8 MB, and the rest when the transfer pauses; the reload may precede the rest.
  expect(Number(/^bytes=(\d+)-$/.exec(ranges[1] ?? '')?.[1])).toBeGreaterThanOrEqual(8 * 1024 * 1024)
  await page.getByRole('link', { name: /已完成/ }).click()

  await page.getByText(/24.* MB.* 已下载/).waitFor()

  // Another user has deleted it meanwhile.
  await page.goto(`${company.url}/doc/folder/files`)
  await page.route('**/DownloadMultiFile*', async (route) => {
    await meng.call('fileOrFolderDelete', { folderIdArray: [folderId] })
    await route.continue()
  })
  await files.choose('资料', '下载')
  await files.toasts.getByText('“资料”没有下载成功').waitFor()

  await files.transfers.getByText(/不存在或已被删除。请刷新列表/).waitFor()
})
