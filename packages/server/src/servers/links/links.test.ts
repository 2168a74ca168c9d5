// Trust between servers: keys, signed messages, sign-in of people, states ([R343], [R345]).
import { createServer, request as httpRequest } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificate, renewed } from '../../../test/certificate.ts'
import { openWorld, type Person, password, type World } from '../../../test/harness.ts'
import { linkWorlds } from '../../../test/linked-worlds.ts'
import { allFeatures } from '../../installation.ts'
import { askServer } from './calls.ts'
import { servers, serversWithin } from './feature.ts'
import { currentKey } from './keys.ts'
import { signMessage } from './messages.ts'
import { openPeerSession } from './remote.ts'
import { findPeer } from './states.ts'

const times = { answerMs: 2000, idleMs: 500, visitMs: 4000, retryMs: 5000 }
const features = allFeatures.map((each) => (each === servers ? serversWithin(times) : each))
let here: World
let there: World
let anna: Person
let annaThere: Person
/** The clock of the server here is ahead by this. */
let ahead = 0
const signal = AbortSignal.timeout(600_000)

const callerOf = ({ app: { services } }: World) => ({
  db: services.db,
  secrets: services.secrets,
  now: services.now,
  times,
})
/** Signs a person of the server here in at the linked one. */
const visit = async (person: { accountId: number; account: string }) =>
  openPeerSession(callerOf(here), await findPeer(here.app.db, 1), person, signal)
const visitRefused = (person: { accountId: number; account: string }) =>
  visit(person).then(
    () => 'signed in',
    (error: unknown) => (error as { code?: string }).code,
  )
const check = async (world = here) => (await world.admin()).call('checkLinkedServer', { serverId: 1 })
const stateSeen = async () => (await anna.call('getServerList', {})).list.find(({ serverId }) => serverId === 1)?.state

beforeAll(async () => {
  here = await openWorld({ features, now: () => Date.now() + ahead })
  there = await openWorld({ features })
  anna = await here.person('anna')
  annaThere = await there.person('anna')
  await linkWorlds(here, there)
})

test('[R343] a message of a linked server signs one person in, once, soon, and never an administrator', async () => {
  const person = { accountId: anna.userId, account: 'anna' }
  const session = await visit(person)
  expect(session).toMatchObject({ account: 'anna', userId: annaThere.userId })
  expect(await there.wire('getMyAccountInfo', {}, session.token)).toMatchObject({ data: { account: 'anna' } })

  const { app } = here
  const key = await currentKey(app.db, app.services.secrets, 0)
  const peer = await findPeer(app.db, 1)
  const message = (more: { now?: number } = {}) =>
    signMessage('loginByServer', { ...person, clientType: 210 }, { key, peer, now: Date.now(), ...more })
  const present = (input: object) => there.wire('loginByServer', input as Record<string, unknown>)
  const good = message()
  expect(await present(good)).toMatchObject({ code: 'success' })
  expect(await present(good)).toMatchObject({ code: 'interconnectedServerInvalid' })
  expect(await present({ ...message(), account: 'ben' })).toMatchObject({ code: 'interconnectedServerInvalid' })
  for (const now of [Date.now() - 310_000, Date.now() + 310_000, 0])
    expect(await present(message({ now }))).toMatchObject({ code: 'interconnectedServerInvalid' })
  expect(await visitRefused({ ...person, account: 'admin' })).toBe('notFound')
  expect(await visitRefused({ ...person, account: 'nobody' })).toBe('notFound')
  const ben = await there.person('ben')
  await (await there.admin()).call('setAccountState', { userId: ben.userId, state: 'frozen' })
  expect(await visitRefused({ ...person, account: 'ben' })).toBe('accountFrozen')
})

test('[R343] who comes from a linked server has no administrative powers there', async () => {
  await (await there.admin()).call('setPowerHolders', { power: 'system', userIds: [annaThere.userId] })
  expect(await annaThere.call('getUserPermissionInfo', {})).toMatchObject({ powers: ['system'] })
  const { token } = await visit({ accountId: anna.userId, account: 'anna' })
  expect(await there.wire('getUserPermissionInfo', {}, token)).toMatchObject({ data: { isAdmin: false, powers: [] } })
  expect(await there.wire('getLinkedServers', {}, token)).toMatchObject({ code: 'noPermission' })
})

test('[R343] a person with another name there confirms the account by its password, and only then', async () => {
  const [chen] = await Promise.all([here.person('chen'), there.person('c.wei')])
  const person = { accountId: chen.userId, account: 'chen' }
  expect(await visitRefused(person)).toBe('notFound')
  const link = (secret: string) => chen.wire('linkServerAccount', { serverId: 1, userName: 'c.wei', password: secret })
  expect(await link('not it')).toMatchObject({ code: 'wrongPassword' })
  expect(await link(password)).toMatchObject({ code: 'success', data: { account: 'c.wei' } })
  expect(await visit(person)).toMatchObject({ account: 'c.wei' })
  // The same name, and another person: a new account here is not the one that confirmed.
  expect(await visitRefused({ accountId: chen.userId + 1000, account: 'chen' })).toBe('notFound')
})

// [R345] A linked server that is missing, has another key, does not answer or answers nonsense has its own code, which
// administrators see with its cause.
test('[R345] one server is down, one talks nonsense, one has another key: each has its state, the others work', async () => {
  const admin = await here.admin()
  const { publicKey } = await admin.call('probeServer', { apiHost: `http://127.0.0.1:${await there.port()}` })
  const nonsense = createServer((_, response) => response.end('<html>sign in at the proxy</html>'))
  const frozen = createServer(() => {})
  afterAll(() => {
    for (const server of [nonsense, frozen]) {
      server.closeAllConnections()
      server.close()
    }
  })
  const listen = async (server: typeof frozen): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  // Each has a key that nobody has: a key belongs to one server.
  const link = async (apiHost: string, letter: string) =>
    (await admin.call('setLinkedServer', { serverName: letter, apiHost, publicKey: letter.repeat(43) })).serverId
  const found = async (serverId: number) => {
    const { state, cause } = await admin.call('checkLinkedServer', { serverId })
    return [state, cause]
  }
  const dead = await link('http://127.0.0.1:1', 'a')
  expect(await found(dead)).toEqual(['notResponding', 'route'])
  expect(await found(await link('http://no-such-host.invalid', 'b'))).toEqual(['notResponding', 'name'])
  expect(await found(await link(await listen(frozen), 'c'))).toEqual(['notResponding', 'time'])
  expect(await found(await link(await listen(nonsense), 'd'))).toEqual(['faulty', 'answer'])
  expect(await found(await link(`http://127.0.0.1:${await there.port()}`, 'e'))).toEqual(['invalid', 'key'])
  // After a failure nobody waits for it again.
  const asked = askServer(
    { ...callerOf(here), times: { ...times, answerMs: 600_000 } },
    dead,
    'greetServer',
    {},
    { signal },
  )
  await expect(asked).rejects.toMatchObject({ code: 'interconnectedServerNotResponding' })
  expect(await found(1)).toEqual(['ok', ''])
  expect(await stateSeen()).toBe('ok')
  expect(await admin.refusal('setLinkedServer', { serverName: 'x', apiHost: 'http://x', publicKey })).toBe(
    'alreadyExists',
  )
  expect(JSON.stringify(await anna.call('getServerList', {}))).not.toContain(publicKey)
})

// [R345] A server with a certificate of a company or of its own is linked by pinning that certificate for the link.
test('[R345] a certificate that this machine does not trust is trusted for the link for which it is pinned, and for no other', async () => {
  const admin = await here.admin()
  const port = await there.port()
  const secure = createSecureServer(certificate, (request, response) => {
    const { method, url, headers } = request
    const passed = httpRequest({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  afterAll(() => void secure.close())
  const apiHost = `https://localhost:${(secure.address() as AddressInfo).port}`
  const before = (await admin.call('getLinkedServers', {})).list[0]
  const publicKey = before?.keys.find(({ state }) => state === 'current')?.publicKey ?? ''
  const link = (caCertificate: string) =>
    admin.call('setLinkedServer', { serverId: 1, serverName: '深圳分部', apiHost, publicKey, caCertificate })

  expect(await admin.refusal('probeServer', { apiHost })).toBe('interconnectedServerNotResponding')
  const found = await admin.call('probeServer', { apiHost, caCertificate: certificate.cert })
  expect(found.publicKey).toBe(publicKey)
  await link('')
  expect(await check()).toMatchObject({ state: 'notResponding', cause: 'tls' })
  await link(renewed.cert)
  expect(await check()).toMatchObject({ state: 'notResponding', cause: 'tls' })
  await link(`前后的说明\n${renewed.cert}\n${certificate.cert}`)
  expect(await check()).toMatchObject({ state: 'ok' })
  expect(await visit({ accountId: anna.userId, account: 'anna' })).toMatchObject({ account: 'anna' })
  const shown = (await admin.call('getLinkedServers', {})).list[0]
  expect(shown?.caCertificate).toBe(renewed.cert + certificate.cert)
  expect(shown?.authorities.map(({ subject }) => subject)).toEqual(['CN=localhost', 'CN=localhost'])
  for (const wrong of ['PEM', certificate.key, certificate.cert.replace('MIIB', 'AAAA')])
    expect(await admin.refusal('setLinkedServer', { serverName: 'x', apiHost, publicKey, caCertificate: wrong })).toBe(
      'badRequest',
    )
  await admin.call('setLinkedServer', {
    serverId: 1,
    serverName: '深圳分部',
    apiHost: before?.apiHost ?? '',
    publicKey,
  })
  expect(await check()).toMatchObject({ state: 'ok' })
})

test('[R345] clocks that differ by more than five minutes are named with the seconds', async () => {
  ahead = 400_000
  expect(await check()).toMatchObject({ state: 'invalid', cause: 'clock', detail: '-400' })
  ahead = -400_000
  expect(await check()).toMatchObject({ state: 'invalid', cause: 'clock', detail: '400' })
  ahead = 0
  expect(await check()).toMatchObject({ state: 'ok' })
})

test('[R345] a server whose link is removed or paused on the other side is missing or invalid, and comes back', async () => {
  const adminThere = await there.admin()
  const { token } = await visit({ accountId: anna.userId, account: 'anna' })
  await adminThere.call('pauseLinkedServer', { serverId: 1, paused: true })
  expect(await there.wire('getMyAccountInfo', {}, token)).toMatchObject({ code: 'notLoggedIn' })
  expect(await check()).toMatchObject({ state: 'invalid', cause: 'paused' })
  await adminThere.call('pauseLinkedServer', { serverId: 1, paused: false })
  expect(await check()).toMatchObject({ state: 'ok' })
  const [entry] = (await adminThere.call('getLinkedServers', {})).list
  await adminThere.call('removeLinkedServer', { serverId: 1 })
  expect(await check()).toMatchObject({ state: 'missing', cause: 'unknown' })
  expect(await stateSeen()).toBe('missing')
  // The number of a removed server is not given to another one, and its key is trusted again only by hand.
  const back = await adminThere.call('setLinkedServer', {
    ...{ serverId: 1, serverName: '总部', apiHost: entry?.apiHost ?? '', publicKey: entry?.keys[0]?.publicKey ?? '' },
  })
  expect(back).toEqual({ serverId: 1 })
  expect(await check()).toMatchObject({ state: 'ok' })
})

test('[R345] a new key is taken over by the other servers; one that was revoked is worthless at once', async () => {
  const admin = await here.admin()
  const adminThere = await there.admin()
  const person = { accountId: anna.userId, account: 'anna' }
  const before = (await admin.call('getLinkedServers', {})).keys[0]?.publicKey
  // Both at once.
  await Promise.all([admin.call('rotateServerKey', {}), adminThere.call('rotateServerKey', {})])
  expect(await visit(person)).toMatchObject({ account: 'anna' })
  expect([(await check()).state, (await check(there)).state]).toEqual(['ok', 'ok'])
  const { list, keys } = await admin.call('getLinkedServers', {})
  expect(list.find(({ serverId }) => serverId === 1)).toMatchObject({ knowsKey: true })
  expect(keys[0]?.publicKey).not.toBe(before)
  const theirs = (await adminThere.call('getLinkedServers', {})).list[0]?.keys
  expect(theirs?.map(({ state, publicKey }) => [state, publicKey])).toEqual(
    expect.arrayContaining([
      ['current', keys[0]?.publicKey],
      ['retired', before],
    ]),
  )
  expect(await visit(person)).toMatchObject({ account: 'anna' })

  await admin.call('rotateServerKey', { revoke: true })
  expect(await check()).toMatchObject({ state: 'missing', cause: 'unknown' })
  const { publicKey } = await adminThere.call('probeServer', { apiHost: `http://127.0.0.1:${await here.port()}` })
  const apiHost = `http://127.0.0.1:${await here.port()}`
  await adminThere.call('setLinkedServer', { serverId: 1, serverName: '总部', apiHost, publicKey })
  expect(await check()).toMatchObject({ state: 'ok' })

  await adminThere.call('revokeLinkedKey', { serverId: 1, publicKey })
  expect(await check()).toMatchObject({ state: 'invalid', cause: 'key' })
  expect(await check(there)).toMatchObject({ state: 'invalid', cause: 'key' })
  expect(await adminThere.refusal('setLinkedServer', { serverId: 1, serverName: '总部', apiHost, publicKey })).toBe(
    'alreadyExists',
  )
})
