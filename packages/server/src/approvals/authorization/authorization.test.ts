// Requesting rights, deciding, and revoking. Also two other kinds that use the same engine.
import { isFrame } from '@cloudoc/contract'
import { ItemStatusBit, Right, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { remindDue } from '../review/feature.ts'

let clock = 0
const world = sharedWorld({ now: () => Date.now() + clock })
const { preview, download, edit } = rightsGroup
const hour = 3_600_000
const now = (): number => Date.now() + clock

/** Ben sees a file of Anna's library that Mara manages. */
async function scene() {
  const [anna, mara, ben] = [await world.person('anna'), await world.person('mara'), await world.person('ben')]
  await world.app.db
    .insertInto('library_manager')
    .values({ library_id: anna.library, account_id: mara.userId })
    .execute()
  const folderId = await anna.folder(anna.library, '项目')
  const fileId = await anna.upload(folderId, '合同.docx')
  await anna.shares({ folderId }, [{ to: ben, rights: preview }])
  return { anna, mara, ben, folderId, fileId }
}

const rightsOf = async (person: Person, fileId: number): Promise<number> =>
  (await person.call('getFileInfo', { fileId })).rights
const ask = async (person: Person, fileId: number, more: object = {}): Promise<number> =>
  (await person.call('authorizationApply', { fileId, right: Right.download, ...more })).authorizationId
const waits = async (person: Person): Promise<number> =>
  (await person.call('getCounters', {})).list.find(({ name }) => name === 'authorizationReview')?.count ?? -1
const told = async (person: Person): Promise<Record<string, unknown>[]> => {
  await world.app.settle()
  const { list } = await person.call('getNoticeList', { unread: true, rows: 200 })
  return list.map(({ message, pushType }) => ({ pushType, ...(JSON.parse(message) as object) }))
}

const replies = async (person: Person) => (await told(person)).filter(({ pushType }) => pushType === 36)

describe('[R217] a request for rights', () => {
  // [R033] Pending authorization reviews are counted, and the count is shown at the entry in the rail.
  // [R153] Whoever sees an item without GRANT requests rights from its menu and from a refusal, while the setting is
  // on.
  // [R217] Rights are requested with expiry and comments, approved as asked or changed, rejected, withdrawn, revoked;
  // granted rights end at the expiry.
  // [R218] A reply states the decision and opens the file or folder.
  // [R221] A request creates a notice with requester and item.
  // [R325] A request for rights is pushed to the reviewers.
  // [R326] The decision is pushed to the requester.
  test('[R033] [R153] [R217] [R218] [R221] [R325] [R326] goes to owner and managers, and is approved with other rights than asked', async () => {
    const { anna, mara, ben, fileId } = await scene()
    const { itemStatus } = await ben.call('getFileInfo', { fileId })
    expect(itemStatus & ItemStatusBit.applyAuthorization).not.toBe(0)
    const before = await ben.call('getAuthorizationReviewers', { fileId })
    expect(before.list.map(({ userId, why }) => [userId, why])).toEqual([
      [anna.userId, 'owner'],
      [mara.userId, 'manager'],
    ])
    const live = await mara.listen()
    const id = await ask(ben, fileId, { right: edit, comments: '要改第 4 条' })
    const frame = await live.next((one) => isFrame(one, 'authorizationApply'))
    expect(frame.data).not.toHaveProperty('reminder')
    expect(frame.data).toMatchObject({ authorizationId: id, userId: ben.userId, fId: fileId, fType: 1, right: edit })
    // The common fields of all pushes ([R341]).
    expect(frame.data).toMatchObject({ serverId: 0, fileId, folderId: 0, parentId: 0, operate: 11 })
    expect([await waits(anna), await waits(mara), await waits(ben)]).toEqual([1, 1, 0])
    expect((await ben.call('getAuthorizationCreationList', {})).list).toMatchObject([
      { authorizationId: id, state: 'pending' },
    ])
    expect((await mara.call('getAuthorizationReviewList', { state: 'open' })).total).toBe(1)

    const until = now() + 3 * hour
    await mara.call('authorizationApprove', { authorizationId: id, right: Right.download, deadline: until })
    expect((await rightsOf(ben, fileId)) & (Right.download | Right.modify)).toBe(Right.download)
    expect((await ben.download(fileId)).statusCode).toBe(200)
    expect(await replies(ben)).toMatchObject([{ pushType: 36, authorizationId: id, result: 1, fName: '合同.docx' }])
    expect([await waits(anna), await waits(mara)]).toEqual([0, 0])
    expect(await ben.call('getAuthorization', { authorizationId: id })).toMatchObject({
      state: 'approved',
      given: { deadline: until },
      handledBy: { userId: mara.userId },
    })
    // The list of rights names it.
    const { entries } = await anna.call('getShareList', { fileId })
    expect(entries).toMatchObject([
      { kind: 'inherited' },
      { kind: 'application', subjectId: ben.userId, expireTime: until, approvedBy: mara.account },
    ])
    const { steps } = await ben.call('getRightsReasons', { fileId })
    const approvals = steps.filter(({ kind }) => kind === 'application')
    expect(approvals).toMatchObject([{ step: 'entry', approvedBy: mara.account }])
    expect(Math.abs((approvals[0]?.approvedAt ?? 0) - now())).toBeLessThan(hour)
    expect(steps.filter(({ approvedBy }) => approvedBy !== undefined)).toEqual(approvals)

    clock += 3 * hour
    expect((await ben.download(fileId)).statusCode).toBe(403)
    expect(await ben.call('getAuthorization', { authorizationId: id })).toMatchObject({ state: 'over' })
    clock = 0
  })

  test('dies when the approval is revoked, at once, and who had it is told', async () => {
    const { mara, ben, fileId } = await scene()
    const id = await ask(ben, fileId)
    await mara.call('authorizationApprove', { authorizationId: id })
    expect((await ben.download(fileId)).statusCode).toBe(200)
    expect(await ben.refusal('revokeReview', { reviewId: id })).toBe('noPermission')
    await mara.call('revokeReview', { reviewId: id, comments: '项目结束' })
    expect((await ben.download(fileId)).statusCode).toBe(403)
    expect(await rightsOf(ben, fileId)).toBe(preview)
    expect((await told(ben)).map(({ pushType }) => pushType)).toContain(55)
    expect(await mara.refusal('revokeReview', { reviewId: id })).toBe('alreadyHandled')
    expect((await mara.call('getReviewWay', { reviewId: id })).notes.map(({ what }) => what)).toEqual([
      'asked',
      'approved',
      'revoked',
    ])
    // Both are in the history of the file, and are revoked only by the request.
    const history = await mara.call('getShareHistory', { fileId })
    expect(history.list.map(({ what, operatorName }) => [what, operatorName])).toEqual([
      ['revoke', mara.account],
      ['approve', mara.account],
    ])
    const changeId = history.list[1]?.changeId ?? 0
    expect(await mara.refusal('undoShareChange', { fileId, changeId })).toBe('badRequest')
  })

  // [R220] A second request is refused with -95, a second decision with -67.
  test('[R220] is one at a time (-95), decided once (-67), and may be asked again after a rejection', async () => {
    const { anna, mara, ben, fileId } = await scene()
    const id = await ask(ben, fileId)
    expect(await ben.refusal('authorizationApply', { fileId, right: edit })).toBe('duplicateRequest')
    await anna.call('authorizationReject', { authorizationId: id, comments: '用不着' })
    expect(await replies(ben)).toMatchObject([{ pushType: 36, result: 2 }])
    expect(await mara.refusal('authorizationApprove', { authorizationId: id })).toBe('alreadyHandled')
    expect(await rightsOf(ben, fileId)).toBe(preview)
    const again = await ask(ben, fileId)
    await ben.call('withdrawReview', { reviewId: again })
    expect(await mara.refusal('authorizationApprove', { authorizationId: again })).toBe('alreadyHandled')
    expect(await waits(mara)).toBe(0)
  })

  test('is decided once, however many decide at the same moment', async () => {
    const { anna, mara, ben, fileId } = await scene()
    const id = await ask(ben, fileId)
    const both = await Promise.all([anna, mara].map((one) => one.wire('authorizationApprove', { authorizationId: id })))
    expect(new Set(both.map(({ code }) => code))).toEqual(new Set(['alreadyHandled', 'success']))
    const { rows } = await sql`select 1 from entry where review_id = ${id}`.execute(world.app.db)
    expect(rows.length).toBe(1)
  })

  test('bad input has its code and changes nothing', async () => {
    const { anna, mara, ben, fileId } = await scene()
    const cara = await world.person('cara')
    const bad: [object, string][] = [
      [{ right: 0 }, 'badRequest'],
      [{ right: Right.deny | Right.download }, 'badRequest'],
      [{ right: Right.full }, 'badRequest'],
      [{ right: 4096 }, 'badRequest'],
      [{ right: preview }, 'badRequest'],
      [{ deadline: now() - 1 }, 'badRequest'],
      [{ handleBefore: now() - 1 }, 'badRequest'],
      [{ comments: 'x'.repeat(1001) }, 'badRequest'],
    ]
    for (const [more, code] of bad)
      expect(await ben.refusal('authorizationApply', { fileId, right: edit, ...more }), JSON.stringify(more)).toBe(code)
    expect(await cara.refusal('authorizationApply', { fileId, right: edit })).toBe('notFound')
    expect(await anna.refusal('authorizationApply', { fileId, right: edit })).toBe('noPermission')
    const id = await ask(ben, fileId)
    // A user who is not a reviewer does not know of the request; the requester does not decide.
    for (const call of ['authorizationApprove', 'authorizationReject'] as const) {
      expect(await cara.refusal(call, { authorizationId: id })).toBe('notFound')
      expect(await ben.refusal(call, { authorizationId: id })).toBe('noPermission')
    }
    expect(await cara.refusal('getReviewWay', { reviewId: id })).toBe('notFound')
    expect(await mara.refusal('authorizationApprove', { authorizationId: id, right: Right.deny })).toBe('badRequest')
    expect(await mara.refusal('authorizationApprove', { authorizationId: id, deadline: 1 })).toBe('badRequest')
    expect(await mara.call('getAuthorization', { authorizationId: id })).toMatchObject({ state: 'pending' })
  })

  // [R217] Unknown people, leavers, the requester and people who may not decide cannot receive a request by forwarding,
  // as added reviewers or as stand-ins; remarks have 1000 characters at most.
  test('[R217] handing on, adding and standing in name people who are here and may decide, remarks have 1000 characters at most: else nothing happens', async () => {
    const { anna, mara, ben, folderId, fileId } = await scene()
    const [dora, gone, iced] = [await world.person('dora'), await world.person('gone'), await world.person('iced')]
    await anna.shares(
      { folderId },
      [gone, iced, ben].map((to) => ({ to, rights: preview | (to === ben ? 0 : Right.grant) })),
    )
    const admin = await world.admin()
    await admin.call('setAccountState', { userId: gone.userId, state: 'disabled' })
    await admin.call('setAccountState', { userId: iced.userId, state: 'frozen' })
    const id = await ask(ben, fileId)
    const before = await mara.call('getReviewWay', { reviewId: id })
    const whom: [string, number, string, RegExp][] = [
      ['nobody', 987_654, 'notFound', /不存在或已离开/],
      ['who has left', gone.userId, 'notFound', /已离开/],
      ['who may not sign in', iced.userId, 'notFound', /已离开/],
      ['who asks', ben.userId, 'noPermission', /自己的申请/],
      ['who may not decide', dora.userId, 'noPermission', /无权审批/],
      ['who is asked', anna.userId, 'badRequest', /已在审批人中/],
      ['oneself', mara.userId, 'badRequest', /已在审批人中/],
    ]
    for (const name of ['handOnReview', 'addReviewer'] as const)
      for (const [what, userId, code, says] of whom) {
        const { code: got, msg } = await mara.wire(name, { reviewId: id, userId })
        expect([name, what, got]).toEqual([name, what, code])
        expect(msg).toMatch(says)
      }
    // A colleague is the stand-in from now on, and remains so after invalid attempts.
    await mara.call('setReviewStandIn', { userId: dora.userId })
    const standIns: [object, string][] = [
      [{ userId: 987_654 }, 'notFound'],
      [{ userId: gone.userId }, 'notFound'],
      [{ userId: iced.userId }, 'notFound'],
      [{ userId: mara.userId }, 'badRequest'],
      [{ userId: ben.userId, until: now() - 1 }, 'badRequest'],
      [{ userId: ben.userId, from: now() + 2 * hour, until: now() + hour }, 'badRequest'],
      [{ userId: -1 }, 'notFound'],
    ]
    for (const [input, code] of standIns)
      expect(await mara.refusal('setReviewStandIn', input as never), JSON.stringify(input)).toBe(code)
    expect((await mara.call('getReviewStandIn', {})).standIn?.userId).toBe(dora.userId)
    // The requester is no stand-in for their own request.
    await mara.call('setReviewStandIn', { userId: ben.userId })
    expect(await waits(ben)).toBe(0)
    expect(await ben.refusal('authorizationApprove', { authorizationId: id })).toBe('noPermission')
    await mara.call('setReviewStandIn', { userId: 0 })
    const comments = 'x'.repeat(1001)
    for (const refused of [
      mara.refusal('authorizationApprove', { authorizationId: id, comments }),
      mara.refusal('authorizationReject', { authorizationId: id, comments }),
      mara.refusal('handOnReview', { reviewId: id, userId: anna.userId, comments }),
      mara.refusal('addReviewer', { reviewId: id, userId: anna.userId, comments }),
      ben.refusal('withdrawReview', { reviewId: id, comments }),
      mara.refusal('revokeReview', { reviewId: id, comments }),
    ])
      expect(await refused).toBe('badRequest')
    expect(await mara.call('getReviewWay', { reviewId: id })).toEqual(before)
    await mara.call('authorizationApprove', { authorizationId: id, comments: 'x'.repeat(1000) })
  })

  // [R217] A person who has left decides no more requests, nor does their stand-in.
  test('[R217] who has left decides no more, and neither does who stood in for them', async () => {
    const { anna, mara, ben, fileId } = await scene()
    const emil = await world.person('emil')
    await mara.call('setReviewStandIn', { userId: emil.userId })
    const id = await ask(ben, fileId)
    expect(await waits(emil)).toBe(1)
    await (await world.admin()).call('setAccountState', { userId: mara.userId, state: 'disabled' })
    expect(await mara.refusal('authorizationApprove', { authorizationId: id })).toBe('notLoggedIn')
    expect(await waits(emil)).toBe(0)
    expect(await emil.refusal('authorizationApprove', { authorizationId: id })).toBe('notFound')
    expect(await rightsOf(ben, fileId)).toBe(preview)
    await anna.call('authorizationApprove', { authorizationId: id })
  })

  test('is handed on to who may grant, decided by who stands in, and asks who is left when its reviewers leave', async () => {
    const { anna, mara, ben, folderId, fileId } = await scene()
    const [dora, emil] = [await world.person('dora'), await world.person('emil')]
    const id = await ask(ben, fileId)
    expect(await mara.refusal('handOnReview', { reviewId: id, userId: dora.userId })).toBe('noPermission')
    expect(await mara.refusal('handOnReview', { reviewId: id, userId: ben.userId })).toBe('noPermission')
    await anna.shares({ folderId }, [
      { to: ben, rights: preview },
      { to: dora, rights: download | Right.grant },
    ])
    await mara.call('handOnReview', { reviewId: id, userId: dora.userId, comments: '你来看' })
    expect([await waits(mara), await waits(dora)]).toEqual([0, 1])
    // A reviewer cannot grant more than they hold.
    expect(await dora.refusal('authorizationApprove', { authorizationId: id, right: edit })).toBe('noPermission')
    await dora.call('setReviewStandIn', { userId: emil.userId })
    expect(await waits(emil)).toBe(1)
    const way = await ben.call('getReviewWay', { reviewId: id })
    expect(way.rounds[0]?.reviewers.find(({ userId }) => userId === dora.userId)).toMatchObject({
      why: 'handedOn',
      isWaiting: true,
      standIn: { userId: emil.userId },
    })
    await emil.call('authorizationApprove', { authorizationId: id, right: download })
    expect((await ben.download(fileId)).statusCode).toBe(200)
    expect((await ben.call('getAuthorization', { authorizationId: id })).handledBy?.userId).toBe(emil.userId)

    const other = await anna.upload(folderId, 'b.txt')
    const second = await ask(ben, other)
    const fred = await world.person('fred')
    await world.app.db
      .insertInto('library_manager')
      .values({ library_id: anna.library, account_id: fred.userId })
      .execute()
    const admin = await world.admin()
    for (const { userId } of [anna, mara]) await admin.call('setAccountState', { userId, state: 'frozen' })
    expect(await waits(fred)).toBe(1)
    await fred.call('authorizationApprove', { authorizationId: second })
  })

  test('[R217] is decided along at most three stand-ins, and a circle is refused by its names', async () => {
    const { mara, ben, fileId } = await scene()
    const [dora, emil, fred, gina] = [
      await world.person('dora'),
      await world.person('emil'),
      await world.person('fred'),
      await world.person('gina'),
    ]
    const set = async (who: Person, whom: Person, more: { from?: number; until?: number } = {}) => {
      const { code, msg } = await who.wire('setReviewStandIn', { userId: whom.userId, ...more })
      return [code, msg]
    }
    for (const [who, whom] of [
      [mara, dora],
      [dora, emil],
      [emil, fred],
    ] as const)
      expect((await set(who, whom))[0]).toBe('success')
    const id = await ask(ben, fileId)
    expect([await waits(dora), await waits(emil), await waits(fred), await waits(gina)]).toEqual([1, 1, 1, 0])
    const path = (people: readonly Person[]) => people.map(({ account }) => account).join(' → ')
    const circle = await set(fred, dora)
    expect(circle[0]).toBe('badRequest')
    expect(circle[1]).toContain(path([fred, dora, emil, fred]))
    const long = await set(fred, gina)
    expect(long[0]).toBe('badRequest')
    expect(long[1]).toContain(path([mara, dora, emil, fred, gina]))
    // Absences that do not meet are no circle.
    expect((await set(emil, fred, { until: Date.now() + 60 * 60_000 }))[0]).toBe('success')
    expect((await set(fred, dora, { from: Date.now() + 2 * 60 * 60_000 }))[0]).toBe('success')
    await fred.call('authorizationApprove', { authorizationId: id })
    expect((await ben.call('getAuthorization', { authorizationId: id })).handledBy?.userId).toBe(fred.userId)
  })

  test('[R233] a level leaves out who is below it, and an approval does not lift it', async () => {
    const { anna, mara, ben, fileId } = await scene()
    await sql`update item set secret_level = 1 where id = ${fileId}`.execute(world.app.db)
    expect(await ben.refusal('authorizationApply', { fileId, right: download })).toBe('levelWithoutApprover')
    await sql`update account set secret_level = 1 where id = ${mara.userId}`.execute(world.app.db)
    expect((await ben.call('getAuthorizationReviewers', { fileId })).list.map(({ userId }) => userId)).toEqual([
      mara.userId,
    ])
    const id = await ask(ben, fileId)
    expect(await anna.refusal('authorizationApprove', { authorizationId: id })).toBe('notFound')
    await mara.call('authorizationApprove', { authorizationId: id })
    expect((await ben.download(fileId)).statusCode).toBe(403)
    expect(await ben.refusal('createDownloadTicket', { fileIdArray: [fileId] })).toBe('secretLevel')
  })

  // [R217] Reviewers are reminded an hour before and at the deadline, and the requester is notified at the deadline
  // when nobody has decided.
  test('[R217] those whom it waits for are reminded before an answer is hoped for, and by who asked at most every two hours', async () => {
    const { mara, ben, fileId } = await scene()
    const id = await ask(ben, fileId, { handleBefore: now() + 4 * hour })
    expect(await ben.refusal('remindReview', { reviewId: id })).toBe('duplicateOperation')
    await mara.call('ignoreNotices', { all: true })
    clock += 3 * hour
    expect(await remindDue(world.app.services, now())).toBe(1)
    expect(await remindDue(world.app.services, now())).toBe(0)
    expect(await told(mara)).toMatchObject([{ pushType: 35, authorizationId: id, reminder: true }])
    expect(await replies(ben)).toEqual([])
    clock += hour
    // At that moment the requester is also notified that it is undecided; it remains open.
    expect(await remindDue(world.app.services, now())).toBe(1)
    expect(await replies(ben)).toMatchObject([{ authorizationId: id, result: 3 }])
    expect(await waits(mara)).toBe(1)
    clock += 2 * hour
    expect(await remindDue(world.app.services, now())).toBe(0)
    await ben.call('remindReview', { reviewId: id })
    expect((await ben.call('getReviewWay', { reviewId: id })).notes.map(({ what }) => what)).toEqual([
      'asked',
      'reminded',
      'reminded',
      'reminded',
    ])
    clock = 0
  })
})
