// Sign-in and synchronization with a directory: a real slapd, started by these tests.
import type { calls, Input } from '@cloudoc/contract'
import { sql } from 'kysely'
import { Attribute, Change, Control } from 'ldapts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  directoryAdmin,
  directoryBase,
  directoryPassword,
  startSlapd,
  type TestDirectory,
} from '../../../test/debian-slapd.ts'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, password, type World } from '../../../test/harness.ts'
import { login, ownAccount, sessionsOf, tokenOf } from '../../../test/sign-in.ts'

const peopleUnit = `ou=people,${directoryBase}`
const groupsUnit = `ou=groups,${directoryBase}`

/** Works on a referral itself, and not on what it refers to (RFC 3296). */
const manageDsaIt = '2.16.840.1.113730.3.4.2'

describe('a company’s directory', () => {
  let directory: TestDirectory
  let world: World
  let admin: Person
  let providerId: number

  beforeAll(async () => {
    directory = await startSlapd()
  })
  afterAll(() => directory.close())

  beforeEach(async () => {
    await directory.start()
    await directory.asAdmin(async (client) => {
      for (const unit of [peopleUnit, groupsUnit]) {
        const { searchEntries } = await client.search(unit, { scope: 'sub', attributes: ['dn'] })
        const below = searchEntries.map(({ dn }) => dn).filter((dn) => dn !== unit)
        for (const dn of below.sort((a, b) => b.length - a.length)) await client.del(dn)
      }
    })
    world = await openWorld({ elected: true })
    admin = await world.admin()
    providerId = await save()
  })

  const settingsOf = (more: object = {}) => ({
    kind: 'ldap' as const,
    urls: [directory.url],
    certificate: directory.certificate,
    bindDn: directoryAdmin,
    base: peopleUnit,
    filter: '(objectClass=inetOrgPerson)',
    ...more,
  })
  const save = async (more: object = {}, id = 0): Promise<number> => {
    const input: Input<(typeof calls)['saveProvider']> = {
      providerId: id,
      name: 'HUAXIN',
      settings: settingsOf(more),
      secret: directoryPassword,
    }
    return (await admin.call('saveProvider', input)).providerId
  }
  const signIn = (userName: string, password = `Pw#${userName}`) => login(world, { userName, password, clientType: 6 })
  const sync = async (more: { dry?: boolean; confirmedRunId?: number } = {}) => {
    const { runId } = await admin.call('syncProvider', { providerId, dry: false, ...more })
    for (;;) {
      const run = await admin.call('getProviderRun', { runId })
      if (run.state !== 'running') return run
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const stateOf = async (account: string) =>
    await world.app.db
      .selectFrom('account')
      .select(['state', 'name', 'email'])
      .where('account', '=', account)
      .executeTakeFirst()

  test('[R014] its people sign in with its password over StartTLS and get an account at the first sign-in', async () => {
    await directory.addPerson('erin', { cn: '韩磊', mobile: '138 0000 0021', title: '设计师' })
    const first = await signIn('erin')
    expect(first).toMatchObject({ code: 'success', data: { accountInfo: { account: 'erin', accountName: '韩磊' } } })
    expect(await ownAccount(world, tokenOf(first))).toMatchObject({ code: 'success' })
    expect(await signIn('erin', 'wrong')).toMatchObject({ code: 'wrongPassword' })
    expect(await signIn('nobody', 'x')).toMatchObject({ code: 'wrongPassword' })
    const again = await signIn('ERIN', 'Pw#erin')
    expect(again).toMatchObject({ data: { accountInfo: (first.data as { accountInfo: object }).accountInfo } })
  })

  test('an empty password signs nobody in, though the directory accepts it as anonymous', async () => {
    await directory.addPerson('erin')
    expect(await signIn('erin', '')).toMatchObject({ code: 'wrongPassword' })
  })

  test('what is typed as an account cannot change the filter', async () => {
    await directory.addPerson('erin')
    for (const userName of ['*', 'e*', 'erin)(|(uid=*', '*)(objectClass=*', 'erin\\2a', '(uid=erin)'])
      expect(await login(world, { userName, password: 'Pw#erin' })).toMatchObject({ code: 'wrongPassword' })
  })

  test('two first sign-ins at once make one account, and a synchronization beside them no second one', async () => {
    await directory.addPerson('erin')
    const [first, second, run] = await Promise.all([signIn('erin'), signIn('erin'), sync()])
    expect([first.code, second.code]).toEqual(['success', 'success'])
    expect(run.state).toBe('done')
    const rows = await world.app.db.selectFrom('account').select('id').where('account_key', '=', 'erin').execute()
    expect(rows).toHaveLength(1)
  })

  test('an account of this server is never taken over by a person of the same name', async () => {
    const anna = await world.person('anna')
    await directory.addPerson('anna')
    // The account has a password of its own, so the directory is not asked for it.
    expect(await signIn('anna')).toMatchObject({ code: 'wrongPassword' })
    await sql`update account set password_hash = '' where id = ${anna.userId}`.execute(world.app.db)
    expect(await signIn('anna')).toMatchObject({ code: 'identityNotJoined' })
    const { list } = await admin.call('getPendingIdentities', { providerId })
    expect(list).toMatchObject([{ account: 'anna', userId: anna.userId, administers: false }])
    await admin.call('joinIdentity', { identityId: list[0]?.identityId ?? 0, userId: anna.userId })
    expect(await signIn('anna')).toMatchObject({ code: 'success', data: { accountInfo: { userId: anna.userId } } })
  })

  test('an account of an administrator is not joined at all', async () => {
    await directory.addPerson('admin')
    expect((await sync()).pending).toBe(1)
    const { list } = await admin.call('getPendingIdentities', { providerId })
    expect(list).toMatchObject([{ account: 'admin', administers: true }])
    expect(await admin.refusal('joinIdentity', { identityId: list[0]?.identityId ?? 0, userId: admin.userId })).toBe(
      'adminAccount',
    )
  })

  test('a new entry with the name of one that is gone is another person: listed, and never joined by itself', async () => {
    const dn = await directory.addPerson('erin')
    await signIn('erin')
    await directory.remove(dn)
    await directory.addPerson('erin', { userPassword: 'Pw#other' })
    expect(await signIn('erin', 'Pw#other')).toMatchObject({ code: 'identityNotJoined' })
    const run = await sync()
    expect(run).toMatchObject({ state: 'done', created: 0, frozen: 1, pending: 1 })
    expect(await stateOf('erin')).toMatchObject({ state: 'frozen' })
    const { list } = await admin.call('getPendingIdentities', { providerId })
    expect(list).toMatchObject([{ account: 'erin', accountName: 'erin' }])
  })

  test('names of all kinds are kept as they are, and found however they are typed', async () => {
    const people = [
      ['ouyang', '欧阳'],
      ['zaoren', '𠮷野家'],
      ['aili', '阿依努尔·买买提'],
      ['twin1', '王伟'],
      ['twin2', '王伟'],
      ['renée', 'Rene\u0301e'],
    ] as const
    for (const [n, [uid, cn]] of people.entries()) await directory.addPerson(uid, { cn, mail: `P${n}@HUAXIN.EXAMPLE` })
    expect(await sync()).toMatchObject({ state: 'done', created: people.length, refused: 0 })
    for (const [uid, name] of people) expect((await stateOf(uid))?.name.normalize('NFC')).toBe(name.normalize('NFC'))
    expect(await stateOf('ouyang')).toMatchObject({ email: 'P0@HUAXIN.EXAMPLE' })
    expect(await signIn('rene\u0301e', 'Pw#renée')).toMatchObject({ code: 'success' })
    expect(await signIn('ＯＵＹＡＮＧ', 'Pw#ouyang')).toMatchObject({ code: 'success' })
    const rows = await world.app.db.selectFrom('account').select('id').where('name', '=', '王伟').execute()
    expect(rows).toHaveLength(2)
  })

  test('who is renamed and moved keeps the account', async () => {
    const dn = await directory.addPerson('erin', { cn: '韩磊' })
    const before = await signIn('erin')
    await directory.add(`ou=华东大区,${peopleUnit}`, { objectClass: 'organizationalUnit', ou: '华东大区' })
    await directory.asAdmin((client) => client.modifyDN(dn, `uid=erika,ou=华东大区,${peopleUnit}`))
    await save({ departments: 'units' }, providerId)
    const run = await sync()
    expect(run).toMatchObject({ state: 'done', created: 0, updated: 1, frozen: 0 })
    const after = await signIn('erika', 'Pw#erin')
    expect(after).toMatchObject({
      data: {
        accountInfo: {
          userId: (before.data as { accountInfo: { userId: number } }).accountInfo.userId,
          account: 'erika',
        },
      },
    })
    expect(await ownAccount(world, tokenOf(after))).toMatchObject({ data: { groupName: '华东大区' } })
  })

  test('while it is down its people are told so, nothing is counted, and the passwords of this server work', async () => {
    await directory.addPerson('erin')
    await signIn('erin')
    await world.person('anna')
    await directory.stop()
    const refused = await signIn('erin')
    expect(refused).toMatchObject({ code: 'providerUnavailable', status: 503 })
    expect(await login(world, { userName: 'anna' })).toMatchObject({ code: 'success' })
    const run = await sync()
    expect(run).toMatchObject({ state: 'failed', frozen: 0 })
    expect(run.problem).toContain('unreachable')
    expect(await stateOf('erin')).toMatchObject({ state: 'normal' })
    await directory.start()
    expect(await signIn('erin')).toMatchObject({ code: 'success' })
  })

  test('a wrong password is sent to it once, so that a program that repeats it locks nobody there', async () => {
    await directory.addPerson('erin')
    await signIn('erin')
    expect(await signIn('erin', 'old')).toMatchObject({ code: 'wrongPassword' })
    await directory.stop()
    // The directory does not answer, and is not asked.
    expect(await signIn('erin', 'old')).toMatchObject({ code: 'wrongPassword' })
  })

  test('a synchronization creates, updates, freezes and thaws, and a dry run changes nothing', async () => {
    for (const uid of ['a1', 'a2', 'a3']) await directory.addPerson(uid, { cn: `员工${uid}` })
    const dry = await sync({ dry: true })
    expect(dry).toMatchObject({ state: 'done', read: 3, created: 3 })
    expect(dry.changes.map(({ what }) => what)).toEqual(['create', 'create', 'create'])
    expect(await stateOf('a1')).toBeUndefined()
    expect(await sync()).toMatchObject({ state: 'done', created: 3 })
    expect(await sync()).toMatchObject({ unchanged: 3, updated: 0 })
    const a2 = await signIn('a2')
    await directory.remove(`uid=a2,${peopleUnit}`)
    await directory.asAdmin((client) =>
      client.modify(
        `uid=a1,${peopleUnit}`,
        new Change({ operation: 'replace', modification: new Attribute({ type: 'cn', values: ['林夏'] }) }),
      ),
    )
    const run = await sync()
    expect(run).toMatchObject({ state: 'done', updated: 1, frozen: 1, unchanged: 1, problem: '' })
    expect(await stateOf('a1')).toMatchObject({ name: '林夏' })
    expect(await stateOf('a2')).toMatchObject({ state: 'frozen' })
    expect(await ownAccount(world, tokenOf(a2))).toMatchObject({ code: 'notLoggedIn' })
  })

  test('who is disabled in the directory is frozen, and thawed when enabled again, but not who was frozen here', async () => {
    const locked = (uid: string, on: boolean) =>
      directory.asAdmin((client) =>
        client.modify(
          `uid=${uid},${peopleUnit}`,
          new Change({
            operation: on ? 'replace' : 'delete',
            modification: new Attribute({ type: 'pwdAccountLockedTime', values: on ? ['000001010000Z'] : [] }),
          }),
        ),
      )
    for (const uid of ['a1', 'a2']) await directory.addPerson(uid)
    await sync()
    await locked('a1', true)
    expect(await sync()).toMatchObject({ frozen: 1 })
    expect(await signIn('a1')).not.toMatchObject({ code: 'success' })
    await locked('a1', false)
    expect(await sync()).toMatchObject({ thawed: 1 })
    expect(await signIn('a1')).toMatchObject({ code: 'success' })
    const row = await world.app.db
      .selectFrom('account')
      .select('id')
      .where('account', '=', 'a2')
      .executeTakeFirstOrThrow()
    await admin.call('setAccountState', { userId: row.id, state: 'frozen' })
    expect(await sync()).toMatchObject({ thawed: 0 })
    expect(await stateOf('a2')).toMatchObject({ state: 'frozen' })
  })

  test('many leavers, an empty answer and another base wait for a confirmation, and freeze nobody before', async () => {
    for (let n = 1; n <= 8; n += 1) await directory.addPerson(`b${n}`)
    await sync()
    await save({ filter: '(uid=nobody)' }, providerId)
    const empty = await sync()
    expect(empty).toMatchObject({ state: 'waiting', frozen: 8 })
    expect(await stateOf('b1')).toMatchObject({ state: 'normal' })
    await save({ filter: '(|(uid=b1)(uid=b2)(uid=b3)(uid=b4)(uid=b5)(uid=b6)(uid=b7))' }, providerId)
    // One leaver, but asked with another filter than before.
    const other = await sync()
    expect(other).toMatchObject({ state: 'waiting', frozen: 1 })
    expect(await sync({ confirmedRunId: other.runId })).toMatchObject({ state: 'done', frozen: 1 })
    expect(await stateOf('b8')).toMatchObject({ state: 'frozen' })
    for (let n = 1; n <= 6; n += 1) await directory.remove(`uid=b${n},${peopleUnit}`)
    expect(await sync()).toMatchObject({ state: 'waiting', frozen: 6 })
    // A confirmation of fewer leavers does not hold for more.
    expect(await sync({ confirmedRunId: other.runId })).toMatchObject({ state: 'waiting' })
  })

  test('groups of the directory give roles, also through groups in groups and in a cycle', async () => {
    for (const uid of ['c1', 'c2', 'c3']) await directory.addPerson(uid)
    const member = (uid: string) => `uid=${uid},${peopleUnit}`
    await directory.add(`cn=inner,${groupsUnit}`, {
      objectClass: 'groupOfNames',
      cn: 'inner',
      member: [member('c2'), `cn=outer,${groupsUnit}`],
    })
    await directory.add(`cn=outer,${groupsUnit}`, {
      objectClass: 'groupOfNames',
      cn: 'outer',
      member: [member('c1'), `cn=inner,${groupsUnit}`],
    })
    const { roleId } = await admin.call('createRole', { roleName: '设计' })
    await save({ rules: [{ value: `CN=Outer, ${groupsUnit}`, gives: 'role', id: roleId }] }, providerId)
    await sync()
    const members = async () =>
      (
        await sql<{ account: string }>`
          select a.account from role_account r join account a on a.id = r.account_id where r.role_id = ${roleId}
          order by 1`.execute(world.app.db)
      ).rows.map(({ account }) => account)
    expect(await members()).toEqual(['c1', 'c2'])
    await directory.asAdmin((client) =>
      client.modify(
        `cn=inner,${groupsUnit}`,
        new Change({ operation: 'delete', modification: new Attribute({ type: 'member', values: [member('c2')] }) }),
      ),
    )
    await sync()
    expect(await members()).toEqual(['c1'])
    // A group that cannot be read is unknown, not empty.
    await directory.remove(`cn=outer,${groupsUnit}`)
    expect(await sync()).toMatchObject({ state: 'failed' })
    expect(await members()).toEqual(['c1'])
  })

  test('a member in another directory is named, and its group takes no role away; everything else is synchronized', async () => {
    for (const uid of ['c1', 'c2']) await directory.addPerson(uid)
    const member = (uid: string) => `uid=${uid},${peopleUnit}`
    const foreign = `cn=elsewhere,${groupsUnit}`
    const setMembers = (members: string[]) =>
      directory.asAdmin((client) =>
        client.modify(
          `cn=mixed,${groupsUnit}`,
          new Change({ operation: 'replace', modification: new Attribute({ type: 'member', values: members }) }),
        ),
      )
    await directory.add(`cn=mixed,${groupsUnit}`, { objectClass: 'groupOfNames', cn: 'mixed', member: [member('c1')] })
    const { roleId } = await admin.call('createRole', { roleName: '设计' })
    await save({ rules: [{ value: `cn=mixed,${groupsUnit}`, gives: 'role', id: roleId }] }, providerId)
    await sync()
    const holders = async () =>
      (
        await sql<{ account: string }>`
          select a.account from role_account r join account a on a.id = r.account_id where r.role_id = ${roleId}
          order by 1`.execute(world.app.db)
      ).rows.map(({ account }) => account)
    expect(await holders()).toEqual(['c1'])
    // The server of this name does not exist, and is not asked.
    await directory.add(foreign, {
      objectClass: ['referral', 'extensibleObject'],
      cn: 'elsewhere',
      ref: 'ldap://gone.huaxin.example/cn=all,dc=gone',
    })
    await setMembers([member('c2'), foreign])
    await directory.addPerson('c3')
    const run = await sync()
    expect(run).toMatchObject({ state: 'done', created: 1 })
    expect(run.changes).toContainEqual(expect.objectContaining({ what: 'elsewhere', name: foreign }))
    expect(await holders(), 'c1 may be in the group by way of the other directory').toEqual(['c1', 'c2'])
    await setMembers([member('c2')])
    await sync()
    expect(await holders()).toEqual(['c2'])
    await directory.asAdmin((client) => client.del(foreign, [new Control(manageDsaIt, { critical: true })]))
  })

  test('rules on attributes and groups give roles and departments; many who would be moved wait', async () => {
    const uids = Array.from({ length: 7 }, (_, n) => `d${n}`)
    for (const uid of uids) await directory.addPerson(uid, { employeeType: 'lab', departmentNumber: '研发/平台' })
    const { groupId } = await admin.call('createGroup', { parentId: 0, groupName: '实验室' })
    const { roleId } = await admin.call('createRole', { roleName: '实验员' })
    const department = { claim: 'employeeType', value: 'LAB', gives: 'department', id: groupId } as const
    const role = { claim: 'employeeType', value: 'lab', gives: 'role', id: roleId } as const
    await save({ departments: 'attribute', rules: [department, role] }, providerId)
    await sync()
    const placesOf = async (account: string) =>
      (
        await sql<{ department: string; roles: number }>`
          select g.name as department, (select count(*)::int from role_account r where r.account_id = a.id) as roles
          from account a join org_group g on g.id = a.group_id where a.account = ${account}`.execute(world.app.db)
      ).rows[0]
    expect(await placesOf('d0')).toEqual({ department: '实验室', roles: 1 })
    await directory.asAdmin((client) =>
      client.modify(
        `uid=d0,${peopleUnit}`,
        new Change({ operation: 'delete', modification: new Attribute({ type: 'employeeType' }) }),
      ),
    )
    expect(await sync()).toMatchObject({ state: 'done', moved: 1 })
    expect(await placesOf('d0')).toEqual({ department: '平台', roles: 0 })
    await save({ departments: 'attribute', rules: [] }, providerId)
    expect(await sync({ dry: true })).toMatchObject({ state: 'done', moved: 6 })
    const run = await sync()
    expect(run).toMatchObject({ state: 'waiting', moved: 6 })
    expect(run.changes[0]?.detail).toBe('department: 实验室 → 研发 / 平台; −实验员')
    expect(await placesOf('d1')).toEqual({ department: '实验室', roles: 1 })
    expect(await sync({ confirmedRunId: run.runId })).toMatchObject({ state: 'done', moved: 6 })
    expect(await placesOf('d1')).toEqual({ department: '平台', roles: 0 })
  })

  longTest(
    '20,000 people come by pages, in bounded memory, while sign-ins go on',
    async () => {
      const count = 20_000
      await directory.asAdmin(async (client) => {
        for (let at = 0; at < count; at += 100)
          await Promise.all(
            Array.from({ length: 100 }, (_, n) => {
              const uid = `m${at + n}`
              const person = { objectClass: 'inetOrgPerson', uid, cn: `人 ${at + n}`, sn: 'x' }
              return client.add(`uid=${uid},${peopleUnit}`, person)
            }),
          )
      })
      await world.person('anna')
      const signInAnna = async (): Promise<void> => {
        expect(await login(world, { userName: 'anna', password, clientType: 6 })).toMatchObject({ code: 'success' })
      }
      /** Sign-ins in a second, one after the other, until the work is done. */
      const rateDuring = async (work: Promise<unknown>): Promise<number> => {
        let count = 0
        let isOver = false
        const over = () => (isOver = true)
        work.then(over, over)
        const began = performance.now()
        for (; !isOver; count += 1) await signInAnna()
        return count / ((performance.now() - began) / 1000)
      }
      const tenSeconds = () => new Promise((resolve) => setTimeout(resolve, 10_000))
      // The first ones compile what they run.
      for (let n = 0; n < 500; n += 1) await signInAnna()
      const before = await rateDuring(tenSeconds())
      globalThis.gc?.()
      const heapBefore = process.memoryUsage().heapUsed
      let most = 0
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage().heapUsed - heapBefore)
      }, 50)
      const started = performance.now()
      const run = sync()
      const during = await rateDuring(run)
      clearInterval(watch)
      expect(await run).toMatchObject({ state: 'done', read: count, created: count })
      const seconds = (performance.now() - started) / 1000
      const after = await rateDuring(tenSeconds())
      const alone = (before + after) / 2
      const figure = (value: number): string => value.toFixed(2)
      console.log(
        `${count} people in ${figure(seconds)} s, at most ${figure(most / 1024 / 1024)} MiB more; sign-ins per second: ` +
          `${figure(before)} before, ${figure(during)} beside, ${figure(after)} after (${figure(during / alone)})`,
      )
      expect(most).toBeLessThan(250 * 1024 * 1024)
      expect(await sync()).toMatchObject({ state: 'done', unchanged: count, created: 0 })
      expect(during / alone).toBeGreaterThan(0.8)
    },
    1_800_000,
  )

  test('a certificate that is not trusted ends the connection before a password is sent', async () => {
    await directory.addPerson('erin')
    await save({ certificate: '' }, providerId)
    expect(await signIn('erin')).toMatchObject({ code: 'providerUnavailable' })
    const { steps } = await admin.call('testProvider', { providerId, settings: settingsOf({ certificate: '' }) })
    expect(steps).toMatchObject([{ ok: false, text: '加密连接失败，或证书不可信' }])
  })

  test('a test reports each step and the values of a person', async () => {
    await directory.addPerson('erin', { cn: '韩磊', mobile: '138' })
    const { steps, values } = await admin.call('testProvider', { providerId, settings: settingsOf(), account: 'erin' })
    expect(steps.every(({ ok }) => ok)).toBe(true)
    expect(values).toContainEqual({ field: 'name', value: '韩磊' })
    const wrong = await admin.call('testProvider', { providerId, settings: settingsOf(), secret: 'wrong' })
    expect(wrong.steps).toMatchObject([{ ok: false, text: '查询账号的密码不对' }])
  })

  test('where ids come from does not change while people use the provider', async () => {
    await directory.addPerson('erin')
    await sync()
    expect(
      await admin.refusal('saveProvider', {
        providerId,
        name: 'HUAXIN',
        settings: settingsOf({ idAttribute: 'uid' }),
      }),
    ).toBe('settingsContradict')
  })

  test('a provider that is removed or switched off signs nobody in', async () => {
    await directory.addPerson('erin')
    await signIn('erin')
    await admin.call('saveProvider', { providerId, name: 'HUAXIN', enabled: false, settings: settingsOf() })
    expect(await signIn('erin')).toMatchObject({ code: 'wrongPassword' })
    await admin.call('removeProvider', { providerId })
    expect(await signIn('erin')).toMatchObject({ code: 'wrongPassword' })
    expect(await sessionsOf(world, admin)).toBe(1)
  })
})
