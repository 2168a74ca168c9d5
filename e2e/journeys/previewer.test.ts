// How the previewer shows each kind of file, and its message for kinds that it cannot show.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { rightsGroup } from '@cloudoc/domain'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { laptop, openBrowser, patienceMs } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { LoginPage } from '../pages/login-page.ts'
import { printed, recordPrints } from '../pages/printing.ts'
import { openCompany, password } from './company.ts'
import { documentOf, documents } from './demo-documents.ts'

const company = await openCompany()
const browser = await openBrowser()

const wait = { timeout: patienceMs }

/** The duration of a recording once the browser has read it; 0 before. */
const lengthOf = (player: Locator): Promise<number> =>
  player.evaluate((media: HTMLMediaElement) => (media.readyState > 0 ? media.duration : 0))

// [R163] The folders of an archive are shown as a tree; a file is saved to the drive from there.
// [R164] Audio shows its waveform, in which a click seeks; audio and video have a playback speed.
// [R169] The picture of a video is sent while it is played, and is then shown in the list.
test('[R163] [R164] [R169] text, a table, a picture, sound and a film are shown without a barrier; what cannot be is said to be so, and comes by a download', async () => {
  const files = await documents('csv', 'png', 'wav', 'webm')
  files.set('厂房.dwg', Buffer.from('no drawing'))
  const text = '第一行：项目启动\n第二行：预算评审\n'
  files.set('纪要.txt', Buffer.from(text))
  const rar = new URL('../../packages/server/test/documents/archive.rar.gz', import.meta.url)
  files.set('资料.rar', gunzipSync(await readFile(rar)))
  files.set('空的.docx', Buffer.alloc(0))
  files.set('坏的.webm', Buffer.from('not a film'))
  const lin = await company.person('linxia', '林夏')
  for (const [name, bytes] of files) await lin.upload(lin.library, name, bytes)
  const nameOf = (ext: string): string => [...files.keys()].find((name) => name.endsWith(`.${ext}`)) ?? ''

  const hers = await new LoginPage(await browser.open(company.url)).signIn(company.account('linxia'), password)
  const { page } = hers
  await hers.goTo('林夏')
  const previewer = page.getByRole('dialog')
  const pictures = process.env['PICTURES']
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape')
    await previewer.waitFor({ state: 'detached' })
  }

  await hers.open('纪要.txt')
  await previewer.getByText('第二行：预算评审').waitFor()
  await expectAccessible(page)
  await close()

  await hers.open('空的.docx')
  await previewer.getByRole('heading', { name: '这个文件是空的' }).waitFor()
  await close()

  await hers.open(nameOf('csv'))
  await previewer.getByRole('columnheader').nth(1).waitFor(wait)
  await expectAccessible(page)
  await close()

  await hers.open(nameOf('png'))
  const picture = previewer.getByRole('img', { name: nameOf('png') })
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth), wait).toBeGreaterThan(0)
  await expectAccessible(page)
  await close()

  await hers.open(nameOf('wav'))
  const sound = previewer.locator('audio')
  await expect.poll(() => lengthOf(sound), wait).toBeGreaterThan(0)
  await previewer.getByRole('slider', { name: '播放位置' }).waitFor()
  await page.keyboard.press('+')
  await expect.poll(() => sound.evaluate((player: HTMLAudioElement) => player.playbackRate)).toBe(1.25)
  await previewer.getByRole('slider', { name: '播放位置' }).fill('500')
  await expect
    .poll(() => sound.evaluate((player: HTMLAudioElement) => player.currentTime / player.duration), wait)
    .toBeGreaterThan(0.45)
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-sound.png') })
  await expectAccessible(page)
  await close()

  const given = page.waitForResponse(/\/givePreviewPicture/, { timeout: 120_000 })
  await hers.open(nameOf('webm'))
  const film = previewer.locator('video')
  await expect.poll(() => lengthOf(film), wait).toBeGreaterThan(0)
  expect(await film.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  await previewer.getByRole('button', { name: '加快' }).click()
  await previewer.getByRole('button', { name: '加快' }).click()
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(1.5)
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-film.png') })
  // The page uploads the preview picture during playback. Closing earlier would prevent it.
  await given
  await expectAccessible(page)
  await close()
  // The server does not render videos: the list shows a frame that the first viewer's browser uploaded.
  await page.getByRole('button', { name: '图库' }).click()
  const small = page
    .getByRole('grid')
    .locator('.dr-tile', { hasText: nameOf('webm') })
    .locator('img')
    .first()
  await expect.poll(() => small.evaluate((img: HTMLImageElement) => img.naturalWidth), wait).toBeGreaterThan(0)
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-film-small.png') })
  await page.getByRole('button', { name: '列表', exact: true }).click()

  await hers.open('资料.rar')
  await previewer.getByRole('button', { name: '资料', exact: true }).click()
  await previewer.getByRole('button', { name: '清单.txt', exact: true }).click()
  await previewer.getByText('交付清单').waitFor()
  await expectAccessible(page)
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-entry.png') })
  await previewer.getByRole('navigation', { name: '压缩包里的位置' }).getByRole('button', { name: /资料$/ }).click()
  const unpacking = page.waitForEvent('download')
  await previewer.getByRole('button', { name: '下载 清单.txt' }).click()
  expect(await readFile(await (await unpacking).path(), 'utf8')).toContain('交付清单')
  await expectAccessible(page)
  const folders = previewer.getByRole('navigation', { name: '压缩包里的文件夹' })
  await folders
    .getByRole('button', { name: /资料\.rar/ })
    .last()
    .click()
  await folders.getByRole('button', { name: /^资料 \d/ }).click()
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-archive.png') })
  const aside = previewer.getByRole('complementary', { name: '文件信息' })
  await previewer.getByRole('row', { name: /清单\.txt/ }).click()
  await aside.getByRole('button', { name: '下载这一个' }).waitFor()
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-archive-side.png') })
  await previewer.getByRole('button', { name: '全部解压到…' }).click()
  const whole = page.getByRole('dialog', { name: '全部解压到…' })
  await whole.getByRole('button', { name: /^解压到/ }).click()
  await page.getByText(/^已解压“资料\.rar”到“林夏”/).waitFor(wait)
  await page.getByRole('button', { name: '撤销' }).click()
  await page.getByText('已删除解压出来的“资料.rar”').waitFor(wait)
  await expectAccessible(page)
  await previewer.getByRole('button', { name: '存到云文档… 清单.txt' }).click()
  const picker = page.getByRole('dialog', { name: '存到云文档' })
  await picker.getByText('密级与压缩包相同').waitFor()
  await picker.getByRole('button', { name: /^复制到/ }).click()
  await page.getByText('已取出“清单.txt”到“林夏”').waitFor(wait)
  await page.getByRole('button', { name: '打开所在文件夹' }).click()
  await previewer.waitFor({ state: 'detached' })
  await hers.row('清单.txt').waitFor()

  await hers.open('坏的.webm')
  await previewer.getByRole('heading', { name: '没能显示这个文件' }).waitFor()
  await previewer.getByText('文件可能已损坏').waitFor()
  await expectAccessible(page)
  await close()

  await hers.open('厂房.dwg')
  await previewer.getByRole('heading', { name: '这种文件还不能在线预览' }).waitFor()
  await previewer.getByText('dwg 文件请下载后用本机程序打开').waitFor()
  await expectAccessible(page)
  const begun = page.waitForEvent('download')
  await previewer.getByRole('main').getByRole('button', { name: '下载', exact: true }).click()
  const download = await begun
  expect(download.suggestedFilename()).toBe('厂房.dwg')
  expect(await readFile(await download.path())).toEqual(files.get('厂房.dwg'))
})

// [R164] The info panel of the previewer shows the file's properties, the camera data of a photo, and its versions,
// each of which can be shown; its rights, comments and log as in the list's panel; the file is shared from there.
// [R188] In the previewer too a version is restored, compared, described, named and saved as a file.
test('[R164] [R188] beside a photo stands what its camera says, beside a file its versions, and each of them is shown', async () => {
  const yu = await company.person('preview-yu', '余青')
  const photo = gunzipSync(
    await readFile(new URL('../../packages/server/test/documents/photo.heic.gz', import.meta.url)),
  )
  await yu.upload(yu.library, '1 现场.heic', photo)
  await yu.upload(yu.library, '2 纪要.txt', Buffer.from('旧的一版'))
  await yu.upload(yu.library, '2 纪要.txt', Buffer.from('新的一版'), { conflict: 'version' })
  const hers = await new LoginPage(await browser.open(company.url)).signIn(yu.account, password)
  const { page } = hers
  await hers.goTo('余青')
  await hers.open('1 现场.heic')
  const previewer = page.getByRole('dialog')
  const shown = previewer.getByRole('img', { name: '1 现场.heic' })
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalHeight), wait).toBe(640)
  await page.keyboard.press('i')
  const side = previewer.getByRole('complementary', { name: '详细信息' })
  await side.getByText('Cloudoc Sample 1').waitFor()
  await side.getByText('f/2.8 · 1/125 s · ISO 200 · 26 mm').waitFor()
  await side.getByText('480 × 640').waitFor()
  await expectAccessible(page)
  const pictures = process.env['PICTURES']
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-photo.png') })
  await page.keyboard.press('ArrowRight')
  await previewer.getByText('新的一版').waitFor()
  await side.getByRole('button', { name: /版本 1/ }).click()
  await previewer.getByText('旧的一版').waitFor()
  // The previewer's side panel offers the same actions as the list of versions.
  await side.getByRole('tab', { name: '版本 2' }).click()
  await side.getByRole('button', { name: '修改说明' }).click()
  await side.getByRole('textbox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('first words')
  await page.keyboard.press('Enter')
  await side.getByText('first words').waitFor(wait)
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-version.png') })
  await side.getByRole('button', { name: '与当前版本比较' }).click()
  await page.getByRole('dialog', { name: '属性 — 2 纪要.txt' }).locator('ins', { hasText: '新' }).waitFor(wait)
  await page.keyboard.press('Escape')
  await side.getByRole('button', { name: '恢复', exact: true }).click()
  await page.getByRole('dialog', { name: '提示' }).getByRole('button', { name: '恢复', exact: true }).click()
  await side.getByRole('tab', { name: '版本 3' }).waitFor(wait)
  await previewer.getByText('旧的一版').waitFor()
  await side.getByRole('button', { name: /^版本 2/ }).click()
  await previewer.getByText('新的一版').waitFor()
  await side.getByRole('button', { name: /^版本 3/ }).click()
  await previewer.getByText('旧的一版').waitFor()

  // Comments and history, as in the panel of the list. Keys typed into a comment do not control the previewer.
  await side.getByRole('tab', { name: '评论' }).click()
  await side.getByRole('textbox').click()
  await page.keyboard.type('it is fine')
  await side.getByRole('button', { name: '发送' }).click()
  await side.getByRole('article').getByText('it is fine').waitFor()
  await side.getByRole('tab', { name: '评论 1' }).waitFor()
  await expectAccessible(page)
  await side.getByRole('tab', { name: '动态' }).click()
  await side.getByRole('listitem').first().waitFor()
  await previewer.getByRole('button', { name: '历史版本' }).click()
  await side.getByRole('tab', { name: '版本 3', selected: true }).waitFor()
  await previewer.getByRole('button', { name: '共享…' }).click()
  await page.getByText('共享 — 2 纪要.txt').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await previewer.getByText('旧的一版').waitFor()
})

// [R164] Search in a workbook covers all rows of all sheets, also those not scrolled to.
longTest(
  '[R164] what is looked for in a table is found in all of its rows, also where nobody has scrolled to',
  async () => {
    const wen = await company.person('preview-wen', '文表')
    const rows = Array.from({ length: 3000 }, (_, n) => `设备 ${n},${n % 1000 === 999 ? '待修' : '完好'}`)
    await wen.upload(wen.library, '设备.csv', Buffer.from(rows.join('\n')))
    const hers = await new LoginPage(await browser.open(company.url)).signIn(wen.account, password)
    const { page } = hers
    await hers.goTo('文表')
    await hers.open('设备.csv')
    const previewer = page.getByRole('dialog')
    await previewer.getByRole('gridcell', { name: '设备 0', exact: true }).waitFor(wait)
    await page.keyboard.press('Control+f')
    await previewer.getByRole('textbox', { name: '查找' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('待修')
    await previewer.getByText('1 / 3', { exact: true }).waitFor()
    await previewer.getByRole('gridcell', { name: '设备 999', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await previewer.getByText('3 / 3', { exact: true }).waitFor()
    await previewer.getByRole('gridcell', { name: '设备 2999', exact: true }).waitFor()
    await expectAccessible(page)
    const pictures = process.env['PICTURES']
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-found.png') })
    await page.keyboard.press('Escape')
    await expect.poll(() => previewer.locator('.rd-cell.is-found').count()).toBe(0)
  },
)

// [R079] The previewer covers the whole window and shows the file, the list it was opened from and the version shown.
// [R164] The previewer lists the other files that can be shown and that the person may preview.
// [R167] When stepping through the files of a list, folders are skipped; opening one opens it.
test('[R063] [R079] [R163] [R164] [R166] [R167] [R168] documents are shown one after another by the arrows, also to who may only look, until the right is gone', async () => {
  const pictures = process.env['PICTURES']
  const he = await company.person('preview-he', '何律')
  const shared = await company.sharedFolder('预览样例', rightsGroup.preview, [he])
  const made = [...(await documents('docx', 'xlsx', 'pptx', 'pdf', 'zip'))]
  const ordered = ['docx', 'xlsx', 'pptx', 'pdf', 'zip'].map((ext, n) => {
    const [, bytes = Buffer.alloc(0)] = made.find(([name]) => name.endsWith(`.${ext}`)) ?? []
    return [`${n + 1} 样例.${ext}`, bytes] as const
  })
  // 合同 in the encoding of Chinese Windows.
  const files = [...ordered, ['6 样例.txt', Buffer.of(0xba, 0xcf, 0xcd, 0xac)] as const]
  for (const [name, bytes] of files) await company.admin.upload(shared, name, bytes)
  // Files that cannot be previewed are skipped when paging through ([R164]).
  await company.admin.upload(shared, '7 样例.dwg', Buffer.from('x'))

  const page = await browser.open(company.url)
  const view = await new LoginPage(page).signIn(he.account, password)
  await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${shared}`)
  await view.grid.waitFor()
  await view.open('1 样例.docx')
  const previewer = page.getByRole('dialog')
  const look = async (n: number, what: Locator): Promise<void> => {
    await previewer.getByText(`第 ${n} / 6 个文件`).waitFor()
    await what.first().waitFor(wait)
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `preview-${n}.png`) })
    await page.keyboard.press('ArrowRight')
  }
  await look(1, previewer.locator('.rd-page h1'))
  await look(2, previewer.getByRole('gridcell'))
  await previewer.locator('.rd-slide-room .rd-text').first().waitFor(wait)
  await expectAccessible(page)
  await look(3, previewer.locator('.rd-slide-room .rd-text'))
  await look(4, previewer.locator('.rd-page-image[src]'))
  await look(5, previewer.getByRole('button', { name: '5 样例.zip' }))
  await look(6, previewer.getByText('合同'))
  // No download button; a download is applied for.
  expect(await previewer.getByRole('button', { name: '下载', exact: true }).count()).toBe(0)
  await previewer.getByRole('button', { name: /^申请下载/ }).waitFor(wait)
  await expectAccessible(page)
  // The right is revoked while he reads: the document closes with a message.
  await company.admin.call('setShareList', { folderId: shared, inherit: false, entries: [] })
  await previewer.getByRole('heading', { name: '这个文件不再对你开放' }).waitFor(wait)
  expect(await previewer.getByText('合同').count()).toBe(0)
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-ended.png') })
  await expectAccessible(page)
})

// [R164] Thumbnails of a document's pages are shown at its side, in step with it; a click goes to a page.
// [R164] Pages are zoomed from 50 % to 400 %, to width or to the whole page, by a menu and by keys; the centre stays in
// place.
// [R164] Search hits on pages are listed at the side: number per page, with context, and marks at the scroll bar;
// options for case and whole words, for Chinese words too.
longTest(
  '[R164] the pages of a document stand small at its side, in step with it, for who has it and for who may only look',
  async () => {
    const pictures = process.env['PICTURES']
    const ye = await company.person('preview-ye', '叶页')
    const shared = await company.sharedFolder('分页样例', rightsGroup.preview, [ye])
    const report = pdfOf(12)
    await ye.upload(ye.library, '报告.pdf', report)
    await company.admin.upload(shared, '只看.pdf', report)
    await ye.upload(ye.library, '条款.docx', await documentOf('docx'))

    const page = await browser.open(company.url)
    const hers = await new LoginPage(page).signIn(ye.account, password)
    const previewer = page.getByRole('dialog')
    const strip = previewer.getByRole('navigation', { name: '页面缩略图' })
    const small = (n: number): Locator => strip.getByRole('button', { name: `第 ${n} 页` })
    const stepsThrough = async (pages: number, last: number, drawn: string): Promise<void> => {
      await strip.locator('.pv-strip-page').nth(0).locator(drawn).first().waitFor(wait)
      await small(last).click()
      await expect.poll(() => small(last).getAttribute('aria-current'), wait).toBe('page')
      await previewer.getByText(`${last} / ${pages}`, { exact: true }).waitFor(wait)
      await strip
        .locator('.pv-strip-page')
        .nth(last - 1)
        .locator(drawn)
        .first()
        .waitFor(wait)
      await expectAccessible(page)
    }
    await hers.goTo('叶页')
    await hers.open('报告.pdf')
    await previewer.locator('.pv-page canvas').first().waitFor(wait)
    expect(await strip.count()).toBe(0)
    await page.keyboard.press('t')
    await stepsThrough(12, 9, 'canvas')
    await previewer.getByRole('button', { name: '下一页' }).click()
    await expect.poll(() => small(10).getAttribute('aria-current'), wait).toBe('page')
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-strip-pdf.png') })

    // The zoom is a fixed percentage, or fits the window.
    const percent = previewer.locator('.pv-percent')
    const choose = async (name: string): Promise<void> => {
      await page.keyboard.press('z')
      await page.getByRole('menuitemradio', { name, exact: true }).click()
      await page.getByRole('menu').waitFor({ state: 'hidden' })
    }
    await choose('200%')
    await expect.poll(() => percent.innerText(), wait).toBe('200%')
    // The centre of the view stays the same.
    await previewer.getByText('10 / 12', { exact: true }).waitFor()
    await page.keyboard.press('z')
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-zoom.png') })
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await choose('适合整页')
    const whole = async (): Promise<boolean> => {
      const [shown, sheet] = await Promise.all([
        previewer.locator('.pv-body').boundingBox(),
        previewer.locator('.pv-page').first().boundingBox(),
      ])
      return (sheet?.height ?? 0) > 0 && (sheet?.height ?? 0) < (shown?.height ?? 0)
    }
    await expect.poll(whole, wait).toBe(true)
    await choose('适合宽度')
    await expect.poll(whole, wait).toBe(false)

    // The strip shows hits beside the thumbnails of their pages.
    await page.keyboard.press('Control+f')
    await previewer.getByRole('textbox', { name: '查找' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('page 1')
    await strip.getByText('4 页里有 4 处').waitFor(wait)
    await expect.poll(() => strip.locator('.pv-strip-page').count()).toBe(4)
    await strip.getByRole('button', { name: 'Page 11', exact: true }).click()
    await previewer.getByText('11 / 12', { exact: true }).waitFor()
    await previewer.getByText('3 / 4', { exact: true }).waitFor()
    await expectAccessible(page)
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-strip-found.png') })
    await previewer.getByRole('button', { name: '全字' }).click()
    await strip.getByText('1 页里有 1 处').waitFor()
    await previewer.getByRole('button', { name: '区分大小写' }).click()
    await strip.getByText('0 页里有 0 处').waitFor()
    await previewer.getByRole('textbox', { name: '查找' }).press('Escape')
    await expect.poll(() => strip.locator('.pv-strip-page').count()).toBe(12)
    await page.keyboard.press('Escape')
    await previewer.waitFor({ state: 'detached' })

    // The previewer remembers the setting.
    await hers.open('条款.docx')
    await stepsThrough(2, 2, '.rd-text')
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'preview-strip-docx.png') })

    await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${shared}`)
    await hers.grid.waitFor()
    await hers.open('只看.pdf')
    await previewer.locator('.rd-page-image[src]').first().waitFor(wait)
    await page.keyboard.press('t')
    await stepsThrough(12, 9, 'img[src]')
  },
)

// [R164] With the right to print, the shown version is printed: pages, pictures, documents, sheets, slides, mails and
// texts.
test('[R135] [R164] documents, tables and texts are printed as they are shown, and of a version that is shown that one', async () => {
  const shen = await company.person('preview-shen', '沈印')
  await shen.upload(shen.library, '1 纪要.md', Buffer.from('# 旧的标题\n'))
  await shen.upload(shen.library, '1 纪要.md', Buffer.from('# 新的标题\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n'), {
    conflict: 'version',
  })
  const rows = Array.from({ length: 80 }, (_, n) => `设备 ${n},${n}`)
  await shen.upload(shen.library, '2 设备.csv', Buffer.from(rows.join('\n')))
  await shen.upload(shen.library, '3 程序.py', Buffer.from('def main():\n    return 1\n'))
  const hers = await new LoginPage(await browser.open(company.url)).signIn(shen.account, password)
  const { page } = hers
  await recordPrints(page)
  await hers.goTo('沈印')
  await hers.open('1 纪要.md')
  const previewer = page.getByRole('dialog')
  await previewer.getByRole('heading', { name: '新的标题' }).waitFor(wait)
  await previewer.getByRole('button', { name: '打印' }).click()
  const first = await printed(page)
  expect(first).toContain('新的标题')
  expect(first).toContain('<td')
  await page.keyboard.press('h')
  await previewer.getByRole('button', { name: /版本 1/ }).click()
  await previewer.getByRole('heading', { name: '旧的标题' }).waitFor(wait)
  await previewer.getByRole('button', { name: '打印' }).click()
  expect(await printed(page)).toContain('旧的标题')
  await page.keyboard.press('ArrowRight')
  await previewer.getByRole('gridcell', { name: '设备 0', exact: true }).waitFor(wait)
  await page.keyboard.press('Control+p')
  expect(await printed(page)).toContain('设备 79')
  await page.keyboard.press('ArrowRight')
  await previewer.locator('.pv-text').waitFor(wait)
  await page.keyboard.press('Control+p')
  expect(await printed(page)).toContain('main')
  await expect.poll(() => page.locator('iframe').count()).toBe(0)
})

/** A PDF whose pages show their own number. */
function pdfOf(pages: number): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${Array.from({ length: pages }, (_, n) => `${4 + 2 * n} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  for (let n = 0; n < pages; n += 1) {
    const drawn = `BT /F 48 Tf 72 700 Td (Page ${n + 1}) Tj ET`
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${5 + 2 * n} 0 R>>`,
      `<</Length ${drawn.length}>>stream\n${drawn}\nendstream`,
    )
  }
  let body = '%PDF-1.4\n'
  const at = objects.map((object, n) => {
    const from = body.length
    body += `${n + 1} 0 obj\n${object}\nendobj\n`
    return `${String(from).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${at.join('')}`
  return Buffer.from(
    `${body}${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`,
  )
}

// [R164] Two fingers, or Ctrl with the wheel, zoom pages, slides and pictures at the pointer; a swipe goes to the next
// slide and file, a tap hides the controls; Home, End, Page Up and Page Down navigate from every button, and space
// plays.
longTest(
  '[R164] two fingers zoom, a finger goes on to the next slide and file, a tap hides what stands around; keys lead through what is shown',
  async () => {
    const su = await company.person('suqing', '苏青')
    const files = ['1 展台.png', '2 手册.pdf', '3 教材.pptx', '4 提示音.wav'] as const
    for (const name of files) await su.upload(su.library, name, await documentOf(name.slice(name.lastIndexOf('.') + 1)))
    const page = await browser.open(company.url, { ...laptop, hasTouch: true })
    const hers = await new LoginPage(page).signIn(company.account('suqing'), password)
    await hers.goTo('苏青')
    const touches = await page.context().newCDPSession(page)
    const fingers = async (...moves: readonly (readonly (readonly [x: number, y: number])[])[]): Promise<void> => {
      // As fast as a user, however busy the machine is.
      const begun = Date.now() / 1000
      const at = (n: number): number => begun + n / 50
      for (const [n, points] of moves.entries()) {
        const touchPoints = points.map(([x, y], id) => ({ x, y, id }))
        const type = n === 0 ? 'touchStart' : 'touchMove'
        await touches.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: at(n) })
      }
      await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: at(moves.length) })
    }
    const spread = (): Promise<void> => {
      const pair = (apart: number) => [[683 - apart, 420] as const, [683 + apart, 420] as const]
      return fingers(pair(60), pair(90), pair(120))
    }
    const swipe = (): Promise<void> => fingers([[900, 420]], [[700, 424]], [[500, 424]])
    const percent = async (): Promise<number> => Number.parseInt(await page.locator('.pv-percent').innerText(), 10)
    const zoomed = async (): Promise<number> => {
      const before = await percent()
      await spread()
      await expect.poll(percent, wait).toBeGreaterThan(before * 1.7)
      return before
    }
    const name = page.locator('.pv-name')
    const expectName = (wanted: string): Promise<unknown> => name.getByText(wanted, { exact: true }).waitFor(wait)

    await hers.open('1 展台.png')
    await page.locator('.pv-canvas img').waitFor(wait)
    await zoomed()
    await page.keyboard.press('0')
    await fingers([[683, 420]])
    await name.waitFor({ state: 'hidden', ...wait })
    await fingers([[683, 420]])
    await name.waitFor(wait)
    await swipe()

    await expectName(files[1])
    await page.locator('.pv-page canvas').first().waitFor(wait)
    await zoomed()
    await page.keyboard.press('0')
    // The key also works while a button has the focus.
    await page.getByRole('button', { name: '放大' }).click()
    const top = (): Promise<number> => page.locator('.pv-scroll').evaluate(({ scrollTop }) => scrollTop)
    await page.keyboard.press('End')
    await expect.poll(top, wait).toBeGreaterThan(300)
    await page.keyboard.press('Home')
    await expect.poll(top, wait).toBe(0)
    await page.keyboard.press('0')
    await swipe()

    await expectName(files[2])
    const number = page.locator('.pv-page-number b')
    await number.waitFor(wait)
    await zoomed()
    await page.keyboard.press('0')
    await swipe()
    await expect.poll(() => number.innerText(), wait).toBe('2')
    const slides = await page.locator('.rd-strip-slide').count()
    await page.getByRole('button', { name: '放大' }).click()
    await page.keyboard.press('0')
    await page.keyboard.press('End')
    await expect.poll(() => number.innerText(), wait).toBe(String(slides))
    await swipe()

    await expectName(files[3])
    const sound = page.locator('audio')
    await expect.poll(() => lengthOf(sound), wait).toBeGreaterThan(0)
    const isPaused = (): Promise<boolean> => sound.evaluate((media: HTMLMediaElement) => media.paused)
    // The recording plays by itself and is short: the test restarts it.
    await sound.evaluate((media: HTMLMediaElement) => {
      media.loop = true
    })
    await expect.poll(isPaused, wait).toBe(false)
    await page.keyboard.press(' ')
    await expect.poll(isPaused, wait).toBe(true)
    await page.keyboard.press('Escape')
    await name.waitFor({ state: 'detached' })
  },
)
