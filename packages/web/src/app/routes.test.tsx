// @vitest-environment happy-dom
import { defaultSetting } from '@cloudoc/contract'
import { capabilityNames, codeText } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { type Location, matchPath, useLocation } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, fakeApi, refused, unreachable } from '../../test/fake-api.ts'
import { act, button, cleanUp, click, element, press, render, screenText, type, until } from '../../test/render.tsx'
import { areas } from '../core/area/area.ts'
import { sessionStore } from '../core/session/session.ts'
import { loadSignedIn } from './join-areas.ts'
import { homePath, safeRedirect } from './login-redirect.ts'
import { Pages } from './routes.tsx'
import { prepare } from './start.ts'

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
const usable = {
  login3: signedIn,
  getMyAccountInfo: account,
  getServerSetting: JSON.stringify({
    ...defaultSetting,
    company_name: '华信集团',
    setting: { ...defaultSetting.setting, use_websocket: false },
  }),
  getUserPermissionInfo: {
    isAdmin: false,
    isGuest: false,
    secretLevel: 0,
    powers: [],
    capabilities: [...capabilityNames],
  },
  getRootFolderSetting: { list: [] },
  getUseSpaceSizeInfo: { used: 0, total: 0 },
}

let server: FakeApi
let address = ''
const note = ({ pathname, search }: Location): void => {
  address = pathname + search
}
function Address(): ReactNode {
  note(useLocation())
  return null
}
const visit = (path: string): Promise<void> =>
  render(
    <>
      <Address />
      <Pages />
    </>,
    path,
  )
/** The cookie the server sets next to the session, readable by the page's scripts. */
const holdSession = (held: boolean): void => {
  document.cookie = `cloudoc_account=7; Path=/; Max-Age=${held ? 60 : 0}`
}
const nobody = (): void => {
  holdSession(false)
  server.now({ getMyAccountInfo: refused('notLoggedIn') })
}

beforeAll(async () => {
  prepare()
  // Loads what the pages import on demand, so that no test waits for it.
  await Promise.all([loadSignedIn(), import('./layout/shell.tsx')])
})
beforeEach(() => {
  vi.stubGlobal('crypto', { subtle: undefined, getRandomValues: crypto.getRandomValues.bind(crypto) })
  sessionStore.setState({ session: undefined, ended: false })
  server = fakeApi(usable)
  holdSession(true)
  localStorage.clear()
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

describe('the addresses', () => {
  // Runs first: a page of another test could still send a request when it is left.
  it('ask nobody for the account of nobody: the console stays empty', async () => {
    nobody()
    await visit('/doc/folder/files')
    await until(() => screenText().includes('登录云文档'))
    expect(server.sent.map(({ name }) => name)).toEqual(['getCompanyInfo'])
  })

  // [R060] An address that needs a session leads to the login page and, after signing in, back.
  it('that need a session lead to the login page and back, with the flag for no token [R060]', async () => {
    nobody()
    await visit('/doc/folder/files?itemIdStr=s0d12')
    await until(() => screenText().includes('登录云文档'))
    expect(address).toBe('/doc/login?redirect=%2Fdoc%2Ffolder%2Ffiles%3FitemIdStr%3Ds0d12&withoutToken=1')
    expect(screenText()).toContain('请先登录，之后会回到你要打开的页面')
    server.now({ getMyAccountInfo: account })
    await type('账号', 'linxia')
    await type('密码', 'Secret@123')
    await click(button('登录'))
    await until(() => address === '/doc/folder/files?itemIdStr=s0d12')
  })

  // [R049] The login page redirects a signed-in person.
  it('of the login page lead a signed-in person on: to the redirect, or to the files [R049]', async () => {
    await visit('/doc/login?redirect=%2Fdoc%2Ffolder%2Frecycle')
    await until(() => address === '/doc/folder/recycle')
    await cleanUp()
    await visit('/doc/login')
    await until(() => address === homePath)
  })

  // [R050] /doc/folder needs a session and leads to the files.
  it('of the folder module start with the files [R050]', async () => {
    await visit('/doc/folder')
    await until(() => address === homePath)
  })

  // [R055] The list of transfers opens with running transfers; finished ones have an address of their own.
  it('of the transfers start with those under way [R055]', async () => {
    await visit('/doc/folder/transfer')
    await until(() => address === '/doc/folder/transfer/doing')
    await cleanUp()
    await visit('/doc/folder/transfer/done')
    await until(() => screenText().includes('还没有完成的传输'))
  })

  // [R059] An unknown address leads to the login page.
  it('that nobody knows lead to the login page [R059]', async () => {
    nobody()
    await visit('/nothing/here')
    await until(() => address === '/doc/login')
  })

  // [R058] /messagebox/alert shows the message that a page of the product passes on, or the text of a result code, never
  // words of its address; /empty is a page without content.
  it('of messages show the text of a code, not words of the address; the empty page is empty [R058]', async () => {
    await visit('/messagebox/alert?code=-90&message=Call%20me')
    await until(() => screenText().includes(codeText(-90, 'zh')))
    expect(screenText()).not.toContain('Call me')
    await click(button('确定'))
    await until(() => address === homePath)
    await cleanUp()
    await visit('/empty')
    await until(() => address === '/empty' && screenText() === '')
  })

  // [R394] Each documented address has its page, and any other below them says that there is none and stays.
  it.each([
    ...['personal-setting', 'module-select-page', 'improve-information'].map((page) => `/doc/${page}`),
    ...['files', 'recycle', 'email', 'transfer/doing', 'transfer/done'].map((page) => `/doc/folder/${page}`),
    ...['link-creation', 'link-shared', 'permission-creation', 'permission-shared', 'auth-creation', 'auth-review'].map(
      (page) => `/doc/folder/share/${page}`,
    ),
    ...['auth-creation', 'auth-review', 'workflow-creation', 'workflow-pending', 'workflow-circulating'].map(
      (page) => `/doc/folder/cooperate/${page}`,
    ),
    ...['workflow-archived', 'watch-change', 'watch-download', 'urge-creation', 'urge-review', 'sign-creation'].map(
      (page) => `/doc/folder/cooperate/${page}`,
    ),
    '/doc/folder/cooperate/sign-review',
    ...['sensitive-creation', 'sensitive-review', 'apply-download-creation', 'apply-download-review'].map(
      (page) => `/doc/folder/security/${page}`,
    ),
    ...['apply-link-creation', 'apply-link-review', 'file-exchange-sent', 'file-exchange-receive'].map(
      (page) => `/doc/folder/security/${page}`,
    ),
    '/doc/folder/security/file-exchange-review',
    ...['history', 'locked', 'submit', 'change'].map((page) => `/doc/folder/recently/${page}`),
    ...['/im/index', '/progress', '/notify/list', '/watermark/a/b'],
  ])('that the documents name has its page: %s [R394]', (path) => {
    const routes = areas().flatMap(({ routes: own = [] }) => own.map((route) => route.path))
    const paths = routes.map((one) => (one.startsWith('/') ? one : `/doc/folder/${one}`))
    expect(paths.filter((one) => matchPath(one, path) !== null)).not.toEqual([])
  })

  it.each([['/doc/folder/security/exchange-creation']])(
    'of modules that are not there yet say so instead of leading elsewhere: %s [R051] [R394]',
    async (path) => {
      await visit(path)
      await until(() => screenText().includes('这个版本还没有这个页面'))
      expect(address).toBe(path)
    },
  )

  it('say that the server cannot be reached, and go on where they were once it can [R067]', async () => {
    server.now({ getMyAccountInfo: unreachable })
    await visit('/doc/folder/recycle')
    await until(() => screenText().includes('现在无法连接服务器'))
    expect(address).toBe('/doc/folder/recycle')
    server.now({ getMyAccountInfo: account })
    await click(button('立即重试'))
    await until(() => document.querySelector('.shell-avatar') !== null)
    expect(address).toBe('/doc/folder/recycle')
  })

  it('try again by themselves when the network is back [R067]', async () => {
    server.now({ getMyAccountInfo: unreachable })
    await visit('/doc/folder/recycle')
    await until(() => screenText().includes('现在无法连接服务器'))
    server.now({ getMyAccountInfo: account })
    await act(async () => window.dispatchEvent(new Event('online')))
    await until(() => document.querySelector('.shell-avatar') !== null)
  })

  it('find out what is the matter with the connection [R067] [R078]', async () => {
    server.now({ getMyAccountInfo: unreachable })
    await visit('/doc/folder/files')
    await until(() => screenText().includes('现在无法连接服务器'))
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))
    vi.stubGlobal('WebSocket', undefined)
    await click(button('连接诊断'))
    const dialog = element('[role=dialog]')
    expect([dialog.style.width, dialog.style.height]).toEqual(['470px', '450px'])
    await until(() => screenText().includes('没有应答') && screenText().includes('没有连上'))
    expect(screenText()).toContain('这台电脑已联网')
  })

  it.each([
    ['https://elsewhere.example/a'],
    ['//elsewhere.example/a'],
    ['/\\elsewhere.example/a'],
    ['/.//elsewhere.example/a'],
    ['/a/..//elsewhere.example'],
    ['javascript:alert(1)'],
    ['/doc/login?redirect=%2Fdoc%2Flogin'],
    [null],
  ])('lead nowhere but to pages of ours: %s', (redirect) => {
    expect(safeRedirect(redirect)).toBe(homePath)
  })
})

describe('the pages of everybody', () => {
  // [R025] Missing profile fields are asked for and saved.
  it('asks for what is missing of a profile, saves it and goes on [R025]', async () => {
    server.now({ getAccountInfo: { missing: ['title', 'phone'] } as never, modifyUserInfo: {} })
    await visit('/doc/improve-information?redirect=%2Fdoc%2Fmodule-select-page')
    await until(() => screenText().includes('补全资料'))
    expect([...document.querySelectorAll('label')].map((one) => one.textContent)).toEqual(['职位', '手机'])
    await type('职位', '渠道运营')
    await click(button('保存并继续'))
    await until(() => address === '/doc/module-select-page')
    expect(server.inputsOf('modifyUserInfo')).toEqual([{ title: '渠道运营' }])
  })

  // [R025] The company says whether people are asked for missing profile fields after they have signed in.
  it('ask_profile leads to what is missing of a profile first, and from there on [R025]', async () => {
    const settings = (more: object) => JSON.stringify({ ...(JSON.parse(usable.getServerSetting) as object), ...more })
    server.now({ getAccountInfo: { missing: ['title'] } as never })
    for (const [ask_profile, first] of [
      [false, '/doc/module-select-page'],
      [true, '/doc/improve-information?redirect=%2Fdoc%2Fmodule-select-page'],
    ] as const) {
      sessionStore.setState({ session: undefined })
      server.now({ getServerSetting: settings({ ask_profile }) })
      await visit('/doc/login?redirect=%2Fdoc%2Fmodule-select-page')
      await until(() => address === first)
      await cleanUp()
    }
  })

  // [R025] The page binding-result says whether an identity was bound, and leads back to the settings.
  it('says whether a binding succeeded or failed [R025]', async () => {
    await visit('/doc/binding-result?result=ok&name=%E9%A3%9E%E4%B9%A6')
    await until(() => screenText().includes('已绑定'))
    expect(screenText()).toContain('飞书')
    await cleanUp()
    sessionStore.setState({ session: undefined })
    await visit('/doc/binding-result?result=failed')
    await until(() => screenText().includes('没有绑定'))
    expect(screenText()).toContain('返回个人设置')
  })

  // [R048] The documented pages below /doc show themselves; sign-from-email has a journey of its own.
  it.each([
    ['login', '登录', false],
    ['login-to-web?loginKey=x', '登录链接已失效', false],
    ['findpwd', '忘记密码', false],
    ['phoneTrail', '免费试用', false],
    ['qrCode-login', '扫码登录', false],
    ['personal-setting', '个人设置', true],
    ['module-select-page', '选择要进入的模块', true],
    ['improve-information', '补全资料', true],
    ['binding-result?result=ok', '已绑定', true],
  ])('/doc/%s shows “%s” [R048]', async (path, said, holds) => {
    if (!holds) {
      holdSession(false)
      server.now({ getMyAccountInfo: refused('notLoggedIn') })
    }
    server.now({
      getModuleSetting: { modules: ['files'] },
      getAccountInfo: { missing: [] } as never,
      login3ByLoginKey: refused('notLoggedIn'),
      applyCode: { code: 'c', shortCode: '', expiresAt: Date.now() + 60_000 },
      getQrCodeState: { state: 'waiting', signedIn: null },
    })
    await visit(`/doc/${path}`)
    await until(() => screenText().includes(said))
  })

  // [R025] The modules that getModuleSetting names are offered.
  it('lets choose among the modules that the person may use [R025]', async () => {
    server.now({ getModuleSetting: { modules: ['recycle', 'transfer'] } })
    await visit('/doc/module-select-page')
    await until(() => screenText().includes('选择要进入的模块'))
    const offered = (): (string | null)[] =>
      [...document.querySelectorAll('.ac-modules a')].map((one) => one.textContent)
    expect(offered()).not.toContain('文件')
    expect(offered().length).toBeGreaterThan(0)
    await cleanUp()
    sessionStore.setState({ session: undefined })
    server.now({ ...usable, getModuleSetting: { modules: ['files', 'recycle', 'transfer'] } })
    await visit('/doc/module-select-page')
    await until(() => offered().includes('文件'))
    await click(element('.ac-modules a[href^="/doc/folder"]'))
    await until(() => address.startsWith('/doc/folder'))
  })
})

describe('the login page', () => {
  beforeEach(async () => {
    nobody()
    await visit('/doc/login')
    await until(() => screenText().includes('登录云文档'))
  })
  const submit = (): Promise<void> => click(button('登录'))
  const picture = (): HTMLImageElement => element('.captcha img') as HTMLImageElement

  // [R012] Account, password and a required captcha are validated with the documented messages.
  it('asks for what is missing before it asks the server, in the documented words [R012]', async () => {
    await submit()
    expect(screenText()).toContain('请输入账号')
    await type('账号', 'linxia')
    await submit()
    expect(screenText()).toContain('请输入密码')
    expect(server.inputsOf('login3')).toEqual([])
  })

  it('announces above the button why it was refused', async () => {
    server.now({ login3: refused('wrongPassword') })
    await type('账号', 'linxia')
    await type('密码', 'wrong')
    await submit()
    await until(() => element('[role=alert]').textContent === '账号或密码不正确')
    const button = element('.login-submit')
    expect(element('[role=alert]').compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it('tells an account that is locked from a wrong password', async () => {
    server.now({ login3: refused('accountLocked') })
    await type('账号', 'linxia')
    await type('密码', 'right')
    await submit()
    await until(() => screenText().includes('账号已锁定'))
  })

  // [R013] The captcha is a picture of 130x48, bound to the browser, valid once.
  it('shows a captcha only when the server asks for one, another one after each try, and requires it [R012] [R013]', async () => {
    expect(document.querySelector('.captcha')).toBeNull()
    server.now({ login3: refused('wrongVerificationCode') })
    await type('账号', 'linxia')
    await type('密码', 'Secret@123')
    await submit()
    await until(() => document.querySelector('.captcha img') !== null)
    expect(element('[role=alert]').textContent, 'nothing was wrong yet').toBe('')
    expect(document.activeElement).toBe(element('.captcha input'))
    const first = picture().src
    expect(new URL(first).pathname).toBe('/services2/safety/getCaptcha/130/48')
    await submit()
    expect(screenText()).toContain('请输入验证码')
    expect(server.inputsOf('login3')).toHaveLength(1)
    await type('验证码', 'K7m2')
    await submit()
    await until(() => screenText().includes('验证码不正确'))
    expect(server.inputsOf('login3').at(-1)).toMatchObject({ captcha: 'K7m2' })
    expect(picture().src).not.toBe(first)
  })

  it('warns of Caps Lock', async () => {
    const key = new KeyboardEvent('keydown', { key: 'A', bubbles: true })
    key.getModifierState = (name) => name === 'CapsLock'
    await act(async () => element('input[type=password]').dispatchEvent(key))
    expect(screenText()).toContain('大写锁定')
  })

  it('shows what is typed when asked to', async () => {
    await click(button('显示密码'))
    expect(document.querySelector('input[type=password]')).toBeNull()
    await click(button('隐藏密码'))
    expect(document.querySelector('input[type=password]')).not.toBeNull()
  })

  it('switches its language [R002]', async () => {
    await click(button('中文'))
    await click(element('[data-id=en]'))
    await until(() => screenText().includes('Sign in to Cloudoc'))
    await click(button('English'))
    await click(element('[data-id=zh]'))
  })
})

describe('the account menu', () => {
  beforeEach(async () => {
    await visit('/doc/folder/recycle')
    await until(() => document.querySelector('.shell-avatar') !== null)
    await click(element('.shell-avatar'))
  })

  it('switches the skin of the page at once [R003]', async () => {
    await press('ArrowDown')
    await press('ArrowRight')
    await click(element('[data-id=green]'))
    expect(document.documentElement.dataset.skin).toBe('green')
  })

  // [R004] The version dialog shows both versions of the client.
  it('names the versions of the client [R004]', async () => {
    await click(element('[data-id=about]'))
    await until(() => screenText().includes('v5.5.6') && screenText().includes('6.1.0'))
  })

  it('changes the password by the rules of the documents, in their words [R026]', async () => {
    server.now({ getSafeStrategyInfo: { pwdLength: 10, captchaAlways: false } })
    await click(element('[data-id=password]'))
    await until(() => screenText().includes('至少 10 位'))
    const ticked = (): (string | null)[] => [...document.querySelectorAll('.is-met')].map((one) => one.textContent)
    await type('新密码', 'New@')
    expect(ticked()).toEqual(['大写字母已满足', '小写字母已满足', '符号已满足'])
    const attempt = async (old: string, next: string, confirm: string): Promise<string> => {
      await type('当前密码', old)
      await type('新密码', next)
      await type('确认新密码', confirm)
      await click(button('修改'))
      await act(async () => {})
      return element('.k-problem').textContent
    }
    expect(await attempt('Old@123456', 'linxia', 'linxia')).toBe('新密码与账号相同')
    expect(await attempt('Old@123456', 'Old@123456', 'Old@123456')).toBe('新密码与旧密码相同')
    expect(await attempt('Old@123456', 'short', 'short')).toContain('至少 10 位')
    expect(await attempt('Old@123456', 'New@123456', 'Mew@123456')).toBe('确认密码与新密码不一致')
    server.now({ modifyPwd2: refused('wrongPassword') })
    expect(await attempt('Mistake@1', 'New@123456', 'New@123456')).toBe('当前密码不正确')
    server.now({ modifyPwd2: {} })
    await click(button('修改'))
    await until(() => screenText().includes('密码已修改'))
    expect(server.inputsOf('modifyPwd2')).toHaveLength(2)
  })
})
