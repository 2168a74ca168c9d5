// The core of the first release: two people and a real folder of documents, which come back byte for byte.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { rightsGroup } from '@cloudoc/domain'
import type { Locator } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { openBrowser, patienceMs } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'
import { documents } from './demo-documents.ts'
import { sha256 } from './stored-contents.ts'

const company = await openCompany()
const browser = await openBrowser()
const wait = { timeout: patienceMs }

/** Creates a typical folder on disk: documents, a subfolder, an empty one. */
async function folderOnDisk(files: ReadonlyMap<string, Buffer>): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'cloudoc-drop-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const folder = join(parent, '投标资料')
  await mkdir(join(folder, '图片与附件'), { recursive: true })
  await mkdir(join(folder, '待补充'))
  for (const [name, bytes] of files) {
    await writeFile(join(folder, /\.(png|zip|txt)$/.test(name) ? '图片与附件' : '', name), bytes)
  }
  return folder
}

async function bytesOf(act: () => Promise<void>, page: Locator): Promise<{ name: string; bytes: Buffer }> {
  const begun = page.page().waitForEvent('download')
  await act()
  const download = await begun
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

/** The files of a zip by path, without folders. */
async function unzip(bytes: Buffer): Promise<{ files: Map<string, Buffer>; folders: string[] }> {
  const zip = await fromBufferPromise(bytes)
  const files = new Map<string, Buffer>()
  const folders: string[] = []
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) folders.push(entry.fileName)
    else files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return { files, folders }
}

/** The share of canvas pixels that are not background. */
const ink = (canvas: Locator): Promise<number> =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const { width, height } = element
    const pixels = element.getContext('2d')?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
    let dark = 0
    for (let i = 0; i < pixels.length; i += 4) if ((pixels[i] ?? 255) + (pixels[i + 1] ?? 255) < 300) dark++
    return dark / (width * height)
  })

test('[R308] [R240] [R398] a folder dropped by one person is seen by another without a reload, opened, found by two letters and taken back byte for byte', async () => {
  const files = await documents('docx', 'pdf', 'png', 'xlsx', 'txt', 'zip')
  const [pdf, png] = ['pdf', 'png'].map((type) => [...files.keys()].find((name) => name.endsWith(type)) ?? '')
  const [lin, chen] = await Promise.all([company.person('linxia', '林夏'), company.person('chenxiao', '陈晓')])
  const shared = await company.sharedFolder('合同评审', rightsGroup.edit, [lin, chen])

  const hers = await new LoginPage(await browser.open(company.url)).signIn(company.account('linxia'), password)
  const his = await new LoginPage(await browser.open(company.url)).signIn(company.account('chenxiao'), password)
  for (const person of [hers, his]) {
    await person.goTo('公司文档')
    await person.openFolder('合同评审')
  }
  const marked = await his.page.evaluateHandle(() => document)

  await hers.page.getByText('这个文件夹是空的').waitFor()
  await hers.drop(await folderOnDisk(files))
  await hers.row('投标资料').waitFor()
  await his.row('投标资料').waitFor()
  await hers.transfers.getByText(`已上传 ${files.size} 个文件`).waitFor()

  await his.openFolder('投标资料')
  for (const name of ['图片与附件', '待补充', pdf ?? '']) await his.row(name).waitFor()
  expect(await marked.evaluate((before) => before === document)).toBe(true)

  await his.open(pdf ?? '')
  const previewer = his.page.getByRole('dialog')
  const canvas = previewer.locator('canvas').first()
  await canvas.waitFor()
  // The element exists before it is drawn.
  await expect.poll(() => ink(canvas), wait).toBeGreaterThan(0.005)
  await his.page.keyboard.press('Escape')
  await previewer.waitFor({ state: 'detached' })

  await his.openFolder('图片与附件')
  await his.open(png ?? '')
  const picture = previewer.getByRole('img')
  await picture.waitFor()
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth), wait).toBeGreaterThan(100)
  await his.page.keyboard.press('Escape')
  await previewer.waitFor({ state: 'detached' })

  await (await his.openSearch()).fill('ht')
  await his.hit('合同评审').click()
  await his.folder('合同评审').waitFor()

  const whole = await bytesOf(async () => {
    await his.select('投标资料')
    await his.page.getByRole('button', { name: '下载', exact: true }).click()
  }, his.grid)
  expect(whole.name).toMatch(/\.zip$/)
  const back = await unzip(whole.bytes)
  const sums = [...back.files].map(([path, bytes]) => [path.split('/').at(-1), sha256(bytes)] as const)
  expect(new Map(sums)).toEqual(new Map([...files].map(([name, bytes]) => [name, sha256(bytes)])))
  expect(back.folders).toContain('投标资料/待补充/')

  await his.openFolder('投标资料')
  const one = await bytesOf(() => his.choose(pdf ?? '', '下载'), his.grid)
  expect(one.name).toBe(pdf)
  expect(sha256(one.bytes)).toBe(sha256(files.get(pdf ?? '') ?? Buffer.alloc(0)))
  expect(await lin.names(shared)).toEqual(['投标资料'])
})
