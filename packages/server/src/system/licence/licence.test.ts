// Licences: activation, seats, and what the end of one refuses.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type Person, requestFor, type World } from '../../../test/harness.ts'
import { licenceIssuer } from '../../../test/licences.ts'
import { clock } from '../../../test/sign-in.ts'
import { notifyOfEndingLicences } from './ending.ts'

const dayMs = 24 * 60 * 60_000
const issuer = licenceIssuer()

let world: World
let time: ReturnType<typeof clock>

const activate = (licence: string) => world.wire('activate', { licence })

describe('a server that demands a licence', () => {
  beforeEach(async () => {
    time = clock()
    world = await openWorld({ now: time.now, elected: false, licenceKey: issuer.publicKey })
  })

  // [R388] A server that is not activated answers 455 with the address of the activation page; -69 comes with 401, bad
  // parameters with 400, unknown addresses with 404, and nothing but pages behind proxies ever sees 266.
  test('[R388] [R036] [X22] answers 455 and the activation page until a file of the issuer activates it', async () => {
    const before = await world.app.http.inject(requestFor('getSignInWays', {}))
    expect(before.statusCode).toBe(455)
    expect(before.headers['redirect']).toBe('/doc/activate')
    expect(before.json()).toMatchObject({ msg: '系统未激活或已过期' })
    expect((await world.wire('login3', { userName: 'admin', password: 'Test#2026', clientType: 6 })).code).toBe(
      'notActivated',
    )
    expect((await world.wire('getActivation', {})).data).toMatchObject({ activated: false })
    expect(await activate(issuer.issue(time.now()))).toMatchObject({ code: 'success' })
    const admin = await world.admin()
    expect(await admin.call('getLicence', {})).toMatchObject({ demanded: true, state: 'valid' })
    // Whoever is not signed in cannot replace a licence that is in force.
    expect(await activate(issuer.issue(time.now()))).toMatchObject({ code: 'noPermission' })
  })

  test('takes no file that is changed, unsigned, foreign, of another key or over', async () => {
    const now = time.now()
    const good = issuer.issue(now)
    const [head, , signature] = good.split('.')
    const more = Buffer.from(JSON.stringify({ seats: 9999 })).toString('base64url')
    for (const file of [
      'x',
      '',
      `${head}.${more}.${signature}`,
      issuer.issue(now, {}, { alg: 'none' }),
      `${good.split('.').slice(0, 2).join('.')}.`,
      licenceIssuer().issue(now),
      issuer.issue(now, { installation: 'ANOTHER' }),
      issuer.issue(now, { until: now - 1 }),
    ])
      expect((await activate(file)).code).toBe('licenceRefused')
    const { installation } = (await world.wire('getActivation', {})).data as { installation: string }
    expect(await activate(issuer.issue(now, { installation }))).toMatchObject({ code: 'success' })
  })

  test('of two that activate at once, one does', async () => {
    const answers = await Promise.all([1, 2].map((n) => activate(issuer.issue(time.now(), { licenceId: `L${n}` }))))
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['noPermission', 'success']))
  })
})

describe('a licence', () => {
  let admin: Person
  const install = (given: Parameters<typeof issuer.issue>[1]) =>
    admin.call('installLicence', { licence: issuer.issue(time.now(), given) })

  beforeEach(async () => {
    time = clock()
    world = await openWorld({ now: time.now, elected: false, licenceKey: issuer.publicKey })
    await activate(issuer.issue(time.now(), { until: 0 }))
    admin = await world.admin()
  })

  // [R047] A licence of the company that is over is -46, one of the whole server -238: changes are refused after the
  // days of grace, while sign-in, reading and download stay, and a new file ends it at once. A new device that is not
  // approved is -49, mistyped mobile numbers are -43.
  test.each([
    ['company', 'licenceExpired'],
    ['system', 'systemLicenceExpired'],
  ] as const)(
    '[R047] [R385] [R387] %s: after its end and its grace changes are refused, reading stays',
    async (scope, code) => {
      const fileId = await admin.upload(admin.library, 'plan.txt', 'text')
      await install({ scope, until: time.now() + dayMs, graceDays: 7 })
      time.pass(2 * dayMs)
      const late = await world.signIn('admin')
      expect(await late.call('getLicence', {})).toMatchObject({ state: 'grace' })
      await late.call('folderCreate', { parentId: late.library, folderName: 'in grace' })
      time.pass(6 * dayMs)
      const reader = await world.signIn('admin')
      expect(await reader.refusal('folderCreate', { parentId: reader.library, folderName: 'too late' })).toBe(code)
      expect(await reader.refusal('renameFile', { fileId, fileName: 'b.txt' })).toBe(code)
      expect((await reader.download(fileId)).body).toBe('text')
      expect(await reader.call('getLicence', {})).toMatchObject({ state: 'expired' })
      await reader.call('installLicence', { licence: issuer.issue(time.now(), { scope }) })
      await reader.call('folderCreate', { parentId: reader.library, folderName: 'again' })
    },
  )

  test('its seats and libraries are limits beside those of the company (-91, -10)', async () => {
    const { seats, workspaces } = await admin.call('getLicence', {})
    await install({ until: 0, seats: seats.used + 1, workspaces: workspaces.used })
    await world.person('anna')
    expect(
      await admin.refusal('createAccount', { account: 'ben', accountName: 'ben', groupId: 1, password: 'Test#2026' }),
    ).toBe('accountCountExceeded')
    expect(await admin.refusal('createLibrary', { name: 'one more', kind: 'project' })).toBe('workspaceCountExceeded')
    // A smaller licence shuts nobody out.
    await install({ until: 0, seats: 1 })
    await world.signIn('anna')
  })

  test('is checked before it is put in force, and only by the system administrator', async () => {
    const licence = issuer.issue(time.now(), { licenceId: 'NEXT', seats: 9 })
    expect(await admin.call('installLicence', { licence, check: true })).toMatchObject({ seats: 9 })
    expect(await admin.call('getLicence', {})).toMatchObject({ list: [{ licenceId: 'HX-2026-0630-A1F7' }] })
    const anna = await world.person('anna')
    expect(await anna.refusal('installLicence', { licence })).toBe('noPermission')
    await admin.call('installLicence', { licence })
    expect((await admin.call('getLicence', {})).history[0]).toMatchObject({ licenceIds: ['NEXT'] })
  })
})

test('a server without the key of an issuer runs without a licence', async () => {
  world = await openWorld({ elected: false })
  const admin = await world.admin()
  expect(await admin.call('getLicence', {})).toMatchObject({ demanded: false, state: 'none', list: [] })
  expect(await admin.refusal('installLicence', { licence: issuer.issue(Date.now()) })).toBe('licenceRefused')
})

/** The pushes of a type that were written, oldest first. */
const toldOf = async (type: number): Promise<string[]> => {
  const { rows } = await sql<{ payload: string }>`
    select payload::text as payload from event
    where kind = 'personal' and payload::jsonb ->> 'pushType' = ${String(type)} order by id`.execute(world.app.db)
  return rows.map(({ payload }) => payload.replaceAll(' ', ''))
}

test('system administrators are told 30, 7 and 1 days before a licence ends, and when it has ended, once each', async () => {
  time = clock()
  world = await openWorld({ now: time.now, elected: false, licenceKey: issuer.publicKey })
  const until = time.now() + 31 * dayMs
  expect(await activate(issuer.issue(time.now(), { until, graceDays: 30 }))).toMatchObject({ code: 'success' })
  const days = async (): Promise<number[]> => {
    await notifyOfEndingLicences(world.app.services)
    await notifyOfEndingLicences(world.app.services)
    return (await toldOf(158)).map((one) => Number(/"days":(\d+)/.exec(one)?.[1]))
  }
  expect(await days()).toEqual([])
  for (const passed of [1, 20, 3, 6, 2]) {
    time.pass(passed * dayMs)
    await days()
  }
  expect(await days()).toEqual([30, 7, 1, 0])
})
