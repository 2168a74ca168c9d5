// Administration of links: policies, approvals and ending links.

import { isFrame, type PushPayload, pushes } from '@cloudoc/contract'
import { codes, ItemStatusBit, LinkStatus, linkRights, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { up as linkApplicationsOfBefore } from '../../../migrations/0083-link-applications.ts'
import { up as linkApplicationsTold } from '../../../migrations/0090-link-applications-told.ts'
import { openWorld, type Person, wireOf } from '../../../test/harness.ts'
import { hour, linkWorld } from '../../../test/links.ts'
import { policyOf } from './policy.ts'

const { world, clock, now, open, enter, ask, wire, stateOf, scene, make } = linkWorld()
const { preview, download } = linkRights

describe('[R222] [R231] what administrators say of links', () => {
  // [R231] Link policies by person, role and department are enforced by the server, also on existing links.
  test('[R222] [R231] a policy binds who makes them, and those that are there', async () => {
    const { anna, fileId, folderId } = await scene()
    const [admin, mallory] = [await world.admin(), await world.person('mallory')]
    const { externalId, linkToken } = await make(anna, { folderId }, { password: 'abcd', endTime: now() + 48 * hour })
    const pass = await enter(linkToken, { password: 'abcd' })
    const policy = (said: object) =>
      admin.call('setLinkPolicy', { subjectType: 'user', subjectId: anna.userId, ...said })
    const { policyId } = await policy({
      mayDownload: false,
      needsPassword: true,
      longestDays: 1,
      domains: ['A.example'],
    })
    const said = await anna.call('getLinkPolicy', { fileId })
    expect(said).toMatchObject({ mayDownload: false, needsPassword: true, longestDays: 1, reviewers: [] })
    // Existing links grant less from now on.
    expect((await ask('visitDownload', { linkToken, fileId }, pass)).statusCode).not.toBe(206)
    expect((await wire('visitDownload', { linkToken, fileId }, pass)).code).toBe('linkCopyProtected')
    expect(await anna.call('getExternalInfo', { externalId })).toMatchObject({ rights: preview, reason: 'active' })
    clock.forward(25 * hour)
    expect((await wire('visitList', { linkToken, folderId }, pass)).code).toBe('linkExpired')
    clock.reset()
    // Links beyond the policy cannot be created.
    const refused = (more: object) =>
      anna.refusal('externalCreate', { fileId, rights: preview, endTime: now() + hour, password: 'abcd', ...more })
    expect(await refused({ rights: preview | download })).toBe('noPermission')
    expect(await refused({ password: '' })).toBe('badRequest')
    expect(await refused({ endTime: now() + 25 * hour })).toBe('badRequest')
    await anna.call('externalModify', { externalId, note: '只改备注' })
    expect(await anna.refusal('externalModify', { externalId, password: '' })).toBe('badRequest')
    expect(await anna.refusal('externalModify', { externalId, rights: preview | download })).toBe('noPermission')
    await policy({ mayCreate: false })
    expect(await refused({})).toBe('noPermission')
    const { list } = await admin.call('getLinkPolicies', {})
    expect(list.filter(({ subjectId }) => subjectId === anna.userId)).toMatchObject([
      { subjectType: 'user', subjectName: anna.account, mayCreate: false, domains: [] },
    ])
    expect(await mallory.refusal('getLinkPolicies', {})).toBe('noPermission')
    expect(await admin.refusal('removeLinkPolicy', { policyId })).toBe('notFound')
    for (const one of list.filter(({ subjectId }) => subjectId === anna.userId))
      await admin.call('removeLinkPolicy', { policyId: one.policyId })
    await make(anna, { fileId })
  })

  test('what is said of the person counts before their roles, those before the nearest department, that before all', () => {
    const row = (id: number, whom: object, said: object = {}) => ({
      ...{ id, account_id: null, group_id: null, role_id: null, depth: 0, mayCreate: true, defaultDays: id },
      ...{ longestDays: 0, needsPassword: false, mayDownload: true, needsApproval: false, approvers: [] },
      domains: undefined as string[] | undefined,
      ...whom,
      ...said,
    })
    const [all, far, near] = [row(1, {}), row(2, { group_id: 2, depth: 1 }), row(3, { group_id: 3, depth: 2 })]
    const [role, other] = [row(4, { role_id: 4 }, { longestDays: 9 }), row(5, { role_id: 5 }, { mayDownload: false })]
    const own = row(6, { account_id: 6 })
    const of = (...rows: ReturnType<typeof row>[]) =>
      policyOf(rows, { subjects: { userId: 6, groupIds: new Set([2, 3]), roleIds: new Set([4, 5]) } })
    expect(of().mayCreate).toBe(true)
    expect(of(all).defaultDays).toBe(1)
    expect(of(all, near, far).defaultDays).toBe(3)
    expect(of(all, near, role, other)).toMatchObject({ defaultDays: 4, longestDays: 9, mayDownload: false })
    // The intersection of two roles' domains may be empty, which is different from all domains.
    const mails = (...lists: (string[] | undefined)[]) =>
      of(...lists.map((domains) => row(4, { role_id: 4 }, { domains }))).domains
    expect(mails(['a.cn', 'b.cn'], undefined, ['b.cn', 'c.cn'])).toEqual(['b.cn'])
    expect(mails(['a.cn'], ['b.cn'])).toEqual([])
    expect(mails(['a.cn'], ['b.cn'], undefined)).toEqual([])
    expect(mails(undefined, undefined)).toBeUndefined()
    expect(of(all, near, role, own).defaultDays).toBe(6)
    expect(of(row(7, { account_id: 7 }), all).defaultDays).toBe(1)
  })

  // [R231] Bit 256 is set for an item and all below it by its managers; then no link of it is created, and those that
  // exist do not open meanwhile.
  // [R133] Bits 1, 2 and 256: an item says whether links of it may be created.
  test('[R231] [R133] an item can be closed to links: none is created by any call, those that exist rest', async () => {
    const { anna, fileId, folderId } = await scene()
    const ben = await world.person('ben')
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.full }])
    const bit = async (who: Person) =>
      (await who.call('getFileInfo', { fileId })).itemStatus & ItemStatusBit.externalLinkCreationDisabled
    const made = await make(ben, { fileId })
    const create = (who: Person) => who.wire('externalCreate', { fileId, rights: preview, endTime: now() + hour })
    for (const where of [{ fileIdArray: [fileId] }, { folderIdArray: [folderId] }]) {
      expect(await ben.refusal('setExternalLinkDisabled', { ...where, disabled: true })).toBe('noPermission')
      await anna.call('setExternalLinkDisabled', { ...where, disabled: true })
      expect([await bit(anna), await bit(ben)]).toEqual([256, 256])
      for (const who of [anna, ben]) expect((await create(who)).code).toBe('noPermission')
      expect((await ben.call('getExternalInfo', { externalId: made.externalId })).status).toBe(LinkStatus.failed)
      expect(wireOf(await open(made.linkToken)).code).toBe('notFound')
      await anna.call('setExternalLinkDisabled', { ...where, disabled: false })
      expect([await bit(anna), await bit(ben)]).toEqual([0, 0])
      expect((await ben.call('getExternalInfo', { externalId: made.externalId })).status).toBe(LinkStatus.active)
    }
    expect((await create(ben)).code).toBe('success')
  })

  // [R225] 4 while a link awaits approval, 5 after a rejection or revocation.
  // [R231] Where links need approval, a link waits in status 4, opens once approved, goes to 5 when rejected, and ends
  // with its approval.
  // [R253] Applications for links have operateType 2, and the other fields of push 57 as those for downloads.
  // [R334] Push 57 tells reviewers and requesters of links, for each application once, with its current state.
  test('[R225] [R231] [R253] [R334] a link that needs an approval opens once it is approved, and not longer', async () => {
    const { anna, fileId } = await scene()
    const [admin, boss, ben] = [await world.admin(), await world.person('boss'), await world.person('ben')]
    await admin.call('setLinkPolicy', {
      ...{ subjectType: 'user', subjectId: anna.userId, needsApproval: true, userIdArray: [boss.userId] },
    })
    expect((await anna.call('getLinkPolicy', { fileId })).reviewers).toMatchObject([{ userId: boss.userId }])
    const { externalId, linkToken } = await make(anna, { fileId }, { comments: '给客户', rights: preview })
    const state = async () => (await anna.call('getExternalInfo', { externalId })).status
    expect([await state(), await stateOf(linkToken)]).toEqual([LinkStatus.underApproval, 'approval'])
    expect(wireOf(await open(linkToken)).code).toBe('noPermission')
    expect((await anna.call('getLinkCreationList', { state: 'approval' })).total).toBe(1)
    const [asked] = (await boss.call('getApplyList', { operateType: 2, side: 'review', state: 'open' })).list
    expect(asked).toMatchObject({ externalId, comments: '给客户', isAwaited: true })
    const reviewId = asked?.applicationId ?? 0
    const detail = await boss.call('getApplyDetail', { applicationId: reviewId })
    expect(detail).toMatchObject({ link: { rights: preview }, items: [{ fId: 0 }] })
    expect((await boss.call('getCounters', {})).list).toContainEqual({ name: 'linkReview', count: 1 })
    // A pending link cannot be widened; only its approvers decide, and not by the calls for rights.
    expect(await anna.refusal('externalModify', { externalId, rights: preview | download })).toBe('duplicateRequest')
    expect(await ben.refusal('applyApprove', { applicationId: reviewId })).toBe('notFound')
    expect(await anna.refusal('applyApprove', { applicationId: reviewId })).toBe('noPermission')
    expect(await boss.refusal('authorizationApprove', { authorizationId: reviewId })).toBe('notFound')
    await anna.call('withdrawReview', { reviewId })
    expect((await anna.call('getExternalInfo', { externalId })).reason).toBe('unasked')
    const again = await anna.call('linkApply', { externalId, comments: '再申请' })
    await boss.call('applyReject', { applicationId: again.reviewId, comment: '不行' })
    expect(await state()).toBe(LinkStatus.refused)
    const third = await anna.call('linkApply', { externalId })
    await boss.call('applyApprove', { applicationId: third.reviewId })
    expect(await state()).toBe(LinkStatus.active)
    const pass = await enter(linkToken)
    expect((await wire('visitPreview', { linkToken, fileId }, pass)).status).toBe(200)
    expect(await anna.refusal('linkApply', { externalId })).toBe('duplicateOperation')
    await boss.call('revokeReview', { reviewId: third.reviewId })
    expect((await wire('visitPreview', { linkToken, fileId }, pass)).code).toBe('notFound')
    expect((await anna.call('getExternalInfo', { externalId })).reason).toBe('revoked')
    // A change beyond the approved rights is requested again.
    const fourth = await anna.call('linkApply', { externalId })
    await boss.call('applyApprove', { applicationId: fourth.reviewId })
    await anna.call('externalModify', { externalId, rights: preview | download })
    expect(await state()).toBe(LinkStatus.underApproval)
    // From then on a named recipient finds it in their list [R229].
    const named = await make(anna, { fileId }, { rights: preview, userIdArray: [ben.userId] })
    expect((await ben.call('getLinkSharedList', {})).list).toEqual([])
    const [waiting] = (await boss.call('getApplyList', { operateType: 2, side: 'review', state: 'open' })).list.filter(
      (one) => one.externalId === named.externalId,
    )
    await boss.call('applyApprove', { applicationId: waiting?.applicationId ?? 0 })
    expect((await ben.call('getLinkSharedList', {})).list).toMatchObject([{ externalId: named.externalId }])
    // A cancelled link is no longer up for decision.
    const waits = async (of: number) =>
      (await boss.call('getApplyList', { operateType: 2, side: 'review', state: 'open' })).list.some(
        (one) => one.externalId === of,
      )
    expect(await waits(externalId)).toBe(true)
    await anna.call('cancelExternal', { externalId })
    expect(await waits(externalId)).toBe(false)
    const other = await make(anna, { fileId }, { rights: preview })
    expect(await waits(other.externalId)).toBe(true)
    await admin.call('cancelLinks', { externalIdArray: [other.externalId] })
    expect(await waits(other.externalId)).toBe(false)
    // Both get one notice per request with its current state; nobody else does.
    await world.app.settle()
    const told = async (person: Person) => {
      const { groups } = await person.call('getNotices', {})
      const list = groups.find((one) => one.group === 'operationApply')?.list ?? []
      return list.map(({ message }) => JSON.parse(message) as PushPayload<'operateApplication'>)
    }
    const title = (await anna.call('getFileInfo', { fileId })).fName
    const common = { operateType: 2, applicationTitle: title, applicationTitleType: 1, itemCount: 1, externalId }
    const answers = (await told(anna)).filter((one) => one.externalId === externalId)
    expect(answers.toReversed()).toMatchObject([
      { ...common, applicationId: again.reviewId, nodeState: 4, handlerUserName: boss.account, answer: '不行' },
      { ...common, applicationId: third.reviewId, nodeState: 8, reason: 'revoked', handlerUserName: boss.account },
      { ...common, applicationId: fourth.reviewId, nodeState: 2, handlerUserName: boss.account, answer: '' },
    ])
    expect((await told(boss)).at(-1)).toMatchObject({ ...common, applicationId: reviewId, nodeState: 1, fId: fileId })
    expect(await told(ben)).toEqual([])
  })

  test('what an older build told of requests is told as it is told now, of each request the newest', async () => {
    const [anna, { db }] = [await world.person('anna'), world.app]
    const old = { serverId: 0, externalId: 4, userId: anna.userId, userName: 'anna', fType: 1, fName: '报价.xlsx' }
    const put = async (remindId: number, type: 150 | 151, more: object): Promise<void> => {
      const payload = JSON.stringify({ ...old, fId: 5, createTime: 1, ...more })
      const group = type === 150 ? 'permissionApply' : 'authorization'
      await sql`insert into notice (account_id, remind_id, notice_group, key, push_type, payload, created_at)
        values (${anna.userId}, ${remindId}, ${group}, ${`link ${remindId}`}, ${type}, ${payload}, ${Date.now()})`.execute(
        db,
      )
      await sql`insert into personal_push (account_id, position, push_type, payload, created_at)
        values (${anna.userId}, ${remindId}, ${type}, ${payload}, 1)`.execute(db)
    }
    await put(1, 150, { reviewId: 3 })
    await put(2, 151, { reviewId: 3, approved: false, answer: '不行', handleTime: 2 })
    await put(3, 150, { reviewId: 6 })
    await linkApplicationsOfBefore(db as never)
    const { groups } = await anna.call('getNotices', {})
    expect(groups).toMatchObject([{ group: 'operationApply', total: 2 }])
    const told = groups[0]?.list.map(({ message }) => pushes.operateApplication.payload.parse(JSON.parse(message)))
    expect(told).toMatchObject([
      { applicationId: 6, nodeState: 1, answer: '' },
      { applicationId: 3, nodeState: 4, answer: '不行', applicationTitle: '报价.xlsx', externalId: 4 },
    ])
    const live = await anna.listen()
    await live.next((frame) => isFrame(frame, 'operateApplication') && frame.data.applicationId === 6)
  })

  test('what an older build had not told yet of requests, as it broke off, is told as it is told now', async () => {
    const world = await openWorld({ elected: false })
    const [anna, { db }] = [await world.person('anna'), world.app]
    await world.app.settle()
    const data = {
      ...{ serverId: 0, externalId: 4, userId: anna.userId, userName: 'anna', fType: 1, fId: 5, fName: '报价.xlsx' },
      createTime: 1,
    }
    const wait = (pushType: 150 | 151, group: string, more: object) => {
      const notice = { group, key: 'link 3', merge: 'later', itemType: null, itemId: null }
      const told = { kind: 'personal', accountIds: [anna.userId], pushType, data: { ...data, ...more }, notice }
      return sql`insert into event (kind, payload, created_at)
        values ('personal', ${JSON.stringify(told)}, ${Date.now()})`.execute(db)
    }
    const notices = async () => (await anna.call('getNotices', {})).groups
    await wait(150, 'permissionApply', { reviewId: 3 })
    await linkApplicationsTold(db as never)
    await world.app.settle()
    const [asked] = await notices()
    expect(asked).toMatchObject({ group: 'operationApply', total: 1 })
    // The next notice already has its position: it appears beside the one that it replaces.
    await wait(151, 'authorization', { reviewId: 3, approved: true, answer: '好', handleTime: 2 })
    await world.app.settle()
    expect(await notices()).toHaveLength(2)
    await linkApplicationsTold(db as never)
    const after = await notices()
    expect(after).toMatchObject([{ group: 'operationApply', total: 1 }])
    const read = after[0]?.list.map(({ message }) => pushes.operateApplication.payload.parse(JSON.parse(message)))
    expect(read).toMatchObject([{ applicationId: 3, nodeState: 2, answer: '好', applicationTitle: '报价.xlsx' }])
    const live = await anna.listen()
    const types = () => live.frames.map(({ pushType }) => pushType).filter((type) => type !== 18)
    await expect.poll(types).toEqual([57, 57])
  })

  test('all links that are open are listed by risk, and ended together; who made them is told', async () => {
    const { anna, fileId, folderId } = await scene()
    const [admin, ben] = [await world.admin(), await world.person('ben')]
    const risky = await make(anna, { fileId }, { endTime: now() + 200 * 24 * hour })
    const calm = await make(anna, { folderId }, { password: 'abcd' })
    const { list, total, counts } = await admin.call('getAllLinks', { keyword: anna.account })
    expect(list.map(({ externalId, risks }) => [externalId, risks])).toEqual([
      [risky.externalId, ['noPassword', 'long']],
      [calm.externalId, []],
    ])
    expect(total).toBe(2)
    expect(counts.noPassword).toBeGreaterThan(0)
    expect(JSON.stringify(list)).not.toContain(risky.linkToken)
    expect((await admin.call('getAllLinks', { keyword: anna.account, risk: 'any' })).total).toBe(1)
    for (const call of ['getAllLinks', 'cancelLinks'] as const)
      expect(await ben.refusal(call, { externalIdArray: [risky.externalId] })).toBe('noPermission')
    const ids = [risky.externalId, 987_654_321]
    const ended = await admin.call('cancelLinks', { externalIdArray: ids, comments: '没有密码' })
    expect(ended.list.map(({ result }) => result)).toEqual([codes.success.code, codes.notFound.code])
    expect(await stateOf(risky.linkToken)).toBe('gone')
    expect((await anna.call('getFileInfo', { fileId })).itemStatus & 3).toBe(0)
    expect((await admin.call('getAllLinks', { keyword: anna.account })).total).toBe(1)
    await expect.poll(async () => JSON.stringify((await anna.call('getNotices', {})).groups)).toContain('ended')
  })
})
