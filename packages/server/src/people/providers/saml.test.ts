// Sign-in by a SAML provider: answers of the npm package samlify in its role as provider, and attacks on them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld, type Person, requestFor, type Wire, type World, wireOf } from '../../../test/harness.ts'
import { samlKeys } from '../../../test/saml-keys.ts'
import { type SamlAnswer, samlAnswer, samlIssuer } from '../../../test/saml-provider.ts'
import { cookieFrom, ownAccount, setCookie, web } from '../../../test/sign-in.ts'
import { notifyOfEndingCertificates } from './certificate-ending.ts'
import { refreshMetadata } from './saml-metadata.ts'

let world: World
let admin: Person
let providerId: number
const host = 'cloud.huaxin.example'

const attributes = {
  uid: ['erin'],
  displayName: ['韩磊'],
  mail: ['erin@huaxin.example'],
  memberOf: ['finance', 'staff'],
} as const
const save = async (more: object = {}, id = 0, name = 'ADFS'): Promise<number> =>
  (
    await admin.call('saveProvider', {
      ...{ providerId: id, name },
      settings: {
        ...{ kind: 'saml' as const, ...samlIssuer, certificates: samlKeys.own.certificate },
        ...{
          accountAttribute: 'uid',
          nameAttribute: 'displayName',
          mailAttribute: 'mail',
          groupsAttribute: 'memberOf',
        },
        ...more,
      },
    })
  ).providerId

beforeEach(async () => {
  world = await openWorld({ elected: false })
  admin = await world.admin()
  providerId = await save()
})

/** A browser that goes to the provider and comes back. */
class Browser {
  cookie = ''

  async begin(id = providerId, redirect = ''): Promise<string> {
    const request = requestFor('startProviderSignIn', { providerId: id, redirect })
    const response = await world.app.http.inject({ ...request, headers: { ...request.headers, ...this.headers() } })
    if (this.cookie === '') this.cookie = cookieFrom(response, 'cloudoc_device')
    return (wireOf(response).data as { address: string }).address
  }

  headers(): Record<string, string> {
    return { ...web, host, ...(this.cookie !== '' && { cookie: this.cookie }) }
  }

  async finish(state: string, id = providerId): Promise<Wire & { session?: string }> {
    const request = requestFor('finishProviderSignIn', { providerId: id, query: `?state=${state}` })
    const response = await world.app.http.inject({ ...request, headers: { ...request.headers, ...this.headers() } })
    const line = setCookie(response).find((each) => each.startsWith('cloudoc_session='))
    return { ...wireOf(response), ...(line !== undefined && { session: line.slice(16, line.indexOf(';')) }) }
  }
}

const answerAddress = (id = providerId): string => `http://${host}/services2/provider/samlAnswer/${id}`

/** The form that the provider's page sends, without any cookie. */
async function post(response: string, state: string, id = providerId): Promise<string> {
  const answered = await world.app.http.inject({
    ...{ method: 'POST', url: `/services2/provider/samlAnswer/${id}` },
    headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ SAMLResponse: response, RelayState: state }).toString(),
  })
  expect(answered.statusCode).toBe(200)
  return /url=([^"]*)"/.exec(answered.body)?.[1] ?? ''
}

const answerTo = (address: string, more: SamlAnswer = {}, id = providerId) =>
  samlAnswer(address, answerAddress(id), { attributes, ...more })

/** Signs in with an answer, changed on its way. */
async function signIn(more: SamlAnswer = {}, change = (xml: string): string => xml) {
  const browser = new Browser()
  const { response, state } = await answerTo(await browser.begin(), more)
  const sent = Buffer.from(change(Buffer.from(response, 'base64').toString())).toString('base64')
  await post(sent, state)
  return { browser, state, response, answer: await browser.finish(state) }
}

test('a person of the provider signs in, gets an account and the roles of the groups', async () => {
  const { roleId } = await admin.call('createRole', { roleName: '财务' })
  await save({ applies: true, rules: [{ value: 'finance', gives: 'role', id: roleId }] }, providerId)
  const browser = new Browser()
  const { response, state } = await answerTo(await browser.begin(providerId, '/doc/folder/files?folderId=3'))
  expect(await post(response, state)).toBe(`/doc/sign-in-return/${providerId}?state=${state}`)
  const signedIn = await browser.finish(state)
  expect(signedIn).toMatchObject({
    code: 'success',
    data: { accountInfo: { account: 'erin', accountName: '韩磊' }, redirect: '/doc/folder/files?folderId=3' },
  })
  expect(await ownAccount(world, signedIn.session ?? '')).toMatchObject({ data: { account: 'erin' } })
  expect((await admin.call('getRole', { roleId })).users).toMatchObject([{ account: 'erin' }])
  // Another login name, the same NameID: the same account.
  const again = await signIn({ attributes: { ...attributes, uid: ['erika'] } })
  expect(again.answer.data).toMatchObject({ accountInfo: (signedIn.data as { accountInfo: object }).accountInfo })
})

test('an answer signs in once, and only in the browser that began', async () => {
  const { browser, state, response, answer } = await signIn()
  expect(answer.code).toBe('success')
  await post(response, state)
  expect(await browser.finish(state)).toMatchObject({ code: 'signInAbnormal' })
  // The same answer for another attempt: it names the request of the first one.
  const next = new Browser()
  const other = new URL(await next.begin()).searchParams.get('RelayState') ?? ''
  await post(response, other)
  expect(await next.finish(other)).toMatchObject({ code: 'signInAbnormal' })
  const thief = new Browser()
  await thief.begin()
  const victim = new Browser()
  const { response: fresh, state: its } = await answerTo(await victim.begin())
  await post(fresh, its)
  expect(await thief.finish(its)).toMatchObject({ code: 'signInAbnormal' })
  expect(await victim.finish(its)).toMatchObject({ code: 'success' })
})

test('two pages that hand one answer in at once get one session', async () => {
  const browser = new Browser()
  const { response, state } = await answerTo(await browser.begin())
  await post(response, state)
  const both = await Promise.all([browser.finish(state), browser.finish(state)])
  expect(both.filter(({ code }) => code === 'success')).toHaveLength(1)
})

test('a wrong answer does not use the attempt up', async () => {
  const browser = new Browser()
  const { response, state } = await answerTo(await browser.begin())
  await post(Buffer.from('<x/>').toString('base64'), state)
  expect(await browser.finish(state)).toMatchObject({ code: 'signInAbnormal' })
  await post(response, state)
  expect(await browser.finish(state)).toMatchObject({ code: 'success' })
})

test('an answer for others, of others or of another time is abnormal', async () => {
  for (const more of [
    { key: samlKeys.other },
    { issuer: 'https://evil.example/saml' },
    { audience: 'https://other.example' },
    { recipient: 'https://other.example/acs' },
    { inResponseTo: '_other' },
    { clock: -6 * 60_000 - 60_000 },
    { clock: 6 * 60_000 },
    { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
    { attributes: {} },
  ] satisfies SamlAnswer[])
    expect({ more, code: (await signIn(more)).answer.code }).toEqual({ more, code: 'signInAbnormal' })
  for (const clock of [-4 * 60_000, 4 * 60_000]) expect((await signIn({ clock })).answer.code).toBe('success')
  // A wrong clock is a common cause: by how much is said.
  expect((await signIn({ clock: 6 * 60_000 })).answer.msg).toMatch(/提供方的时钟比本服务器快 3[3-6]\d 秒/)
  expect((await signIn({ issuer: 'https://evil.example/saml' })).answer.msg).toBe('登录异常')
})

const assertionIn = (xml: string): string => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
const forged = (assertion: string): string =>
  assertion
    .replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, '')
    .replace('ID="_assertion"', 'ID="_forged"')
    .replace('>u-1<', '>u-admin<')
    .replace('>erin<', '>boss<')

test('a changed, unsigned or wrapped assertion is refused', async () => {
  const attacks: Record<string, (xml: string) => string> = {
    changed: (xml) => xml.replace('>u-1<', '>u-2<'),
    unsigned: (xml) => xml.replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, ''),
    'forged before': (xml) => xml.replace(assertionIn(xml), forged(assertionIn(xml)) + assertionIn(xml)),
    'forged after': (xml) => xml.replace(assertionIn(xml), assertionIn(xml) + forged(assertionIn(xml))),
    'signed one inside the forged one': (xml) =>
      xml.replace(
        assertionIn(xml),
        forged(assertionIn(xml)).replace(
          '</saml:Assertion>',
          `<saml:Advice>${assertionIn(xml)}</saml:Advice></saml:Assertion>`,
        ),
      ),
    'signed one in an extension': (xml) =>
      xml
        .replace(assertionIn(xml), forged(assertionIn(xml)))
        .replace('<samlp:Status>', `<samlp:Extensions>${assertionIn(xml)}</samlp:Extensions><samlp:Status>`),
    'signed one in the signature of the forged one': (xml) => {
      const signature = /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(xml)?.[0] ?? ''
      const holds = signature.replace('</ds:Signature>', `<ds:Object>${assertionIn(xml)}</ds:Object></ds:Signature>`)
      return xml.replace(assertionIn(xml), forged(assertionIn(xml)).replace('</saml:Issuer>', `</saml:Issuer>${holds}`))
    },
    'second id': (xml) => xml.replace('ID="_response"', 'ID="_assertion"').replace('>u-1<', '>u-2<'),
  }
  for (const [name, change] of Object.entries(attacks)) {
    const { answer } = await signIn({}, change)
    expect({ name, code: answer.code }).toEqual({ name, code: 'signInAbnormal' })
  }
  const made = await world.app.db
    .selectFrom('account')
    .select('account')
    .where('account', 'in', ['boss', 'erin'])
    .execute()
  expect(made).toEqual([])
})

test('a comment in a name does not cut it off', async () => {
  const { answer } = await signIn({ nameId: 'u-1.evil' }, (xml) => xml.replace('>u-1.evil<', '>u-1<!---->.evil<'))
  const row = await world.app.db
    .selectFrom('provider_identity')
    .select('external_id')
    .where('external_id', '=', 'u-1')
    .executeTakeFirst()
  expect(row).toBeUndefined()
  expect(['success', 'signInAbnormal']).toContain(answer.code)
})

test('definitions of entities are refused before anything is read', async () => {
  for (const head of [
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>',
    '<!doctype x SYSTEM "http://127.0.0.1:1/x.dtd">',
  ]) {
    const { answer } = await signIn({}, (xml) => head + xml)
    expect(answer.code).toBe('signInAbnormal')
  }
})

test('an answer that nobody waits for is not kept, and leads to the page', async () => {
  const before = await world.app.db.selectFrom('once').select('kind').where('kind', '=', 'samlAnswer').execute()
  expect(await post('eA==', 'nobody')).toBe(`/doc/sign-in-return/${providerId}?state=nobody`)
  // What comes from outside cannot leave the address.
  expect(await post('eA==', '"><script>')).toBe(`/doc/sign-in-return/${providerId}?state=%22%3E%3Cscript%3E`)
  expect(await world.app.db.selectFrom('once').select('kind').where('kind', '=', 'samlAnswer').execute()).toEqual(
    before,
  )
})

test('old and new certificates hold together, and a text without one is refused', async () => {
  await save({ certificates: `${samlKeys.other.certificate}\n${samlKeys.own.certificate}` }, providerId)
  expect((await signIn()).answer.code).toBe('success')
  expect((await signIn({ key: samlKeys.other })).answer.code).toBe('success')
  expect(
    await admin.refusal('saveProvider', {
      name: 'x',
      settings: { kind: 'saml', ...samlIssuer, certificates: 'none' },
    }),
  ).toBe('badRequest')
  const { steps } = await admin.call('testProvider', {
    settings: { kind: 'saml', ...samlIssuer, certificates: samlKeys.own.certificate },
  })
  expect(steps).toMatchObject([{ ok: true }])
})

test('an expired certificate is named as the cause', async () => {
  const later = await openWorld({ elected: false, now: () => Date.parse('2200-01-01') })
  const boss = await later.admin()
  const { providerId: id } = await boss.call('saveProvider', {
    name: 'ADFS',
    settings: { kind: 'saml', ...samlIssuer, certificates: samlKeys.own.certificate },
  })
  const request = requestFor('startProviderSignIn', { providerId: id })
  expect(wireOf(await later.app.http.inject({ ...request, headers: { ...request.headers, ...web } }))).toMatchObject({
    code: 'providerUnavailable',
  })
})

test('an account of this server is not taken over by a person of the same name', async () => {
  await world.person('erin')
  expect((await signIn()).answer.code).toBe('identityNotJoined')
})

test('the page is told which mail domains belong to a provider', async () => {
  await save({ domains: ['Huaxin.example'] }, providerId)
  const ways = wireOf(await world.app.http.inject(requestFor('getSignInWays', {})))
  expect(ways.data).toMatchObject({ providers: [{ providerId, kind: 'saml', domains: ['huaxin.example'] }] })
})

test('metadata at an address fills in the provider and renews its certificates; hostile metadata is refused', async () => {
  let xml = metadata(samlIssuer.issuer, [samlKeys.own.certificate])
  const publisher = createServer((_request, response) => response.end(xml))
  const port = await listen(publisher)
  const metadataUrl = `http://127.0.0.1:${port}/metadata`
  try {
    expect(await admin.call('readSamlMetadata', { address: metadataUrl })).toMatchObject({
      ...{ issuer: samlIssuer.issuer, entryPoint: samlIssuer.entryPoint },
    })
    await save({ metadataUrl }, providerId)
    const stored = async () => {
      const [provider] = (await admin.call('getProviders', {})).list
      return provider?.settings.kind === 'saml' ? provider.settings.certificates.match(/BEGIN/g)?.length : undefined
    }
    xml = metadata(samlIssuer.issuer, [samlKeys.own.certificate, samlKeys.other.certificate])
    await refreshMetadata(world.app.services)
    expect(await stored()).toBe(2)
    expect((await signIn()).answer.code).toBe('success')
    // Another provider, an entity, no certificate, no XML: nothing changes.
    const good = xml
    for (const wrong of [
      metadata('https://evil.example', [samlKeys.other.certificate]),
      good.replace('?>', '?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>'),
      metadata(samlIssuer.issuer, []),
      'x',
      good.slice(0, 200),
    ]) {
      xml = wrong
      await refreshMetadata(world.app.services)
      expect(await stored()).toBe(2)
      if (!wrong.includes('evil'))
        expect(await admin.refusal('readSamlMetadata', { address: metadataUrl })).toBe('badRequest')
    }
    expect(await admin.refusal('readSamlMetadata', { address: 'http://169.254.169.254/x' })).toBe('badRequest')
    expect(await admin.refusal('readSamlMetadata', { address: 'file:///etc/passwd' })).toBe('badRequest')
  } finally {
    publisher.close()
  }
  expect(await admin.refusal('readSamlMetadata', { address: metadataUrl })).toBe('providerUnavailable')
})

test('a key that metadata tells already is known at the first answer that it signs', async () => {
  let asked = 0
  const certificates = [samlKeys.own.certificate]
  const publisher = createServer((_request, response) => {
    asked += 1
    response.end(metadata(samlIssuer.issuer, certificates))
  })
  const metadataUrl = `http://127.0.0.1:${await listen(publisher)}/metadata`
  try {
    await save({ metadataUrl }, providerId)
    // A stranger cannot make this server ask again and again.
    for (let n = 0; n < 3; n += 1) expect((await signIn({ key: samlKeys.other })).answer.code).toBe('signInAbnormal')
    expect(asked).toBe(1)
    await world.app.db.deleteFrom('once').where('kind', '=', 'samlMetadata').execute()
    certificates.push(samlKeys.other.certificate)
    expect((await signIn({ key: samlKeys.other })).answer.code).toBe('success')
    expect((await signIn({ key: samlKeys.own })).answer.code).toBe('success')
    expect(asked).toBe(2)
  } finally {
    publisher.close()
  }
})

test('security administrators hear once, 30 and 7 days before, that the last certificate ends', async () => {
  const end = Date.parse('2126-11-04T14:16:29Z')
  const day = 24 * 60 * 60_000
  let now = end - 40 * day
  const later = await openWorld({ elected: true, now: () => now })
  const boss = await later.admin()
  await boss.call('saveProvider', {
    name: 'ADFS',
    settings: { kind: 'saml', ...samlIssuer, certificates: samlKeys.own.certificate },
  })
  expect((await boss.call('getProviders', {})).list).toMatchObject([{ certificateEnd: end }])
  const told = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from event where kind = 'personal' and payload::jsonb ->> 'pushType' = '166'`.execute(
      later.app.db,
    )
    return rows[0]?.n
  }
  const counts: unknown[] = []
  for (const days of [40, 29, 28, 6, 5]) {
    now = end - days * day
    await notifyOfEndingCertificates(later.app.services)
    counts.push(await told())
  }
  expect(counts).toEqual([0, 1, 1, 2, 2])
})

const bare = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '')
const metadata = (issuer: string, certificates: readonly string[]): string => `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"
  entityID="${issuer}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
  <md:KeyDescriptor use="encryption"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>AAAA</ds:X509Certificate></ds:X509Data>
  </ds:KeyInfo></md:KeyDescriptor>${certificates
    .map(
      (pem) => `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${bare(pem)}
  </ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    )
    .join('')}
  <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/post"/>
  <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${samlIssuer.entryPoint}"/>
</md:IDPSSODescriptor></md:EntityDescriptor>`

const listen = (server: ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
