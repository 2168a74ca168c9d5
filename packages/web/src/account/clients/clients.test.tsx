// @vitest-environment happy-dom
// The windows about programs for people's computers, and about logs.
import type { Answer, calls } from '@cloudoc/contract'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { offeredVersion } from '../../core/session/local-state.ts'
import { windowNamed } from '../../core/windows/index.ts'
import { AppUpdater } from './app-updater.tsx'
import { ClientList } from './client-list.tsx'
import { systemOf, updaterHeight } from './computer.ts'
import { packLogs, withoutSecrets } from './log-pack.ts'
import { LogReport } from './log-report.tsx'
import { PluginUpdater } from './plugin-updater.tsx'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const phone = 'Mozilla/5.0 (Linux; Android 14; Mobile)'
const program: Answer<typeof calls.getClientList>['list'][number] = {
  packageId: 7,
  type: 'client',
  sys: 'windows',
  cpu: 'x64',
  ...{ version: '6.2.0', name: '云文档-6.2.0.exe' },
  ...{ size: 1024, sha256: 'ab', notes: '更快\n更稳', createTime: 1_795_000_000_000 },
}
const answer = (version: string): Answer<typeof calls.checkUpdate2> => ({
  ...{ currentVersion: version, outdated: true, program: { ...program, version } },
  systems: [{ sys: 'windows', cpu: 'x64', version }],
})
const frame = { close: () => undefined, setDirty: () => undefined }

beforeAll(loadSignedIn)
beforeEach(() => {
  void setLocale('zh')
  signInAs(7)
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(windows)
})
afterEach(async () => {
  await cleanUp()
  vi.restoreAllMocks()
  localStorage.clear()
})

// [R350] The list of clients shows each program with a download; without any it says whom to ask.
test('[R350] [R373] the list has a download for each program, and says so where there is none', async () => {
  const server = fakeApi({ getClientList: { list: [program] } })
  await render(<ClientList {...frame} />)
  await until(() => screenText().includes('适合这台电脑'))
  const link = document.querySelector<HTMLAnchorElement>('a[download]')
  expect([link?.download, link?.getAttribute('href')]).toEqual([
    program.name,
    expect.stringContaining('/services2/client/downloadClient/7') as string,
  ])
  await cleanUp()
  queryClient.clear()
  server.now({ getClientList: { list: [] } })
  await render(<ClientList {...frame} />)
  await until(() => screenText().includes('服务器上还没有安装包'))
  await click(button('重新获取'))
  expect(server.inputsOf('getClientList').length).toBeGreaterThan(2)
})

// [R373] [R359] app-updater offers a newer client with what has changed; what is offered is remembered until it is
// skipped. Only 6.1.0 is compared (X1).
test('[R359] [R373] a newer client is offered, remembered, and can be skipped', async () => {
  fakeApi({ checkUpdate2: answer('6.2.0') })
  await render(<AppUpdater {...frame} />)
  await until(() => screenText().includes('新版本 6.2.0'))
  expect([screenText().includes('当前 6.1.0'), screenText().includes('更稳'), offeredVersion()]).toEqual([
    true,
    true,
    '6.2.0',
  ])
  await click(button('跳过这个版本'))
  expect(offeredVersion()).toBeUndefined()
})

// [R082] [R072] The editing-plugin window is one, 180 high where the system is supported, else 360.
test('[R072] [R082] [R372] the plug-in window says what is missing, old or not supported', async () => {
  fakeApi({ checkUpdate2: answer('2.4.1') })
  expect([updaterHeight(windows), updaterHeight(phone), systemOf(phone)]).toEqual([180, 360, undefined])
  expect(windowNamed('editor-plugin-updater')).toMatchObject({ single: true, size: { width: 450 } })
  await render(<PluginUpdater {...frame} current="2.3.8" />)
  await until(() => screenText().includes('本机 2.3.8，服务器 2.4.1'))
  await cleanUp()
  await render(<PluginUpdater {...frame} current="" />)
  await until(() => screenText().includes('没有找到编辑插件'))
  await cleanUp()
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(phone)
  await render(<PluginUpdater {...frame} current="" />)
  await until(() => screenText().includes('这个系统不能用编辑插件') && screenText().includes('2.4.1'))
})

// [R374] The log report packs failed calls, the connection and states without secrets, shows the pack before
// sending it, and tells its number.
test('[R374] logs are shown as they are sent, without secrets, and have a number then', async () => {
  const server = fakeApi({ uploadLogFile: { logNumber: 'LOG-0007' }, getLogFiles: refused('noPermission') })
  localStorage.setItem('loginKey', 'very-secret')
  localStorage.setItem('fileStorageNotice', 'false')
  await api.getLogFiles({}).catch(() => undefined)
  await render(<LogReport {...frame} />)
  await click(button('看看会发送什么'))
  await until(() => screenText().includes('getLogFiles noPermission'))
  expect(screenText()).not.toContain('very-secret')
  await click(
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith('发送')) ??
      document.body,
  )
  await until(() => screenText().includes('LOG-0007'))
  expect(String(server.inputsOf('uploadLogFile')[0]?.['pack'])).toContain('"fileStorageNotice": "false"')
})

test.each([
  ['https://a.example/DownloadServlet?fileId=1&access_token=abc', 'access_token=…'],
  ['authorization: Bearer abcdef', 'authorization …'],
  ['无法打开 报价单 最终版.docx', '…'],
  ['linxia@huaxin.example', '…@…'],
  ['key 0123456789abcdef0123456789abcdef', 'key …'],
])('[R374] of %s nothing secret is packed', (text, kept) => {
  const packed = withoutSecrets(text)
  expect(packed).toContain(kept)
  expect(packed).not.toMatch(/abc|最终版|linxia/)
  expect(JSON.parse(packLogs(['state']))).toHaveProperty('state.version')
})
