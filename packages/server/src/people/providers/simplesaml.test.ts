// Sign-in by Debian's SimpleSAMLphp: its metadata, its form and its answers, in the full run.
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, requestFor, type Wire, type World, wireOf } from '../../../test/harness.ts'
import { cookieFrom, ownAccount, setCookie, web } from '../../../test/sign-in.ts'
import { type SamlForm, type SimpleSaml, startSimpleSaml } from '../../../test/simplesaml.ts'

const full = inject('full')
const host = 'cloud.huaxin.example'
const erin = {
  uid: ['erin'],
  displayName: ['韩磊 & “设计”'],
  mail: ['erin@huaxin.example'],
  memberOf: ['finance', 'staff'],
}

let provider: SimpleSaml
let world: World
let admin: Person
let providerId: number

beforeAll(async () => {
  if (full)
    provider = await startSimpleSaml({ 'erin:right': erin, 'fred:right': { uid: ['fred'], displayName: ['弗/雷'] } })
})
afterAll(() => provider?.close())

const addresses = () => ({
  entityId: `http://${host}/saml/${providerId}`,
  answerAddress: `http://${host}/services2/provider/samlAnswer/${providerId}`,
})

beforeEach(async () => {
  if (!full) return
  world = await openWorld({ elected: false })
  admin = await world.admin()
  const { roleId } = await admin.call('createRole', { roleName: '财务' })
  const read = await admin.call('readSamlMetadata', { address: provider.metadataUrl })
  const settings = {
    ...{ kind: 'saml' as const, ...read, metadataUrl: provider.metadataUrl },
    ...{ accountAttribute: 'uid', nameAttribute: 'displayName', mailAttribute: 'mail', groupsAttribute: 'memberOf' },
    ...{ applies: true, rules: [{ value: 'finance', gives: 'role' as const, id: roleId }] },
  }
  providerId = (await admin.call('saveProvider', { providerId: 0, name: 'SimpleSAMLphp', settings })).providerId
  await provider.trust(addresses())
})

/** Begins at the login page: the address to go to, and the cookie of the browser. */
async function begin(): Promise<{ address: string; cookie: string }> {
  const request = requestFor('startProviderSignIn', { providerId, redirect: '' })
  const response = await world.app.http.inject({ ...request, headers: { ...request.headers, ...web, host } })
  return {
    address: (wireOf(response).data as { address: string }).address,
    cookie: cookieFrom(response, 'cloudoc_device'),
  }
}

/** Sends the form of the provider's page, and hands its answer in. */
async function finish(form: SamlForm, cookie: string): Promise<Wire & { session?: string }> {
  const posted = await world.app.http.inject({
    ...{ method: 'POST', url: new URL(form.action).pathname },
    headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ SAMLResponse: form.response, RelayState: form.state }).toString(),
  })
  expect(posted.statusCode).toBe(200)
  const request = requestFor('finishProviderSignIn', { providerId, query: `?state=${form.state}` })
  const response = await world.app.http.inject({ ...request, headers: { ...request.headers, ...web, host, cookie } })
  const line = setCookie(response).find((each) => each.startsWith('cloudoc_session='))
  return { ...wireOf(response), ...(line !== undefined && { session: line.slice(16, line.indexOf(';')) }) }
}

async function signIn(account: string): Promise<Wire & { session?: string }> {
  const { address, cookie } = await begin()
  const form = await provider.signIn(address, account, 'right')
  if (form === undefined) throw new Error('the provider refused the password')
  expect(form.action).toBe(addresses().answerAddress)
  return finish(form, cookie)
}

longTest('its people sign in, get an account and the roles of their groups, and keep the account', async () => {
  const metadata = await admin.call('readSamlMetadata', { address: provider.metadataUrl })
  expect(metadata.issuer).toBe(provider.entityId)
  const first = await signIn('erin')
  expect(first).toMatchObject({
    code: 'success',
    data: { accountInfo: { account: 'erin', accountName: '韩磊 & “设计”' } },
  })
  expect(await ownAccount(world, first.session ?? '')).toMatchObject({ data: { account: 'erin' } })
  const { list } = await admin.call('getRoles', {})
  const role = list.find(({ roleName }) => roleName === '财务')
  expect((await admin.call('getRole', { roleId: role?.roleId ?? 0 })).users).toMatchObject([{ account: 'erin' }])
  const again = await signIn('erin')
  expect(again.data).toMatchObject({ accountInfo: (first.data as { accountInfo: object }).accountInfo })
  // A name that nobody can have here is left out.
  expect(await signIn('fred')).toMatchObject({ code: 'success', data: { accountInfo: { accountName: 'fred' } } })
})

longTest('a wrong password there, a changed answer and one for another service sign nobody in', async () => {
  const attempt = await begin()
  expect(await provider.signIn(attempt.address, 'erin', 'wrong')).toBeUndefined()
  const form = await provider.signIn(attempt.address, 'erin', 'right')
  if (form === undefined) throw new Error('the provider refused the password')
  const xml = Buffer.from(form.response, 'base64').toString()
  const changed = Buffer.from(xml.replaceAll('>erin<', '>fred<')).toString('base64')
  expect(await finish({ ...form, response: changed }, attempt.cookie)).toMatchObject({ code: 'signInAbnormal' })
  // The attempt is not used up by it.
  expect(await finish(form, attempt.cookie)).toMatchObject({ code: 'success' })
  const other = await begin()
  await provider.trust({ ...addresses(), answerAddress: 'http://other.example/answer' })
  const elsewhere = await provider.signIn(other.address, 'erin', 'right')
  if (elsewhere === undefined) throw new Error('the provider refused the password')
  expect(elsewhere.action).toBe('http://other.example/answer')
  expect(await finish({ ...elsewhere, action: addresses().answerAddress }, other.cookie)).toMatchObject({
    code: 'signInAbnormal',
  })
})
