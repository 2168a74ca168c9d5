// @vitest-environment happy-dom

import { afterEach, expect, it, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { SignInReturn } from './arrivals.tsx'
import { OtherWays } from './other-ways.tsx'
import { QrLogin } from './qr-login.tsx'

afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const code = { code: 'abc', expiresAt: Date.now() + 180_000, shortCode: '' }
const ways = { providers: [], sms: false, qr: false, trial: false, passkeys: false, quick: false }

// [R041] An expired or refused QR code, a rejected and an abnormal sign-in have their messages, each with a way on; the
// messages of passwords are listed at R026, that of an ended session at R047.
it('[R041] QR codes that expired or were refused, and sign-ins that were rejected or abnormal, say so', async () => {
  const server = fakeApi({ applyCode: code, getQrCodeState: refused('qrInvalid') })
  await render(<QrLogin />)
  await until(() => screenText().includes('二维码已过期，刷新后再扫一次'))
  server.now({ getQrCodeState: refused('qrRefused') })
  await click(button('刷新二维码'))
  await until(() => screenText().includes('登录被拒绝：手机上点了“拒绝”'))
  await cleanUp()
  for (const [refusal, words] of [
    ['signInRejected', '登录被拒绝'],
    ['signInAbnormal', '登录异常'],
  ] as const) {
    server.now({ finishProviderSignIn: refused(refusal) })
    await render(<SignInReturn />, '/doc/sign-in-return/1?state=s')
    await until(() => screenText().includes(words))
    expect(button('重试')).toBeTruthy()
    await cleanUp()
  }
})

it('a mail address of a domain leads to its provider, and any other shows all of them', async () => {
  fakeApi({
    getSignInWays: {
      ...ways,
      providers: [
        { providerId: 1, name: '华信', kind: 'saml', domains: ['huaxin.example'] },
        { providerId: 2, name: '集团', kind: 'oidc', domains: [] },
      ],
    },
  })
  await render(<OtherWays account="erin＠Huaxin.example" onRefused={() => undefined} />)
  await until(() => screenText().includes('huaxin.example 的登录方式'))
  expect(screenText()).toContain('华信')
  expect(screenText()).not.toContain('集团')
  await cleanUp()
  await render(<OtherWays account="erin" onRefused={() => undefined} />)
  await until(() => screenText().includes('集团'))
  expect(screenText()).toContain('华信')
})

// [R019] The button of quick login says what is missing: the program, or its account.
it('[R019] quick login says whether the program or its account is missing', async () => {
  fakeApi({ getSignInWays: { ...ways, quick: true } })
  const answers: string[] = []
  class Socket {
    onopen = (): void => undefined
    onclose = (): void => undefined
    onmessage: (event: { data: string }) => void = () => undefined
    constructor() {
      queueMicrotask(() => (answers.length === 0 ? this.close() : this.onopen()))
    }
    send(): void {
      this.onmessage({ data: answers[0] ?? '' })
    }
    close(): void {
      this.onclose()
    }
  }
  vi.stubGlobal('WebSocket', Socket)
  const said: string[] = []
  await render(<OtherWays account="" onRefused={(message) => said.push(message)} />)
  await until(() => screenText().includes('快速登录'))
  await click(button('快速登录'))
  await until(() => said.at(-1)?.includes('没有运行云文档控件') === true)
  answers.push(JSON.stringify({ option: 'login_key', loginKey: '' }))
  await click(button('快速登录'))
  await until(() => said.at(-1)?.includes('还没有登录') === true)
})
