/*
 * Provisioning by SCIM 2.0: the examples of RFC 7643 and 7644, with scim-patch and scim2-parse-filter as oracles, and the
 * dialects of real systems.
 */

import { sql } from 'kysely'
import { type ScimPatchOperation, scimPatch } from 'scim-patch'
import { filter as matches, parse } from 'scim2-parse-filter'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordStatements } from '../../../test/explain.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { manySessions } from '../../../test/many-sessions.ts'
import { clock } from '../../../test/sign-in.ts'
import { operationsOf, patched } from './patch.ts'
import { type Json, type Resource, readResource, schemaUrns, userKind } from './schema.ts'

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The full user of RFC 7643, 8.2 and 8.3, without what only the server sets. */
const barbara = {
  schemas: [schemaUrns.user, schemaUrns.enterprise],
  externalId: '701984',
  userName: 'bjensen@example.com',
  name: {
    formatted: 'Ms. Barbara J Jensen, III',
    familyName: 'Jensen',
    givenName: 'Barbara',
    middleName: 'Jane',
    honorificPrefix: 'Ms.',
    honorificSuffix: 'III',
  },
  displayName: 'Babs Jensen',
  nickName: 'Babs',
  profileUrl: 'https://login.example.com/bjensen',
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  addresses: [
    {
      streetAddress: '100 Universal City Plaza',
      locality: 'Hollywood',
      region: 'CA',
      postalCode: '91608',
      country: 'USA',
      formatted: '100 Universal City Plaza\nHollywood, CA 91608 USA',
      type: 'work',
      primary: true,
    },
  ],
  phoneNumbers: [
    { value: '555-555-5555', type: 'work' },
    { value: '555-555-4444', type: 'mobile' },
  ],
  ims: [{ value: 'someaimhandle', type: 'aim' }],
  photos: [{ value: 'https://photos.example.com/profilephoto/72930000000Ccne/F', type: 'photo' }],
  userType: 'Employee',
  title: 'Tour Guide',
  preferredLanguage: 'en-US',
  locale: 'en-US',
  timezone: 'America/Los_Angeles',
  active: true,
  password: 't1meMa$heen',
  [schemaUrns.enterprise]: {
    employeeNumber: '701984',
    costCenter: '4130',
    organization: 'Universal Studios',
    division: 'Theme Park',
    department: 'Theme Park/Tours',
    manager: { value: '26118915', displayName: 'John Smith' },
  },
}

type Body = Record<string, Json> & { id: string; Resources: Record<string, Json>[]; totalResults: number }

let world: World
let admin: Person
let time: ReturnType<typeof clock>
let token: string
let providerId: number
let serviceAccountId: number

const prepare = async (): Promise<void> => {
  time = clock()
  world = await openWorld({ now: time.now, elected: false })
  admin = await world.admin()
  serviceAccountId = (await admin.call('createServiceAccount', { account: 'svc-scim', accountName: '人事同步' })).userId
  token = (
    await admin.call('createServiceProgram', {
      userId: serviceAccountId,
      name: 'hr',
      scopes: ['provisioning'],
      days: 30,
    })
  ).clientSecret
  providerId = await save()
}

const save = async (more: object = {}, id = 0): Promise<number> => {
  const settings = { kind: 'scim' as const, serviceAccountId, ...more }
  return (await admin.call('saveProvider', { providerId: id, name: '人事系统', settings })).providerId
}

async function scim(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers = {}) {
  const answer = await world.app.http.inject({
    method,
    url: `/scim/v2${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  const json = (answer.body === '' ? {} : answer.json()) as Body
  return { status: answer.statusCode, headers: answer.headers, body: json }
}
const patch = (path: string, ...Operations: object[]) => scim('PATCH', path, { schemas: [patchUrn], Operations })
const create = async (userName: string, more: object = {}): Promise<string> => {
  const made = await scim('POST', '/Users', { schemas: [schemaUrns.user], userName, ...more })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.id
}
const group = async (displayName: string, ids: readonly string[] = []): Promise<string> => {
  const made = await scim('POST', '/Groups', { displayName, members: ids.map((value) => ({ value })) })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.id
}
const find = async (filter: string, kind = 'Users'): Promise<string[]> => {
  const { status, body } = await scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.Resources.map((one) => one[kind === 'Users' ? 'userName' : 'displayName'] as string)
}
const accountRow = (account: string) =>
  world.app.db
    .selectFrom('account')
    .select(['id', 'state', 'name', 'email', 'phone', 'title', 'password_hash'])
    .where('account_key', '=', account.toLowerCase())
    .executeTakeFirst()
const page = () => admin.call('getProvisioning', { providerId })

/** The pushes of a type that were written, oldest first. */
const toldOf = async (type: number): Promise<string[]> => {
  const { rows } = await sql<{ payload: string }>`
    select payload::text as payload from event
    where kind = 'personal' and payload::jsonb ->> 'pushType' = ${String(type)} order by id`.execute(world.app.db)
  return rows.map(({ payload }) => payload.replaceAll(' ', ''))
}

describe('provisioning', () => {
  beforeEach(prepare)

  test('creates the full user of RFC 7643, tells it back as it was sent, and makes an account of it', async () => {
    await save({ departments: true }, providerId)
    const made = await scim('POST', '/Users', barbara)
    expect(made.status).toBe(201)
    const { password: _, schemas, active, ...sent } = barbara
    expect(made.body).toMatchObject({ schemas, active, ...sent, meta: { resourceType: 'User' } })
    expect(made.headers['location']).toMatch(new RegExp(`/scim/v2/Users/${made.body.id}$`))
    expect(made.headers['content-type']).toContain('application/scim+json')
    expect(JSON.stringify(made.body)).not.toContain('t1meMa')
    expect(await accountRow('bjensen@example.com')).toMatchObject({
      ...{ state: 'normal', name: 'Babs Jensen', email: 'bjensen@example.com', phone: '555-555-4444' },
      ...{ title: 'Tour Guide', password_hash: '' },
    })
    expect(JSON.stringify(await world.app.db.selectFrom('scim_person').selectAll().execute())).not.toContain('t1meMa')
    const people = await admin.call('getPeople', { keyword: 'bjensen' })
    expect(people.list).toMatchObject([{ groupName: 'Tours' }])
    expect((await scim('GET', `/Users/${made.body.id}`)).body).toEqual(made.body)
    // Without what was not asked for (3.9).
    const some = await scim('GET', `/Users/${made.body.id}?attributes=userName,name.familyName`)
    expect(Object.keys(some.body).sort()).toEqual(['id', 'name', 'schemas', 'userName'])
    expect(some.body['name']).toEqual({ familyName: 'Jensen' })
    const rest = await scim('GET', `/Users/${made.body.id}?excludedAttributes=emails,name.formatted`)
    expect(rest.body['emails']).toBeUndefined()
    expect(rest.body['name']).not.toHaveProperty('formatted')
    // Unchanged since (3.14), and refused where it has changed.
    const etag = String(made.headers['etag'])
    expect((await scim('GET', `/Users/${made.body.id}`, undefined, { 'if-none-match': etag })).status).toBe(304)
    await patch(`/Users/${made.body.id}`, { op: 'replace', path: 'title', value: 'Guide' })
    const late = await scim('PUT', `/Users/${made.body.id}`, barbara, { 'if-match': etag })
    expect(late.status).toBe(412)
  })

  test('only a token of the scope provisioning passes, and it passes nowhere else', async () => {
    for (const authorization of ['', 'Bearer x', `Bearer ${admin.token}`]) {
      const { status } = await scim('GET', '/Users', undefined, { authorization })
      expect(status).toBe(authorization.includes(admin.token) ? 403 : 401)
    }
    expect(await world.wire('getPeople', {}, token)).toMatchObject({ code: 'noPermission' })
    const other = await admin.call('createServiceProgram', {
      userId: serviceAccountId,
      name: 'x',
      scopes: ['write'],
      days: 1,
    })
    const { access_token: short } = await world.app.http
      .inject({
        method: 'POST',
        url: '/services2/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: other.clientId,
          client_secret: other.clientSecret,
        }).toString(),
      })
      .then((answer) => answer.json<{ access_token: string }>())
    expect((await scim('GET', '/Users', undefined, { authorization: `Bearer ${short}` })).status).toBe(403)
    // A second service account sees nothing of the first one's people, and has no provider yet.
    const { userId } = await admin.call('createServiceAccount', { account: 'svc-two', accountName: 'two' })
    const second = await admin.call('createServiceProgram', { userId, name: 'x', scopes: ['provisioning'], days: 1 })
    const asked = { authorization: `Bearer ${second.clientSecret}` }
    expect((await scim('GET', '/Users', undefined, asked)).status).toBe(403)
    const id = await create('erin')
    await admin.call('saveProvider', { name: 'two', settings: { kind: 'scim', serviceAccountId: userId } })
    expect((await scim('GET', `/Users/${id}`, undefined, asked)).status).toBe(404)
    expect((await scim('GET', '/Users', undefined, asked)).body.totalResults).toBe(0)
    // The account of a person keeps nobody, and one service account keeps one provider.
    const anna = await world.person('anna')
    const of = (account: number) => ({ name: 'three', settings: { kind: 'scim' as const, serviceAccountId: account } })
    expect(await admin.refusal('saveProvider', of(anna.userId))).toBe('notFound')
    expect(await admin.refusal('saveProvider', of(userId))).toBe('alreadyExists')
  })

  test('pages, filters and searches as RFC 7644 says, as the parser’s own evaluation does', async () => {
    const people: Record<string, Json>[] = [
      {
        userName: 'ann',
        title: 'Tour Guide',
        emails: [{ type: 'work', value: 'ann@example.com' }],
        userType: 'Employee',
      },
      { userName: 'Bob', name: { familyName: "O'Malley" }, emails: [{ type: 'home', value: 'bob@example.org' }] },
      { userName: 'carl', title: 'Boss', userType: 'Intern', emails: [{ type: 'work', value: 'carl@example.org' }] },
      { userName: 'dora', externalId: 'D-1', [schemaUrns.enterprise]: { department: 'Tours', employeeNumber: '7' } },
    ]
    for (const one of people) expect((await scim('POST', '/Users', one)).status).toBe(201)
    for (const filter of [
      'userName eq "ann"',
      'name.familyName co "O\'Malley"',
      'userName sw "c"',
      'title pr',
      'title pr and userType eq "Employee"',
      'title pr or userType eq "Intern"',
      'not (title pr)',
      'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
      'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
      'emails[type eq "work" and value co "@example.com"] or title eq "Boss"',
      'userName ew "a"',
      'title gt "C"',
      `${schemaUrns.enterprise}:department eq "Tours"`,
      'externalId eq "D-1"',
    ]) {
      const isEmailText = filter.includes('emails co')
      const asTheyAre = people.map((one) => ({
        ...one,
        ...(isEmailText &&
          Array.isArray(one['emails']) && { emails: one['emails'].map((each) => (each as { value: string }).value) }),
      }))
      // The oracle knows no URNs.
      const known = filter.startsWith('urn')
        ? ['dora']
        : people.filter((_, at) => matches(parse(filter))(asTheyAre[at] ?? {})).map(({ userName }) => userName)
      const wanted = isEmailText ? ['ann'] : known
      expect(await find(filter), filter).toEqual(wanted)
    }
    expect(await find('userName eq "BOB"')).toEqual(['Bob'])
    expect(await find('urn:ietf:params:scim:schemas:core:2.0:User:userName sw "bo"')).toEqual(['Bob'])
    expect(await find('meta.lastModified gt "2011-05-13T04:42:34Z"')).toHaveLength(4)
    expect(await find('meta.lastModified lt "2011-05-13T04:42:34Z"')).toEqual([])
    expect(await find('active eq "True"')).toHaveLength(4)
    for (const filter of [
      'userName',
      'unknown eq "x"',
      'password eq "x"',
      '(((',
      'userName eq x',
      'userName constructor "x"',
    ]) {
      const { status, body } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect([status, body['scimType']], filter).toEqual([400, 'invalidFilter'])
    }
    // Values are parameters: this one is a text like any other.
    expect(await find('userName eq "x\' or 1=1 --"')).toEqual([])
    const second = (await scim('GET', '/Users?startIndex=2&count=2&attributes=userName')).body
    expect(second).toMatchObject({ totalResults: 4, startIndex: 2, itemsPerPage: 2 })
    expect(second.Resources.map(({ userName }) => userName)).toEqual(['Bob', 'carl'])
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 4, itemsPerPage: 0 })
    const searched = await scim('POST', '/Users/.search', { attributes: ['userName'], filter: 'title pr', count: 1 })
    expect(searched.body).toMatchObject({ totalResults: 2, Resources: [{ userName: 'ann' }] })
  })

  test('tells what it supports, and refuses what it does not', async () => {
    expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
      ...{
        patch: { supported: true },
        bulk: { supported: false },
        filter: { supported: true },
        etag: { supported: true },
      },
    })
    const types = (await scim('GET', '/ResourceTypes')).body
    expect(types.Resources.map(({ endpoint }) => endpoint)).toEqual(['/Users', '/Groups'])
    expect((await scim('GET', '/Schemas')).body.totalResults).toBe(3)
    expect((await scim('GET', `/Schemas/${schemaUrns.enterprise}`)).body).toMatchObject({ name: 'EnterpriseUser' })
    for (const path of ['/Bulk', '/Me']) expect((await scim('POST', path, {})).status).toBe(501)
    expect((await scim('GET', '/Nothing')).status).toBe(404)
    expect((await scim('GET', '/Users/1/2')).status).toBe(404)
    expect((await scim('POST', '/Users', {})).body).toMatchObject({ status: '400', scimType: 'invalidValue' })
    expect((await scim('POST', '/Users', { userName: 'a<b' })).body).toMatchObject({ scimType: 'invalidValue' })
  })

  test('people are frozen, thawed and come back with the same id; an account is never taken over', async () => {
    const id = await create('erin', { externalId: 'e-1', displayName: '韩磊' })
    expect((await scim('POST', '/Users', { userName: 'ERIN' })).body).toMatchObject({ scimType: 'uniqueness' })
    expect((await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).body['active']).toBe(false)
    expect(await accountRow('erin')).toMatchObject({ state: 'frozen' })
    await patch(`/Users/${id}`, { op: 'replace', value: { active: true } })
    expect(await accountRow('erin')).toMatchObject({ state: 'normal' })
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404)
    expect(await accountRow('erin')).toMatchObject({ state: 'frozen' })
    const back = await scim('POST', '/Users', { userName: 'erin', externalId: 'e-1', displayName: '韩磊' })
    expect([back.status, back.body.id]).toEqual([201, id])
    expect(await accountRow('erin')).toMatchObject({ state: 'normal', name: '韩磊' })
    // What an administrator has frozen stays frozen.
    const row = await accountRow('erin')
    await admin.call('changePeople', { userIds: [row?.id ?? 0], state: 'frozen' })
    expect((await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })).body['active']).toBe(false)
    expect(await accountRow('erin')).toMatchObject({ state: 'frozen' })
    // The name of a person of this server: 409, and an administrator joins the two.
    const anna = await world.person('anna')
    expect((await scim('POST', '/Users', { userName: 'anna', displayName: 'Anna' })).status).toBe(409)
    const { list } = await admin.call('getPendingIdentities', { providerId })
    expect(list).toMatchObject([{ account: 'anna', userId: anna.userId }])
    await admin.call('joinIdentity', { identityId: list[0]?.identityId ?? 0, userId: anna.userId })
    expect((await scim('POST', '/Users', { userName: 'anna', displayName: 'Anna' })).status).toBe(201)
    expect(await find('userName eq "anna"')).toEqual(['anna'])
    // Two equal requests at once: one is told that there is one already.
    const both = await Promise.all([1, 2].map(() => scim('POST', '/Users', { userName: 'twin', externalId: 't' })))
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409])
  })

  test('a tombstone name of Entra freezes and keeps the name', async () => {
    const id = await create('erin')
    const name = '0123456789abcdef0123456789abcdeferin'
    const { body } = await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: name })
    expect(body).toMatchObject({ userName: 'erin', active: false })
    expect(await accountRow('erin')).toMatchObject({ state: 'frozen' })
  })

  test('a person whom the system freezes has no session from their next request on', async () => {
    const id = await create('erin')
    const row = await accountRow('erin')
    await world.app.db
      .updateTable('account')
      .set(
        await world.app.db
          .selectFrom('account')
          .select('password_hash')
          .where('account', '=', 'admin')
          .executeTakeFirstOrThrow(),
      )
      .where('id', '=', row?.id ?? 0)
      .execute()
    const erin = await world.signIn('erin')
    await erin.call('getMyAccountInfo', {})
    await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect(await erin.refusal('getMyAccountInfo', {})).toBe('notLoggedIn')
    expect(await world.wire('login3', { userName: 'erin', password: 'Test#2026', clientType: 6 })).toMatchObject({
      code: 'accountFrozen',
    })
  })

  test('more leavers than usual wait for an administrator, who freezes or keeps them', async () => {
    const ids: string[] = []
    for (let n = 0; n < 9; n += 1) ids.push(await create(`p${n}`))
    const leave = (id: string | undefined) => patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    for (const id of ids.slice(0, 5)) expect((await leave(id)).status).toBe(200)
    const held = await leave(ids[5])
    expect([held.status, held.headers['retry-after']]).toEqual([503, '3600'])
    expect((await scim('DELETE', `/Users/${ids[6]}`)).status).toBe(503)
    expect(await accountRow('p5')).toMatchObject({ state: 'normal' })
    const shown = await page()
    expect(shown.waiting.map(({ account }) => account)).toEqual(['p5', 'p6'])
    expect(shown.changes.slice(0, 2)).toMatchObject([
      { what: 'wait', status: 503 },
      { what: 'wait', name: 'p5' },
    ])
    // Security administrators are told.
    expect((await toldOf(159))[0]).toContain('"providerName":"人事系统"')
    const kept = await admin.call('decideProvisionedLeavers', { providerId, freeze: false, total: 2 })
    expect(kept).toEqual({ frozen: 0, kept: 2 })
    // The administrator has looked: the count begins anew.
    time.pass(1000)
    for (const id of ids.slice(5, 7)) expect((await leave(id)).status).toBe(200)
    for (const n of [7, 8]) await leave(ids[n])
    const last: string[] = []
    for (let n = 0; n < 3; n += 1) last.push(await create(`q${n}`))
    for (const id of last) await leave(id)
    expect((await page()).waitingTotal).toBe(2)
    // Only those that the administrator has seen are frozen.
    expect(await admin.call('decideProvisionedLeavers', { providerId, freeze: true, total: 1 })).toEqual({
      frozen: 1,
      kept: 0,
    })
    expect((await page()).waiting.map(({ account }) => account)).toEqual(['q2'])
    expect(await accountRow('q1')).toMatchObject({ state: 'frozen' })
    // One who is wanted again waits no longer.
    await patch(`/Users/${last[2]}`, { op: 'replace', path: 'active', value: true })
    expect((await page()).waitingTotal).toBe(0)
  })

  test('an administrator is not frozen', async () => {
    const id = await create('chief')
    const row = await accountRow('chief')
    await admin.call('setPowerHolders', { power: 'audit', userIds: [row?.id ?? 0] })
    expect((await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status).toBe(403)
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(403)
    expect(await accountRow('chief')).toMatchObject({ state: 'normal' })
  })

  test('groups: members by row, in every dialect, and a role for them with a preview', async () => {
    const [ann, bob, carl] = [await create('ann'), await create('bob'), await create('carl')]
    const id = await group('品牌设计', [ann])
    const members = async (): Promise<string[]> => {
      const list = (await scim('GET', `/Groups/${id}`)).body['members'] as { display: string }[] | undefined
      return (list ?? []).map(({ display }) => display)
    }
    const at = `/Groups/${id}`
    expect((await patch(at, { op: 'add', path: 'members', value: [{ value: bob }, { value: carl }] })).status).toBe(204)
    expect(await members()).toEqual(['ann', 'bob', 'carl'])
    expect((await patch(at, { op: 'Remove', path: 'members', value: [{ value: bob }] })).status).toBe(204)
    expect(await members()).toEqual(['ann', 'carl'])
    await patch(at, { op: 'remove', path: `members[value eq "${carl}"]` })
    expect(await members()).toEqual(['ann'])
    const vague = await patch(at, { op: 'remove', path: 'members' })
    expect([vague.status, vague.body['scimType']]).toEqual([400, 'noTarget'])
    expect((await patch(at, { op: 'add', path: 'members', value: [{ value: '999999' }] })).status).toBe(400)
    expect((await patch(at, { op: 'add', value: { members: [{ value: bob }], displayName: '设计' } })).status).toBe(204)
    expect(await members()).toEqual(['ann', 'bob'])
    const without = (await scim('GET', `${at}?excludedAttributes=members`)).body
    expect(without).toMatchObject({ displayName: '设计' })
    expect(without['members']).toBeUndefined()
    expect(await find(`members.value eq "${bob}"`, 'Groups')).toEqual(['设计'])
    expect(await find('displayName eq "设计"', 'Groups')).toEqual(['设计'])
    expect((await scim('GET', `/Users/${bob}`)).body['groups']).toMatchObject([{ value: id, display: '设计' }])
    expect((await scim('POST', '/Groups', { displayName: '设计' })).status).toBe(409)
    // The role of the group.
    const { roleId } = await admin.call('createRole', { roleName: '设计师' })
    const groupId = Number(id)
    expect(await admin.call('setProvisionedGroupRole', { groupId, roleId, dry: true })).toEqual({ gain: 2, lose: 0 })
    const holders = async () => (await admin.call('getRole', { roleId })).users.map(({ account }) => account)
    expect(await holders()).toEqual([])
    await admin.call('setProvisionedGroupRole', { groupId, roleId })
    expect(await holders()).toEqual(['ann', 'bob'])
    await patch(at, { op: 'replace', path: 'members', value: [{ value: carl }] })
    expect(await holders()).toEqual(['carl'])
    expect((await page()).groups).toEqual([{ groupId, name: '设计', members: 1, roleId }])
    await scim('DELETE', at)
    expect(await holders()).toEqual([])
  })

  test('the person signs in by the provider that the administrator has named, without a second account', async () => {
    const signIn = await admin.call('saveProvider', {
      name: 'sso',
      settings: { kind: 'oidc', issuer: 'http://127.0.0.1:1', clientId: 'x' },
    })
    await save({ signInProviderId: signIn.providerId }, providerId)
    const id = await create('erin', { externalId: 'sub-1' })
    const bound = () =>
      world.app.db
        .selectFrom('provider_identity')
        .select(['external_id', 'account_id'])
        .where('provider_id', '=', signIn.providerId)
        .execute()
    const row = await accountRow('erin')
    expect(await bound()).toEqual([{ external_id: 'sub-1', account_id: row?.id }])
    await patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'sub-2' })
    expect(await bound()).toEqual([{ external_id: 'sub-2', account_id: row?.id }])
  })
})

/** People of the provider, written at once. Returns the ids of their resources. */
async function manyPeople(count: number): Promise<string[]> {
  const accounts = await manySessions(world.app.db, count)
  const ids = accounts.map(({ accountId }) => accountId)
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into provider_identity (provider_id, external_id, account_id, label, account_name, account_key)
      select ${providerId}, 'many-' || id, id, name, account, account_key from account where id = any(${ids}) returning id
    )
    insert into scim_person (identity_id, provider_id, resource, created_at, changed_at)
    select id, ${providerId}, '{}', 1, 1 from made returning identity_id as id`.execute(world.app.db)
  return rows.map(({ id }) => String(id))
}

test('a group of 5,000 members takes as many statements as one of five, and one member as many rows', async () => {
  await prepare()
  const people = await manyPeople(5001)
  const one = people.pop() ?? ''
  const { roleId } = await admin.call('createRole', { roleName: '员工' })
  const costs = async (size: number) => {
    const members = people.slice(0, size).map((value) => ({ value }))
    const counts: Record<string, { statements: number; rows?: number }> = {}
    const counted = async <T>(name: string, work: () => Promise<T>, withRows = false): Promise<T> => {
      const { value, statements } = await recordStatements(work)
      const rows = statements.reduce((sum, { rows: own = 0 }) => sum + own, 0)
      counts[name] = { statements: statements.length, ...(withRows && { rows }) }
      return value
    }
    const made = await counted('create', () => scim('POST', '/Groups', { displayName: `group ${size}`, members }))
    expect(made.status).toBe(201)
    const at = `/Groups/${made.body.id}`
    await admin.call('getRole', { roleId })
    await counted('role', () => admin.call('setProvisionedGroupRole', { groupId: Number(made.body.id), roleId }))
    const add = { op: 'add', path: 'members', value: [{ value: one }] }
    expect((await counted('add', () => patch(at, add), true)).status).toBe(204)
    const remove = { op: 'remove', path: 'members', value: [{ value: one }] }
    expect((await counted('remove', () => patch(at, remove), true)).status).toBe(204)
    const rest = { displayName: `group ${size}`, members: members.slice(1) }
    const put = await counted('replace', () => scim('PUT', at, rest))
    expect(put.body['members']).toHaveLength(size - 1)
    expect((await counted('read', () => scim('GET', at))).body['members']).toHaveLength(size - 1)
    await counted('list', () => scim('GET', '/Groups?excludedAttributes=members'), true)
    expect((await counted('delete', () => scim('DELETE', at))).status).toBe(204)
    return counts
  }
  // The first requests of a process read what later ones know.
  await costs(4)
  const few = await costs(5)
  expect(await costs(5000)).toEqual(few)
})

describe('PATCH', () => {
  const { password: _, schemas: __, ...sent } = barbara
  const before = readResource(userKind, sent)
  const apply = (...Operations: object[]): Resource =>
    patched(userKind, before, operationsOf(userKind, { Operations } as unknown as Json))

  /** The examples of RFC 7644, 3.5.2, on users; scim-patch does the same. */
  const examples: ScimPatchOperation[][] = [
    [{ op: 'add', path: 'nickName', value: 'B' }],
    [{ op: 'add', value: { nickName: 'B' } }],
    [{ op: 'add', path: 'emails', value: [{ value: 'b@example.com', type: 'other' }] }],
    [{ op: 'replace', path: 'name.familyName', value: 'J' }],
    [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'new@example.com' }],
    [{ op: 'replace', path: 'addresses[type eq "work"].streetAddress', value: '1010 Broadway Ave' }],
    [{ op: 'replace', path: 'emails', value: [{ value: 'only@example.com' }] }],
    [{ op: 'remove', path: 'emails[type eq "work" and value ew "example.com"]' }],
    [{ op: 'remove', path: 'nickName' }],
    [{ op: 'remove', path: 'name.honorificPrefix' }],
    [{ op: 'replace', path: `${schemaUrns.enterprise}:department`, value: 'X' }],
    [
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'emails', value: [{ value: 'x@example.com' }] },
    ],
  ]
  test.each(examples.map((one) => [JSON.stringify(one), one] as const))(
    '%s is done as scim-patch does it',
    (_text, one) => {
      const expected = scimPatch(structuredClone({ schemas: [], ...before }) as never, structuredClone(one)) as Resource
      delete expected['schemas']
      expect(apply(...one)).toEqual(expected)
    },
  )

  test('the dialects of systems mean the same', () => {
    expect(apply({ op: 'Replace', path: 'active', value: 'False' })['active']).toBe(false)
    expect(apply({ op: 'Add', value: { 'name.familyName': 'J' } })['name']).toMatchObject({ familyName: 'J' })
    expect(
      apply({ op: 'replace', value: { [`${schemaUrns.enterprise}:department`]: 'X' } })[schemaUrns.enterprise],
    ).toMatchObject({
      ...{ department: 'X', costCenter: '4130' },
    })
    expect(
      apply({ op: 'replace', value: { [schemaUrns.enterprise]: { division: 'Y' } } })[schemaUrns.enterprise],
    ).toMatchObject({
      ...{ division: 'Y', costCenter: '4130' },
    })
    expect(apply({ op: 'add', path: 'phoneNumbers[type eq "fax"].value', value: '1' })['phoneNumbers']).toContainEqual({
      ...{ type: 'fax', value: '1' },
    })
    // One primary value at most.
    const emails = apply({ op: 'add', path: 'emails', value: { value: 'p@example.com', primary: true } })['emails']
    expect((emails as { primary?: boolean }[]).filter(({ primary }) => primary)).toHaveLength(1)
  })

  test.each([
    [{ op: 'move', path: 'title' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', path: 'unknown', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "fax"].value', value: 'x' }, 'noTarget'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'replace', path: 'id', value: '1' }, 'mutability'],
    [{ op: 'replace', path: 'userName', value: ' ' }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails[', value: 'x' }, 'invalidPath'],
  ])('%j is refused', (operation, scimType) => {
    expect(() => apply(operation)).toThrow(expect.objectContaining({ scimType }))
  })
})
