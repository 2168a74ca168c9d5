// The desktop client, as it is packed, on a host over Chromium: its main process and preload script with the real page.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { itemAddress } from '@cloudoc/domain'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bundleShell } from '../../scripts/client-bundles.mjs'
import { openBrowser, patienceMs } from '../browser.ts'
import { ElectronHost } from '../electron-host.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'desktop-'))
  await mkdir(join(folder, 'custom'))
  await writeFile(join(folder, 'custom', 'setting.json'), JSON.stringify({ server: company.url }))
  await bundleShell(folder)
  // What the program keeps is below the home of the person.
  vi.stubEnv('HOME', folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

// [R001] The desktop client as it is packed: the page draws the title bars of its windows, reaches nothing of Node and
// no other origin, goes where the program leads it, and signs out before the program ends.
test('[R001] [R038] [R364] [R365] [R366] [R373] the packed client shows the page in its windows, and confines it', async () => {
  const anna = await company.person('desktop-anna', '安娜')
  const top = await anna.folder(anna.library, '图纸')
  const fileId = await company.admin.upload(company.admin.library, '客户端.exe', Buffer.from('installer'))
  const { packageId } = await company.admin.call('publishClient', {
    ...{ type: 'client', sys: 'windows', cpu: 'x64', fileId, version: '6.9.0' },
  })
  const context = (await browser.open('about:blank')).context()
  const host = new ElectronHost(context, folder)
  const does = (what: string | RegExp) =>
    expect.poll(() => host.did, { timeout: patienceMs }).toContainEqual(expect.stringMatching(what))
  await host.run()
  await expect.poll(() => host.pages.has('main'), { timeout: patienceMs }).toBe(true)
  const page = host.pages.get('main')
  if (page === undefined) throw new Error('no main window')
  await new LoginPage(page).signIn(anna.account, password)

  await page.getByRole('button', { name: '最小化' }).first().click()
  await does('minimize main')
  const reach = await page.evaluate(() =>
    ['require', 'process', 'Buffer', 'global', 'module'].filter((name) => name in globalThis),
  )
  expect(reach).toEqual([])
  const names = await page.evaluate(() => Object.keys((window as unknown as { cloudocDesktop: object }).cloudocDesktop))
  expect(names).toContain('openInMain')
  for (const address of ['https://evil.example/x', 'file:///etc/passwd'])
    await page.evaluate((to) => void window.open(to), address)
  await page.evaluate(() => {
    location.href = 'https://evil.example/page'
  })
  await does('browser https://evil.example/page')
  await does('browser https://evil.example/x')
  expect(host.did.join()).not.toContain('passwd')
  expect(new URL(page.url()).origin).toBe(company.url)

  host.choose('连接诊断')
  await expect.poll(() => host.pages.has('default'), { timeout: patienceMs }).toBe(true)
  const other = host.pages.get('default')
  expect(other?.viewportSize()).toEqual({ width: 470, height: 450 })
  await other?.getByText('连接诊断').first().waitFor()
  // Another window names an address, which the main one shows.
  const address = itemAddress({ fType: 2, fId: top })
  await other?.evaluate((to) => {
    const program = (window as unknown as { cloudocDesktop: { openInMain: (path: string) => void } }).cloudocDesktop
    program.openInMain(to)
  }, address)
  await page.getByRole('heading', { name: '图纸' }).or(page.getByText('图纸').first()).first().waitFor()
  await expect.poll(() => page.url(), { timeout: patienceMs }).toContain(String(top))

  await page.evaluate((id) => {
    const link = document.createElement('a')
    link.href = `/services2/client/downloadClient/${id}`
    link.download = '客户端.exe'
    document.body.append(link)
    link.click()
  }, packageId)
  await does(/^folder .*客户端\.exe$/)
  expect(await readFile(join(folder, '客户端.exe'), 'utf8')).toBe('installer')

  host.choose('退出')
  await does('quit')
  expect(host.did).not.toContain('relaunch')
  const cookies = await context.cookies(company.url)
  expect(cookies.find(({ name }) => name === 'cloudoc_session')?.value ?? '').toBe('')
})
