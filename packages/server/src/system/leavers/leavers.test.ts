// A user leaves: what the preview showed happens, item by item.
import { Right, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { watchRows } from '../../../test/changes-of-rows.ts'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { feature } from '../../core/feature.ts'
import { allFeatures } from '../../installation.ts'

const world = sharedWorld()
let admin: Person
beforeAll(async () => {
  admin = await world.admin()
})

test('what is shown before somebody leaves is what happens then: files, libraries, rights, departments, requests', async () => {
  const anna = await world.person('anna', { secretLevel: 2 })
  const ben = await world.person('ben')
  const carl = await world.person('carl')
  const folderId = await anna.folder(anna.library, '客户')
  const plain = await anna.upload(folderId, '报价.txt', 'v1')
  const secret = await anna.upload(folderId, '底价.txt')
  await anna.call('setSecretLevel', { fileIdArray: [secret], secretLevel: 2 })
  await anna.shares({ folderId }, [{ to: carl, rights: rightsGroup.preview }])
  // Shares to her in another user's library: one for her alone, one that both have, one that denies.
  const [alone, both, denied] = [
    await carl.folder(carl.library, '只给她'),
    await carl.folder(carl.library, '两人都有'),
    await carl.folder(carl.library, '不给她'),
  ]
  await carl.shares({ folderId: alone }, [{ to: anna, rights: rightsGroup.edit }])
  await carl.shares({ folderId: both }, [
    { to: anna, rights: rightsGroup.download },
    { to: ben, rights: rightsGroup.preview },
  ])
  await carl.shares({ folderId: denied }, [{ to: anna, rights: Right.deny }])
  const { libraryId } = await admin.call('createLibrary', {
    name: `项目${anna.userId}`,
    kind: 'project',
    managerIds: [anna.userId],
  })
  const { groupId } = await world.group(`渠道${anna.userId}`)
  await admin.call('setGroupManagers', { groupId, userIds: [anna.userId] })
  const { roleId } = await admin.call('createRole', { roleName: `投标${anna.userId}` })
  await admin.call('changePeople', { userIds: [anna.userId], addRoleId: roleId })
  // Two requests wait for her: one is his own, on which he does not decide himself.
  await anna.shares({ fileId: plain }, [{ to: ben, rights: rightsGroup.preview }])
  const hers = await carl.call('authorizationApply', { fileId: plain, right: Right.download })
  const his = await ben.call('authorizationApply', { fileId: plain, right: Right.download })

  const names = { userId: anna.userId, successorId: ben.userId }
  const plan = await admin.call('getHandover', names)
  const short = (parts: typeof plan.parts) =>
    Object.fromEntries(
      parts.map(({ kind, items }) => [
        kind,
        items.map(({ name, outcome, why }) => [name, outcome, why].join(' ').trim()),
      ]),
    )
  const wanted = {
    files: ['底价.txt waits level', '客户 passes'],
    libraries: [`渠道${anna.userId} passes`, `项目${anna.userId} passes`].sort(),
    rights: ['不给她 ends denied', '两人都有 merges', '只给她 passes'],
    departments: [`渠道${anna.userId} passes`],
    roles: [`投标${anna.userId} ends`],
    reviews: ['报价.txt waits ownRequest', '报价.txt passes'],
  }
  const shown = short(plan.parts)
  expect({ ...shown, libraries: shown['libraries']?.sort(), rights: shown['rights']?.sort() }).toEqual({
    ...wanted,
    rights: [...wanted.rights].sort(),
  })
  expect(plan.parts.find(({ kind }) => kind === 'files')).toMatchObject({ count: 3 })
  expect(plan.sessions).toBe(1)

  const done = await admin.call('handOver', { ...names, seen: plan.seen })
  expect(done).toEqual({ ...plan, done: true })
  // The files are his, unchanged, with their permissions.
  expect((await ben.call('getFileInfo', { fileId: plain })).fName).toBe('报价.txt')
  expect((await ben.download(plain)).statusCode).toBe(200)
  expect((await ben.download(secret)).statusCode).not.toBe(200)
  expect((await carl.call('getFolderInfo', { folderId })).fName).toBe('客户')
  const roots = (await ben.call('getRootFolderSetting', {})).list.map(({ fName, kind }) => `${kind} ${fName}`)
  expect(roots).toEqual(
    expect.arrayContaining([
      `project ${anna.account} 移交`,
      `project 项目${anna.userId}`,
      `department 渠道${anna.userId}`,
    ]),
  )
  expect((await ben.call('getFolderInfo', { folderId: alone })).fName).toBe('只给她')
  const { entries } = await carl.call('getShareList', { folderId: both })
  expect(entries).toMatchObject([{ subjectId: ben.userId, rights: rightsGroup.download }])
  expect((await carl.call('getShareList', { folderId: denied })).entries).toEqual([])
  expect((await admin.call('getDepartment', { groupId })).managers.map(({ userId }) => userId)).toEqual([ben.userId])
  expect((await admin.call('getRole', { roleId })).users).toEqual([])
  await ben.call('authorizationApprove', { authorizationId: hers.authorizationId, right: Right.download })
  expect(
    await ben.refusal('authorizationApprove', { authorizationId: his.authorizationId, right: Right.download }),
  ).toBe('noPermission')
  // She is signed out, and owns nothing but an empty library.
  expect((await anna.wire('getMyAccountInfo', {})).code).toBe('notLoggedIn')
  expect(await admin.call('getPerson', { userId: anna.userId })).toMatchObject({ state: 'frozen', sessions: [] })
  const rest = await admin.call('getHandover', names)
  expect(rest.parts.map(({ kind }) => kind)).toEqual(['reviews'])
  expect(libraryId).toBeGreaterThan(0)
})

test('nothing is done where the list is not the one that was seen, or where one of the two does not fit', async () => {
  const [dora, eva, frank] = [await world.person('dora'), await world.person('eva'), await world.person('frank')]
  await dora.folder(dora.library, '甲')
  const names = { userId: dora.userId, successorId: eva.userId }
  const { seen } = await admin.call('getHandover', names)
  await dora.folder(dora.library, '乙')
  const changes = await watchRows(world.app.db)
  await changes()
  const late = await admin.call('handOver', { ...names, seen })
  expect(late).toMatchObject({ done: false, parts: [{ kind: 'files', count: 2 }] })
  // The stale preview changed nothing.
  expect((await changes()).filter((one) => !/^(audit|event)/.test(one))).toEqual([])
  expect(await admin.refusal('getHandover', { ...names, successorId: dora.userId })).toBe('badRequest')
  expect(await admin.refusal('getHandover', { ...names, userId: admin.userId })).toBe('ownAccount')
  await admin.call('setAccountState', { userId: frank.userId, state: 'frozen' })
  expect(await admin.refusal('handOver', { ...names, successorId: frank.userId, seen })).toBe('badRequest')
  await admin.call('setPowerHolders', { power: 'audit', userIds: [dora.userId] })
  expect(await admin.refusal('handOver', { ...names, seen: late.seen })).toBe('adminAccount')
  await admin.call('setPowerHolders', { power: 'audit', userIds: [] })
  expect(await admin.call('handOver', { ...names, seen: late.seen })).toMatchObject({ done: true })
})

test('what a table says that passes is handed over, though no feature speaks for it', async () => {
  const own = await openWorld({
    elected: false,
    features: [
      ...allFeatures,
      feature({
        tables: { seat: { backup: 'kept', accounts: { keeper_id: 'passes' } } } as object,
        migrations: {
          '9001-seat': {
            up: (db) =>
              sql
                .raw('create table seat (room bigint, keeper_id bigint, primary key (room, keeper_id))')
                .execute(db)
                .then(() => undefined),
          },
        },
      }),
    ],
  })
  const boss = await own.admin()
  const [gone, next] = [await own.person('gone'), await own.person('next')]
  await sql`insert into seat values (1, ${gone.userId}), (2, ${gone.userId}), (2, ${next.userId})`.execute(own.app.db)
  const names = { userId: gone.userId, successorId: next.userId }
  const plan = await boss.call('getHandover', names)
  expect(plan.parts).toMatchObject([{ kind: 'seat.keeper_id', count: 2, passes: 1, merges: 1 }])
  expect(await boss.call('handOver', { ...names, seen: plan.seen })).toMatchObject({ done: true })
  const { rows } = await sql<{ room: number; keeper_id: number }>`select * from seat order by room`.execute(own.app.db)
  expect(rows).toEqual([
    { room: 1, keeper_id: next.userId },
    { room: 2, keeper_id: next.userId },
  ])
})
