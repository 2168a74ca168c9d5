// The page of approvers: the rules of every kind, for whom requests wait, and stand-ins that an administrator sets.
import { Right } from '@cloudoc/domain'
import { beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

let world: World
let admin: Person
let anna: Person
let ben: Person
let carl: Person
beforeAll(async () => {
  world = await openWorld({ elected: false })
  admin = await world.admin()
  ;[anna, ben, carl] = [await world.person('anna'), await world.person('ben'), await world.person('carl')]
})

test('tells who decides by the rules of each kind', async () => {
  const round = { by: 'people' as const, ids: [ben.userId], needs: 'one' as const, fromLevel: 0 }
  await admin.call('setOperationRule', {
    ...{ name: '受控下载', operation: 'download', rounds: [round] },
    subjects: [{ subjectType: 'user', subjectId: anna.userId }],
  })
  await admin.call('setSensitiveReviewers', {
    reviewers: [{ subjectType: 'user', subjectId: carl.userId }],
  })
  const { rules } = await admin.call('getApprovers', {})
  expect(rules).toEqual(
    expect.arrayContaining([
      { kind: 'rights', name: '', by: 'managers', people: [], roles: [] },
      {
        ...{ kind: 'operations', name: '受控下载', by: 'people', roles: [] },
        people: [{ userId: ben.userId, accountName: 'ben' }],
      },
      { kind: 'sensitive', name: '', by: 'people', people: [{ userId: carl.userId, accountName: 'carl' }], roles: [] },
    ]),
  )
  expect(await anna.refusal('getApprovers', {})).toBe('noPermission')
})

test('tells for whom requests wait; somebody’s stand-in that an administrator sets may decide them', async () => {
  const fileId = await anna.upload(anna.library, 'x.txt')
  await anna.shares({ fileId }, [{ to: ben, rights: 2 }])
  await ben.call('authorizationApply', { fileId, right: Right.download })
  const mine = async () =>
    (await admin.call('getApprovers', {})).list.find(({ userId }) => userId === anna.userId) ?? { waiting: 0 }
  expect(await mine()).toMatchObject({ waiting: 1, standIn: null })
  expect(await anna.refusal('setStandInOf', { userId: anna.userId, standInId: carl.userId })).toBe('noPermission')
  expect(await admin.refusal('setStandInOf', { userId: anna.userId, standInId: anna.userId })).toBe('badRequest')
  await admin.call('setStandInOf', { userId: anna.userId, standInId: carl.userId })
  expect(await mine()).toMatchObject({ standIn: { userId: carl.userId, accountName: 'carl', until: null } })
  expect(await anna.call('getReviewStandIn', {})).toMatchObject({ standIn: { userId: carl.userId } })
  expect((await carl.call('getAuthorizationReviewList', {})).list).toHaveLength(1)
  await admin.call('setStandInOf', { userId: anna.userId, standInId: 0 })
  expect(await mine()).toMatchObject({ standIn: null })
  expect((await carl.call('getAuthorizationReviewList', {})).list).toEqual([])
})
