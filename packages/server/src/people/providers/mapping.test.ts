// Rules of a provider: claims give roles, departments and attributes. The provider is a real one (npm oidc-provider).
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWorld, type Person, requestFor, type Wire, type World, wireOf } from '../../../test/harness.ts'
import { clientId, clientSecret, startOpenIdProvider, type TestProvider } from '../../../test/openid-provider.ts'
import { clock, cookieFrom, web } from '../../../test/sign-in.ts'

let world: World
let admin: Person
let provider: TestProvider
let providerId: number
let origin: string
let time: ReturnType<typeof clock>
let designId: number
let financeId: number
let labId: number

beforeEach(async () => {
  time = clock()
  world = await openWorld({ now: time.now, elected: true })
  origin = `http://127.0.0.1:${await world.port()}`
  admin = await world.admin()
  provider = await startOpenIdProvider(origin)
  designId = (await admin.call('createRole', { roleName: '设计' })).roleId
  financeId = (await admin.call('createRole', { roleName: '财务' })).roleId
  labId = (await admin.call('createGroup', { parentId: 0, groupName: '实验室' })).groupId
  providerId = 0
  providerId = await save()
})
afterEach(() => provider.close())

const role = (value: string, id: number, claim = '') => ({ claim, value, gives: 'role' as const, id })
const department = (value: string, id: number, claim: string) => ({ claim, value, gives: 'department' as const, id })

const settingsOf = (more: object = {}) => ({
  ...{ kind: 'oidc' as const, issuer: provider.issuer, clientId, groupsClaim: 'groups', titleClaim: 'title' },
  ...more,
})
const save = async (more: object = {}, confirmed = 0): Promise<number> =>
  (
    await admin.call('saveProvider', {
      ...{ providerId, name: '统一认证', settings: settingsOf(more), secret: clientSecret, confirmed },
    })
  ).providerId

/** The list of groups is too long for a token. */
const elsewhere = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://idp.example' } } }

/** Signs in as a person of whom the provider says this. */
async function arrive(who: string, claims: object): Promise<Wire> {
  provider.people.set(who, { sub: who, preferred_username: who, name: who, ...claims })
  provider.who = who
  provider.forget()
  const headers: Record<string, string> = { ...web, host: new URL(origin).host }
  const begin = requestFor('startProviderSignIn', { providerId })
  const began = await world.app.http.inject({ ...begin, headers: { ...begin.headers, ...headers } })
  const back = await provider.visit((wireOf(began).data as { address: string }).address)
  const finish = requestFor('finishProviderSignIn', { providerId, query: back.search })
  const cookie = cookieFrom(began, 'cloudoc_device')
  const answer = wireOf(await world.app.http.inject({ ...finish, headers: { ...finish.headers, ...headers, cookie } }))
  expect(answer).toMatchObject({ code: 'success' })
  return answer
}

/** The roles, the department and the attributes of an account. */
async function stateOf(account: string) {
  const row = await world.app.db
    .selectFrom('account as a')
    .innerJoin('org_group as g', 'g.id', 'a.group_id')
    .select(['a.id', 'a.name', 'a.title', 'g.name as department', 'g.parent_id'])
    .where('a.account', '=', account)
    .executeTakeFirstOrThrow()
  const roles = await world.app.db
    .selectFrom('role_account')
    .select('role_id')
    .where('account_id', '=', row.id)
    .execute()
  return {
    ...{ name: row.name, title: row.title, department: row.parent_id === null ? '' : row.department },
    roles: roles.map(({ role_id }) => role_id).sort((a, b) => a - b),
  }
}

test('claims give roles, departments and attributes at each sign-in; what is unknown changes nothing', async () => {
  await save({
    applies: true,
    departmentClaim: 'department',
    rules: [role('design', designId), role('CFO', financeId, 'title'), department('lab', labId, 'site.room')],
  })
  await arrive('erin', { groups: ['Design'], title: 'CFO', site: { room: 'LAB' }, department: '研发/平台' })
  expect(await stateOf('erin')).toEqual({
    ...{ name: 'erin', title: 'CFO', department: '实验室', roles: [designId, financeId] },
  })
  // Absent, kept back as too long, and half of it unreadable: nothing changes.
  for (const claims of [
    {},
    { groups: ['all'], ...elsewhere },
    { hasgroups: true },
    { groups: ['all', { id: 'x' }] },
    { groups: { design: true } },
  ]) {
    await arrive('erin', { ...claims, name: '韩磊' })
    expect(await stateOf('erin')).toMatchObject({ name: '韩磊', department: '实验室', roles: [designId, financeId] })
  }
  // A list without the group, and an empty one, take the role that it gave; the other one follows another claim.
  await arrive('erin', { groups: ['all'], site: { room: 'office' }, department: '研发/平台' })
  expect(await stateOf('erin')).toMatchObject({ department: '平台', roles: [financeId] })
  await arrive('erin', { groups: [], title: 'CTO' })
  expect(await stateOf('erin')).toMatchObject({ title: 'CTO', department: '平台', roles: [] })
  // Lists of any length count, and a name that no account can have is left out.
  const many = Array.from({ length: 5000 }, (_, n) => `group ${n}`)
  await arrive('erin', { groups: [...many, 'design'], name: 'a/b' })
  expect(await stateOf('erin')).toMatchObject({ name: 'erin', roles: [designId] })
})

test('a provider that sends nothing for no groups may be believed, and roles of administrators stay', async () => {
  await save({ applies: true, absentIsNone: true, rules: [role('design', designId)] })
  await arrive('erin', { groups: ['design'] })
  const { id } = await world.app.db
    .selectFrom('account')
    .select('id')
    .where('account', '=', 'erin')
    .executeTakeFirstOrThrow()
  await world.app.db.insertInto('role_account').values({ role_id: financeId, account_id: id }).execute()
  await arrive('erin', { groups: ['all'], ...elsewhere })
  expect(await stateOf('erin')).toMatchObject({ roles: [designId, financeId] })
  await arrive('erin', {})
  expect(await stateOf('erin')).toMatchObject({ roles: [financeId] })
})

test('before rules are switched on a preview tells whom they change; many are to be confirmed', async () => {
  const people = Array.from({ length: 7 }, (_, n) => `p${n}`)
  for (const who of people)
    await arrive(who, { groups: ['design'], department: '研发', title: who === 'p0' ? '总监' : '' })
  await world.person('nobody')
  expect(await stateOf('p0')).toEqual({ name: 'p0', title: '总监', department: '', roles: [] })
  const rules = [role('design', designId), department('研发', labId, 'department')]
  const preview = await admin.call('previewMapping', { providerId, settings: settingsOf({ applies: true, rules }) })
  expect(preview).toMatchObject({ people: 7, known: 7, changed: 7, gain: 7, lose: 0, move: 7, unknown: 0, many: true })
  expect(preview.changes[0]).toMatchObject({
    ...{ account: 'p0', fields: [], gains: ['设计'], loses: [], department: { from: '', to: '实验室' } },
  })
  const { claims } = await admin.call('getMapping', { providerId })
  expect(claims.find(({ name }) => name === 'groups')).toEqual({ name: 'groups', people: 7, values: ['design'] })
  const saving = { providerId, name: 'x', settings: settingsOf({ applies: true, rules }) }
  expect(await admin.refusal('saveProvider', saving)).toBe('mappingChangesMany')
  expect(await admin.refusal('saveProvider', { ...saving, confirmed: 6 })).toBe('mappingChangesMany')
  await save({ rules })
  await save({ applies: true, rules }, 7)
  // Nothing changes before people come, and none of them waits: an administrator has seen it.
  expect(await stateOf('p0')).toMatchObject({ department: '', roles: [] })
  for (const who of people) await arrive(who, { groups: ['design'], department: '研发' })
  for (const who of people) expect(await stateOf(who)).toMatchObject({ department: '实验室', roles: [designId] })
  // Other rules take the role from all: that is confirmed too, and holds at the next sign-in.
  await save({ applies: true, rules: rules.slice(1) }, 7)
  for (const who of people) await arrive(who, { groups: ['design'], department: '研发' })
  for (const who of people) expect(await stateOf(who)).toMatchObject({ roles: [] })
  const missing = settingsOf({ rules: [role('x', 999_999)] })
  expect(await admin.refusal('saveProvider', { ...saving, settings: missing })).toBe('notFound')
})

test('when a provider suddenly takes from many, the others wait until an administrator decides', async () => {
  await save({ applies: true, rules: [role('design', designId)] })
  const people = Array.from({ length: 8 }, (_, n) => `p${n}`)
  for (const who of people) await arrive(who, { groups: ['design'] })
  for (const who of people) await arrive(who, { groups: [] })
  for (const who of people.slice(0, 5)) expect(await stateOf(who)).toMatchObject({ roles: [] })
  for (const who of people.slice(5)) expect(await stateOf(who)).toMatchObject({ roles: [designId] })
  const told = async () => (await admin.call('getNotices', {})).groups.map(({ group, total }) => ({ group, total }))
  await expect.poll(told).toEqual([{ group: 'reminder', total: 1 }])
  expect(await admin.call('getMapping', { providerId })).toMatchObject({
    waitingTotal: 3,
    waiting: [{ account: 'p5', loses: ['设计'] }, { account: 'p6' }, { account: 'p7' }],
  })
  // Who comes again goes on waiting; whose claims are back does not.
  await arrive('p5', { groups: [] })
  await arrive('p6', { groups: ['design'] })
  expect(await stateOf('p5')).toMatchObject({ roles: [designId] })
  expect(await admin.call('getMapping', { providerId })).toMatchObject({ waitingTotal: 2 })
  expect(await admin.call('decideMappingChanges', { providerId, apply: false, total: 2 })).toEqual({
    changed: 0,
    kept: 2,
  })
  time.pass(60_000)
  // What was declined is not tried again; something else is.
  await arrive('p5', { groups: [] })
  expect(await stateOf('p5')).toMatchObject({ roles: [designId] })
  await arrive('p7', { groups: ['design'] })
  await arrive('p7', { groups: [] })
  expect(await stateOf('p7')).toMatchObject({ roles: [] })
  // A confirmation holds for as many as it showed.
  for (const who of [...people.slice(0, 4), 'p8', 'p9', 'p10']) await arrive(who, { groups: ['design'] })
  for (const who of [...people.slice(0, 4), 'p8', 'p9', 'p10']) await arrive(who, { groups: [] })
  expect(await admin.call('getMapping', { providerId })).toMatchObject({ waitingTotal: 3 })
  expect(await admin.call('decideMappingChanges', { providerId, apply: true, total: 1 })).toEqual({
    changed: 1,
    kept: 0,
  })
  expect([await stateOf('p8'), await stateOf('p9')]).toMatchObject([{ roles: [] }, { roles: [designId] }])
})
