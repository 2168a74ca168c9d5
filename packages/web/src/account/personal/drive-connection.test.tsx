// @vitest-environment happy-dom
// How a network drive is connected, as the page of tokens says it.
import { pushes } from '@cloudoc/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { en, zh } from '../../../test/all-texts.ts'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { addTexts } from '../../core/i18n/i18n.ts'
import * as copying from '../../core/page/copy-text.ts'
import { sessionStore } from '../../core/session/session.ts'
import { PersonalPage } from '../pages.tsx'
import { DriveConnection } from './drive-connection.tsx'

addTexts(zh, en)

beforeEach(() => signInAs(7))
afterEach(async () => {
  await cleanUp()
  location.hash = ''
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('each system has its address and its way, and what Windows needs for large files is copied', async () => {
  const copied = vi.spyOn(copying, 'copyText').mockResolvedValue(undefined)
  await render(<DriveConnection />)
  const sections = [...document.querySelectorAll('.ac-drive section')].map((section) => section.textContent)
  expect(sections.map((text) => /^(Windows|macOS|Linux|rclone)/.exec(text)?.[0])).toEqual([
    'Windows',
    'macOS',
    'Linux',
    'rclone',
  ])
  const [windows = '', , linux = '', rclone = ''] = sections
  expect(windows).toContain('50 MB')
  expect(windows).toContain('超过 4 GB 的文件请用客户端或网页')
  expect(linux).toContain(`${location.origin}/dav/`.replace(/^http/, 'dav'))
  expect(rclone).toContain(`url=${location.origin}/dav/ vendor=owncloud user=`)
  await click(button('复制Windows'))
  expect(copied.mock.calls).toEqual([[expect.stringMatching(/^reg add .*FileSizeLimitInBytes .* 4294967295 /)]])
  // The password that is meant is not that of the account; Windows and macOS send none without TLS.
  expect(screenText()).toContain('不是登录密码')
  expect(location.protocol === 'http:').toBe(screenText().includes('不会在未加密的连接上发送密码'))
})

test('the notice of the limit leads to it, opened on the page of tokens', async () => {
  fakeApi({ getMyPrograms: { allowed: true, mostDays: 90, list: [] } })
  await render(<DriveConnection />)
  expect(element('details').hasAttribute('open')).toBe(false)
  await cleanUp()
  const address = pushes.driveLimit.notice.path?.({ serverId: 0, programId: 3, programName: '会议室' }) ?? ''
  location.hash = new URL(address, location.origin).hash
  await render(<PersonalPage />, address)
  await until(() => screenText().includes('连接网络驱动器'))
  expect(element('details').hasAttribute('open')).toBe(true)
})

test('where WebDAV is switched off there is nothing of it', async () => {
  sessionStore.setState(({ session }) => ({
    session: session && { ...session, serverSetting: { ...session.serverSetting, features_off: ['webdav'] } },
  }))
  await render(<DriveConnection />)
  expect(screenText()).toBe('')
})
