// @vitest-environment happy-dom
import { generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FakeApi, fakeApi } from '../../../test/fake-api.ts'
import { joinInitialAreas } from '../../app/join-areas.ts'
import { signIn } from './session.ts'

joinInitialAreas()

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signedIn = {
  accessToken: '',
  expiresAt: 1,
  accountInfo: { userId: 7, account: 'linxia', accountName: '林夏' },
  serverId: 0,
}
let server: FakeApi

beforeEach(() => {
  server = fakeApi({
    getLoginKey2: {
      loginKey: '',
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
      csrf_token: 'csrf',
      nonce: 'n1',
    },
    loginInEncrypt: signedIn,
    login3: signedIn,
  })
})
afterEach(() => vi.unstubAllGlobals())

it('a password travels encrypted with the nonce where the browser can encrypt [R016]', async () => {
  await signIn({ userName: 'linxia', password: '密码@Aa1', captcha: 'k7m2' })
  const [sent] = server.inputsOf('loginInEncrypt')
  expect(sent).toMatchObject({ csrf_token: 'csrf', clientType: '6' })
  const plain = privateDecrypt({ key: privateKey, oaepHash: 'sha256' }, Buffer.from(String(sent?.body), 'base64'))
  expect(JSON.parse(plain.toString())).toEqual({
    userName: 'linxia',
    password: '密码@Aa1',
    captcha: 'k7m2',
    nonce: 'n1',
  })
  expect(JSON.stringify(server.sent)).not.toContain('密码@Aa1')
})

it('over plain HTTP, where browsers have no crypto.subtle, the documented form is sent [R014]', async () => {
  vi.stubGlobal('crypto', {})
  await signIn({ userName: 'linxia', password: 'x' })
  expect(server.inputsOf('login3')).toEqual([{ serverId: '0', clientType: '6', userName: 'linxia', password: 'x' }])
  expect(server.inputsOf('loginInEncrypt')).toEqual([])
})

it('credentials that the key cannot hold are sent as the documented form', async () => {
  await signIn({ userName: 'linxia', password: 'x'.repeat(300) })
  expect(server.inputsOf('login3')).toHaveLength(1)
})
