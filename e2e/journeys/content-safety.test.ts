// Safety of uploads and permissions: no uploaded content runs in our origin, and rights hold both in the page and on
// the server.
import { calls } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { openBrowser, patienceMs } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password, Refused } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()

const wait = { timeout: patienceMs }

/** What a malicious script would do with the session of the user who opens it. */
const attack = `fetch('/services2/user/getMyAccountInfo?stolen').catch(() => 0); localStorage.setItem('stolen', '1')`
const outside = 'http://outside.invalid'
const files = {
  'page.html': `<!doctype html><title>Report</title><h1>Report</h1><img src="${outside}/0.png"><script>${attack}</script><img src="x" onerror="${attack}">`,
  'drawing.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" onload="${attack}">
    <rect width="200" height="100" fill="teal"/><image href="${outside}/1.png"/><script>${attack}</script></svg>`,
  'letter.eml': `From: a@example.com\r\nSubject: Letter\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p onclick="${attack}">A letter</p><script>${attack}</script><img src="${outside}/2.png"><link rel="stylesheet" href="${outside}/3.css"><iframe src="${outside}/4"></iframe>`,
  'paper.pdf': [
    '%PDF-1.7',
    '1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R/AA<</WC 4 0 R>>/Names<</JavaScript<</Names[(a) 4 0 R]>>>>>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/AA<</O<</S/URI/URI(OUTSIDE/5)>>>>/Resources<</XObject<</X 5 0 R>>>>/Contents 6 0 R>>endobj',
    '4 0 obj<</S/JavaScript/JS(SCRIPT)>>endobj',
    '5 0 obj<</Type/XObject/Subtype/Image/Width 1/Height 1/F<</FS/URL/F(OUTSIDE/6.jpg)>>/Length 0>>stream\n\nendstream endobj',
    '6 0 obj<</Length 40>>stream\n0.2 0.5 0.8 rg 20 20 200 100 re f /X Do \nendstream endobj',
    'trailer<</Root 1 0 R>>',
  ]
    .join('\n')
    .replaceAll('OUTSIDE', outside)
    .replace('SCRIPT', attack.replaceAll(/[()]/g, '\\$&')),
}
const linked = 'http://schemas.openxmlformats.org'
/** A document with an external picture. */
const linking = zipSync({
  'word/document.xml': strToU8(
    '<w:document><w:body><w:p><w:r><w:t>A report</w:t></w:r><w:r><w:drawing><a:blip r:embed="x" r:link="x"/></w:drawing></w:r></w:p></w:body></w:document>',
  ),
  'word/_rels/document.xml.rels': strToU8(
    `<Relationships xmlns="${linked}/package/2006/relationships"><Relationship Id="x" Type="${linked}/officeDocument/2006/relationships/image" Target="${outside}/7.png" TargetMode="External"/></Relationships>`,
  ),
})

test('scripts in uploaded HTML, SVG, mails and PDF never run in our origin, and what they name elsewhere is not fetched: previewed, downloaded or opened by address', async () => {
  const lin = await company.person('linxia', '林夏')
  const ids = new Map<string, number>()
  for (const [name, text] of Object.entries(files)) {
    ids.set(name, await lin.upload(lin.library, name, Buffer.from(text)))
  }
  ids.set('report.docx', await lin.upload(lin.library, 'report.docx', Buffer.from(linking)))
  const hers = await new LoginPage(await browser.open(company.url)).signIn(company.account('linxia'), password)
  const requests: string[] = []
  hers.page.context().on('request', (request) => requests.push(request.url()))

  await hers.open('drawing.svg')
  const previewer = hers.page.getByRole('dialog')
  const drawn = previewer.getByRole('img')
  await expect.poll(() => drawn.evaluate((img: HTMLImageElement) => img.naturalWidth), wait).toBe(200)
  await hers.page.keyboard.press('ArrowRight')
  await previewer.getByText('A letter').waitFor(wait)
  await hers.page.keyboard.press('ArrowRight')
  await previewer.getByTitle('page.html', { exact: true }).first().waitFor()
  await previewer.getByText('Report').last().waitFor(wait)
  await hers.page.keyboard.press('ArrowRight')
  await previewer.locator('.pv-page canvas').first().waitFor(wait)
  await hers.page.keyboard.press('ArrowRight')
  await previewer.getByText('A report').waitFor(wait)
  await hers.page.keyboard.press('Escape')

  for (const fileId of ids.values()) {
    const { url, form } = await lin.call('getDocumentPreviewURL', { fileId })
    const { ticket } = await lin.call('createDownloadTicket', { fileIdArray: [fileId] })
    const download = `${calls.downloadServlet.path}?${new URLSearchParams({ fileId: String(fileId), access_token: ticket })}`
    // A document that is converted for viewing has no address that shows the stored original.
    for (const path of form === 'original' ? [url, download] : [download]) {
      const address = new URL(path, company.url).href
      const answer = await hers.page.context().request.get(address)
      expect(answer.status()).toBe(200)
      expect(answer.headers()['content-security-policy']).toMatch(/(^|; *)sandbox(;|$)/)
      expect(answer.headers()['x-content-type-options']).toBe('nosniff')
      const tab = await hers.page.context().newPage()
      await tab.goto(address).catch((error: unknown) => {
        // Downloads are never displayed.
        if (!String(error).includes('Download is starting')) throw error
      })
      await tab.close()
    }
  }
  expect(requests.filter((url) => url.includes('stolen') || url.includes('outside.invalid'))).toEqual([])
  expect(await hers.page.evaluate(() => localStorage.getItem('stolen'))).toBeNull()
  // The browser logs each blocked script.
  const held = browser.problems.splice(0)
  expect(held.filter((text) => !/sandboxed|Content Security Policy/.test(text))).toEqual([])
})

longTest(
  '[R139] [R144] who may only preview sees no upload, cannot drop files, and is refused by the server',
  async () => {
    const chen = await company.person('chenxiao', '陈晓')
    const folderId = await company.sharedFolder('规章', rightsGroup.preview, [chen])
    const fileId = await company.admin.upload(folderId, '考勤制度.txt', Buffer.from('考勤'))
    const his = await new LoginPage(await browser.open(company.url)).signIn(company.account('chenxiao'), password)
    await his.goTo('公司文档')
    await his.openFolder('规章')
    await his.row('考勤制度.txt').waitFor()
    const toolbar = his.page.getByRole('toolbar', { name: '工具栏' })
    for (const name of ['上传', '新建'])
      expect(await toolbar.getByRole('button', { name, exact: true }).count()).toBe(0)
    await his.row('考勤制度.txt').click({ button: 'right' })
    expect(await his.page.getByRole('menuitem').allTextContents()).toEqual([
      expect.stringContaining('预览'),
      '申请下载…',
      '申请授权…',
      '协作',
      '为什么是这些权限？',
      '更多',
      expect.stringContaining('属性…'),
    ])
    // Creating a shortcut in one's own folder changes nothing in this folder.
    await (await his.entry('收藏')).waitFor()
    expect(await his.page.getByRole('menu').last().getByRole('menuitem').allTextContents()).toEqual([
      '收藏',
      '标签',
      '创建快捷方式…',
    ])
    await his.page.keyboard.press('Escape')
    await his.page.keyboard.press('Escape')

    await his.drop(import.meta.filename)
    await his.page.keyboard.press('F5')
    await his.row('考勤制度.txt').waitFor()
    await expect.poll(() => his.names()).toEqual(['考勤制度.txt'])
    expect(await company.admin.names(folderId)).toEqual(['考勤制度.txt'])

    const refused = async (act: Promise<unknown>): Promise<string | undefined> =>
      act.then(
        () => 'done',
        (error: unknown) => (error instanceof Refused ? error.code : String(error)),
      )
    expect(await refused(chen.upload(folderId, '新.txt', Buffer.from('x')))).toBe('noPermission')
    expect(await refused(chen.folder(folderId, '新'))).toBe('noPermission')
    expect(await refused(chen.call('renameFile', { fileId, fileName: '旧.txt' }))).toBe('noPermission')
    expect(await refused(chen.call('createDownloadTicket', { fileIdArray: [fileId] }))).toBe('noPermission')
  },
)

test('[R308] [R333] rights taken away live: the folder leaves the other person’s list, and what lies in it its page', async () => {
  const wang = await company.person('wangmin', '王敏')
  const folderId = await company.sharedFolder('薪酬', rightsGroup.edit, [wang])
  await company.admin.upload(folderId, '薪酬表.txt', Buffer.from('1'))
  const outside = await new LoginPage(await browser.open(company.url)).signIn(company.account('wangmin'), password)
  await outside.goTo('公司文档')
  await outside.row('薪酬').waitFor()
  await company.share(folderId, rightsGroup.edit, [])
  await outside.row('薪酬').waitFor({ state: 'detached' })

  await company.share(folderId, rightsGroup.edit, [wang])
  await outside.row('薪酬').waitFor()
  await outside.openFolder('薪酬')
  await outside.row('薪酬表.txt').waitFor()
  await company.share(folderId, rightsGroup.edit, [])
  await outside.page.getByText('你还不能打开这个文件夹').waitFor()
  expect(await outside.page.getByText('薪酬表.txt').count()).toBe(0)
})
