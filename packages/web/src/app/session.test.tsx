// @vitest-environment happy-dom
import { defaultSetting, type ServerSetting } from '@cloudoc/contract'
import { capabilityNames } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, fakeApi, http, refused, unreachable } from '../../test/fake-api.ts'
import { act, button, cleanUp, click, element, render, screenText, type, until } from '../../test/render.tsx'
import { api } from '../core/call/api.ts'
import { connectionStore } from '../core/push/connection.ts'
import { deferPrompts } from '../core/session/prompt-deferral.ts'
import { loadSession, sessionStore, signIn, signOut, useSession } from '../core/session/session.ts'
import { loadSignedIn } from './join-areas.ts'
import { prepare } from './start.ts'

// Otherwise this import would still be running when the tests end.
beforeAll(loadSignedIn)

const account = {
  userId: 7,
  accountId: 7,
  account: 'linxia',
  accountName: '林夏',
  groupId: 1,
  groupName: '市场中心',
  secretLevel: 0,
  level: 0,
  gender: 1,
  avatar: '',
  isAdmin: false,
  mustChangePassword: false,
  needsSecondFactor: false,
}
const signedIn = {
  accessToken: '',
  expiresAt: 1,
  accountInfo: { userId: 7, account: 'linxia', accountName: '林夏' },
  serverId: 0,
}
const settings = (setting: Partial<ServerSetting['setting']> = {}): string =>
  JSON.stringify({ ...defaultSetting, setting: { ...defaultSetting.setting, use_websocket: false, ...setting } })
const usable = {
  getMyAccountInfo: account,
  getServerSetting: settings(),
  getUserPermissionInfo: {
    isAdmin: false,
    isGuest: false,
    secretLevel: 0,
    powers: [],
    capabilities: [...capabilityNames],
  },
}

let server: FakeApi
const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
prepare()

beforeEach(async () => {
  // Not a secure context: signing in uses the documented form.
  vi.stubGlobal('crypto', { subtle: undefined, getRandomValues: crypto.getRandomValues.bind(crypto) })
  server = fakeApi(usable)
  assign.mockClear()
  sessionStore.setState({ session: undefined, ended: false })
  await render(<p>page</p>)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

describe('the session', () => {
  // [R031] In the documented order, each step after the answer to the one before: the token (for a page its cookie, by
  // signing in), the account, the settings, the permissions, then the push channel.
  it('is read in the documented order: token, account, settings, permissions, then the watcher [R031]', async () => {
    const steps: string[] = []
    vi.stubGlobal('WebSocket', function WebSocket() {
      steps.push('watcher')
      return { close: () => undefined }
    })
    const slowly =
      <T,>(name: string, answer: T) =>
      async (): Promise<T> => {
        steps.push(`${name} asked`)
        await new Promise((resolve) => setTimeout(resolve))
        steps.push(`${name} answered`)
        return answer
      }
    server.now({
      login3: slowly('token', signedIn),
      getMyAccountInfo: slowly('account', account),
      getServerSetting: slowly('settings', settings({ use_websocket: true })),
      getUserPermissionInfo: slowly('permissions', usable.getUserPermissionInfo),
    })
    await signIn({ userName: 'linxia', password: 'Secret@123' })
    expect((await loadSession())?.account.accountName).toBe('林夏')
    await until(() => steps.includes('watcher'))
    const inOrder = ['token', 'account', 'settings', 'permissions'].flatMap((one) => [
      `${one} asked`,
      `${one} answered`,
    ])
    expect(steps).toEqual([...inOrder, 'watcher'])
  })

  // [R032] A server without getMyAccountInfo is called with getMyUserInfo.
  it('is read by getMyUserInfo from a server that does not know getMyAccountInfo [R032]', async () => {
    server.now({ getMyAccountInfo: http(404, {}), getMyUserInfo: account })
    expect((await loadSession())?.account.accountName).toBe('林夏')
  })

  it('is undefined for nobody, and asks nobody for a password', async () => {
    server.now({ getMyAccountInfo: refused('notLoggedIn') })
    await expect(loadSession()).resolves.toBeUndefined()
    expect(screenText()).toBe('page')
  })

  it('does not take a broken connection for nobody', async () => {
    server.now({ getMyAccountInfo: unreachable })
    await expect(loadSession()).rejects.toMatchObject({ code: 'network' })
    expect(connectionStore.getState().reached).toBe(false)
  })

  it('takes what an older server does not say from the defaults [R044]', async () => {
    server.now({ getServerSetting: '{"setting":{"print_rights":true}}' })
    const session = await loadSession()
    expect(session?.setting).toMatchObject({ print_rights: true, use_websocket: true })
  })

  it('is given to the parts of the page that need it', async () => {
    const Name = (): ReactNode => useSession().account.accountName
    await loadSession()
    await render(<Name />)
    expect(screenText()).toBe('林夏')
  })

  it('waits for a new password where the account may do nothing before [R026]', async () => {
    server.now({ getMyAccountInfo: { ...account, mustChangePassword: true }, getSafeStrategyInfo: strategy })
    const loading = loadSession()
    await until(() => screenText().includes('请先设置新密码'))
    server.now({ getMyAccountInfo: account, modifyPwd2: {} })
    await type('当前密码', 'Old@12345')
    await type('新密码', 'New@12345')
    await type('确认新密码', 'New@12345')
    await click(button('修改'))
    await expect(loading).resolves.toMatchObject({ account: { mustChangePassword: false } })
  })
})

const strategy = { pwdLength: 8, captchaAlways: false }

// [R047] The new password is asked for on the current page, once, and the interrupted action continues.
it('a password that grows too old while the page is open is changed in place, once, and what was asked for goes on [R047]', async () => {
  const space = { used: 1, total: 2 }
  await loadSession()
  server.now({ getUseSpaceSizeInfo: refused('passwordExpired'), getSafeStrategyInfo: strategy })
  const calls = [api.getUseSpaceSizeInfo({}), api.getUseSpaceSizeInfo({})]
  await until(() => screenText().includes('请先设置新密码'))
  expect(document.querySelectorAll('[role=dialog]')).toHaveLength(1)
  server.now({ getUseSpaceSizeInfo: space, modifyPwd2: {} })
  await type('当前密码', 'Old@12345')
  await type('新密码', 'New@12345')
  await type('确认新密码', 'New@12345')
  await click(button('修改'))
  await expect(Promise.all(calls)).resolves.toEqual([space, space])
})

describe('a session that ends while the page is open', () => {
  const space = { used: 1, total: 2 }

  beforeEach(async () => {
    await loadSession()
    server.now({ getUseSpaceSizeInfo: refused('notLoggedIn'), getFileItemId: http(401) })
  })

  it('is renewed in place: one question for the password, then every waiting call is sent again [R035]', async () => {
    const calls = [api.getUseSpaceSizeInfo({}), api.getUseSpaceSizeInfo({}), api.getFileItemId({ fType: 1, fId: 3 })]
    await until(() => screenText().includes('输入密码即可继续'))
    expect(document.querySelectorAll('[role=dialog]')).toHaveLength(1)
    server.now({ login3: signedIn, getUseSpaceSizeInfo: space, getFileItemId: 'fi_3' })
    await type('密码', 'Secret@123')
    await click(button('继续'))
    await expect(Promise.all(calls)).resolves.toEqual([space, space, 'fi_3'])
    expect(server.inputsOf('login3')).toEqual([
      { serverId: '0', clientType: '6', userName: 'linxia', password: 'Secret@123' },
    ])
    expect(screenText()).toBe('page')
  })

  it('asks for no password in the middle of a name, but when it has been typed (X46)', async () => {
    const [release, another] = [deferPrompts(), deferPrompts()]
    const call = api.getUseSpaceSizeInfo({})
    await until(() => server.sent.some(({ name }) => name === 'getUseSpaceSizeInfo'))
    release()
    release()
    await act(async () => undefined)
    expect(screenText()).toBe('page')
    another()
    await until(() => screenText().includes('输入密码即可继续'))
    server.now({ getUseSpaceSizeInfo: space, login3: signedIn })
    await type('密码', 'Right#2026')
    await click(button('继续'))
    await expect(call).resolves.toEqual(space)
  })

  it('says under the field that the password is wrong, and asks for a captcha when one is due', async () => {
    const call = api.getUseSpaceSizeInfo({})
    await until(() => screenText().includes('输入密码即可继续'))
    server.now({ login3: refused('wrongPassword') })
    await type('密码', 'wrong')
    await click(button('继续'))
    await until(() => screenText().includes('账号或密码不正确'))
    server.now({ login3: refused('wrongVerificationCode') })
    await click(button('继续'))
    await until(() => document.querySelector('.captcha img') !== null)
    server.now({ login3: signedIn, getUseSpaceSizeInfo: space })
    await type('验证码', 'k7m2')
    await click(button('继续'))
    await expect(call).resolves.toEqual(space)
    expect(server.inputsOf('login3').at(-1)).toMatchObject({ captcha: 'k7m2' })
  })

  it('leads to the login page, told why, when the person gives up [R035]', async () => {
    const call = api.getUseSpaceSizeInfo({}).catch((error: unknown) => error)
    await until(() => screenText().includes('输入密码即可继续'))
    await click(button('退出登录'))
    await expect(call).resolves.toMatchObject({ code: 'notLoggedIn', quiet: true })
    await until(() => screenText().includes('登录已过期，你已退出登录。'))
    await click(button('确定'))
    await until(() => assign.mock.calls.length === 1)
    expect(String(assign.mock.calls[0]?.[0])).toMatch(/^\/doc\/login\?redirect=/)
  })
})

describe('signing out', () => {
  it('tells the server and leaves, even when the server does not answer [R037]', async () => {
    await loadSession()
    server.now({ logout2: unreachable })
    await act(signOut)
    expect(server.inputsOf('logout2')).toHaveLength(1)
    expect(String(assign.mock.calls[0]?.[0])).toMatch(/^\/doc\/login/)
  })

  // [R390] Signing out waits 3,000 ms for a server that does not answer.
  it('waits 3 s for a server that does not answer [R390]', async () => {
    await loadSession()
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
      address.includes('logout2')
        ? new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))))
        : fetch(address, init),
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const left = signOut()
    await vi.advanceTimersByTimeAsync(2999)
    expect(assign).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    vi.useRealTimers()
    await act(() => left)
    expect(String(assign.mock.calls[0]?.[0])).toMatch(/^\/doc\/login/)
  })

  it('goes to logout_page where one is set [R044]', async () => {
    server.now({ getServerSetting: settings({ logout_page: 'https://portal.example/bye' }), logout2: {} })
    await loadSession()
    await act(signOut)
    expect(assign).toHaveBeenCalledWith('https://portal.example/bye')
  })

  it('leaves nothing that could still ask for a password', async () => {
    await loadSession()
    server.now({ logout2: {}, getUseSpaceSizeInfo: refused('notLoggedIn') })
    await act(signOut)
    await expect(api.getUseSpaceSizeInfo({})).rejects.toMatchObject({ code: 'notLoggedIn' })
    expect(element('#root').textContent).toBe('page')
  })
})
