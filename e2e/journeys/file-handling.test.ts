// Counts the keys and drags that daily work takes; groups; the item picker.
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import type { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'
import { documentOf } from './demo-documents.ts'

const company = await openCompany()
const browser = await openBrowser()
const lin = await company.person('linxia', '林夏')

const open = async (): Promise<FilesPage> =>
  new LoginPage(await browser.open(company.url)).signIn(company.account('linxia'), password)

type Counted = 'keys' | 'presses' | 'drops'

/** Starts counting input: keys except modifiers, pointer presses, drops. */
async function count(page: Page): Promise<() => Promise<Record<Counted, number>>> {
  await page.evaluate(() => {
    const counted = { keys: 0, presses: 0, drops: 0 }
    Object.assign(window, { counted })
    window.addEventListener('keydown', (e) => (counted.keys += /^(Control|Shift|Alt|Meta)$/.test(e.key) ? 0 : 1), true)
    window.addEventListener('pointerdown', () => (counted.presses += 1), true)
    window.addEventListener('drop', () => (counted.drops += 1), true)
  })
  return () => page.evaluate(() => ({ ...(window as unknown as { counted: Record<Counted, number> }).counted }))
}

test('a rename takes three keys, an undo one, a find three', async () => {
  await lin.folder(lin.library, '合同')
  const files = await open()
  const { page } = files
  await files.select('合同')
  const renamed = await count(page)
  await page.keyboard.press('F2')
  await page.keyboard.type('X')
  await page.keyboard.press('Enter')
  await files.row('X').waitFor()
  expect(await renamed()).toEqual({ keys: 3, presses: 0, drops: 0 })

  await page.keyboard.press('Delete')
  await files.row('X').waitFor({ state: 'detached' })
  const undone = await count(page)
  await page.keyboard.press('Control+z')
  await files.row('X').waitFor()
  expect(await undone()).toEqual({ keys: 1, presses: 0, drops: 0 })

  const folderId = await lin.folder(lin.library, '里面')
  await lin.folder(folderId, '预算 Q3')
  const found = await count(page)
  // Enter before the answer opens the best hit as soon as it arrives.
  await page.keyboard.press('Control+k')
  await page.keyboard.press('q')
  await page.keyboard.press('Enter')
  await files.folder('预算 Q3').waitFor()
  expect(await found()).toEqual({ keys: 3, presses: 0, drops: 0 })
})

test('a move takes one drag, an upload one drop', async () => {
  const folderId = await lin.folder(lin.library, '手')
  await lin.call('createFolderByPathList', { folderId, pathList: ['来源', '目标'] })
  const files = await open()
  const { page } = files
  await files.openFolder('手')
  const moved = await count(page)
  await files
    .row('来源')
    .getByTitle('来源', { exact: true })
    .dragTo(files.row('目标').getByTitle('目标', { exact: true }))
  await files.row('来源').waitFor({ state: 'detached' })
  expect(await moved()).toEqual({ keys: 0, presses: 1, drops: 1 })

  const path = join(tmpdir(), `一次拖放-${process.pid}.txt`)
  await writeFile(path, '内容')
  const uploaded = await count(page)
  await files.drop(path)
  await files.row(`一次拖放-${process.pid}.txt`).waitFor()
  expect(await uploaded()).toEqual({ keys: 0, presses: 0, drops: 1 })
})

longTest(
  'rows stand in groups in the server’s order, in a short folder and in one that is not loaded whole',
  async () => {
    const folderId = await lin.folder(lin.library, '分组')
    const letters = ['Alpha', 'Beta', '采购', '合同', '9月']
    const each = 400
    const pathList = letters.flatMap((name) => Array.from({ length: each }, (_, i) => `${name}${i + 1}`))
    await lin.call('createFolderByPathList', { folderId, pathList })
    const files = await open()
    const { page } = files
    await files.openFolder('分组')
    await page.getByRole('button', { name: /^按名称排序/ }).click()
    await page.getByRole('menuitemradio', { name: '分组显示' }).click()
    const heads = page.locator('.dr-group:not(.is-pinned)')
    /** The topmost visible group header. */
    const topHead = () =>
      heads.evaluateAll((all) => {
        const first = all.toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        const box = document.querySelector('.dr-scroll')?.getBoundingClientRect()
        return first.find((one) => one.getBoundingClientRect().bottom > (box?.top ?? 0))?.textContent ?? ''
      })
    for (const [at, label] of ['0 – 9', 'A', 'B', 'C（拼音）', 'H（拼音）'].entries()) {
      await page.locator('.dr-scroll').evaluate(
        (element, top) => {
          element.scrollTop = top
        },
        at * (each * 36 + 36),
      )
      await expect.poll(topHead, { timeout: 90_000 }).toBe(`文件夹 · ${label}${each} 项`)
    }
    await files.rows().first().click()
    await page.keyboard.press('End')
    await files.row(`合同${each}`).and(page.locator('[aria-selected=true]')).waitFor()

    // The header of a group selects its rows.
    await page.locator('.dr-group.is-pinned').click()
    await files.expectChosen(each)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^按名称排序/ }).click()
    await page.getByRole('menuitemradio', { name: '分组显示' }).click()
    await heads.first().waitFor({ state: 'detached' })
  },
)

// [R086] Files and folders of the drive are picked, several at once and filtered by type.
longTest('[R086] files and folders are picked, several at once and by their kind', async () => {
  const source = await lin.folder(lin.library, '资料库')
  for (const name of ['报价.xlsx', '合同.docx', '照片.png']) await lin.upload(source, name, Buffer.from('1'))
  const target = await lin.folder(lin.library, '快捷')
  const files = await open()
  const { page } = files
  await files.openFolder('快捷')
  await page.locator('.dr-scroll').click({ button: 'right', position: { x: 300, y: 300 } })
  await page.getByRole('menuitem', { name: '添加快捷方式…' }).click()
  const dialog = files.dialog('添加快捷方式')
  const option = (name: string) => dialog.getByRole('option').filter({ has: page.getByTitle(name, { exact: true }) })
  await option('资料库').dblclick()
  await option('照片.png').waitFor()
  await dialog.getByRole('combobox', { name: '类型' }).click()
  await page.getByRole('option', { name: '文档', exact: true }).click()
  await option('照片.png').waitFor({ state: 'detached' })
  const listed = dialog.getByRole('listbox', { name: '文件' }).getByRole('option')
  await expect.poll(() => listed.allInnerTexts()).toEqual([expect.stringContaining('合同')])
  await dialog.getByRole('combobox', { name: '类型' }).click()
  await page.getByRole('option', { name: '视频', exact: true }).click()
  await dialog.getByText('这里没有这类文件').waitFor()
  await dialog.getByRole('combobox', { name: '类型' }).click()
  await page.getByRole('option', { name: '所有类型', exact: true }).click()
  await option('合同.docx').click()
  await option('报价.xlsx').press('Space')
  await dialog.getByText('已选 2 项').waitFor()
  await dialog.getByRole('button', { name: '选择', exact: true }).click()
  await files.row('合同.docx').waitFor()
  expect((await lin.names(target)).toSorted()).toEqual(['合同.docx', '报价.xlsx'].toSorted())
})

longTest(
  '[R135] a PDF shows text that can be selected and found, and is printed page by page as pictures',
  async () => {
    const folderId = await lin.folder(lin.library, '打印')
    await lin.upload(folderId, '合同.pdf', await documentOf('pdf'))
    const files = await open()
    const { page } = files
    await files.openFolder('打印')
    await files.open('合同.pdf')
    await page.locator('.pv-text-layer span').first().waitFor()
    expect((await page.locator('.pv-text-layer').first().innerText()).trim()).not.toBe('')
    // Records what would be printed instead of opening the browser's dialog.
    await page.evaluate(() => {
      new MutationObserver((changes) => {
        for (const frame of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          const inside = frame instanceof HTMLIFrameElement ? frame.contentWindow : null
          if (inside === null) continue
          inside.print = () => {
            const widths = [...inside.document.images].map((picture) => picture.naturalWidth)
            Object.assign(window, { printed: widths })
            inside.dispatchEvent(new Event('afterprint'))
          }
        }
      }).observe(document.body, { childList: true })
    })
    const pages = await page.locator('.pv-page').count()
    await page.keyboard.press('Control+p')
    const printed = await page.waitForFunction(() => (window as unknown as { printed?: number[] }).printed)
    const widths = (await printed.jsonValue()) ?? []
    expect(widths).toHaveLength(pages)
    for (const width of widths) expect(width).toBeGreaterThan(500)
    expect(await page.locator('iframe').count()).toBe(0)
  },
)

// [R146] Compressed download from the menu to a smaller file on the local disk.
longTest(
  '[R146] [R203] a scanned PDF is downloaded smaller by one entry of its menu, where the server offers it',
  async () => {
    const scan = scannedPdf()
    const folderId = await lin.folder(lin.library, '扫描')
    await lin.upload(folderId, '扫描件.pdf', scan)
    await lin.upload(folderId, '说明.txt', Buffer.from('说明'))
    await company.admin.call('setServerSetting', { pdf_compression: true })
    const files = await open()
    await files.openFolder('扫描')
    await files.row('说明.txt').click({ button: 'right' })
    await (await files.entry('收藏')).waitFor()
    expect(await files.page.getByRole('menuitem', { name: '压缩下载' }).count()).toBe(0)
    await files.page.keyboard.press('Escape')
    await files.page.keyboard.press('Escape')
    const [download] = await Promise.all([files.page.waitForEvent('download'), files.choose('扫描件.pdf', '压缩下载')])
    expect(download.suggestedFilename()).toBe('扫描件.pdf')
    const smaller = await readFile(await download.path())
    expect(smaller.subarray(0, 5).toString()).toBe('%PDF-')
    expect(smaller.length).toBeLessThan(scan.length / 2)
    await company.admin.call('setServerSetting', { pdf_compression: false })
  },
)

/** One page with a picture like a scan: 1,800 by 2,400 grey pixels with noise, compressed without loss. */
function scannedPdf(): Buffer {
  const [width, height] = [1800, 2400]
  const grain = randomBytes(width * height).map((noise) => 200 + (noise % 31))
  const picture = deflateSync(grain)
  const show = 'q 540 0 0 720 20 20 cm /P Do Q'
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 580 760]/Contents 4 0 R/Resources<</XObject<</P 5 0 R>>>>>>',
    `<</Length ${show.length}>>\nstream\n${show}\nendstream`,
    Buffer.concat([
      Buffer.from(
        `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8` +
          `/Filter/FlateDecode/Length ${picture.length}>>\nstream\n`,
      ),
      picture,
      Buffer.from('\nendstream'),
    ]),
  ].map((object) => Buffer.from(object))
  const parts = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  const size = (): number => parts.reduce((sum, part) => sum + part.length, 0)
  for (const [n, object] of objects.entries()) {
    places.push(size())
    parts.push(Buffer.from(`${n + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'))
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${size()}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}
