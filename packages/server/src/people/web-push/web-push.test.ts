// Web push, against a local endpoint that speaks the protocol: it checks the signature and decrypts what arrives.
import { createECDH, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { rightsGroup } from '@cloudoc/domain'
import { decodeJwt, importJWK, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { enqueuePushes, isQuiet } from './due.ts'

interface Decryption {
  decrypt(body: Buffer, how: { version: string; privateKey: unknown; authSecret: Buffer }): Buffer
}
const ece = createRequire(createRequire(import.meta.url).resolve('web-push'))('http_ece') as Decryption

interface Arrived {
  readonly path: string
  readonly words: { readonly title: string; readonly body: string; readonly path: string }
  readonly authorization: string
  readonly ttl: string
}

let world: World
let admin: Person
let url = ''
const arrived: Arrived[] = []
let status = 201
let time = Date.UTC(2026, 10, 24, 14, 55)
const browser = createECDH('prime256v1')
browser.generateKeys()
const auth = randomBytes(16)

const service = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const bytes = Buffer.concat(chunks)
    const plain = ece.decrypt(bytes, { version: 'aes128gcm', privateKey: browser, authSecret: auth })
    arrived.push({
      path: request.url ?? '',
      words: JSON.parse(plain.toString()) as Arrived['words'],
      authorization: String(request.headers.authorization),
      ttl: String(request.headers['ttl']),
    })
    response.writeHead(status).end()
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  world = await openWorld({ now: () => time })
  admin = await world.admin()
  await admin.call('setServerSetting', { web_push: true, web_push_titles: true, web_push_hosts: ['127.0.0.1'] })
})
afterAll(() => {
  service.closeAllConnections()
  service.close()
})

const subscription = (path: string) => ({
  endpoint: url + path,
  p256dh: browser.getPublicKey('base64url'),
  auth: auth.toString('base64url'),
})

async function share(from: Person, to: Person, name: string): Promise<number> {
  const folderId = await from.folder(from.library, name)
  await from.shares({ folderId }, [{ to, rights: rightsGroup.edit }])
  await world.app.settle()
  return folderId
}

/** What has arrived at an address after all that is due was sent. */
async function sentTo(path: string): Promise<readonly Arrived[]> {
  await enqueuePushes(world.app.services, time)
  const open = sql<{ n: number }>`
    select count(*)::int as n from job where kind = 'web-push' and state in ('waiting', 'running')`
  await expect.poll(async () => (await open.execute(world.app.db)).rows[0]?.n).toBe(0)
  return arrived.filter((one) => one.path === path)
}
const subscribed = async (person: Person): Promise<boolean> => (await person.call('getWebPush', {})).on

test('a notice is sent once, encrypted and signed, with its sentence only where the operator allows it', async () => {
  const [anna, ben] = [await world.person('push-anna'), await world.person('push-ben')]
  const { publicKey } = await ben.call('prepareWebPush', {})
  expect((await anna.call('prepareWebPush', {})).publicKey).toBe(publicKey)
  await ben.call('setWebPush', subscription('/ben'))
  await share(anna, ben, '合同草稿')
  const [first] = await sentTo('/ben')
  expect(first?.words.title).toContain('合同草稿')
  expect(first?.ttl).toBe('86400')
  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(first?.authorization ?? '') ?? []
  expect(key).toBe(publicKey)
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  await jwtVerify(token, await importJWK(jwk, 'ES256'), { currentDate: new Date() })
  expect(decodeJwt(token).aud).toBe(url)
  expect(await sentTo('/ben')).toHaveLength(1)

  await admin.call('setServerSetting', { web_push_titles: false })
  await share(anna, ben, '机密计划')
  expect((await sentTo('/ben')).at(-1)?.words).toEqual({ title: '你有新通知', body: '', path: '/m/notices' })
  await admin.call('setServerSetting', { web_push_titles: true, web_push: false })
  await share(anna, ben, '停用期间')
  expect(await sentTo('/ben')).toHaveLength(2)
  await admin.call('setServerSetting', { web_push: true })
  expect(await sentTo('/ben')).toHaveLength(3)

  // The database holds neither the address nor the private key in plain.
  const stored = JSON.stringify([
    await world.app.db.selectFrom('push_subscription').selectAll().execute(),
    await world.app.db.selectFrom('secret').selectAll().where('name', '=', 'web-push-keys').execute(),
    await world.app.db.selectFrom('job').selectAll().where('kind', '=', 'web-push').execute(),
  ])
  expect(stored).not.toContain(url)
  expect(stored).not.toContain('privateKey')
  expect(stored).not.toContain('合同草稿')
})

test('nothing is sent of what the person may no longer see or has read, nor after the session', async () => {
  const [anna, ben] = [await world.person('gone-anna'), await world.person('gone-ben')]
  await ben.call('setWebPush', subscription('/gone'))
  const folderId = await share(anna, ben, '收回的')
  await world.app.db.updateTable('item').set({ deleted_at: time }).where('id', '=', folderId).execute()
  expect(await sentTo('/gone')).toEqual([])
  await share(anna, ben, '读过的')
  await ben.call('ignoreNotices', { all: true })
  expect(await sentTo('/gone')).toEqual([])
  await ben.call('logout2', {})
  const rows = await world.app.db
    .selectFrom('push_subscription')
    .select('session_id')
    .where('account_id', '=', ben.userId)
    .execute()
  expect(rows).toEqual([])
})

test('a subscription that the push service has ended is removed, and one that the person ends', async () => {
  const [anna, ben] = [await world.person('ended-anna'), await world.person('ended-ben')]
  await ben.call('setWebPush', subscription('/ended'))
  status = 410
  try {
    await share(anna, ben, '最后一条')
    expect(await sentTo('/ended')).toHaveLength(1)
    expect(await subscribed(ben)).toBe(false)
  } finally {
    status = 201
  }
  await ben.call('setWebPush', subscription('/ended2'))
  expect(await subscribed(ben)).toBe(true)
  await ben.call('endWebPush', {})
  expect(await subscribed(ben)).toBe(false)
})

test('a browser has one subscription, whoever is signed in', async () => {
  const [anna, ben] = [await world.person('one-anna'), await world.person('one-ben')]
  await anna.call('setWebPush', subscription('/shared'))
  await ben.call('setWebPush', subscription('/shared'))
  expect([await subscribed(anna), await subscribed(ben)]).toEqual([false, true])
})

test('in quiet hours nothing is sent; afterwards one push tells of all', async () => {
  const [anna, ben] = [await world.person('quiet-anna'), await world.person('quiet-ben')]
  await ben.call('setWebPush', { ...subscription('/quiet'), quiet: { from: 22 * 60, to: 23 * 60 + 30 } })
  await share(anna, ben, '夜里一')
  await share(anna, ben, '夜里二')
  expect(await sentTo('/quiet')).toEqual([])
  time = Date.UTC(2026, 10, 24, 15, 31)
  const told = await sentTo('/quiet')
  expect(told).toHaveLength(1)
  expect(told[0]?.words).toMatchObject({ body: '还有 1 条' })
  expect(told[0]?.words.title).toContain('夜里二')
  const berlin = { quiet_from: 60, quiet_to: 120, time_zone: 'Europe/Berlin' }
  expect([isQuiet(berlin, Date.UTC(2026, 10, 25, 0, 30)), isQuiet(berlin, Date.UTC(2026, 10, 25, 1, 0))]).toEqual([
    true,
    false,
  ])
})

test('addresses in the private network are refused, as they are written and as names resolve', async () => {
  const [anna, ben] = [await world.person('ssrf-anna'), await world.person('ssrf-ben')]
  const keys = { p256dh: subscription('').p256dh, auth: subscription('').auth }
  for (const endpoint of [
    'http://push.example.com/x',
    'https://10.0.0.1/x',
    'https://[::1]/x',
    'https://[::ffff:192.168.1.1]/x',
    'https://localhost/x',
    'https://169.254.169.254/x',
    'https://me@push.example.com/x',
    'file:///etc/passwd',
  ])
    expect(await ben.refusal('setWebPush', { endpoint, ...keys }), endpoint).toBe('badRequest')
  // Allowed when it subscribed, and no longer: nothing is asked.
  await ben.call('setWebPush', subscription('/ssrf'))
  await admin.call('setServerSetting', { web_push_hosts: [] })
  try {
    await share(anna, ben, '内网')
    expect(await sentTo('/ssrf')).toEqual([])
  } finally {
    await admin.call('setServerSetting', { web_push_hosts: ['127.0.0.1'] })
  }
})
