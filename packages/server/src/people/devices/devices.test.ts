// Devices and the rules on access: what a stolen, a new and a refused device may do, and from where.
import type { AccessRule } from '@cloudoc/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld, Person, requestFor, type Wire, type World, wireOf } from '../../../test/harness.ts'
import { clock, tokenOf } from '../../../test/sign-in.ts'
import { decideAccess } from '../auth/index.ts'

let world: World
let admin: Person
let time: ReturnType<typeof clock>

beforeEach(async () => {
  time = clock()
  world = await openWorld({ now: time.now, elected: false })
  admin = await world.admin()
})

/** Signs in from a machine that names itself. */
async function from(machine: string, userName: string, more: { address?: string; token?: string } = {}): Promise<Wire> {
  const request = requestFor('login3', { userName, password: 'Test#2026', clientType: 6 })
  const headers = { ...request.headers, ...(machine !== '' && { 'x-cloudoc-machine': machine }) }
  return wireOf(
    await world.app.http.inject({ ...request, headers, ...(more.address && { remoteAddress: more.address }) }),
  )
}
const demand = () => admin.call('setSafeStrategy', { device_approval: true })
const deviceOf = async (person: Person, at = 0) =>
  (await admin.call('getDevices', { keyword: person.account })).list[at]?.deviceId ?? 0

/** The pushes of a type that were written, oldest first. */
const toldOf = async (type: number): Promise<string[]> => {
  const { rows } = await sql<{ payload: string }>`
    select payload::text as payload from event
    where kind = 'personal' and payload::jsonb ->> 'pushType' = ${String(type)} order by id`.execute(world.app.db)
  return rows.map(({ payload }) => payload.replaceAll(' ', ''))
}

describe('devices', () => {
  // [R047] Where the company demands it, a new device waits for approval (-49); known ones and the first administrator
  // go on.
  test('[R047] [R385] a new device is -49 until it is approved, a refused one stays out, and known ones go on', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    expect(await from('desk', anna.account)).toMatchObject({ code: 'success' })
    await demand()
    expect(await from('desk', anna.account)).toMatchObject({ code: 'success' })
    expect(await from('laptop', anna.account)).toMatchObject({ code: 'invalidDeviceId' })
    // A program that names no machine cannot be approved.
    expect(await from('', anna.account)).toMatchObject({ code: 'invalidDeviceId' })
    // A wrong password leaves no device behind.
    await world.wire('login3', { userName: anna.account, password: 'wrong', clientType: 6 })
    const waiting = await admin.call('getDevices', { state: 'waiting' })
    expect(waiting.list).toMatchObject([{ accountName: 'anna', state: 'waiting' }])
    expect(waiting.counts).toMatchObject({ waiting: 1 })
    // The security administrator is told, once for each device.
    await from('laptop', anna.account)
    const told = (await toldOf(157)).filter((one) => one.includes('"accountName":"anna"'))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(`"deviceId":${waiting.list[0]?.deviceId}`)
    const deviceId = waiting.list[0]?.deviceId ?? 0
    expect((await admin.call('decideDevices', { deviceIds: [deviceId, 999_999], approve: true })).list).toEqual([
      { deviceId, result: -1 },
      { deviceId: 999_999, result: -3 },
    ])
    const token = tokenOf(await from('laptop', anna.account))
    expect(await world.wire('getMyAccountInfo', {}, token)).toMatchObject({ code: 'success' })
    await admin.call('decideDevices', { deviceIds: [deviceId], approve: false })
    expect(await world.wire('getMyAccountInfo', {}, token)).toMatchObject({ code: 'notLoggedIn' })
    expect(await from('laptop', anna.account)).toMatchObject({ code: 'invalidDeviceId' })
    // The name of a machine is worth nothing on another account.
    expect(await from('desk', ben.account)).toMatchObject({ code: 'invalidDeviceId' })
    // The first administrator can always approve.
    expect(await from('', 'admin')).toMatchObject({ code: 'success' })
    expect(await ben.refusal('decideDevices', { deviceIds: [deviceId], approve: true })).toBe('noPermission')
  })

  // [R047] A lost device is wiped (-50): its open sessions hear it at their next request on every process, and nobody
  // signs in from it until it is approved again.
  test('[R047] a lost device hears -50, says when it has forgotten, and stays out until it is approved again', async () => {
    const beside = await openWorld({ peer: world, elected: false, deaf: true, now: time.now })
    const anna = await world.person('anna')
    const token = tokenOf(await from('phone', anna.account))
    const other = tokenOf(await world.wire('login3', { userName: anna.account, password: 'Test#2026', clientType: 9 }))
    await beside.wire('getMyAccountInfo', {}, token)
    const deviceId = await deviceOf(anna)
    await admin.call('wipeDevice', { deviceId })
    for (const at of [beside, world])
      expect(await at.wire('getMyAccountInfo', {}, token)).toMatchObject({ code: 'deviceWiped' })
    expect(await world.wire('getMyAccountInfo', {}, other)).toMatchObject({ code: 'success' })
    expect(await from('phone', anna.account)).toMatchObject({ code: 'deviceWiped' })
    const confirm = requestFor('confirmWipe', {})
    await world.app.http.inject({ ...confirm, headers: { ...confirm.headers, 'x-cloudoc-machine': 'phone' } })
    expect((await admin.call('getDevices', { state: 'wiped' })).list[0]?.clearTime).toBeGreaterThan(0)
    expect(await from('phone', anna.account)).toMatchObject({ code: 'deviceWiped' })
    await admin.call('decideDevices', { deviceIds: [deviceId], approve: true })
    expect(await from('phone', anna.account)).toMatchObject({ code: 'success' })
    await beside.close()
  })

  // [R351] Devices that report a sandbox are listed with a description that their owner and the administrator edit; the
  // guest account and bindings are at the other sentences of this row.
  test('[R351] people see, name and remove their devices, and describe those with a sandbox', async () => {
    const anna = await world.person('anna')
    const token = tokenOf(await from('desk', anna.account))
    const at = new Person(world, anna.account, anna.userId, token, anna.library)
    const [device] = (await at.call('getMyDevices', {})).list
    expect(device).toMatchObject({ current: true, state: 'approved', sandbox: '' })
    const deviceId = device?.deviceId ?? 0
    expect(await at.refusal('setSandboxDescription', { deviceId, description: 'x' })).toBe('notFound')
    await at.call('reportSandbox', { version: '2.4.1', name: 'HX-PC-0105' })
    await at.call('setSandboxDescription', { deviceId, description: '财务室 5 号' })
    expect((await at.call('getSandboxEquipment', {})).list).toMatchObject([
      { name: 'HX-PC-0105', sandbox: '2.4.1', description: '财务室 5 号' },
    ])
    const ben = await world.person('ben')
    expect(await ben.refusal('renameMyDevice', { deviceId, name: 'mine' })).toBe('notFound')
    expect(await ben.refusal('removeMyDevice', { deviceId })).toBe('notFound')
    expect((await admin.call('getDevices', { sandbox: 'true' })).list).toMatchObject([{ deviceId }])
    await at.call('removeMyDevice', { deviceId })
    expect(await at.refusal('getMyAccountInfo', {})).toBe('notLoggedIn')
  })
})

const rule = (given: Partial<AccessRule>): AccessRule => ({
  ...{ name: 'r', enabled: true, minLevel: 0, networks: [], outside: false, devices: 'any', clients: [], hours: null },
  action: 'refuse',
  ...given,
})

describe('rules on access', () => {
  const at = (address: string, token: string, name: 'getMyAccountInfo' | 'folderCreate', input: object = {}) => {
    const request = requestFor(name, input as Record<string, unknown>, token)
    return world.app.http.inject({ ...request, remoteAddress: address }).then(wireOf)
  }
  const office = ['10.0.0.0/8']

  test('decide at the sign-in and with each request, by network: refuse, only read, ask for a second factor', async () => {
    const anna = await world.person('anna')
    const folder = { parentId: anna.library, folderName: 'x' }
    await admin.call('setAccessRules', { list: [rule({ networks: office, outside: true })] })
    expect(await from('', anna.account, { address: '198.51.100.7' })).toMatchObject({ code: 'accessRefused' })
    const token = tokenOf(await from('', anna.account, { address: '10.1.2.3' }))
    expect(await at('10.1.2.3', token, 'getMyAccountInfo')).toMatchObject({ code: 'success' })
    // The session moves to another network.
    expect(await at('198.51.100.7', token, 'getMyAccountInfo')).toMatchObject({ code: 'accessRefused' })
    await admin.call('setAccessRules', { list: [rule({ networks: office, outside: true, action: 'readOnly' })] })
    expect(await at('198.51.100.7', token, 'getMyAccountInfo')).toMatchObject({ code: 'success' })
    expect(await at('198.51.100.7', token, 'folderCreate', folder)).toMatchObject({ code: 'accessReadOnly' })
    expect(await at('10.1.2.3', token, 'folderCreate', folder)).toMatchObject({ code: 'success' })
    await admin.call('setAccessRules', { list: [rule({ networks: office, outside: true, action: 'secondFactor' })] })
    expect(await at('198.51.100.7', token, 'folderCreate', folder)).toMatchObject({ code: 'secondFactorMissing' })
    // The first administrator can always mend them.
    expect(await from('', 'admin', { address: '198.51.100.7' })).toMatchObject({ code: 'success' })
  })

  test('a forged address, an unknown device and a level are what they are', async () => {
    const anna = await world.person('anna')
    await admin.call('setAccessRules', { list: [rule({ devices: 'unapproved', minLevel: 2 })] })
    expect(await from('', anna.account)).toMatchObject({ code: 'success' })
    await admin.call('changePeople', { userIds: [anna.userId], secretLevel: 2 })
    expect(await from('', anna.account)).toMatchObject({ code: 'accessRefused' })
    expect(await from('desk', anna.account)).toMatchObject({ code: 'success' })
    await admin.call('setAccessRules', { list: [rule({ networks: office, outside: true })] })
    const request = requestFor('login3', { userName: anna.account, password: 'Test#2026', clientType: 6 })
    const forged = { ...request.headers, 'x-forwarded-for': '10.1.1.1' }
    const wire = wireOf(await world.app.http.inject({ ...request, headers: forged, remoteAddress: '198.51.100.7' }))
    expect(wire).toMatchObject({ code: 'accessRefused' })
  })

  test('who writes rules is not locked out by them, and learns which rule would decide about whom', async () => {
    const anna = await world.person('anna')
    const lead = await world.person('lead')
    await admin.call('setPowerHolders', { power: 'security', userIds: [lead.userId] })
    expect(await lead.refusal('setAccessRules', { list: [rule({})] })).toBe('accessRefused')
    expect(await lead.refusal('setAccessRules', { list: [rule({ networks: ['10.0.0.0/99'] })] })).toBe('badRequest')
    const list = [
      rule({ name: 'off', enabled: false }),
      rule({ name: 'secret', minLevel: 3 }),
      rule({ name: 'night', hours: { days: [], from: 1320, to: 360, outside: false }, action: 'readOnly' }),
    ]
    const night = Date.parse('2026-11-28T23:30:00+08:00')
    const asked = { userId: anna.userId, address: '192.0.2.1', list, at: night }
    expect(await lead.call('tryAccess', asked)).toMatchObject({
      ...{ action: 'readOnly', rule: 2, passed: ['off', 'level'], exempt: false },
    })
    expect(await lead.call('tryAccess', { ...asked, at: night - 12 * 3_600_000 })).toMatchObject({
      ...{ action: 'allow', rule: -1, passed: ['off', 'level', 'time'] },
    })
    expect(await lead.call('tryAccess', { ...asked, userId: admin.userId })).toMatchObject({
      exempt: true,
      action: 'allow',
    })
  })
})

test('hours reach over midnight, and days are those on which they begin', () => {
  const decide = (iso: string, hours: AccessRule['hours']) =>
    decideAccess(
      {
        inner: { access_rules: [rule({ hours })] },
        setting: { download_time_zone: 'Asia/Shanghai' },
      } as unknown as Parameters<typeof decideAccess>[0],
      {
        ...{ address: '192.0.2.1', now: Date.parse(iso), clientType: 6, level: 0 },
        ...{ isApprovedDevice: true, isExempt: false },
      },
    ).action
  // Friday night, from 22:00 to 06:00.
  const friday = { days: [5], from: 1320, to: 360, outside: false }
  expect(decide('2026-11-27T22:00:00+08:00', friday)).toBe('refuse')
  expect(decide('2026-11-28T05:59:00+08:00', friday)).toBe('refuse')
  expect(decide('2026-11-28T06:00:00+08:00', friday)).toBe('allow')
  expect(decide('2026-11-28T22:00:00+08:00', friday)).toBe('allow')
  expect(decide('2026-11-27T05:00:00+08:00', friday)).toBe('allow')
  const work = { days: [1, 2, 3, 4, 5], from: 480, to: 1140, outside: true }
  expect(decide('2026-11-27T12:00:00+08:00', work)).toBe('allow')
  expect(decide('2026-11-28T12:00:00+08:00', work)).toBe('refuse')
})
