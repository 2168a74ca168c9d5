// @vitest-environment happy-dom

import { captchaDueHeader } from '@cloudoc/contract'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeApi, Refusal, refused } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, element, render, screenText, type, until } from '../../../test/render.tsx'
import { type SavedLogin, savedLogins } from '../../core/storage/logins.ts'
import { FindPassword } from './find-password.tsx'
import { Login } from './login.tsx'
import { SetPassword } from './set-password.tsx'

vi.mock('../../core/storage/logins.ts', () => ({
  savedLogins: vi.fn<() => Promise<SavedLogin[]>>(),
  forgetLogin: async () => undefined,
}))

const remembered: SavedLogin = {
  account: 'linxia',
  displayName: '林夏',
  authKey: 'a key',
  autoLogin: false,
  expiredAt: Date.now() + 60_000,
  updatedAt: 1,
  loginAt: 1,
}
const draw = (): Promise<void> => render(<Login needed={false} onSignedIn={() => undefined} />)
const menuItem = (words: string): HTMLElement => {
  const entries = [...document.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const found = entries.find(({ textContent }) => textContent === words)
  if (found === undefined) throw new Error(`no entry says ${words}`)
  return found
}
const account = (): HTMLInputElement => element('input[autocomplete=username]') as HTMLInputElement

afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

it('[R028] the form comes with the login used last, so that nothing typed is filled in over', async () => {
  let tell: (logins: SavedLogin[]) => void = () => undefined
  vi.mocked(savedLogins).mockReturnValue(
    new Promise((resolve) => {
      tell = resolve
    }),
  )
  await draw()
  expect(document.querySelector('input')).toBeNull()
  await act(async () => tell([remembered]))
  expect(account().value).toBe('linxia')
  expect(document.activeElement).toBe(element('input[autocomplete=current-password]'))
})

it('[R028] a login that is forgotten is off the list at once, however long the server takes', async () => {
  vi.mocked(savedLogins).mockResolvedValue([remembered, { ...remembered, account: 'chenxiao', displayName: '陈晓' }])
  const server = fakeApi({ forgetLoginKey: () => new Promise(() => undefined) })
  await draw()
  await click(button('选择记住的登录'))
  await click(menuItem('不再记住 linxia'))
  await until(() => server.inputsOf('forgetLoginKey').length === 1)
  expect(account().value).toBe('')
  await click(button('选择记住的登录'))
  expect(screenText()).toContain('陈晓')
  expect(screenText()).not.toContain('林夏')
})

const company = {
  companyName: '华信',
  serverCode: 'huaxin',
  logo: '',
  visitorMode: false,
  findPassword: true,
  findPasswordBySms: false,
}

// [R011] A server is entered as a web address; anything else is refused.
// [R041] A company that is unknown has its message.
it('[R010] [R011] [R041] who names a server by no address of the web is told so, and an unknown company is none', async () => {
  vi.mocked(savedLogins).mockResolvedValue([])
  const server = fakeApi({ getCompanyInfo: company, findCompany: refused('companyNotFound') })
  await draw()
  await until(() => screenText().includes('企业代码'))
  for (const address of ['ftp://files.example.com', 'http://', 'javascript://x', 'http:// a']) {
    await type('企业代码', address)
    await until(() => screenText().includes('服务器地址应以 http:// 或 https:// 开头'))
  }
  await type('企业代码', 'https://files.example.com/some/where')
  await until(() => screenText().includes('转到该服务器'))
  await type('企业代码', 'nobody')
  await until(() => screenText().includes('没有找到这个企业代码'))
  expect(server.inputsOf('findCompany')).toEqual([{ companyCode: 'nobody' }])
  await type('企业代码', '')
  await until(() => screenText().includes('请填写企业代码'))
})

it('[R024] who has forgotten the password is told as the page opens where there is no mail, and is asked for the account where there is', async () => {
  const server = fakeApi({ getCompanyInfo: { ...company, findPassword: false } })
  await render(<FindPassword />)
  await until(() => screenText().includes('公司还没有设置邮件服务，请管理员重置密码'))
  expect(document.querySelector('input')).toBeNull()
  await cleanUp()
  server.now({ getCompanyInfo: company, beforeResetPwd: { verifyParam: 'a' }, sendResetPwMail: {} })
  await render(<FindPassword />)
  await type('账号', 'linxia')
  await click(button('发送验证码'))
  await until(() => screenText().includes('如果账号 linxia 填写了邮箱，验证码已经发出'))
})

// [R041] When no short message arrives, the documented message says that the phone may not be bound or not exist, and
// whom to ask.
it('[R024] [R041] whoever has no mail at hand types the digits of a short message, and is told what it may be if none comes', async () => {
  const server = fakeApi({
    getCompanyInfo: { ...company, findPasswordBySms: true },
    beforeResetPwd: { verifyParam: 'a' },
    sendResetPwSms: {},
    checkResetPwCode: refused('wrongVerificationCode'),
  })
  await render(<FindPassword />)
  await until(() => screenText().includes('用短信接收验证码'))
  await type('账号', 'linxia')
  await click(button('用短信接收验证码'))
  await until(() => screenText().includes('手机号可能未绑定或不存在，请联系管理员'))
  await type('短信验证码', '12345')
  await click(button('下一步'))
  await until(() => screenText().includes('验证码是 6 位数字'))
  await type('短信验证码', '123456')
  await click(button('下一步'))
  await until(() => screenText().includes('验证码错误'))
  server.now({ checkResetPwCode: { linkCode: '0123456789ABCDEF' } })
  await type('短信验证码', '654321')
  await click(button('下一步'))
  await until(() => server.inputsOf('checkResetPwCode').length === 2)
  expect(server.inputsOf('checkResetPwCode')[1]).toEqual({ verifyParam: 'a', code: '654321' })
})

it('[R024] where messages alone can go out the account is asked for, and nothing of mail is shown', async () => {
  fakeApi({ getCompanyInfo: { ...company, findPassword: false, findPasswordBySms: true } })
  await render(<FindPassword />)
  await until(() => screenText().includes('验证码会发到这个账号绑定的手机。'))
  expect(screenText()).not.toContain('邮')
})

it('[R012] [R013] the captcha comes with the failure that makes it due, before the next password is typed', async () => {
  // As over plain HTTP: the documented form.
  vi.stubGlobal('crypto', { subtle: undefined, getRandomValues: crypto.getRandomValues.bind(crypto) })
  vi.mocked(savedLogins).mockResolvedValue([])
  fakeApi({ getCompanyInfo: company, login3: refused('wrongPassword') })
  await draw()
  await type('账号', 'linxia')
  await type('密码', 'wrong')
  await click(button('登录'))
  await until(() => screenText().includes('账号或密码不正确'))
  expect(document.querySelector('.captcha')).toBeNull()
  await cleanUp()
  fakeApi({ getCompanyInfo: company, login3: new Refusal('wrongPassword', 200, { [captchaDueHeader]: 'due' }) })
  await draw()
  await type('账号', 'linxia')
  await type('密码', 'wrong')
  await click(button('登录'))
  await until(() => document.querySelector('.captcha img') !== null)
})

it('[R012] the focus goes to the field that is missing, and to the account before a visitor password', async () => {
  vi.mocked(savedLogins).mockResolvedValue([])
  fakeApi({ getCompanyInfo: { ...company, visitorMode: true } })
  await draw()
  await until(() => screenText().includes('访客登录'))
  const password = (): Element => element('input[autocomplete=current-password]')
  await click(button('登录'))
  expect(document.activeElement).toBe(account())
  await type('账号', 'linxia')
  await click(button('登录'))
  expect(document.activeElement).toBe(password())
  await click(button('访客登录'))
  expect(document.activeElement).toBe(password())
  await click(button('账号登录'))
  await type('账号', '')
  await click(button('访客登录'))
  expect(document.activeElement).toBe(account())
})

it('[R024] a new password is checked as it is typed, in words that fit, and its account comes along to the sign-in', async () => {
  const done: string[] = []
  const server = fakeApi({
    getPasswordLink: { account: 'linxia', accountName: '林夏', pwdLength: 10 },
    setPasswordByLink: {},
  })
  await render(<SetPassword onDone={(name) => done.push(name)} />, '/doc/set-password?code=0123456789ABCDEF')
  await until(() => screenText().includes('林夏（linxia），请设置你的密码'))
  const met = (): number => document.querySelectorAll('.password-needs .is-met').length
  expect(met()).toBe(0)
  await click(button('设置密码'))
  expect(screenText()).toContain('请输入新密码')
  await type('新密码', 'Ab#1')
  expect(met()).toBe(4)
  await click(button('设置密码'))
  expect(screenText()).toContain('至少 10 位，含大写字母、小写字母、数字和符号')
  await type('新密码', 'Secret#2026')
  expect(met()).toBe(5)
  await type('确认新密码', 'Secret#2027')
  await click(button('设置密码'))
  expect(document.querySelectorAll('[aria-invalid=true]')).toHaveLength(1)
  expect(server.inputsOf('setPasswordByLink')).toEqual([])
  await type('确认新密码', 'Secret#2026')
  await click(button('设置密码'))
  await until(() => done.length === 1)
  expect(done).toEqual(['linxia'])
  await cleanUp()
  vi.mocked(savedLogins).mockResolvedValue([remembered])
  await render(<Login needed={false} account="chenxiao" onSignedIn={() => undefined} />)
  await until(() => document.querySelector('.login-card') !== null)
  expect(account().value).toBe('chenxiao')
})

it('[R002] the language can be chosen where a password is set and found', async () => {
  fakeApi({ getCompanyInfo: company })
  for (const page of [<SetPassword key="set" onDone={() => undefined} />, <FindPassword key="find" />]) {
    await render(page)
    await click(button('中文'))
    await click(menuItem('English'))
    await until(() => screenText().includes('password'))
    await click(button('English'))
    await click(menuItem('中文'))
    await until(() => screenText().includes('密码'))
    await cleanUp()
  }
})
