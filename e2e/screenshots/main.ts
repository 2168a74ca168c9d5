/*
 * Takes screenshots of the product from a fresh demo installation into /screenshots, in two skins (all four with
 * --all), both languages and two sizes, and reports what does not fit on the pages. Also makes the picture of the
 * README.
 *
 * usage: npm run screenshots [-- --all] [-- --only <parts of pictures' names, with commas>]; `--only front` makes the
 * picture of the README alone
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { demoPassword } from '@cloudoc/devkit/demo'
import { FType, formatItemIdStr } from '@cloudoc/domain'
import type { Cookie, Page } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'
import { laptop, launch, patienceMs } from '../browser.ts'
import { type Person, password, signIn, startServer } from '../journeys/company.ts'
import { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { overflow } from './overflow.ts'

const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
})
const root = join(import.meta.dirname, '../..')
const target = join(root, 'screenshots')
const sizes = [
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
]
const skins = values.all ? ['blue', 'red', 'green', 'black'] : ['blue', 'black']
const account = 'fangyuan'

/** Ids of the items that the scenes show. */
interface SceneFolders {
  readonly contracts: number
  readonly charts: number
  readonly empty: number
}

interface Scene {
  readonly person: Person
  readonly places: SceneFolders
  readonly url: string
  readonly locale: 'zh' | 'en'
}

/** Waits for fonts, and for the side panel, which loads after a selection. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
}

/** Closes the toasts that the demo has caused. */
async function closeToasts(page: Page): Promise<void> {
  const close = page
    .getByRole('region', { name: /^(通知|Notifications)$/ })
    .getByRole('button', { name: /^(关闭|Close)$/ })
  while ((await close.count()) > 0) await close.first().click()
}

/** Opens a folder by its address. */
async function openFolder(page: Page, url: string, folderId: number): Promise<FilesPage> {
  const itemIdStr = formatItemIdStr({ serverId: 0, fType: FType.folder, fId: folderId })
  await page.goto(`${url}/doc/folder/files?${new URLSearchParams({ itemIdStr })}`)
  const files = new FilesPage(page)
  await files.grid.waitFor()
  // An earlier scene may have left another view.
  await page.keyboard.press('Alt+1')
  await page.waitForLoadState('networkidle')
  await closeToasts(page)
  return files
}

/** Resolves when every picture in the list has been drawn. */
async function picturesOf({ page, grid }: FilesPage): Promise<void> {
  await grid.locator('img').last().waitFor()
  await page.waitForLoadState('networkidle')
  await grid.locator('img').evaluateAll((all) => Promise.all(all.map((one) => (one as HTMLImageElement).decode())))
}

/** Selects two files in the folder of contracts. */
async function chooseTwo(page: Page, { url, places }: Scene): Promise<FilesPage> {
  const files = await openFolder(page, url, places.contracts)
  await files
    .rows()
    .nth(1)
    .click({ position: { x: 200, y: 18 } })
  await files
    .rows()
    .nth(3)
    .click({ position: { x: 200, y: 18 }, modifiers: ['Control'] })
  await page.mouse.move(0, 0)
  return files
}

async function openFile(page: Page, scene: Scene, folderId: number, type: string, drawn: string): Promise<void> {
  const files = await openFolder(page, scene.url, folderId)
  await files.grid
    .getByTitle(new RegExp(`\\.${type}$`))
    .first()
    .dblclick()
  await page.getByRole('dialog').locator(drawn).first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** Permanently deletes what an earlier shot has created. */
async function emptyOut(person: Person, folderId: number): Promise<void> {
  const { list } = await person.call('getSubItemList3', { folderId })
  if (list.length === 0) return
  const idsOf = (type: number): number[] => list.filter(({ fType }) => fType === type).map(({ fId }) => fId)
  const ids = { fileIdArray: idsOf(FType.file), folderIdArray: idsOf(FType.folder) }
  await person.call('fileOrFolderDelete', ids)
  await person.call('fileOrFolderCompleteDelete', ids)
}

async function chooseOfAccount(page: Page, scene: Scene, zh: string, en: string): Promise<void> {
  await openFolder(page, scene.url, scene.places.contracts)
  await page.getByRole('button', { name: /方圆/ }).click()
  await page.getByRole('menuitem', { name: scene.locale === 'zh' ? zh : en }).click()
  await page.getByRole('dialog').getByRole('button').first().waitFor()
}

/** Starts uploads that complete, that are paused, that fail and that never end, and shows them. */
async function transferSome(page: Page, { url, places, person }: Scene): Promise<void> {
  await emptyOut(person, places.empty)
  await openFolder(page, url, places.empty)
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-screenshots-'))
  ends.push(() => rm(folder, { recursive: true }))
  const upload = async (name: string, megabytes: number): Promise<void> => {
    // A file on disk: so much data does not pass through the browser connection in time.
    const path = join(folder, name)
    await writeFile(path, Buffer.alloc(megabytes * 1024 * 1024, name))
    await page.locator('input[type=file]').first().setInputFiles(path)
    await page.locator('.dr-panel-task').filter({ hasText: name }).waitFor()
  }
  await upload('新品发布会主视觉提案 v3.pptx', 1)
  await page.locator('.dr-panel-task .dr-success').waitFor()
  await page.route('**/upload/part/**', (route) =>
    /\/[12]$/.test(route.request().url()) ? route.continue() : undefined,
  )
  await upload('现场照片打包.zip', 20)
  await page.locator('.dr-panel-task [role=progressbar]:not([aria-valuenow="0"])').waitFor()
  const rest = page.locator('.dr-panel-task').filter({ hasText: '现场照片打包.zip' }).getByRole('button').first()
  await rest.click()
  await page.route(/upload\/(uploadOpen|raw)/, (route) => route.fulfill({ json: { result: -24, data: null, msg: '' } }))
  await upload('B2 厂房全专业图纸.dwg', 12)
  await page.locator('.dr-notice.is-danger').waitFor()
  await page.unroute(/upload\/(uploadOpen|raw)/)
  await upload('培训录像：新员工信息安全.mp4', 30)
  await page.getByRole('navigation').locator('a[href*=transfer]').first().click()
  await page.locator('.dr-transfer-row').nth(1).waitFor()
  await page.locator('.dr-done-row').first().waitFor()
}

const scenes: Readonly<Record<string, (page: Page, scene: Scene) => Promise<void>>> = {
  async files(page, { url, places }) {
    await openFolder(page, url, places.contracts)
  },
  async 'files-selected'(page, scene) {
    await chooseTwo(page, scene)
  },
  async 'info-panel'(page, scene) {
    const files = await openFolder(page, scene.url, scene.places.contracts)
    await files
      .rows()
      .nth(1)
      .click({ position: { x: 400, y: 18 } })
    const panel = page.getByRole('complementary', { name: /^(详细信息|Details)$/ })
    if ((await panel.count()) === 0) await page.keyboard.press('Alt+p')
    await panel.getByRole('tab').first().waitFor()
    await page.mouse.move(0, 0)
  },
  async icons(page, { url, places }) {
    const files = await openFolder(page, url, places.charts)
    await page.keyboard.press('Alt+2')
    await picturesOf(files)
  },
  async gallery(page, { url, places }) {
    const files = await openFolder(page, url, places.charts)
    await page.keyboard.press('Alt+3')
    await picturesOf(files)
  },
  async 'typed-path'(page, { url, places }) {
    await openFolder(page, url, places.contracts)
    await page.keyboard.press('Alt+d')
    await page.getByRole('textbox', { name: /^(当前位置|Location)$/ }).waitFor()
  },
  async 'context-menu'(page, scene) {
    const files = await openFolder(page, scene.url, scene.places.contracts)
    await files
      .rows()
      .nth(2)
      .click({ button: 'right', position: { x: 260, y: 18 } })
    await page.getByRole('menu').waitFor()
  },
  async groups(page, scene) {
    await openFolder(page, scene.url, scene.places.contracts)
    const zh = scene.locale === 'zh'
    await page.getByRole('button', { name: zh ? /^按名称排序/ : /^Sorted by/ }).click()
    await page.getByRole('menuitemradio', { name: zh ? '分组显示' : 'Show in groups' }).click()
    await page.locator('.dr-group').first().waitFor()
    await page.mouse.move(0, 0)
    await page.evaluate(() => localStorage.removeItem('drive.grouped'))
  },
  async 'item-picker'(page, { url, places, person, locale }) {
    await emptyOut(person, places.empty)
    const files = await openFolder(page, url, places.empty)
    await files.grid.locator('.dr-scroll').click({ button: 'right', position: { x: 60, y: 400 } })
    await page.getByRole('menuitem', { name: locale === 'zh' ? '添加快捷方式…' : 'Add shortcuts…' }).click()
    await page.getByRole('listbox').getByRole('option').first().click()
  },
  async 'empty-folder'(page, { url, places, person }) {
    await emptyOut(person, places.empty)
    await openFolder(page, url, places.empty)
  },
  async 'new-folder'(page, { url, places, person }) {
    await emptyOut(person, places.empty)
    const files = await openFolder(page, url, places.empty)
    await page.keyboard.press('Alt+m')
    await files.rows().getByRole('textbox').waitFor()
  },
  async 'upload-conflict'(page, { url, places, person }) {
    const { list } = await person.call('getSubItemList3', { folderId: places.contracts })
    await openFolder(page, url, places.contracts)
    const taken = list.filter(({ fType }) => fType === 1).slice(0, 3)
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(taken.map(({ fName }) => ({ name: fName, mimeType: '', buffer: Buffer.alloc(48_000) })))
    await page.getByRole('radio').first().waitFor()
  },
  async 'preview-pdf'(page, scene) {
    await openFile(page, scene, scene.places.contracts, 'pdf', 'canvas')
  },
  async 'preview-image'(page, scene) {
    await openFile(page, scene, scene.places.charts, 'png', 'img')
  },
  async recycle(page, { url }) {
    await page.goto(`${url}/doc/folder/recycle`)
    await new FilesPage(page).rows().first().waitFor()
  },
  async search(page, scene) {
    await openFolder(page, scene.url, scene.places.contracts)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('ht')
    await page.getByRole('option').first().waitFor()
  },
  async palette(page, scene) {
    await openFolder(page, scene.url, scene.places.charts)
    await openFolder(page, scene.url, scene.places.contracts)
    await page.keyboard.press('Control+k')
    await page.getByRole('option').nth(4).waitFor()
  },
  async move(page, scene) {
    await chooseTwo(page, scene)
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: /^(移动到|Move to)…$/ })
      .click()
    await page.getByRole('dialog').getByRole('treeitem', { selected: true }).waitFor()
  },
  async 'change-password'(page, scene) {
    await chooseOfAccount(page, scene, '修改密码', 'Change password')
  },
  async about(page, scene) {
    await chooseOfAccount(page, scene, '关于', 'About')
  },
  async 'no-access'(page, { url }) {
    await page.goto(`${url}/doc/folder/files?itemIdStr=s0f-999999`)
    await page.locator('.dr-state').waitFor()
  },
  async 'nothing-found'(page, scene) {
    await openFolder(page, scene.url, scene.places.contracts)
    await page
      .getByRole('textbox', { name: scene.locale === 'zh' ? '筛选当前文件夹' : 'Filter this folder' })
      .fill('qq')
    await page.locator('.dr-state').waitFor()
  },
  async transfers(page, scene) {
    await transferSome(page, scene)
    await page.mouse.move(0, 0)
  },
  async 'transfers-done'(page, { url }) {
    await page.goto(`${url}/doc/folder/transfer/done`)
    await page.locator('.dr-done-row').first().waitFor()
  },
  async 'server-away'(page) {
    await page.route('**/services*/**', (route) => route.abort())
    await page.reload()
    await page.locator('h1').waitFor()
  },
  // Last, because it signs out.
  async login(page, { url }) {
    await page.unrouteAll()
    await page.context().clearCookies()
    await page.goto(url)
    await page.locator('input').first().waitFor()
  },
}

/** Pages for administrators only. */
const adminScenes: typeof scenes = {
  async 'admin-settings'(page, { url, locale }) {
    await page.goto(`${url}/doc/admin/settings`)
    await page.getByRole('switch').first().waitFor()
    await page.getByRole('switch').first().click()
    await page.getByRole('button', { name: locale === 'zh' ? /^保存/ : /^Save/ }).waitFor()
  },
  async 'admin-audit'(page, { url }) {
    await page.goto(`${url}/doc/admin/audit`)
    await page.getByRole('option').nth(1).click()
  },
  async 'admin-safety'(page, { url }) {
    await page.goto(`${url}/doc/admin/safety`)
    await page.getByRole('switch').first().waitFor()
  },
}

const ends: (() => Promise<void>)[] = []
try {
  await draw()
} finally {
  for (const end of ends.toReversed()) await end()
}

async function draw(): Promise<void> {
  const url = await startServer(['--demo'], (stop) => ends.push(stop))
  const person = await signIn(url, account, demoPassword)
  const places = await prepare(person)
  const browser = await launch(findChromium() ?? '')
  ends.push(() => browser.close())
  const cookies = await cookiesOfSignIn(await browser.newPage(laptop), url, account, demoPassword)
  const adminCookies = await cookiesOfSignIn(await browser.newPage(laptop), url, 'admin', password)
  const looks = sizes.flatMap((viewport) =>
    (['zh', 'en'] as const).flatMap((locale) => skins.map((skin) => ({ viewport, locale, skin }))),
  )
  const open = async ({ viewport, locale, skin }: (typeof looks)[number], as = cookies): Promise<Page> => {
    const localStorage = Object.entries({ skin, locale }).map(([name, value]) => ({ name, value }))
    const storageState = { cookies: as, origins: [{ origin: url, localStorage }] }
    const context = await browser.newContext({ ...laptop, viewport, storageState })
    context.setDefaultTimeout(patienceMs)
    return context.newPage()
  }

  if (!(await drawsChinese(await browser.newPage(laptop))))
    throw new Error('no font for Chinese: install fonts-noto-cjk')
  await rm(target, { recursive: true, force: true })
  await mkdir(target)
  let wrong = 0
  for (const look of looks) {
    const [page, adminPage] = [await open(look), await open(look, adminCookies)]
    const shots = [
      ...Object.entries(adminScenes).map((scene) => [adminPage, ...scene] as const),
      ...Object.entries(scenes).map((scene) => [page, ...scene] as const),
    ]
    for (const [page, name, show] of shots) {
      const file = `${name}-${look.skin}-${look.locale}-${look.viewport.width}.png`
      if (!values.only.split(',').some((part) => file.includes(part))) continue
      await show(page, { url, person, places, locale: look.locale })
      await settled(page)
      await page.screenshot({ path: join(target, file) })
      for (const problem of await overflow(page)) {
        wrong += 1
        console.log(`${file}: ${problem}`)
      }
    }
    await page.context().close()
    await adminPage.context().close()
  }
  console.log(`${target}: ${wrong} places where something does not fit`)
  if (wrong > 0) process.exitCode = 1

  if (values.only !== '' && !values.only.split(',').includes('front')) return
  const front = await open({ viewport: { width: 1440, height: 900 }, locale: 'zh', skin: 'blue' })
  await chooseTwo(front, { url, person, places, locale: 'zh' })
  await settled(front)
  await front.screenshot({ path: join(root, 'docs/screenshot.png') })
}

/** Whether two Chinese characters look different; without a font both are the same empty box. */
function drawsChinese(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const drawn = ['云', '文'].map((sign) => {
      const canvas = document.createElement('canvas')
      canvas.getContext('2d')?.fillText(sign, 10, 20)
      return canvas.toDataURL()
    })
    return drawn[0] !== drawn[1]
  })
}

/** Signs in once for all shots. */
async function cookiesOfSignIn(page: Page, url: string, name: string, secret: string): Promise<Cookie[]> {
  await page.goto(url)
  await new LoginPage(page).signIn(name, secret)
  return page.context().cookies()
}

/** Finds the folders of the scenes, creates an empty one, and puts something into the recycle bin. */
async function prepare(person: Person): Promise<SceneFolders> {
  const { list: libraries } = await person.call('getRootFolderSetting', {})
  const inside = async (parentId: number, name: string): Promise<number> => {
    const { list } = await person.call('getSubItemList3', { folderId: parentId, rows: 1000 })
    const found = list.find(({ fName }) => fName === name)
    if (found === undefined) throw new Error(`the demo has no folder ${name}`)
    return found.fId
  }
  const library = (name: string): number => libraries.find(({ fName }) => fName === name)?.fId ?? 0
  const contracts = await inside(await inside(library('法务部'), '合同归档'), '2026年')
  const charts = await inside(library('公司文档'), '统计图表')
  const { list } = await person.call('getSubItemList3', { folderId: await inside(library('法务部'), '法律意见') })
  await person.call('fileOrFolderDelete', { fileIdArray: list.slice(0, 3).map(({ fId }) => fId) })
  return { contracts, charts, empty: await person.folder(person.library, '待整理') }
}
