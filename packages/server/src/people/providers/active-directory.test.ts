// Sign-in and synchronization with an Active Directory: a real domain of Samba, made by these tests in the full run.
import type { calls, Input } from '@cloudoc/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest'
import {
  control,
  domainAdmin,
  domainBase,
  domainPassword,
  passwordOf,
  startSamba,
  type TestDomain,
} from '../../../test/debian-samba.ts'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { login, ownAccount, tokenOf } from '../../../test/sign-in.ts'

const staff = `OU=员工,${domainBase}`
const full = inject('full')

let domain: TestDomain
let world: World
let admin: Person
let providerId: number

beforeAll(async () => {
  if (full) domain = await startSamba()
})
afterAll(() => domain?.close())

beforeEach(async () => {
  if (!full) return
  await domain.asAdmin(async (client) => {
    // A group goes after the people whose primary group it is, and a unit after what is in it.
    for (const filter of ['(objectClass=user)', '(objectClass=group)', '(objectClass=organizationalUnit)']) {
      const found = await client.search(domainBase, {
        filter: `(&${filter}(!(isCriticalSystemObject=TRUE)))`,
        attributes: ['dn'],
        paged: true,
      })
      const dns = found.searchEntries.map(({ dn }) => dn).filter((dn) => dn.endsWith(staff))
      for (const dn of dns.sort((a, b) => b.length - a.length)) await client.del(dn)
    }
  })
  await domain.add(staff, { objectClass: 'organizationalUnit' })
  world = await openWorld({ elected: true })
  admin = await world.admin()
  providerId = await save()
})

const settingsOf = (more: object = {}) => ({
  kind: 'ldap' as const,
  urls: [domain.urls.ldap],
  certificate: domain.certificate,
  bindDn: domainAdmin,
  base: staff,
  filter: '(&(objectCategory=person)(objectClass=user))',
  idAttribute: 'objectGUID',
  accountAttribute: 'sAMAccountName',
  nameAttribute: 'displayName',
  ...more,
})
const save = async (more: object = {}, id = 0): Promise<number> => {
  const input: Input<(typeof calls)['saveProvider']> = {
    ...{ providerId: id, name: 'HUAXIN', settings: settingsOf(more), secret: domainPassword },
  }
  return (await admin.call('saveProvider', input)).providerId
}
const addPerson = (account: string, more: Readonly<Record<string, string | string[]>> = {}, unit = staff) =>
  domain.addPerson(account, more, unit)
const signIn = (userName: string, password = passwordOf(userName)) =>
  login(world, { userName, password, clientType: 6 })
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
    .select(['id', 'state', 'name', 'email'])
    .where('account_key', '=', account)
    .executeTakeFirst()
const holdersOf = async (roleId: number) =>
  (
    await sql<{ account: string }>`
      select a.account from role_account r join account a on a.id = r.account_id where r.role_id = ${roleId}
      order by 1`.execute(world.app.db)
  ).rows.map(({ account }) => account)

longTest('its people sign in over StartTLS and over LDAPS, and a foreign certificate ends it before', async () => {
  await addPerson('erin', { displayName: '韩磊', mail: 'erin@huaxin.example', mobile: '138', title: '设计师' })
  const first = await signIn('erin')
  expect(first).toMatchObject({ code: 'success', data: { accountInfo: { account: 'erin', accountName: '韩磊' } } })
  expect(await stateOf('erin')).toMatchObject({ email: 'erin@huaxin.example' })
  await save({ urls: [domain.urls.ldaps] }, providerId)
  expect(await signIn('erin')).toMatchObject({ code: 'success' })
  expect(await signIn('erin', 'wrong')).toMatchObject({ code: 'wrongPassword' })
  for (const urls of [[domain.urls.ldap], [domain.urls.ldaps]]) {
    await save({ urls, certificate: '' }, providerId)
    expect(await signIn('erin')).toMatchObject({ code: 'providerUnavailable' })
  }
  // A controller takes no password on an open connection.
  await save({ startTls: false }, providerId)
  expect(await signIn('erin')).toMatchObject({ code: 'providerUnavailable' })
})

longTest('its objectGUID is the person: renamed, moved and called otherwise they keep the account', async () => {
  const dn = await addPerson('erin', { displayName: '韩磊' })
  const before = await signIn('erin')
  const { userId } = (before.data as { accountInfo: { userId: number } }).accountInfo
  const unit = `OU=华东 \\#1\\, 上海,${staff}`
  await domain.add(unit, { objectClass: 'organizationalUnit' })
  await domain.asAdmin((client) => client.modifyDN(dn, `CN=韩\\, 磊 \\+,${unit}`))
  await domain.set(`CN=韩\\, 磊 \\+,${unit}`, 'sAMAccountName', ['erika'])
  await save({ departments: 'units' }, providerId)
  expect(await sync()).toMatchObject({ state: 'done', created: 0, updated: 1, frozen: 0 })
  const after = await signIn('erika', passwordOf('erin'))
  expect(after).toMatchObject({ data: { accountInfo: { userId, account: 'erika' } } })
  expect(await ownAccount(world, tokenOf(after))).toMatchObject({ data: { groupName: '华东 #1, 上海' } })
  // Another person who gets the name is another person.
  await domain.asAdmin((client) => client.del(`CN=韩\\, 磊 \\+,${unit}`))
  await addPerson('erika')
  expect(await sync()).toMatchObject({ frozen: 1, created: 0, pending: 1 })
  expect(await signIn('erika')).not.toMatchObject({ code: 'success' })
})

longTest('who is disabled or has expired is frozen with all sessions, and thawed when enabled again', async () => {
  const erin = await addPerson('erin')
  const fred = await addPerson('fred')
  // 0 and the largest number are accounts without an end.
  await addPerson('gina', { accountExpires: '0' })
  await addPerson('hugo', { accountExpires: '9223372036854775807' })
  expect(await sync()).toMatchObject({ created: 4 })
  const session = tokenOf(await signIn('erin'))
  await domain.set(erin, 'userAccountControl', [String(control.disabled)])
  // 100 ns units since 1601: a day of the year 2020.
  await domain.set(fred, 'accountExpires', ['132223104000000000'])
  expect(await signIn('fred')).toMatchObject({ code: 'wrongPassword' })
  expect(await sync()).toMatchObject({ state: 'done', frozen: 2 })
  expect(await ownAccount(world, session)).toMatchObject({ code: 'notLoggedIn' })
  expect(await signIn('erin')).not.toMatchObject({ code: 'success' })
  await domain.set(erin, 'userAccountControl', [String(control.normal)])
  await domain.set(fred, 'accountExpires', ['0'])
  expect(await sync()).toMatchObject({ state: 'done', thawed: 2, frozen: 0 })
  // The right password that the controller refused before was not kept as a wrong one.
  for (const account of ['erin', 'fred', 'gina', 'hugo'])
    expect(await signIn(account)).toMatchObject({ code: 'success' })
})

longTest('its groups give roles through groups in groups, in a cycle, and as primary group', async () => {
  const [c1, c2, c3] = [await addPerson('c1'), await addPerson('c2'), await addPerson('c3')]
  await addPerson('c4')
  const group = async (name: string, member: string[]) => {
    await domain.add(`CN=${name},${staff}`, {
      objectClass: 'group',
      sAMAccountName: name,
      ...(member.length > 0 && { member }),
    })
    return `CN=${name},${staff}`
  }
  const inner = await group('inner', [c2])
  const middle = await group('middle', [inner])
  const outer = await group('outer', [c1, middle])
  await domain.set(inner, 'member', [c2, outer])
  // Whose primary group it is, is no value of `member`.
  const primary = await group('primary', [c3])
  const token = await domain.asAdmin(async (client) => {
    const { searchEntries } = await client.search(primary, { scope: 'base', attributes: ['primaryGroupToken'] })
    return String(searchEntries[0]?.['primaryGroupToken'])
  })
  await domain.set(c3, 'primaryGroupID', [token])
  const { roleId } = await admin.call('createRole', { roleName: '设计' })
  const { roleId: second } = await admin.call('createRole', { roleName: '制图' })
  const rules = [
    { value: `cn=OUTER, ${staff}`, gives: 'role', id: roleId },
    { value: primary, gives: 'role', id: second },
  ]
  await save({ rules }, providerId)
  expect(await sync()).toMatchObject({ state: 'done', created: 4 })
  expect(await holdersOf(roleId)).toEqual(['c1', 'c2'])
  expect(await holdersOf(second)).toEqual(['c3'])
  await domain.set(middle, 'member', [c3])
  await sync()
  expect(await holdersOf(roleId)).toEqual(['c1', 'c3'])
})

longTest('more people than a page come all, and members of a large group have its role', async () => {
  const count = 1100
  await domain.asAdmin(async (client) => {
    for (let n = 0; n < count; n += 1)
      await client.add(`CN=p${n},${staff}`, { objectClass: 'user', sAMAccountName: `p${n}`, userAccountControl: '544' })
    const member = Array.from({ length: count }, (_, n) => `CN=p${n},${staff}`)
    await client.add(`CN=all,${staff}`, { objectClass: 'group', sAMAccountName: 'all', member })
  })
  const { roleId } = await admin.call('createRole', { roleName: '全体' })
  await save({ rules: [{ value: `CN=all,${staff}`, gives: 'role', id: roleId }] }, providerId)
  expect(await sync()).toMatchObject({ state: 'done', read: count, created: count })
  expect(await holdersOf(roleId)).toHaveLength(count)
})
