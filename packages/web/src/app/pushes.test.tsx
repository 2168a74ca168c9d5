// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi, refused, unreachable } from '../../test/fake-api.ts'
import { act, button, cleanUp, click, element, press, render, screenText, until } from '../../test/render.tsx'
import { signInAs } from '../../test/session.ts'
import { pushHandlers, refetchAll } from '../core/area/area.ts'
import { api, mainServer } from '../core/call/api.ts'
import { setLocale } from '../core/i18n/i18n.ts'
import { ChunkError } from '../core/page/chunks.tsx'
import { connectRouter } from '../core/page/open-address.ts'
import { sessionStore } from '../core/session/session.ts'
import { openWindow } from '../core/windows/index.ts'
import { reportError, showUncaught } from './errors.ts'
import { loadSignedIn } from './join-areas.ts'

beforeAll(loadSignedIn)
beforeEach(() => render(<p>page</p>))
afterEach(async () => {
  await cleanUp()
  await setLocale('zh')
  vi.unstubAllGlobals()
})

describe('a login elsewhere (push 5)', () => {
  it('waits one second, then forces this page offline in the documented words, and leads to the login page [R034] [R312]', async () => {
    await setLocale('en')
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36'
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
    vi.useFakeTimers()
    pushHandlers().loginElsewhere({ serverId: 0, time: Date.now(), agent }, undefined)
    await vi.advanceTimersByTimeAsync(999)
    expect(sessionStore.getState().ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    vi.useRealTimers()
    const words = 'Your account has been logged in another location, you are forced to logged out'
    await until(() => screenText().includes(words))
    expect(screenText()).toMatch(
      /Signed in at \d{2}:\d{2}.*\(.*Chrome.*Windows.*\)\. .*If this was not you, sign in again, change your password/,
    )
    expect(sessionStore.getState().ended).toBe(true)
    await click(button('Sign in again'))
    await until(() => assign.mock.calls.length === 1)
    expect(String(assign.mock.calls[0]?.[0])).toMatch(/^\/doc\/login/)
  })
})

describe('a colleague comes and goes (push 45)', () => {
  const userId = 41
  const colleague = (status: 'ONLINE' | 'OFFLINE') => ({
    ...{
      userId,
      serverId: 0,
      userName: '陈晓',
      groupName: '渠道部',
      gender: 2,
      level: 0,
      accountType: 0,
      client: 6,
      job: '',
    },
    status,
  })
  const names = { account: 'chen', accountName: '陈晓', groupId: 3, groupName: '渠道部', groupPath: '销售/渠道部' }

  // [R331] The card of a colleague shows whether they are online, live.
  it('and the card of that person says whether they are there, as it is asked for and as it changes [R331] [R352]', async () => {
    const server = fakeApi({
      getContact: { userId, accountId: userId, ...names, title: '经理', avatar: '', phone: '021-5566' },
      getOnlineUsers: { list: [colleague('ONLINE')] },
    })
    signInAs(7)
    void openWindow('cloudoc-person-card', { accountId: userId })
    await until(() => screenText().includes('在线'))
    expect(screenText()).toContain('021-5566')
    pushHandlers().userOnline(colleague('OFFLINE'), undefined)
    await until(() => !screenText().includes('在线'))
    pushHandlers().userOnline(colleague('ONLINE'), undefined)
    await until(() => screenText().includes('在线'))
    // After a lost channel the online status may be out of date, and is loaded again.
    server.now({ getOnlineUsers: { list: [] } })
    refetchAll()
    await until(() => !screenText().includes('在线') && server.inputsOf('getOnlineUsers').length === 2)
  })

  // [R008] The card of a colleague offers to send them a message; one's own card does not.
  it('and a message is sent from their card, not from one’s own [R008]', async () => {
    fakeApi({
      getContact: { userId, accountId: userId, ...names, title: '经理', avatar: '' },
      getOnlineUsers: { list: [] },
    })
    signInAs(7)
    const opened: string[] = []
    const disconnect = connectRouter((address) => opened.push(address))
    void openWindow('cloudoc-person-card', { accountId: userId })
    await until(() => screenText().includes('渠道部'))
    await click(button('发消息'))
    expect(opened).toEqual([`/im/index?user=${userId}`])
    void openWindow('cloudoc-person-card', { accountId: 7 })
    await until(() => screenText().includes('渠道部'))
    expect(screenText()).not.toContain('发消息')
    disconnect()
  })
})

describe('the mail of what one has not seen', () => {
  const settings = async (): Promise<void> => {
    void openWindow('cloudoc-setting', { page: 'notices' })
    await until(() => screenText().includes('把没看的通知发到邮箱'))
  }
  const field = (): HTMLElement => element('[role=combobox][aria-label="把没看的通知发到邮箱"]')

  it('is chosen beside where it goes, in the time of the place where one is', async () => {
    const server = fakeApi({ getDigest: { every: 'never', email: 'lin@example.com', ready: true }, setDigest: {} })
    await settings()
    expect(screenText()).toContain('发到 lin@example.com')
    await act(async () => field().focus())
    for (const key of ['ArrowDown', 'End', 'Enter']) await press(key)
    await until(() => screenText().includes('已保存'))
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    expect(server.inputsOf('setDigest')).toEqual([{ every: 'weekdays', timeZone }])
  })

  it('cannot be chosen without an address, or where the server sends none, and what to do is said', async () => {
    fakeApi({ getDigest: { every: 'never', email: '', ready: true } })
    await settings()
    expect(screenText()).toContain('先在“个人设置 › 资料”里填写邮箱')
    expect(field().getAttribute('aria-disabled')).toBe('true')
    await cleanUp()
    await render(<p>page</p>)
    fakeApi({ getDigest: { every: 'never', email: 'lin@example.com', ready: false } })
    await settings()
    expect(screenText()).toContain('服务器还不能发邮件')
    expect(field().getAttribute('aria-disabled')).toBe('true')
  })
})

describe('what nobody caught', () => {
  // [R379] -1 is success; a failure is shown in place, or in a warning dialog by default (X60); any other code fails
  // with its text after the caller's.
  // [R380] No connection, time-out, cancelled.
  it('is shown once as a warning when it is a refused call [R379] [R380]', async () => {
    showUncaught()
    fakeApi({ renameFile: refused('fileLocked'), getUseSpaceSizeInfo: unreachable })
    const error: unknown = await api
      .of(mainServer)
      .renameFile({ fileId: 1, fileName: 'b' }, { front: '重命名失败：' })
      .catch((e: unknown) => e)
    const event = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason: error })
    window.dispatchEvent(event)
    await until(() => screenText().includes('重命名失败：文件已被锁定'))
    expect(event.defaultPrevented).toBe(true)
    const cut: unknown = await api.getUseSpaceSizeInfo({}).catch((e: unknown) => e)
    window.dispatchEvent(Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason: cut }))
    await until(() => screenText().includes('网络异常') && screenText().includes('无法连接到网络'))
  })

  it('is not shown when the call was quiet', async () => {
    fakeApi({ renameFile: refused('fileLocked') })
    const error: unknown = await api
      .of(mainServer)
      .renameFile({ fileId: 1, fileName: 'b' }, { quiet: true })
      .catch((e: unknown) => e)
    reportError(error)
    expect(document.querySelector('[role=dialog]')).toBeNull()
  })

  it('offers to reload when a part of the program did not come [R066]', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('')))
    reportError(new ChunkError(new Error('Unable to preload CSS for /assets/a.css')))
    await until(() => screenText().includes('Loading chunk failed'))
    expect(screenText()).toContain('CSS_CHUNK_LOAD_FAILED')
    expect(screenText()).toContain('立即刷新')
  })

  it('offers none where the server is not there: the part is no older than the page [R066]', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))
    reportError(new ChunkError(new Error('Failed to fetch')))
    await until(() => screenText().includes('Loading chunk failed') && screenText().includes('无法连接到网络'))
    expect(screenText()).not.toContain('立即刷新')
  })
})
