// What a rule for operations does: whom it binds, who reviews and in which order, what approves itself, and the deadline.
import { ApplyState, LinkStatus, rightsGroup } from '@cloudoc/domain'
import { afterEach, expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { remindDue } from '../review/feature.ts'

let clock = 0
const now = (): number => Date.now() + clock
const world = sharedWorld({ now })
const hour = 3_600_000
const { edit } = rightsGroup
afterEach(() => {
  clock = 0
})

/** Ben may edit a folder of Anna's library; Cleo and Dora are not asked unless a rule names them. */
async function scene() {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const [cleo, dora] = [await world.person('cleo'), await world.person('dora')]
  const folderId = await anna.folder(anna.library, '项目')
  const fileId = await anna.upload(folderId, '合同.txt', 'x')
  await anna.shares({ folderId }, [{ to: ben, rights: edit }])
  return { anna, ben, cleo, dora, folderId, fileId }
}

interface Round {
  by: 'people' | 'role' | 'managers' | 'owner'
  ids: number[]
  needs: 'one' | 'all'
  fromLevel: number
}
const by = (people: readonly Person[], more: Partial<Round> = {}): Round => ({
  ...{ by: 'people', ids: people.map(({ userId }) => userId), needs: 'one', fromLevel: 0 },
  ...more,
})
/** Sets a rule for the downloads of one person. */
async function rule(person: Person, folderId: number, rounds: Round[], more: object = {}): Promise<number> {
  const admin = await world.admin()
  const { ruleId } = await admin.call('setOperationRule', {
    ...{ name: '受控', operation: 'download', itemIds: [folderId], rounds },
    ...{ subjects: [{ subjectType: 'user', subjectId: person.userId }], ...more },
  })
  return ruleId
}
const apply = async (person: Person, fileId: number, more: object = {}): Promise<number> =>
  (await person.call('applyDownload', { comment: '现场签约', fileIdArray: [fileId], ...more })).applicationId
const stateOf = async (person: Person, applicationId: number) =>
  (await person.call('getApplyDetail', { applicationId })).nodeState
const waitsFor = async (person: Person, applicationId: number): Promise<number[]> =>
  (await person.call('getApplyDetail', { applicationId })).waitsFor.map(({ userId }) => userId)
const mayTake = async (person: Person, fileId: number): Promise<boolean> =>
  (await person.download(fileId)).statusCode === 200
const idsOf = (...people: readonly Person[]): number[] => people.map(({ userId }) => userId)
const pushesOf = async (person: Person, applicationId: number) => {
  await world.app.settle()
  const { list } = await person.call('getNoticeList', { unread: true, rows: 200 })
  return list
    .map(({ message }) => JSON.parse(message) as { applicationId?: number })
    .filter((one) => one.applicationId === applicationId)
}

// [R251] Rules say who must apply and where, with exceptions.
test('[R251] a rule binds those whom it names, in its folders, except those whom it exempts and while it is active', async () => {
  const { anna, ben, cleo, folderId, fileId } = await scene()
  const beside = await anna.upload(await anna.folder(anna.library, '旁边'), '旁边.txt', 'x')
  await anna.shares({ folderId }, [
    { to: ben, rights: edit },
    { to: cleo, rights: edit },
  ])
  await anna.shares({ fileId: beside }, [{ to: ben, rights: edit }])
  const admin = await world.admin()
  const { roleId } = await admin.call('createRole', { roleName: `外勤 ${folderId}` })
  await admin.call('setRoleMembers', { roleId, userIds: idsOf(ben, cleo), groupIds: [], titles: [] })
  const subjects = [
    { subjectType: 'role', subjectId: roleId },
    { subjectType: 'user', subjectId: cleo.userId, isExempt: true },
  ]
  const ruleId = await rule(ben, folderId, [by([anna])], { subjects })
  const taken = async () => [await mayTake(ben, fileId), await mayTake(cleo, fileId), await mayTake(ben, beside)]
  expect(await taken()).toEqual([false, true, true])
  expect(await cleo.refusal('applyDownload', { comment: 'x', fileIdArray: [fileId] })).toBe('noPermission')
  await rule(ben, folderId, [by([anna])], { subjects, ruleId, isActive: false })
  expect(await taken()).toEqual([true, true, true])
  await rule(ben, folderId, [by([anna])], { subjects, ruleId })
  await admin.call('setRoleMembers', { roleId, userIds: idsOf(cleo), groupIds: [], titles: [] })
  expect(await taken()).toEqual([true, true, true])
  await admin.call('removeOperationRule', { ruleId })
})

// [R251] A rule approves applications by itself up to a number of files and a level, in the own department.
test('[R251] up to n files of at most a level, in the own department, are approved by themselves', async () => {
  const admin = await world.admin()
  const [own, other] = [await world.group('研发'), await world.group('市场')]
  const ben = await world.person('ben', { groupId: own.groupId, secretLevel: 2 })
  const cleo = await world.person('cleo', { secretLevel: 2 })
  const chief = await world.person('chief', { secretLevel: 3 })
  const made = async (library: number, name: string): Promise<number[]> => {
    await admin.shares({ folderId: library }, [
      { to: ben, rights: edit },
      { to: chief, rights: rightsGroup.full },
    ])
    const folderId = await admin.folder(library, name)
    return [folderId, await admin.upload(folderId, '一.txt', '1'), await admin.upload(folderId, '二.txt', '2')]
  }
  const [folderId = 0, first = 0, second = 0] = await made(own.library, '图纸')
  const [elsewhere = 0, foreign = 0] = await made(other.library, '海报')
  const more = { itemIds: [folderId, elsewhere], autoFiles: 1, autoLevel: 1 }
  const ruleId = await rule(ben, folderId, [by([cleo])], more)
  const applied = async (fileIdArray: number[], folderIdArray: number[] = []) => {
    const { isAutomatic } = await ben.call('getApplyTerms', { operateType: 1, fileIdArray, folderIdArray })
    const asked = { comment: 'x', fileIdArray, folderIdArray }
    const { applicationId, nodeState } = await ben.call('applyDownload', asked)
    expect([isAutomatic, await stateOf(ben, applicationId)]).toEqual([nodeState === ApplyState.approved, nodeState])
    await ben.call('applyRevoke', { applicationId })
    return isAutomatic
  }
  expect(await mayTake(ben, first)).toBe(false)
  expect(await applied([first])).toBe(true)
  expect(await mayTake(ben, first)).toBe(false)
  expect(await applied([first, second])).toBe(false)
  // A folder counts with the files in it.
  expect(await applied([], [folderId])).toBe(false)
  expect(await applied([foreign])).toBe(false)
  await rule(ben, folderId, [by([cleo])], { ...more, ruleId, autoOwnDepartment: false })
  expect(await applied([foreign])).toBe(true)
  await rule(ben, folderId, [by([cleo])], { ...more, ruleId, autoFiles: 2 })
  expect(await applied([first, second])).toBe(true)
  expect(await applied([], [folderId])).toBe(true)
  const setLevel = (secretLevel: number) => chief.call('setSecretLevel', { fileIdArray: [second], secretLevel })
  await setLevel(1)
  expect(await applied([second])).toBe(true)
  await setLevel(2)
  expect(await applied([second])).toBe(false)
  expect(await applied([], [folderId])).toBe(false)
  // From a level on, a further round takes place.
  await rule(ben, folderId, [by([cleo]), by([chief], { fromLevel: 2 })], { ...more, ruleId })
  const roundsOf = async (fileId: number) =>
    (await ben.call('getApplyTerms', { operateType: 1, fileIdArray: [fileId] })).rounds.map(({ reviewers }) =>
      reviewers.map(({ userId }) => userId),
    )
  expect([await roundsOf(first), await roundsOf(second)]).toEqual([[idsOf(cleo)], [idsOf(cleo), idsOf(chief)]])
  // What approved itself is a counted grant like any other, and names nobody who decided.
  const applicationId = await apply(ben, first)
  expect(await ben.call('getApplyDetail', { applicationId })).toMatchObject({
    ...{ nodeState: ApplyState.approved, handlerUserName: '', handledBy: null, count: 1 },
  })
  expect([await mayTake(ben, first), await mayTake(ben, first)]).toEqual([true, false])
  await admin.call('removeOperationRule', { ruleId })
})

// [R251] Reviewers are asked round by round, one or all of a round, more of them from a secret level on.
test('[R251] rounds are asked one after the other, one of a round or all, from a level on', async () => {
  const { anna, ben, cleo, dora, folderId, fileId } = await scene()
  const admin = await world.admin()
  const rounds = [by([cleo]), by([anna, dora], { needs: 'all' }), by([cleo], { fromLevel: 2 })]
  const ruleId = await rule(ben, folderId, rounds)
  const terms = await ben.call('getApplyTerms', { operateType: 1, fileIdArray: [fileId] })
  expect(terms.rounds.map(({ needed, reviewers }) => [needed, reviewers.map(({ userId }) => userId)])).toEqual([
    [1, idsOf(cleo)],
    [2, idsOf(anna, dora)],
  ])
  const applicationId = await apply(ben, fileId, { count: 3 })
  expect(await waitsFor(ben, applicationId)).toEqual(idsOf(cleo))
  expect(await anna.refusal('applyApprove', { applicationId })).toBe('noPermission')
  await cleo.call('applyApprove', { applicationId, count: 2 })
  expect(await cleo.refusal('applyApprove', { applicationId })).toBe('noPermission')
  expect([await waitsFor(ben, applicationId), await mayTake(ben, fileId)]).toEqual([idsOf(anna, dora), false])
  // A later round can lower what an earlier one gives, not raise it.
  expect(await dora.refusal('applyApprove', { applicationId, count: 3 })).toBe('badRequest')
  await dora.call('applyApprove', { applicationId })
  expect([await stateOf(ben, applicationId), await mayTake(ben, fileId)]).toEqual([ApplyState.pending, false])
  await anna.call('applyApprove', { applicationId })
  expect(await stateOf(ben, applicationId)).toBe(ApplyState.approved)
  expect([await mayTake(ben, fileId), await mayTake(ben, fileId), await mayTake(ben, fileId)]).toEqual([
    true,
    true,
    false,
  ])
  await ben.call('applyRevoke', { applicationId })
  // One rejection of those who all have to approve rejects.
  const second = await apply(ben, fileId)
  await cleo.call('applyApprove', { applicationId: second })
  await anna.call('applyReject', { applicationId: second, comment: '不行' })
  expect([await stateOf(ben, second), await waitsFor(ben, second)]).toEqual([ApplyState.rejected, []])
  expect(await dora.refusal('applyApprove', { applicationId: second })).toBe('alreadyHandled')
  await admin.call('removeOperationRule', { ruleId })
})

// [R251] The applicant chooses among the reviewers of the first round where the rule permits it.
test('[R251] the reviewers of a rule can be chosen among only where it says so', async () => {
  const { anna, ben, cleo, dora, folderId, fileId } = await scene()
  const admin = await world.admin()
  const ruleId = await rule(ben, folderId, [by([cleo, dora])], { mayChoose: false })
  const asked = { comment: 'x', fileIdArray: [fileId] }
  expect((await ben.call('getApplyTerms', { operateType: 1, fileIdArray: [fileId] })).mayChoose).toBe(false)
  expect(await ben.refusal('applyDownload', { ...asked, verifierIdArray: idsOf(cleo) })).toBe('noPermission')
  const all = await apply(ben, fileId, { verifierIdArray: idsOf(cleo, dora) })
  expect(await waitsFor(ben, all)).toEqual(idsOf(cleo, dora))
  await ben.call('applyRevoke', { applicationId: all })
  await rule(ben, folderId, [by([cleo, dora])], { ruleId })
  expect(await ben.refusal('applyDownload', { ...asked, verifierIdArray: idsOf(anna) })).toBe('notFound')
  const one = await apply(ben, fileId, { verifierIdArray: idsOf(dora) })
  expect(await waitsFor(ben, one)).toEqual(idsOf(dora))
  expect(await cleo.refusal('applyApprove', { applicationId: one })).toBe('notFound')
  await dora.call('applyApprove', { applicationId: one })
  expect(await mayTake(ben, fileId)).toBe(true)
  await admin.call('removeOperationRule', { ruleId })
})

// [R251] Stand-ins decide while a reviewer is away.
test('[R251] a stand-in decides while the reviewer is away, also for a reviewer whose own stand-in is away; never about their own', async () => {
  const { ben, cleo, dora, folderId, fileId } = await scene()
  const eve = await world.person('eve')
  const admin = await world.admin()
  const ruleId = await rule(ben, folderId, [by([cleo])])
  await cleo.call('setReviewStandIn', { userId: dora.userId, until: now() + hour })
  const first = await apply(ben, fileId)
  expect((await dora.call('getApplyList', { operateType: 1, side: 'review', state: 'open' })).total).toBe(1)
  await dora.call('applyApprove', { applicationId: first })
  expect(await ben.call('getApplyDetail', { applicationId: first })).toMatchObject({ handlerUserName: dora.account })
  await ben.call('applyRevoke', { applicationId: first })
  await dora.call('setReviewStandIn', { userId: eve.userId, until: now() + hour })
  const second = await apply(ben, fileId)
  await eve.call('applyReject', { applicationId: second, comment: '不行' })
  expect(await stateOf(ben, second)).toBe(ApplyState.rejected)
  // The applicant stands in for the reviewer.
  await dora.call('setReviewStandIn', { userId: ben.userId, until: now() + hour })
  const third = await apply(ben, fileId)
  expect(await ben.refusal('applyApprove', { applicationId: third })).toBe('noPermission')
  clock += hour + 1
  expect(await dora.refusal('applyApprove', { applicationId: third })).toBe('notFound')
  await cleo.call('applyApprove', { applicationId: third })
  await admin.call('removeOperationRule', { ruleId })
})

// A stand-in whose secret level does not suffice for the item is not asked, and the request does not exist for them.
test('[R251] a stand-in of too low a secret level is neither told of an application, nor shown it, nor counted', async () => {
  const admin = await world.admin()
  const [anna, ben] = [await world.person('anna', { secretLevel: 3 }), await world.person('ben', { secretLevel: 3 })]
  const [cleo, high] = [await world.person('cleo', { secretLevel: 3 }), await world.person('high', { secretLevel: 3 })]
  const low = await world.person('low', { secretLevel: 1 })
  const folderId = await anna.folder(anna.library, '项目')
  await anna.shares({ folderId }, [{ to: ben, rights: edit }])
  const fileId = await anna.upload(folderId, '机密.txt', 'x')
  const setLevel = (secretLevel: number) => anna.call('setSecretLevel', { fileIdArray: [fileId], secretLevel })
  await setLevel(2)
  const ruleId = await rule(ben, folderId, [by([cleo])])
  await cleo.call('setReviewStandIn', { userId: low.userId, until: now() + hour })
  const secret = await apply(ben, fileId)
  const open = await apply(ben, await anna.upload(folderId, '公开.txt', 'x'))
  const listed = async (person: Person): Promise<number[]> =>
    (await person.call('getApplyList', { operateType: 1, side: 'review', state: 'open' })).list.map(
      ({ applicationId }) => applicationId,
    )
  expect([await listed(low), (await low.call('getApplyCount', {})).downloadReview]).toEqual([[open], 1])
  expect([(await pushesOf(low, secret)).length, (await pushesOf(low, open)).length]).toEqual([0, 1])
  for (const call of ['getApplyDetail', 'applyApprove'] as const)
    expect(await low.refusal(call, { applicationId: secret })).toBe('notFound')
  await low.call('applyApprove', { applicationId: open })
  // The stand-in of the stand-in may know it.
  await low.call('setReviewStandIn', { userId: high.userId, until: now() + hour })
  expect(await listed(high)).toEqual([secret])
  // A level that has ended hides nothing.
  await setLevel(0)
  expect(await listed(low)).toEqual([secret])
  await high.call('applyApprove', { applicationId: secret })
  expect(await mayTake(ben, fileId)).toBe(true)
  await admin.call('removeOperationRule', { ruleId })
})

test('[R251] the applicant is not asked, even by their role; a reviewer who is frozen is replaced; a removed rule decides nothing', async () => {
  const { anna, ben, cleo, folderId, fileId } = await scene()
  const admin = await world.admin()
  const { roleId } = await admin.call('createRole', { roleName: `审批 ${folderId}` })
  await admin.call('setRoleMembers', { roleId, userIds: idsOf(ben, cleo), groupIds: [], titles: [] })
  const ruleId = await rule(ben, folderId, [by([], { by: 'role', ids: [roleId] })])
  const applicationId = await apply(ben, fileId)
  expect(await waitsFor(ben, applicationId)).toEqual(idsOf(cleo))
  expect(await ben.refusal('applyApprove', { applicationId })).toBe('noPermission')
  await admin.call('removeOperationRule', { ruleId })
  expect(await waitsFor(ben, applicationId)).toEqual(idsOf(cleo))
  await admin.call('setAccountState', { userId: cleo.userId, state: 'frozen' })
  expect(await waitsFor(ben, applicationId)).toContain(anna.userId)
  // Meanwhile Ben downloads by right, so the approval counts nothing.
  await anna.call('applyApprove', { applicationId })
  expect([await mayTake(ben, fileId), await mayTake(ben, fileId)]).toEqual([true, true])
  expect((await ben.call('getApplyDetail', { applicationId })).items).toMatchObject([{ used: 0 }])
})

// [R251] At its deadline an application waits on, is rejected, or goes to the managers, as its rule says.
test('[R251] [R253] at the deadline a rule lets the application wait, rejects it, or asks the managers: once, on two processes', async () => {
  const { anna, ben, cleo, folderId, fileId } = await scene()
  const admin = await world.admin()
  const other = await openWorld({ peer: world, deaf: true, elected: false, now })
  const due = async (): Promise<number> => {
    const done = await Promise.all([world, other].map(({ app }) => remindDue(app.services, now())))
    return done.reduce((sum, n) => sum + n, 0)
  }
  const ruleId = await rule(ben, folderId, [by([cleo])], { hours: 2, atDeadline: 'wait' })
  const set = (atDeadline: string) => rule(ben, folderId, [by([cleo])], { ruleId, hours: 2, atDeadline })

  const waiting = await apply(ben, fileId)
  clock += hour + 1000
  expect([await due(), await due()]).toEqual([1, 0])
  expect(await pushesOf(cleo, waiting)).toMatchObject([{ reminder: true }])
  clock += hour
  expect([await due(), await due()]).toEqual([1, 0])
  expect([await stateOf(ben, waiting), await waitsFor(ben, waiting)]).toEqual([ApplyState.pending, idsOf(cleo)])
  expect(await pushesOf(ben, waiting)).toMatchObject([{ late: true, nodeState: ApplyState.pending }])
  await cleo.call('applyApprove', { applicationId: waiting })
  await ben.call('applyRevoke', { applicationId: waiting })

  await set('reject')
  const rejected = await apply(ben, fileId)
  clock += 2 * hour + 1000
  expect([await due(), await due()]).toEqual([1, 0])
  expect(await ben.call('getApplyDetail', { applicationId: rejected })).toMatchObject({
    ...{ nodeState: ApplyState.rejected, handlerUserName: '', handledBy: null, waitsFor: [] },
    items: [{ result: 'rejected' }],
  })
  expect(await pushesOf(ben, rejected)).toMatchObject([{ nodeState: ApplyState.rejected }])
  expect(await cleo.refusal('applyApprove', { applicationId: rejected })).toBe('alreadyHandled')

  await set('managers')
  const passed = await apply(ben, fileId)
  expect(await anna.refusal('getApplyDetail', { applicationId: passed })).toBe('notFound')
  clock += 2 * hour + 1000
  expect([await due(), await due()]).toEqual([1, 0])
  expect((await waitsFor(ben, passed)).toSorted((a, b) => a - b)).toEqual(idsOf(anna, cleo).toSorted((a, b) => a - b))
  expect(await pushesOf(ben, passed)).toMatchObject([{ late: true }])
  await anna.call('applyApprove', { applicationId: passed })
  expect([await stateOf(ben, passed), await mayTake(ben, fileId)]).toEqual([ApplyState.approved, true])
  await admin.call('removeOperationRule', { ruleId })

  // The link of an application that was rejected by its deadline does not open.
  const linkRule = await rule(ben, folderId, [by([cleo])], { operation: 'link', hours: 2, atDeadline: 'reject' })
  const { list } = await ben.call('applyLink', { fileIdArray: [fileId], comment: '给客户' })
  const [{ externalId, applicationId } = { externalId: 0, applicationId: 0 }] = list
  clock += 2 * hour + 1000
  expect([await due(), await due()]).toEqual([1, 0])
  expect(await ben.call('getExternalInfo', { externalId })).toMatchObject({
    ...{ status: LinkStatus.refused, applicationId },
  })
  await admin.call('removeOperationRule', { ruleId: linkRule })
})

test('[R251] a rule without people, with unknown ids or without reviewers is refused and stored nowhere', async () => {
  const { anna, ben, folderId, fileId } = await scene()
  const admin = await world.admin()
  const before = (await admin.call('getOperationRules', {})).list
  const good = { name: '规则', operation: 'download' as const, itemIds: [folderId], rounds: [by([anna])] }
  const subjects = [{ subjectType: 'user' as const, subjectId: ben.userId }]
  const unknown = 987_654_321
  const refusals = [
    [{ subjects: [{ subjectType: 'user', subjectId: unknown }] }, 'notFound'],
    [{ subjects: [{ subjectType: 'user', subjectId: ben.userId, isExempt: true }] }, 'badRequest'],
    [{ itemIds: [unknown] }, 'notFound'],
    [{ itemIds: [fileId] }, 'badRequest'],
    [{ rounds: [by([])] }, 'folderWithoutApprover'],
    [{ rounds: [by([anna]), by([], { fromLevel: 2 })] }, 'levelWithoutApprover'],
    [{ rounds: [by([], { ids: [unknown] })] }, 'notFound'],
    [{ ruleId: unknown }, 'notFound'],
    [{ name: '' }, 'badRequest'],
  ] as const
  for (const [changed, code] of refusals)
    expect([changed, await admin.refusal('setOperationRule', { ...good, subjects, ...changed } as never)]).toEqual([
      changed,
      code,
    ])
  expect(await anna.refusal('setOperationRule', { ...good, subjects })).toBe('noPermission')
  expect((await admin.call('getOperationRules', {})).list).toEqual(before)
})
