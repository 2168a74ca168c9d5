// Signing for a role, and in the place of somebody else.
import fc from 'fast-check'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type Person, password, sharedWorld } from '../../../test/harness.ts'
import { contract } from '../../../test/signing.ts'

const world = sharedWorld()
let admin: Person

beforeAll(async () => {
  admin = await world.admin()
  await admin.call('createSignAuthority', { name: '青云科技' })
})

type Asked = { readonly userId: number } | { readonly roleId: number }

async function launched(
  launcher: Person,
  singerList: readonly Asked[],
  more: { order?: boolean; handOn?: boolean } = {},
) {
  const folderId = await launcher.folder(launcher.library, `签署 ${Math.random()}`)
  const fileId = await launcher.upload(folderId, '合同.pdf', await contract())
  const asked = { fileId, archiveFolderId: folderId, title: '采购合同', order: true, ...more }
  return launcher.wire('launchSign', { ...asked, singerList: [...singerList] })
}
const launchedId = async (...of: Parameters<typeof launched>): Promise<number> =>
  ((await launched(...of)).data as { activityId: number }).activityId

async function roleOf(...people: readonly Person[]): Promise<number> {
  const { roleId } = await admin.call('createRole', { roleName: `法务 ${Math.random()}` })
  for (const { userId } of people) await admin.call('changePeople', { userIds: [userId], addRoleId: roleId })
  return roleId
}

const waiting = async (person: Person): Promise<number> => (await person.call('getSignCount', {})).review
const listed = async (person: Person): Promise<number[]> =>
  (await person.call('getSignReviewList', {})).list.map(({ activityId }) => activityId)

async function notices(person: Person): Promise<number> {
  await world.app.settle()
  return (await person.call('getNoticeList', { group: 'fileSign', unread: true, rows: 100 })).list.length
}

describe('a role signs', () => {
  // [R275] A role is asked as a signer: each of its holders sees it when it is due, the first who signs signs for it under
  // their own name and certificate, and it waits for none of the others any more.
  test('[R275] whoever of its holders signs first signs for it', { timeout: 120_000 }, async () => {
    const [anna, ben, cara, dora] = [
      ...[await world.person('a'), await world.person('b')],
      ...[await world.person('c'), await world.person('d')],
    ] as [Person, Person, Person, Person]
    const roleId = await roleOf(ben, cara)
    const activityId = await launchedId(anna, [{ userId: dora.userId }, { roleId }])
    expect([await waiting(ben), await notices(ben)]).toEqual([0, 0])
    expect(await ben.refusal('getSignDetail', { activityId })).toBe('notFound')
    await dora.call('sign', { activityId, revision: 0, password })
    expect([await waiting(ben), await waiting(cara), await waiting(anna)]).toEqual([1, 1, 0])
    expect([await notices(ben), await notices(cara)]).toEqual([1, 1])
    expect(await listed(ben)).toEqual([activityId])
    const { signsFor, may, fields } = await ben.call('getSignDetail', { activityId })
    expect([signsFor.startsWith('法务'), may.sign, may.handOn, fields.length]).toEqual([true, true, false, 1])
    await ben.call('lockSign', { activityId })
    expect(await cara.refusal('sign', { activityId, revision: 1, password })).toBe('fileLocked')
    await ben.call('sign', { activityId, revision: 1, password })
    expect([await waiting(cara), await notices(cara)]).toEqual([0, 0])
    expect(await cara.refusal('getSignDetail', { activityId })).toBe('notFound')
    expect(await listed(ben)).toEqual([activityId])
    const { signers } = await anna.call('getSignDetail', { activityId })
    expect(signers.map(({ isRole, actedBy, state }) => [isRole, actedBy?.userId ?? 0, state])).toEqual([
      [false, 0, 'signed'],
      [true, ben.userId, 'signed'],
    ])
    const { list } = await anna.call('checkSign', { activityId })
    expect(list.map(({ subject }) => subject)).toEqual([dora.account, ben.account])
  })

  test('a role that nobody could sign for is refused at the launch, by its name', async () => {
    const [anna, ben] = [await world.person('a'), await world.person('b')]
    const none = await launched(anna, [{ roleId: await roleOf() }])
    expect(none.code).toBe('badRequest')
    expect(none.msg).toMatch(/角色“法务 .*还没有成员。请换一个角色、直接选人，或请管理员给角色添加成员/)
    const roleId = await roleOf(ben)
    const refused = await launched(anna, [{ userId: ben.userId }, { roleId }])
    expect(refused.code).toBe('badRequest')
    expect(refused.msg).toMatch(/角色“法务 .*里没有密级足够、又不是签署人的人/)
    expect((await launched(anna, [{ roleId: 987_654_321 }])).code).toBe('notFound')
    expect((await launched(anna, [{ roleId }])).code).toBe('success')
  })

  test('who loses the role between opening and signing does not sign', async () => {
    const [anna, ben, cara] = [await world.person('a'), await world.person('b'), await world.person('c')]
    const roleId = await roleOf(ben, cara)
    const activityId = await launchedId(anna, [{ roleId }])
    await ben.call('lockSign', { activityId })
    await admin.call('setRoleMembers', { roleId, userIds: [cara.userId], groupIds: [], titles: [] })
    expect(await ben.refusal('sign', { activityId, revision: 0, password })).toBe('notFound')
  })
})

describe('stand-ins', () => {
  // [R275] Who stands in for a signer signs in their place under the own name, and the course says for whom.
  test('[R275] a stand-in signs in the place of a signer, once', { timeout: 120_000 }, async () => {
    const [anna, ben, cara] = [await world.person('a'), await world.person('b'), await world.person('c')]
    await ben.call('setReviewStandIn', { userId: cara.userId })
    const activityId = await launchedId(anna, [{ userId: ben.userId }])
    expect([await notices(ben), await notices(cara)]).toEqual([1, 1])
    const { signsFor, signers } = await cara.call('getSignDetail', { activityId })
    expect([signsFor, signers[0]?.standIn?.userId]).toEqual([ben.account, cara.userId])
    expect(await cara.refusal('handOnSign', { activityId, userId: anna.userId })).toBe('noPermission')
    await cara.call('sign', { activityId, revision: 0, password })
    expect(await notices(ben)).toBe(0)
    expect(await ben.refusal('sign', { activityId, revision: 1, password })).toBe('alreadyHandled')
    expect((await ben.call('getSignDetail', { activityId })).signers[0]?.actedBy?.userId).toBe(cara.userId)
    expect((await anna.call('checkSign', { activityId })).list.map(({ subject }) => subject)).toEqual([cara.account])
  })

  test('a signer of the process stands in for no other one, and nobody signs for two', async () => {
    const [anna, ben, cara] = [await world.person('a'), await world.person('b'), await world.person('c')]
    await ben.call('setReviewStandIn', { userId: cara.userId })
    const activityId = await launchedId(anna, [{ userId: ben.userId }, { userId: cara.userId }], { order: false })
    await cara.call('sign', { activityId, revision: 0, password })
    expect(await cara.refusal('sign', { activityId, revision: 1, password })).toBe('alreadyHandled')
    expect((await anna.call('getSignDetail', { activityId })).signers.map(({ state }) => state)).toEqual([
      'now',
      'signed',
    ])
  })

  test('a launch that forbids handing on', async () => {
    const [anna, ben, cara] = [await world.person('a'), await world.person('b'), await world.person('c')]
    const activityId = await launchedId(anna, [{ userId: ben.userId }], { handOn: false })
    expect((await ben.call('getSignDetail', { activityId })).may).toMatchObject({ sign: true, handOn: false })
    expect(await ben.refusal('handOnSign', { activityId, userId: cara.userId })).toBe('noPermission')
  })
})

describe('whoever acts, in whatever order', () => {
  test('nobody signs out of turn, twice, or what they have not seen', { timeout: 120_000 }, async () => {
    const [anna, ben, cara, dora] = [
      ...[await world.person('a'), await world.person('b')],
      ...[await world.person('c'), await world.person('d')],
    ] as [Person, Person, Person, Person]
    const people = [anna, ben, cara, dora]
    const roleId = await roleOf(cara, dora)
    await ben.call('setReviewStandIn', { userId: dora.userId })
    const tries = fc.array(fc.record({ who: fc.nat(3), isStale: fc.boolean() }), { minLength: 3, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(tries, async (list) => {
        const activityId = await launchedId(anna, [{ userId: ben.userId }, { roleId }])
        const signed: number[] = []
        for (const { who, isStale } of list) {
          const { revision } = await anna.call('getSignDetail', { activityId })
          const seen = isStale ? revision - 1 : revision
          const turn = [[1, 3], [2, 3], []][signed.length] ?? []
          const may = turn.includes(who) && !signed.includes(who) && !isStale
          const { code } = await (people[who] as Person).wire('sign', {
            ...{ activityId, revision: Math.max(0, seen), password },
          })
          // Before the first signature no older revision exists.
          const isMeant = may || (isStale && revision === 0 && turn.includes(who) && !signed.includes(who))
          expect(code === 'success', JSON.stringify({ who, isStale, signed })).toBe(isMeant)
          if (isMeant) signed.push(who)
        }
        const { list: found } = await anna.call('checkSign', { activityId })
        expect(found.map(({ subject }) => subject)).toEqual(signed.map((who) => people[who]?.account))
      }),
      { numRuns: inject('full') ? 15 : 2 },
    )
  })
})
