// People of a company sign in in each way that it offers, in both languages.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { directoryAdmin, directoryPassword, startSlapd } from '@cloudoc/server/debian-slapd'
import { appId, appSecret, startOAuthProvider } from '@cloudoc/server/oauth-provider'
import { clientId, clientSecret, startOpenIdProvider } from '@cloudoc/server/openid-provider'
import { samlKeys } from '@cloudoc/server/saml-keys'
import { samlAnswer, samlIssuer } from '@cloudoc/server/saml-provider'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'
import { contractPdf } from './contract-pdf.ts'

const company = await openCompany(await ownServer())
const browser = await openBrowser()
/** A browser in which English was chosen. */
const english = {
  storageState: {
    cookies: [],
    origins: [{ origin: new URL(company.url).origin, localStorage: [{ name: 'locale', value: 'en' }] }],
  },
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A gateway for short messages that keeps the codes. */
async function startGateway(): Promise<{ code: () => Promise<string> }> {
  const codes: string[] = []
  const server = createServer((request, response) => {
    codes.push(new URL(request.url ?? '', 'http://gateway').searchParams.get('code') ?? '')
    response.end('ok')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  await company.admin.call('setServerSetting', {
    sms_url: `http://127.0.0.1:${port}/send?to={phone}&code={code}`,
    sms_method: 'GET',
  })
  return {
    async code() {
      await expect.poll(() => codes.length, { timeout: 90_000 }).toBeGreaterThan(0)
      return codes.pop() ?? ''
    },
  }
}

test('[R018] a QR code is scanned by a session of the same person and signs the page in; a refused one says so', async () => {
  await company.person('qiaoyu', '乔羽')
  const phone = (await new LoginPage(await browser.open(company.url)).signIn('qiaoyu', password)).page
  const show = async (options = {}): Promise<{ page: Page; code: string }> => {
    const page = await browser.open(company.url, options)
    const applied = page.waitForResponse('**/qrCode/applyCode/**')
    await page.getByRole('button', { name: /^(扫码登录|QR code)$/ }).click()
    const { data } = (await (await applied).json()) as { data: { code: string } }
    return { page, code: data.code }
  }
  const refused = await show(english)
  await refused.page.getByRole('img', { name: 'QR code to sign in with' }).waitFor()
  await expectAccessible(refused.page)
  await phone.goto(`${company.url}/doc/qrCode-login?code=${refused.code}`)
  await refused.page.getByText('Scanned: tap “Sign in” on your phone').waitFor()
  await button(phone, '拒绝').click()
  await refused.page.getByText('Sign-in rejected: “Refuse” was tapped on the phone').waitFor()
  await button(refused.page, 'Refresh').waitFor()

  const { page, code } = await show()
  await page.getByRole('img', { name: '登录二维码' }).waitFor()
  await phone.goto(`${company.url}/doc/qrCode-login?code=${code}`)
  await page.getByText('已扫描，请在手机上点“确认登录”').waitFor()
  await expectAccessible(phone)
  await button(phone, '确认登录').click()
  await phone.getByText('已确认，电脑上正在登录').waitFor()
  await new FilesPage(page).grid.waitFor()
})

test.each([
  {
    ...{ account: 'duanxin', phone: '13800000021', options: {}, way: '短信登录', title: '短信登录' },
    ...{ name: '账号', send: '发送验证码', code: '验证码', go: '登录', wrong: '验证码不正确，请检查后再试' },
  },
  {
    ...{
      account: 'duanying',
      phone: '13800000024',
      options: english,
      way: 'Text message',
      title: 'Sign in by text message',
    },
    ...{ name: 'Account', send: 'Send code', code: 'Code', go: 'Sign in' },
    wrong: 'The code is not right: check it and try again',
  },
])('[R017] a code by short message signs in, and a wrong one does not: $title', async (said) => {
  const { code } = await startGateway()
  const person = await company.person(said.account, '段欣')
  await person.call('modifyUserInfo', { phone: said.phone })
  const page = await browser.open(company.url, said.options)
  await button(page, said.way).click()
  await page.getByRole('heading', { name: said.title }).waitFor()
  await page.getByLabel(said.name).fill(said.account)
  await button(page, said.send).click()
  const sent = await code()
  await page.getByLabel(said.code, { exact: true }).fill(sent === '111111' ? '222222' : '111111')
  await button(page, said.go).click()
  await page.getByText(said.wrong).waitFor()
  await expectAccessible(page)
  await page.getByLabel(said.code, { exact: true }).fill(sent)
  await button(page, said.go).click()
  await new FilesPage(page).grid.waitFor()
})

test('a person makes the phone the second factor and signs in with the code of a message', async () => {
  const { code } = await startGateway()
  await company.admin.call('setSafeStrategy', { second_factor_sms: true })
  onTestFinished(async () => void (await company.admin.call('setSafeStrategy', { second_factor_sms: false })))
  const person = await company.person('shoujihao', '寿吉')
  await person.call('modifyUserInfo', { phone: '13800000023' })
  const page = (await new LoginPage(await browser.open(company.url)).signIn('shoujihao', password)).page
  await page.goto(`${company.url}/doc/personal-setting`)
  await button(page, '两步验证').click()
  await button(page, '开启两步验证').click()
  const dialog = page.getByRole('dialog', { name: '设置两步验证' })
  await dialog.getByRole('button', { name: '改用短信验证码' }).click()
  expect(await dialog.getByLabel('手机号').inputValue()).toBe('13800000023')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '发送验证码' }).click()
  await dialog.getByText('验证码已发到 138****0023').waitFor()
  await dialog.getByLabel('动态验证码').fill(await code())
  await dialog.getByRole('button', { name: '开启', exact: true }).click()
  await dialog.getByRole('button', { name: '已保存好' }).click()
  await page.getByText('验证码发到 138****0023；还有 10 个恢复码').waitFor()

  const other = await browser.open(company.url, english)
  await other.getByLabel('Account').fill('shoujihao')
  await other.getByLabel('Password', { exact: true }).fill(password)
  await button(other, 'Sign in').click()
  await other.getByText('Enter the code of the text message (it was sent to 138****0023').waitFor()
  await expectAccessible(other)
  await other.getByLabel('Text code').fill(await code())
  await button(other, 'Sign in').click()
  await new FilesPage(other).grid.waitFor()
})

longTest('[R023] the page of trial accounts asks for the phone and a picture, and refuses a wrong one', async () => {
  await startGateway()
  await company.admin.call('setSafeStrategy', { trial_accounts: true })
  onTestFinished(async () => void (await company.admin.call('setSafeStrategy', { trial_accounts: false })))
  for (const [options, way, image, phone, captcha, send, wrong] of [
    [{}, '免费试用', '验证码图片', '手机号', '图片验证码', '发送验证码', '验证码不正确，请检查后再试'],
    [
      ...([english, 'Free trial', 'Captcha picture', 'Mobile', 'Picture', 'Send code'] as const),
      'The code is not right: check it and try again',
    ],
  ] as const) {
    const page = await browser.open(company.url, options)
    await button(page, way).click()
    const picture = page.getByRole('img', { name: image })
    await expect.poll(() => picture.evaluate((shown) => (shown as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    await page.getByLabel(phone).fill('13800000022')
    await page.getByLabel(captcha).fill('wrong')
    await button(page, send).click()
    await page.getByText(wrong).waitFor()
    await expectAccessible(page)
  }
})

// [R022] The address with a single-use key of a session signs the browser in, whoever is signed in there; a used key
// ends at a page that leads to the login.
test('[R022] a key of a session opens the page once; a used one ends at a page that leads to the login', async () => {
  const person = await company.person('zhuomian', '卓勉')
  const { loginKey } = await person.call('getLoginKey2', { clientType: 6 })
  const address = `${company.url}/doc/login-to-web?loginKey=${loginKey}`
  await new FilesPage(await browser.open(address)).grid.waitFor()
  const again = await browser.open(address)
  await again.getByRole('heading', { name: '登录链接已失效' }).waitFor()
  await expectAccessible(again)
  await button(again, '用账号登录').click()
  await again.getByLabel('账号').waitFor()
  const other = await browser.open(address, english)
  await other.getByRole('heading', { name: 'This sign-in link is no longer valid' }).waitFor()
  await button(other, 'Sign in with a password').click()
  await other.getByLabel('Account').waitFor()
})

test('[R019] an administrator adds an OpenID provider, and its people sign in by its button', async () => {
  const provider = await startOpenIdProvider(company.url)
  onTestFinished(() => provider.close())
  provider.people.set('u-1', { sub: 'u-1', preferred_username: 'hanlei', name: '韩磊' })
  const { page } = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
  await page.goto(`${company.url}/doc/admin/providers`)
  await button(page, '添加提供方').click()
  await page.getByRole('menuitem', { name: 'OpenID Connect' }).click()
  await page.getByLabel('登录页上的名称').fill('华信统一认证')
  await page.getByLabel('发行者地址').fill(provider.issuer)
  await page.getByLabel('客户端编号').fill(clientId)
  await page.getByLabel('客户端密钥').fill(clientSecret)
  await expectAccessible(page)
  await button(page, '测试并保存').click()
  await page.getByText('已保存“华信统一认证”').waitFor()

  const refused = await browser.open(company.url, english)
  await button(refused, '华信统一认证').click()
  await refused.getByRole('heading', { name: 'Sign-in rejected' }).waitFor()
  await expectAccessible(refused)
  const abnormal = await browser.open(`${company.url}/doc/sign-in-return/1?code=x&state=x`)
  await abnormal.getByRole('heading', { name: '登录异常' }).waitFor()
  provider.who = 'u-1'
  const visitor = await browser.open(company.url)
  await button(visitor, '华信统一认证').click()
  await new FilesPage(visitor).grid.waitFor()
})

test('a page on the home screen signs in at a provider by way of the browser, with the code that it shows', async () => {
  const provider = await startOpenIdProvider(company.url, [1, 2, 3, 4, 5, 6, 7, 8])
  onTestFinished(() => provider.close())
  provider.people.set('u-9', { sub: 'u-9', preferred_username: 'zhuping', name: '祝屏' })
  provider.who = 'u-9'
  const { providerId } = await company.admin.call('saveProvider', {
    name: '主屏门户',
    settings: { kind: 'oidc', issuer: provider.issuer, clientId },
    secret: clientSecret,
  })
  onTestFinished(async () => void (await company.admin.call('removeProvider', { providerId })))
  const app = await browser.open('about:blank', {
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  })
  await app.context().addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
  await app.goto(`${company.url}/m/index.html`)
  await button(app, '主屏门户').tap()
  await app.getByRole('heading', { name: '用“主屏门户”登录' }).waitFor()
  const address = (await app.getByRole('link', { name: '打开浏览器' }).getAttribute('href')) ?? ''
  const shown = (await app.locator('.ways-short-code').textContent()) ?? ''
  expect(shown).toMatch(/^\d{3} \d{3}$/)
  await expectAccessible(app)

  const other = await browser.open(address)
  await button(other, '主屏门户').click()
  const code = other.getByLabel('手机上显示的数字')
  await code.fill(shown === '000 000' ? '111111' : '000000')
  await app.getByText('浏览器里已登录，请在那里输入上面的数字').waitFor()
  await button(other, '确认登录').click()
  await other.getByText('数字不对，请看手机上显示的 6 位数字').waitFor()
  await expectAccessible(other)
  expect(new URL(app.url()).pathname).toBe('/doc/qrCode-login')
  await code.fill(shown)
  await button(other, '确认登录').click()
  await other.getByText('已确认，请回到主屏幕上的云文档').waitFor()
  await app.waitForURL(/\/m\/index\.html/)
  await app.getByRole('navigation', { name: '主要页面' }).waitFor()
})

test('[R019] an administrator adds Feishu, and its people sign in by its button, are rejected, or told that it is abnormal', async () => {
  const provider = await startOAuthProvider()
  onTestFinished(() => provider.close())
  const { page } = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
  await page.goto(`${company.url}/doc/admin/providers`)
  await button(page, '添加提供方').click()
  await page.getByRole('menuitem', { name: '飞书' }).click()
  const { authorizeUrl, tokenUrl, userUrl } = provider.settings('feishu')
  await page.getByLabel('授权地址', { exact: true }).fill(authorizeUrl)
  await page.getByLabel('令牌地址', { exact: true }).fill(tokenUrl)
  await page.getByLabel('用户信息地址', { exact: true }).fill(userUrl)
  await page.getByLabel('应用编号', { exact: true }).fill(appId)
  await page.getByLabel('应用密钥', { exact: true }).fill(appSecret)
  await page.getByText('协议细节', { exact: true }).click()
  await page.getByLabel('错误码的位置', { exact: true }).waitFor()
  await expectAccessible(page)
  await button(page, '测试并保存').click()
  await page.getByText('已保存“飞书”').waitFor()

  const refused = await browser.open(company.url, english)
  await button(refused, '飞书').click()
  await refused.getByRole('heading', { name: 'Sign-in rejected' }).waitFor()
  provider.who = { id: 'on-1', name: '飞霞', more: { user_id: 'feixia' } }
  provider.instead.set('/feishu/user_info', () => ({ body: { code: 20005, data: { union_id: 'on-1' } } }))
  const abnormal = await browser.open(company.url)
  await button(abnormal, '飞书').click()
  await abnormal.getByRole('heading', { name: '登录异常' }).waitFor()
  provider.instead.clear()
  const visitor = await browser.open(company.url)
  await button(visitor, '飞书').click()
  await new FilesPage(visitor).grid.waitFor()
})

test.each([
  ['wecom', '企业微信', 'weixin'],
  ['dingtalk', '钉钉', 'dingding'],
] as const)('[R019] an administrator adds %s, and its people sign in by its button', async (preset, name, id) => {
  const provider = await startOAuthProvider()
  onTestFinished(() => provider.close())
  const { page } = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
  await page.goto(`${company.url}/doc/admin/providers`)
  await button(page, '添加提供方').click()
  await page.getByRole('menuitem', { name }).click()
  await page.getByText('协议细节', { exact: true }).click()
  const settings = provider.settings(preset)
  for (const [label, value] of [
    ['授权地址', settings.authorizeUrl],
    ['令牌地址', settings.tokenUrl],
    ['用户信息地址', settings.userUrl],
    ['应用令牌地址', settings.appTokenUrl],
    ['详细信息地址', settings.profileUrl],
    ['公司的值', settings.company],
    ['应用编号', appId],
    ['应用密钥', appSecret],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
  await button(page, '测试并保存').click()
  await page.getByText(`已保存“${name}”`).waitFor()
  await expectAccessible(page)
  provider.who = { id, name: '维新' }
  const visitor = await browser.open(company.url, english)
  await button(visitor, name).click()
  await new FilesPage(visitor).grid.waitFor()
})

test('an administrator sets rules for what a provider says, sees whom they change, and they apply at the next sign-in', async () => {
  const provider = await startOpenIdProvider(company.url, [1, 2, 3, 4, 5, 6, 7, 8])
  onTestFinished(() => provider.close())
  provider.people.set('u-5', { sub: 'u-5', preferred_username: 'guize', name: '桂泽', groups: ['design'] })
  provider.who = 'u-5'
  const { providerId } = await company.admin.call('saveProvider', {
    name: '规则门户',
    settings: { kind: 'oidc', issuer: provider.issuer, clientId, groupsClaim: 'groups' },
    secret: clientSecret,
  })
  onTestFinished(async () => void (await company.admin.call('removeProvider', { providerId })))
  const { roleId } = await company.admin.call('createRole', { roleName: '品牌设计师' })
  const arrive = async (): Promise<void> => {
    const visitor = await browser.open(company.url)
    await button(visitor, '规则门户').click()
    await new FilesPage(visitor).grid.waitFor()
  }
  await arrive()
  const { page } = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
  await page.goto(`${company.url}/doc/admin/providers`)
  await page.getByRole('button', { name: /^规则门户/ }).click()
  await button(page, '添加规则').click()
  await page.getByLabel('值 1').fill('Design')
  await button(page, '测试并保存').click()
  await page.getByText('有规则还没有填写值，或没有选择角色、部门').waitFor()
  await page.getByRole('combobox', { name: '角色 1' }).click()
  await page.getByRole('option', { name: '品牌设计师' }).click()
  await button(page, '预览变化').click()
  await page.getByText('增加角色：品牌设计师').waitFor()
  await expectAccessible(page)
  await page.getByLabel('每次登录时应用规则，并更新姓名、邮箱、手机和职务').check()
  await button(page, '测试并保存').click()
  await page.getByText('应用规则会改变 1 人').waitFor()
  await button(page, '保存并应用').click()
  await page.getByText('已保存“规则门户”').waitFor()
  const holders = async (): Promise<string[]> =>
    (await company.admin.call('getRole', { roleId })).users.map(({ account }) => account)
  expect(await holders()).toEqual([])
  provider.forget()
  await arrive()
  expect(await holders()).toEqual(['guize'])
})

test('a system of the company provisions a person, who signs in, and has no session once they have left', async () => {
  const provider = await startOpenIdProvider(company.url, [1, 2, 3, 4, 5, 6, 7, 8])
  onTestFinished(() => provider.close())
  provider.people.set('u-6', { sub: 'u-6', preferred_username: 'renshi', name: '任诗' })
  provider.who = 'u-6'
  const signIn = await company.admin.call('saveProvider', {
    name: '人事门户',
    settings: { kind: 'oidc', issuer: provider.issuer, clientId, creates: false },
    secret: clientSecret,
  })
  onTestFinished(async () => void (await company.admin.call('removeProvider', signIn)))
  const { page } = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
  await page.goto(`${company.url}/doc/admin/providers`)
  await button(page, '添加提供方').click()
  await page.getByRole('menuitem', { name: '人员同步（SCIM 2.0）' }).click()
  await page.getByLabel('名称', { exact: true }).fill('人事系统')
  const address = await page.getByLabel('接口地址').inputValue()
  await button(page, '建立服务账号 svc-scim').click()
  await page.getByRole('combobox', { name: '建立的账号登录时使用' }).click()
  await page.getByRole('option', { name: '人事门户' }).click()
  await button(page, '测试并保存').click()
  await page.getByText('已保存“人事系统”').waitFor()
  await page.getByText('还没有令牌，对方系统不能连接。').waitFor()
  await button(page, '建立令牌').click()
  const token = (await page.locator('.pv-secret code').textContent()) ?? ''
  await expectAccessible(page)
  await button(page, '我已填好').click()
  expect(await page.locator('.pv-secret').count()).toBe(0)

  const client = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
    const answer = await fetch(`${address}${path}`, { method, headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as { id: string } }
  }
  const person = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'renshi', displayName: '任诗' }
  const made = await client('POST', '/Users', { ...person, externalId: 'u-6', active: true })
  expect(made.status).toBe(201)
  const visitor = await browser.open(company.url, english)
  await button(visitor, '人事门户').click()
  await new FilesPage(visitor).grid.waitFor()
  const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
  const leaves = { schemas: [patchUrn], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }
  expect((await client('PATCH', `/Users/${made.body.id}`, leaves)).status).toBe(200)
  // The open page hears it at once, and nobody signs in by the provider any more.
  await visitor.getByLabel('Account').waitFor()
  const again = await browser.open(company.url)
  await button(again, '人事门户').click()
  await again.getByText('账号已停用（冻结）').waitFor()
  await page.reload()
  await page.getByRole('button', { name: /^人事系统/ }).click()
  await page.getByRole('row').filter({ hasText: '任诗' }).filter({ hasText: '停用' }).waitFor()
  await expectAccessible(page)
})

/** The page of a SAML provider: it signs its only person in, and sends the answer by a form. */
async function startSamlPage(answerAddress: () => string): Promise<string> {
  const server = createServer((request, response) => {
    const asked = `http://provider${request.url ?? ''}`
    const attributes = { uid: ['sunsaml'], displayName: ['孙姝'] }
    void samlAnswer(asked, answerAddress(), { nameId: 'u-77', attributes }).then(({ response: answer, state }) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<form method="post" action="${answerAddress()}"><input name="SAMLResponse" value="${answer}"><input name="RelayState" value="${state}"></form><script>document.forms[0].submit()</script>`,
      )
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `http://localhost:${(server.address() as AddressInfo).port}/sso`
}

longTest(
  'an administrator adds a SAML provider, and a mail address on the login page leads its people to it',
  async () => {
    let answerAddress = ''
    const entryPoint = await startSamlPage(() => answerAddress)
    const { page } = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
    await page.goto(`${company.url}/doc/admin/providers`)
    await button(page, '添加提供方').click()
    await page.getByRole('menuitem', { name: 'SAML 2.0' }).click()
    await page.getByLabel('登录页上的名称').fill('孙氏集团')
    await page.getByLabel('提供方的 Entity ID').fill(samlIssuer.issuer)
    await page.getByLabel('登录地址（HTTP-Redirect）').fill(entryPoint)
    await page.getByLabel('签名证书（PEM）').fill(samlKeys.own.certificate)
    await page.getByLabel('账号', { exact: true }).fill('uid')
    await page.getByLabel('姓名', { exact: true }).fill('displayName')
    await page.getByLabel('邮箱域名').fill('sun.example')
    await expectAccessible(page)
    await button(page, '测试并保存').click()
    await page.getByText('已保存“孙氏集团”').waitFor()
    const { list } = await company.admin.call('getProviders', {})
    const providerId = list.find(({ name }) => name === '孙氏集团')?.providerId ?? 0
    onTestFinished(async () => void (await company.admin.call('removeProvider', { providerId })))
    answerAddress = `${company.url}/services2/provider/samlAnswer/${providerId}`
    const visitor = await browser.open(company.url, english)
    await visitor.getByLabel('Account').fill('shu@sun.example')
    await visitor.getByText('For sun.example').waitFor()
    await expectAccessible(visitor)
    await button(visitor, '孙氏集团').click()
    await new FilesPage(visitor).grid.waitFor()
  },
)

test('whoever has no password signs a document by signing in at the provider once more', async () => {
  const provider = await startOpenIdProvider(
    company.url,
    Array.from({ length: 20 }, (_, n) => n + 1),
  )
  onTestFinished(() => provider.close())
  provider.people.set('u-11', { sub: 'u-11', preferred_username: 'qianming', name: '千明' })
  provider.who = 'u-11'
  const { admin } = company
  const { providerId } = await admin.call('saveProvider', {
    name: '签署门户',
    settings: { kind: 'oidc', issuer: provider.issuer, clientId },
    secret: clientSecret,
  })
  onTestFinished(async () => void (await admin.call('removeProvider', { providerId })))
  const page = await browser.open(company.url)
  await button(page, '签署门户').click()
  await new FilesPage(page).grid.waitFor()
  const { list } = await admin.call('getPeople', { keyword: 'qianming' })
  await admin.call('createSignAuthority', { name: '华信集团' })
  const archiveFolderId = await admin.folder(admin.library, '待签')
  const fileId = await admin.upload(archiveFolderId, '协议.pdf', contractPdf())
  const singerList = list.map(({ userId }) => ({ userId }))
  const { activityId } = await admin.call('launchSign', { fileId, archiveFolderId, title: '协议', singerList })
  await page.goto(`${company.url}/doc/folder/cooperate/sign-review`)
  await button(page, '签署').click()
  const detail = page.getByRole('dialog', { name: /^签署 — 协议/ })
  await detail.getByRole('button', { name: '开始签署' }).click()
  await detail.getByRole('img', { name: /2/ }).waitFor()
  await detail.getByRole('button', { name: '开始签署' }).click()
  expect(await detail.getByRole('button', { name: '签署', exact: true }).isDisabled()).toBe(true)
  // The other window closes once the provider has confirmed.
  await detail.getByRole('button', { name: '用“签署门户”确认身份' }).click()
  await detail.getByText('身份已确认').waitFor()
  await expectAccessible(page)
  await detail.getByRole('button', { name: '签署', exact: true }).click()
  await page.getByText('已签署').first().waitFor()
  expect((await admin.call('getSignDetail', { activityId })).signers.map(({ state }) => state)).toEqual(['signed'])
})

longTest('[R025] a person binds an identity of a provider to their account, and is told so', async () => {
  const provider = await startOpenIdProvider(company.url)
  onTestFinished(() => provider.close())
  provider.people.set('u-9', { sub: 'u-9', preferred_username: 'bangding', name: '邦定' })
  const { providerId } = await company.admin.call('saveProvider', {
    name: '集团门户',
    settings: { kind: 'oidc', issuer: provider.issuer, clientId },
    secret: clientSecret,
  })
  onTestFinished(async () => void (await company.admin.call('removeProvider', { providerId })))
  await company.person('lianjie', '连捷')
  const { page } = await new LoginPage(await browser.open(company.url)).signIn('lianjie', password)
  const bind = async (): Promise<void> => {
    await page.goto(`${company.url}/doc/personal-setting`)
    await button(page, '绑定的账号').click()
    const row = page.locator('.ac-row').filter({ hasText: '集团门户' })
    await row.getByRole('button', { name: '绑定', exact: true }).click()
  }
  await bind()
  await page.getByRole('heading', { name: '没有绑定' }).waitFor()
  await expectAccessible(page)
  provider.who = 'u-9'
  await bind()
  await page.getByRole('heading', { name: '已绑定' }).waitFor()
  await button(page, '返回个人设置').click()
  await button(page, '绑定的账号').click()
  await page.getByText('邦定').waitFor()
  const other = await browser.open(company.url)
  await button(other, '集团门户').click()
  await new FilesPage(other).grid.waitFor()
})

test('a person adds a passkey and signs in with it, in both languages', async () => {
  // Browsers make passkeys for names only, not for addresses.
  const url = company.url.replace('127.0.0.1', 'localhost')
  await company.person('mishi', '米时')
  const { page } = await new LoginPage(await browser.open(url)).signIn('mishi', password)
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await page.goto(`${url}/doc/personal-setting`)
  await button(page, '两步验证').click()
  await button(page, '添加通行密钥').click()
  await page.getByRole('textbox', { name: '名称' }).fill('我的电脑')
  await button(page, '创建').click()
  await page.getByText('我的电脑').waitFor()
  await expectAccessible(page)
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.setItem('locale', 'en'))
  await page.goto(`${url}/doc/login?left=1`)
  await button(page, 'Passkey').click()
  await new FilesPage(page).grid.waitFor()
})

test('an administrator adds a directory, sees who would come, and its people sign in', async () => {
  const directory = await startSlapd()
  onTestFinished(() => directory.close())
  for (const [uid, cn] of [
    ['tangke', '唐可'],
    ['fangqing', '方晴'],
  ] as const)
    await directory.addPerson(uid, { cn })
  const { page } = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
  await page.goto(`${company.url}/doc/admin/providers`)
  await button(page, '添加提供方').click()
  await page.getByRole('menuitem', { name: '目录（LDAP / AD）' }).click()
  await page.getByLabel('登录页上的名称').fill('HUAXIN 域账号')
  await page.getByLabel('服务器').fill(directory.url)
  await page.getByLabel('证书颁发机构').fill(directory.certificate)
  await page.getByLabel('查询账号', { exact: true }).fill(directoryAdmin)
  await page.getByLabel('查询账号的密码').fill('wrong')
  await page.getByLabel('查找位置').fill('ou=people,dc=huaxin,dc=example')
  await button(page, '测试连接').click()
  await page.getByText('查询账号的密码不对').waitFor()
  await page.getByLabel('查询账号的密码').fill(directoryPassword)
  await page.getByLabel('找一个账号').fill('tangke')
  await button(page, '测试连接').click()
  await page.getByRole('definition').getByText('唐可').waitFor()
  await button(page, '测试并保存').click()
  await page.getByText('已保存“HUAXIN 域账号”').waitFor()
  await button(page, '预览变化').click()
  await page.getByRole('heading', { name: '预览，共 2 人' }).waitFor()
  await page.getByText('方晴').waitFor()
  await expectAccessible(page)
  await button(page, '现在同步').click()
  await page.getByRole('heading', { name: '上次同步，共 2 人' }).waitFor()
  const person = await new LoginPage(await browser.open(company.url)).signIn('tangke', 'Pw#tangke')
  await person.grid.waitFor()
  const other = await browser.open(company.url, english)
  await other.getByLabel('Account').fill('fangqing')
  await other.getByLabel('Password', { exact: true }).fill('Pw#fangqing')
  await button(other, 'Sign in').click()
  await new FilesPage(other).grid.waitFor()
})
