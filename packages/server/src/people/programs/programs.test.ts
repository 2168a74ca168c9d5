// Programs: what a token permits, what it never does, and how it ends.
import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld, Person, requestFor, type World, wireOf } from '../../../test/harness.ts'
import { clock, tokenOf } from '../../../test/sign-in.ts'

const dayMs = 24 * 60 * 60_000

let world: World
let admin: Person
let anna: Person
let time: ReturnType<typeof clock>

beforeEach(async () => {
  time = clock()
  world = await openWorld({ now: time.now, elected: false })
  admin = await world.admin()
  anna = await world.person('anna')
})

const make = (given: { write?: boolean; libraryIds?: number[]; kind?: 'personal' | 'app'; days?: number } = {}) =>
  anna.call('createMyProgram', { kind: 'personal', name: 'report', days: 30, ...given })
const as = (token: string): Person => new Person(world, anna.account, anna.userId, token, anna.library)

/** Asks for a token as OAuth clients do. */
async function ask(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await world.app.http.inject({
    method: 'POST',
    url: '/services2/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
  })
  return { status: answer.statusCode, ...answer.json<{ access_token?: string; error?: string; scope?: string }>() }
}

describe('a personal token', () => {
  test('reads, changes something only with its scope, and never what concerns the account or hands out a way in', async () => {
    const reader = as((await make()).token)
    const fileId = await anna.upload(anna.library, 'plan.txt', 'text')
    expect((await reader.download(fileId)).body).toBe('text')
    const folder = { parentId: anna.library, folderName: 'x' }
    expect(await reader.refusal('folderCreate', folder)).toBe('noPermission')
    const writer = as((await make({ write: true })).token)
    await writer.call('folderCreate', folder)
    for (const who of [reader, writer]) {
      expect(await who.refusal('createMyProgram', { kind: 'personal', name: 'more', days: 1 })).toBe('noPermission')
      expect(await who.refusal('getLoginKey2', { clientType: 6 })).toBe('noPermission')
      expect(await who.refusal('getUserJwt', {})).toBe('noPermission')
      expect(await who.refusal('createEditKey', { fileId, local: true })).toBe('noPermission')
      expect(await who.refusal('modifyUserInfo', { title: 'boss' })).toBe('noPermission')
      expect(await who.refusal('endMySessions', { sessionIds: [1] })).toBe('noPermission')
      expect(await who.refusal('modifyPwd2', { oldPassword: 'Test#2026', newPassword: 'Other#2026' })).toBe(
        'noPermission',
      )
      expect(await who.refusal('answerQrCode', { code: 'x', allow: true })).toBe('noPermission')
    }
  })

  test('opens no page, no push channel, and stands in no address', async () => {
    const { token } = await make({ write: true })
    const request = requestFor('getMyAccountInfo', {})
    const cookie = { ...request.headers, cookie: `cloudoc_session=${token}`, 'x-cloudoc-client': 'web' }
    expect(wireOf(await world.app.http.inject({ ...request, headers: cookie }))).toMatchObject({ code: 'notLoggedIn' })
    const fileId = await anna.upload(anna.library, 'plan.txt', 'text')
    const inQuery = await world.app.http.inject(`/services2/download/${fileId}?access_token=${token}`)
    expect(inQuery.statusCode).not.toBe(200)
    // Nor is it an app password, and an app password is no token.
    const { token: app } = await make({ kind: 'app' })
    expect(await as(app).refusal('getMyAccountInfo', {})).toBe('notLoggedIn')
  })

  test('of an administrator has no power', async () => {
    const { token } = await admin.call('createMyProgram', { kind: 'personal', name: 'x', days: 1, write: true })
    const program = new Person(world, 'admin', admin.userId, token, 0)
    expect(await program.refusal('getLicence', {})).toBe('noPermission')
    expect(await program.refusal('createGroup', { groupName: 'x', parentId: 0 })).toBe('noPermission')
    expect(await program.call('getUserPermissionInfo', {})).toMatchObject({ isAdmin: false, powers: [] })
  })

  test('for one library does not know of the others', async () => {
    const { libraryId } = await admin.call('createLibrary', {
      ...{ name: 'shared', kind: 'project' },
      entries: [{ subjectType: 'user', subjectId: anna.userId, rights: 510 }],
    } as never)
    const own = await anna.upload(anna.library, 'own.txt', 'own')
    const shared = await anna.upload(libraryId, 'shared.txt', 'shared')
    const program = as((await make({ libraryIds: [libraryId], write: true })).token)
    expect((await program.download(shared)).body).toBe('shared')
    expect(await program.refusal('renameFile', { fileId: own, fileName: 'b.txt' })).toBe('notFound')
    expect(await program.refusal('folderCreate', { parentId: anna.library, folderName: 'x' })).toBe('notFound')
    // What is not asked of an item is not answered at all.
    expect(await program.refusal('getUseSpaceSizeInfo', {})).toBe('noPermission')
    // A library that its owner does not see cannot be named.
    const ben = await world.person('ben')
    expect(
      await anna.refusal('createMyProgram', { kind: 'personal', name: 'x', days: 1, libraryIds: [ben.library] }),
    ).toBe('notFound')
  })

  test('ends by its day, by revocation at once on every process, and by a frozen account; not by a new password', async () => {
    const beside = await openWorld({ peer: world, elected: false, deaf: true, now: time.now })
    const { token, programId } = await make({ days: 2 })
    expect(await beside.wire('getMyAccountInfo', {}, token)).toMatchObject({ code: 'success' })
    await anna.call('modifyPwd2', { oldPassword: 'Test#2026', newPassword: 'Other#2026' })
    expect(await beside.wire('getMyAccountInfo', {}, token)).toMatchObject({ code: 'success' })
    expect((await anna.call('getMySessions', {})).sessions).toHaveLength(1)
    expect((await anna.call('getMyPrograms', {})).list).toMatchObject([{ programId, ended: false }])
    await anna.call('revokeMyProgram', { programId })
    expect(await beside.wire('getMyAccountInfo', {}, token)).toMatchObject({ code: 'notLoggedIn' })
    await beside.close()
    const late = await make({ days: 1 })
    const frozen = await make({ days: 30 })
    time.pass(dayMs + 1)
    expect(await world.wire('getMyAccountInfo', {}, late.token)).toMatchObject({ code: 'notLoggedIn' })
    const boss = await world.signIn('admin')
    for (const state of ['frozen', 'normal'] as const)
      await boss.call('changePeople', { userIds: [anna.userId], state })
    expect(await world.wire('getMyAccountInfo', {}, frozen.token)).toMatchObject({ code: 'notLoggedIn' })
    expect((await boss.call('getPrograms', {})).list.map(({ ended }) => ended)).toEqual([true, true])
  })

  test('takes the password some time after the sign-in, and is not made where the company says so', async () => {
    time.pass(11 * 60_000)
    const asked = { kind: 'personal', name: 'x', days: 1 } as const
    expect(await anna.refusal('createMyProgram', asked)).toBe('wrongPassword')
    await anna.call('createMyProgram', { ...asked, password: 'Test#2026' })
    expect(await anna.refusal('createMyProgram', { ...asked, days: 181, password: 'Test#2026' })).toBe('badRequest')
    await admin.call('setSafeStrategy', { personal_tokens: false })
    expect(await anna.refusal('createMyProgram', { ...asked, password: 'Test#2026' })).toBe('noPermission')
  })
})

describe('a service account', () => {
  const service = async (scopes: ('read' | 'write' | 'adminRead')[]) => {
    const { userId } = await admin.call('createServiceAccount', { account: 'svc-report', accountName: '报表程序' })
    return { userId, ...(await admin.call('createServiceProgram', { userId, name: 'daily', scopes, days: 30 })) }
  }

  test('gets tokens for its secret by the client credentials of OAuth, in the body or by Basic', async () => {
    const { clientId, clientSecret, userId } = await service(['write'])
    const byBody = await ask({ client_id: clientId, client_secret: clientSecret })
    expect(byBody).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 3600, scope: 'read write' })
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const { access_token: token = '' } = await ask({}, { authorization: `Basic ${basic}` })
    expect(await world.wire('getMyAccountInfo', {}, token)).toMatchObject({ data: { userId } })
    expect(await ask({ client_id: clientId, client_secret: `${clientSecret}x` })).toMatchObject({
      ...{ status: 401, error: 'invalid_client' },
    })
    expect(await ask({ client_id: clientId, client_secret: clientSecret, grant_type: 'password' })).toMatchObject({
      ...{ status: 400, error: 'unsupported_grant_type' },
    })
    // The secret itself is no token, and nobody signs in to the account.
    expect(await world.wire('getMyAccountInfo', {}, clientSecret)).toMatchObject({ code: 'notLoggedIn' })
    for (const password of ['', 'Test#2026'])
      expect(await world.wire('login3', { userName: 'svc-report', password, clientType: 6 })).toMatchObject({
        code: 'wrongPassword',
      })
  })

  test('that reads the administration changes nothing; revoked, its tokens end with it', async () => {
    const { userId } = await admin.call('createServiceAccount', { account: 'svc-audit', accountName: '审计程序' })
    await admin.call('setPowerHolders', { power: 'audit', userIds: [userId] })
    const both = { userId, name: 'x', scopes: ['write', 'adminRead'], days: 1 } as const
    expect(await admin.refusal('createServiceProgram', { ...both, scopes: [...both.scopes] })).toBe('badRequest')
    const client = await admin.call('createServiceProgram', { userId, name: 'x', scopes: ['adminRead'], days: 1 })
    const { access_token: token = '' } = await ask({ client_id: client.clientId, client_secret: client.clientSecret })
    expect(await world.wire('getLicence', {}, token)).toMatchObject({ code: 'success' })
    expect(await world.wire('verifyAudit', {}, token)).toMatchObject({ code: 'noPermission' })
    await admin.call('revokeProgram', { programId: client.programId })
    expect(await world.wire('getLicence', {}, token)).toMatchObject({ code: 'notLoggedIn' })
    expect(await ask({ client_id: client.clientId, client_secret: client.clientSecret })).toMatchObject({ status: 401 })
  })

  test('is made by the security administrator, for accounts of programs only', async () => {
    const asked = { userId: anna.userId, name: 'x', scopes: ['read' as const], days: 1 }
    expect(await admin.refusal('createServiceProgram', asked)).toBe('notFound')
    expect(await anna.refusal('createServiceProgram', asked)).toBe('noPermission')
    expect(
      tokenOf(await world.wire('login3', { userName: anna.account, password: 'Test#2026', clientType: 6 })),
    ).not.toBe('')
  })
})
