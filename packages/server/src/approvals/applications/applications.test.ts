// Applications for downloads: counted grants, revocation, and every way of downloading ([R251]-[R254]).
import { join } from 'node:path'
import { isFrame } from '@cloudoc/contract'
import { ApplyState, ApplyType, codes, LinkStatus, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Fault, failStatements } from '../../../test/faults.ts'
import { openWorld, type Person, sharedWorld, storeOf, type World } from '../../../test/harness.ts'
import { ServerProcess } from '../../../test/server-process.ts'
import { kindsOf } from '../review/index.ts'
import { followStandIns } from '../review/stand-ins.ts'
import { applications, endExpired } from './feature.ts'

let clock = 0
const world = sharedWorld({ now: () => Date.now() + clock })
const { preview, edit } = rightsGroup
const script = join(import.meta.dirname, '../../../test/stopping-server.ts')
const day = 24 * 60 * 60_000

/** Ben may look at a folder of Anna's library, but not download from it. */
async function scene(at: World = world) {
  const [anna, ben] = [await at.person('anna'), await at.person('ben')]
  const folderId = await anna.folder(anna.library, '项目')
  const fileId = await anna.upload(folderId, '合同.txt', 'x'.repeat(1000))
  await anna.shares({ folderId }, [{ to: ben, rights: preview }])
  return { anna, ben, folderId, fileId }
}

interface Asked {
  fileIdArray?: number[]
  folderIdArray?: number[]
  count?: number
  validDays?: number
  hasVersionLimit?: boolean
  comment?: string
}
const apply = async (person: Person, asked: Asked): Promise<number> =>
  (await person.call('applyDownload', { comment: '现场签约', ...asked })).applicationId

const get = (person: Person, url: string, headers: Record<string, string> = {}) =>
  person.world.app.http.inject({
    method: 'GET',
    url,
    headers: { authorization: `Bearer ${person.token}`, ...headers },
  })

const usedBy = async (person: Person, applicationId: number): Promise<number[]> =>
  (await person.call('getApplyDetail', { applicationId })).items.map(({ used }) => used)

/** The consistency checks of the feature that find something. */
async function broken(at: World = world): Promise<string[]> {
  const found = []
  for (const { says, broken: query } of applications.checks ?? [])
    if ((await sql`${query}`.execute(at.app.db)).rows.length > 0) found.push(says)
  return found
}

/** Every way in which content leaves: how many bytes of the file each gets. */
const ways: Readonly<Record<string, (person: Person, fileId: number, folderId: number) => Promise<number>>> = {
  file: async (person, fileId) => bytesOf(await person.download(fileId)),
  range: async (person, fileId) =>
    bytesOf(await get(person, `/DownloadServlet?fileId=${fileId}`, { range: 'bytes=0-999' })),
  version: async (person, fileId) => bytesOf(await person.download(fileId, { version: '1' })),
  ticket: async (person, fileId) => {
    const wire = await person.wire('createDownloadTicket', { fileIdArray: [fileId] })
    if (wire.code !== 'success') return 0
    const { ticket } = wire.data as { ticket: string }
    return bytesOf(
      await person.world.app.http.inject(
        `/DownloadServlet?fileId=${fileId}&access_token=${encodeURIComponent(ticket)}`,
      ),
    )
  },
  zip: async (person, fileId) => bytesOf(await get(person, `/DownloadMultiFile?files=fi_${fileId}`)),
  folder: async (person, _fileId, folderId) => bytesOf(await get(person, `/DownloadMultiFile?files=fo_${folderId}`)),
}

/** The bytes of the file in an answer; a zip stores it uncompressed, beside the x of its name. */
function bytesOf({ rawPayload, statusCode }: { rawPayload: Buffer; statusCode: number }): number {
  return statusCode < 300 ? (rawPayload.toString('latin1').match(/x{3,}/g)?.join('').length ?? 0) : 0
}

const wayNames = Object.keys(ways)

test('[R251] no way gives anything before the approval, after its end, or by a right alone where a rule applies', async () => {
  const { anna, ben, folderId, fileId } = await scene()
  const nothing = async (): Promise<void> => {
    for (const name of wayNames) expect([name, await ways[name]?.(ben, fileId, folderId)]).toEqual([name, 0])
  }
  await nothing()
  const pending = await apply(ben, { fileIdArray: [fileId], folderIdArray: [folderId], count: 3 })
  await nothing()
  await anna.call('applyReject', { applicationId: pending, comment: '不行' })
  await nothing()
  const revoked = await apply(ben, { fileIdArray: [fileId], count: 3 })
  await anna.call('applyApprove', { applicationId: revoked })
  await anna.call('applyRevoke', { applicationId: revoked })
  await nothing()
  const ended = await apply(ben, { fileIdArray: [fileId], count: 3, validDays: 1 })
  await anna.call('applyApprove', { applicationId: ended })
  clock += day + 1
  await nothing()
  clock = 0
  await anna.call('applyRevoke', { applicationId: ended })
  // Whoever holds the right needs an application where a rule says so.
  await anna.shares({ folderId }, [{ to: ben, rights: edit }])
  for (const name of wayNames) expect([name, await ways[name]?.(ben, fileId, folderId)]).toEqual([name, 1000])
  const admin = await world.admin()
  const { ruleId } = await admin.call('setOperationRule', {
    ...{ name: '受控下载', operation: 'download', itemIds: [folderId] },
    subjects: [{ subjectType: 'user', subjectId: ben.userId }],
    rounds: [{ by: 'people', ids: [anna.userId], needs: 'one', fromLevel: 0 }],
  })
  await nothing()
  const own = await ben.folder(ben.library, '带走')
  for (const items of [{ fileIdArray: [fileId] }, { folderIdArray: [folderId] }])
    expect(await ben.refusal('fileOrFolderCopy', { targetFolderId: own, ...items })).toBe('noPermission')
  const bound = await apply(ben, { fileIdArray: [fileId], count: 1 })
  await anna.call('applyApprove', { applicationId: bound })
  expect(await ways['file']?.(ben, fileId, folderId)).toBe(1000)
  await nothing()
  await admin.call('removeOperationRule', { ruleId })
  expect(await ways['file']?.(ben, fileId, folderId)).toBe(1000)
  expect(await broken()).toEqual([])
})

test('[R251] ranges of one download are one, HEAD and previews none', async () => {
  const { anna, ben, fileId } = await scene()
  const applicationId = await apply(ben, { fileIdArray: [fileId], count: 1 })
  await anna.call('applyApprove', { applicationId })
  const head = await world.app.http.inject({
    ...{ method: 'HEAD', url: `/DownloadServlet?fileId=${fileId}` },
    headers: { authorization: `Bearer ${ben.token}` },
  })
  expect([head.statusCode, await usedBy(ben, applicationId)]).toEqual([200, [0]])
  const range = (of: string) => get(ben, `/DownloadServlet?fileId=${fileId}`, { range: `bytes=${of}` })
  for (const of of ['0-399', '400-799', '800-999']) expect((await range(of)).statusCode).toBe(206)
  expect(await usedBy(ben, applicationId)).toEqual([1])
  // 5 % may be sent again, for ranges that overlap; more would be a second download.
  expect((await range('0-49')).statusCode).toBe(206)
  expect((await range('0-49')).statusCode).toBe(403)
  expect((await ben.download(fileId)).statusCode).toBe(403)
})

test('[R251] an approval for one version is not for another', async () => {
  const { anna, ben, folderId, fileId } = await scene()
  const applicationId = await apply(ben, { fileIdArray: [fileId], count: 3, hasVersionLimit: true })
  await anna.call('applyApprove', { applicationId })
  await anna.upload(folderId, '合同.txt', 'y'.repeat(1000), { conflict: 'version' })
  expect((await ben.download(fileId)).statusCode).toBe(403)
  expect(bytesOf(await ben.download(fileId, { version: '1' }))).toBe(1000)
  const later = await apply(ben, { fileIdArray: [fileId], count: 3, hasVersionLimit: false })
  await anna.call('applyApprove', { applicationId: later })
  await anna.upload(folderId, '合同.txt', 'z'.repeat(1000), { conflict: 'version' })
  expect((await ben.download(fileId)).body).toBe('z'.repeat(1000))
})

/** The pushes about an application that a person has not read. */
async function told(person: Person, applicationId: number) {
  await world.app.settle()
  const { list } = await person.call('getNoticeList', { unread: true, rows: 200 })
  return list
    .map(({ message, pushType }) => ({ pushType, ...(JSON.parse(message) as { applicationId?: number }) }))
    .filter((one) => one.applicationId === applicationId)
}

// [R253] Push 57 names the application, its kind, its first item and their number, the state 1, 2, 4 or 8, and who
// handled it.
// [R334] The reviewers and then the applicant get push 57, of which the last of an application remains.
// [R033] What waits for a reviewer of downloads and of links is counted.
test('[R253] [R334] [R033] both sides are told of each state of an application, and the reviewer’s are counted', async () => {
  const { anna, ben, folderId, fileId } = await scene()
  const second = await anna.upload(folderId, '附件.txt', 'x')
  const counted = async (): Promise<number | undefined> =>
    (await anna.call('getCounters', {})).list.find(({ name }) => name === 'downloadApplyReview')?.count
  const before = (await counted()) ?? 0
  const asked = { operateType: ApplyType.download, applicationTitle: '合同.txt', applicationTitleType: 1, itemCount: 2 }
  const both = { fileIdArray: [fileId, second] }
  const first = await apply(ben, both)
  expect(await counted()).toBe(before + 1)
  expect(await told(anna, first)).toMatchObject([
    { pushType: 57, ...asked, nodeState: ApplyState.pending, handlerUserName: '', userId: ben.userId },
  ])
  await anna.call('applyReject', { applicationId: first, comment: '不行' })
  expect(await counted()).toBe(before)
  expect(await told(ben, first)).toMatchObject([
    { pushType: 57, ...asked, nodeState: ApplyState.rejected, handlerUserName: anna.account, answer: '不行' },
  ])
  const next = await apply(ben, { ...both, validDays: 1 })
  await anna.call('applyApprove', { applicationId: next })
  expect(await told(ben, next)).toMatchObject([{ ...asked, nodeState: ApplyState.approved }])
  clock += day + 1
  while (await endExpired(world.app, Date.now() + clock));
  clock = 0
  expect(await told(ben, next)).toMatchObject([{ ...asked, nodeState: ApplyState.over, reason: 'expired' }])
  const third = await apply(ben, both)
  await anna.call('applyApprove', { applicationId: third })
  await anna.call('applyRevoke', { applicationId: third })
  expect(await told(ben, third)).toMatchObject([
    { ...asked, nodeState: ApplyState.over, reason: 'revoked', handlerUserName: anna.account },
  ])
  expect(await broken()).toEqual([])
})

// [R251] Downloads and links are applied for with comment, fileIdArray, folderIdArray, hasVersionLimit and
// verifierIdArray; applications are listed, counted, read, approved, rejected, revoked and deleted.
test('[R251] links are applied for, listed, counted, approved, rejected, revoked and removed from the list', async () => {
  const [anna, boss, other] = [await world.person('anna'), await world.person('boss'), await world.person('other')]
  const admin = await world.admin()
  const folderId = await anna.folder(anna.library, '给客户')
  const files = [await anna.upload(folderId, '甲.txt', '甲'), await anna.upload(folderId, '乙.txt', '乙')]
  const { ruleId } = await admin.call('setOperationRule', {
    ...{ name: '外链审批', operation: 'link', itemIds: [folderId] },
    subjects: [{ subjectType: 'user', subjectId: anna.userId }],
    rounds: [{ by: 'people', ids: [boss.userId, other.userId], needs: 'one', fromLevel: 0 }],
  })
  const terms = await anna.call('getApplyTerms', { operateType: ApplyType.external, fileIdArray: files })
  expect(
    terms.rounds.flatMap(({ reviewers }) => reviewers.map(({ userId }) => userId)).toSorted((a, b) => a - b),
  ).toEqual([boss.userId, other.userId].toSorted((a, b) => a - b))
  const { list } = await anna.call('applyLink', {
    ...{ fileIdArray: files, folderIdArray: [folderId], comment: '给客户', hasVersionLimit: true },
    verifierIdArray: [boss.userId],
  })
  expect(list).toHaveLength(3)
  const external = { operateType: ApplyType.external } as const
  const ids = list.map(({ applicationId }) => applicationId)
  expect((await anna.call('getApplyList', { ...external, side: 'creation' })).counts).toMatchObject({ all: 3, open: 3 })
  expect((await anna.call('getApplyCount', {})).linkCreation).toBe(3)
  expect((await boss.call('getApplyList', { ...external, side: 'review' })).total).toBe(3)
  expect((await boss.call('getApplyCount', {})).linkReview).toBe(3)
  // Only the chosen reviewer is asked.
  expect((await other.call('getApplyList', { ...external, side: 'review' })).total).toBe(0)
  expect(await boss.call('getApplyDetail', { applicationId: ids[0] ?? 0 })).toMatchObject({
    ...{ comments: '给客户', hasVersionLimit: true, nodeState: ApplyState.pending },
  })
  const statusOf = async (externalId = 0) => (await anna.call('getExternalInfo', { externalId })).status
  const [first, second, third] = ids
  const externals = list.map(({ externalId }) => externalId)
  expect(await statusOf(externals[0])).toBe(LinkStatus.underApproval)
  await boss.call('applyApprove', { applicationId: first ?? 0 })
  await boss.call('applyReject', { applicationId: second ?? 0, comment: '不行' })
  await anna.call('applyRevoke', { applicationId: third ?? 0 })
  expect(await statusOf(externals[0])).toBe(LinkStatus.active)
  expect(await statusOf(externals[1])).toBe(LinkStatus.refused)
  // A new version waits for an approval again.
  await anna.upload(folderId, '甲.txt', '新', { conflict: 'version' })
  expect(await statusOf(externals[0])).not.toBe(LinkStatus.active)
  const removed = await anna.call('applyDelete', { applicationIdArray: [second ?? 0, third ?? 0] })
  expect(removed.map(({ result }) => result)).toEqual([codes.success.code, codes.success.code])
  expect((await anna.call('getApplyList', { ...external, side: 'creation' })).total).toBe(1)
  expect((await boss.call('getApplyList', { ...external, side: 'review', state: 'handled' })).total).toBe(2)
  await admin.call('removeOperationRule', { ruleId })
})

test('[R251] bad input is refused by its code and changes nothing', async () => {
  const admin = await world.admin()
  const { anna, ben, folderId, fileId } = await scene()
  const eve = await world.person('eve')
  const [second, third] = [await anna.upload(folderId, '二.txt', '2'), await anna.upload(folderId, '三.txt', '3')]
  const hidden = await anna.upload(anna.library, '私有.txt', 'x')
  const unknown = 987_654_321
  const state = async () =>
    (
      await sql<{ state: string }>`
        select jsonb_build_array((select jsonb_agg(r order by r.id) from review r),
          (select jsonb_agg(n order by n.id) from review_note n),
          (select jsonb_agg(a order by a.review_id, a.item_id) from application_item a),
          (select jsonb_agg(g order by g.id) from download_grant g),
          (select jsonb_agg(l order by l.id) from external_link l))::text as state`.execute(world.app.db)
    ).rows[0]?.state
  const applicationId = await apply(ben, { fileIdArray: [fileId], count: 2 })
  await admin.call('setSafeStrategy', { operation_items: 2, operation_downloads: 5 })
  const before = await state()
  const asked = { comment: '现场签约', fileIdArray: [second] }
  const refusals = [
    ['an unknown file', ben.refusal('applyDownload', { ...asked, fileIdArray: [unknown] }), 'notFound'],
    ['a file that one does not see', eve.refusal('applyDownload', asked), 'notFound'],
    ['one of several not seen', ben.refusal('applyDownload', { ...asked, fileIdArray: [second, hidden] }), 'notFound'],
    ['a file that one may download', anna.refusal('applyDownload', asked), 'noPermission'],
    ['nothing', ben.refusal('applyDownload', { comment: 'x' }), 'badRequest'],
    ['no reason', ben.refusal('applyDownload', { ...asked, comment: ' ' }), 'badRequest'],
    [
      'a reason of 1001 UTF-16 units',
      ben.refusal('applyDownload', { ...asked, comment: `${'😀'.repeat(500)}x` }),
      'badRequest',
    ],
    [
      'more than {num} files',
      ben.refusal('applyDownload', { ...asked, fileIdArray: [second, third], folderIdArray: [folderId] }),
      'tooMany',
    ],
    [
      'the same file once more',
      ben.refusal('applyDownload', { ...asked, fileIdArray: [second, fileId] }),
      'duplicateRequest',
    ],
    ['too many days', ben.refusal('applyDownload', { ...asked, validDays: 8 }), 'badRequest'],
    ['too many downloads', ben.refusal('applyDownload', { ...asked, count: 6 }), 'badRequest'],
    ['any number of downloads', ben.refusal('applyDownload', { ...asked, count: 0 }), 'badRequest'],
    ['an unknown reviewer', ben.refusal('applyDownload', { ...asked, verifierIdArray: [eve.userId] }), 'notFound'],
    ['a link to an unknown file', anna.refusal('applyLink', { fileIdArray: [unknown] }), 'notFound'],
    ['links to one of several not seen', eve.refusal('applyLink', { fileIdArray: [second] }), 'notFound'],
    [
      'links to more than {num} files',
      anna.refusal('applyLink', { fileIdArray: [fileId, second], folderIdArray: [folderId] }),
      'tooMany',
    ],
    [
      'a reason for links of 1001 UTF-16 units',
      anna.refusal('applyLink', { fileIdArray: [second], comment: `${'😀'.repeat(500)}x` }),
      'badRequest',
    ],
    ['an unknown application', anna.refusal('applyApprove', { applicationId: unknown }), 'notFound'],
    ['one of others', eve.refusal('applyApprove', { applicationId }), 'notFound'],
    ['the details of one of others', eve.refusal('getApplyDetail', { applicationId }), 'notFound'],
    ['rejecting one of others', eve.refusal('applyReject', { applicationId }), 'notFound'],
    ['revoking one of others', eve.refusal('applyRevoke', { applicationId }), 'notFound'],
    ['one’s own', ben.refusal('applyApprove', { applicationId }), 'noPermission'],
    ['rejecting one’s own', ben.refusal('applyReject', { applicationId }), 'noPermission'],
    ['more days than asked for', anna.refusal('applyApprove', { applicationId, validDays: 2 }), 'badRequest'],
    ['more downloads than asked for', anna.refusal('applyApprove', { applicationId, count: 3 }), 'badRequest'],
    ['any number of them', anna.refusal('applyApprove', { applicationId, count: 0 }), 'badRequest'],
    [
      'a file that was not applied for',
      anna.refusal('applyApprove', { applicationId, results: [{ fType: 1, id: second, approve: true }] }),
      'notFound',
    ],
    [
      'an answer of 1001 UTF-16 units',
      anna.refusal('applyApprove', { applicationId, comment: 'x'.repeat(1001) }),
      'badRequest',
    ],
  ] as const
  for (const [what, refused, code] of refusals) expect([what, await refused]).toEqual([what, code])
  expect(await state()).toBe(before)
  const longest = await apply(ben, { fileIdArray: [second], comment: '😀'.repeat(500) })
  expect((await ben.call('getApplyDetail', { applicationId: longest })).comments).toHaveLength(1000)
  // Somebody else may apply for the same file.
  await anna.call('shareItems', {
    ...{ folderIdArray: [folderId], rights: preview },
    subjects: [{ subjectType: 'user', subjectId: eve.userId }],
  })
  await apply(eve, { fileIdArray: [fileId] })
  await anna.call('applyApprove', { applicationId })
  const decided = await state()
  expect(await anna.refusal('applyApprove', { applicationId })).toBe('alreadyHandled')
  expect(await anna.refusal('applyReject', { applicationId })).toBe('alreadyHandled')
  const removing = async (): Promise<number[]> =>
    ((await ben.wire('applyDelete', { applicationIdArray: [longest, unknown] })).data as { result: number }[]).map(
      ({ result }) => result,
    )
  expect(await removing()).toEqual([codes.noPermission.code, codes.notFound.code])
  expect(await state()).toBe(decided)
  await anna.call('applyReject', { applicationId: longest, comment: '不行' })
  expect(await removing()).toEqual([codes.success.code, codes.notFound.code])
  const { list } = await ben.call('getApplyList', { operateType: 1, side: 'creation' })
  expect(list.map((one) => one.applicationId)).toEqual([applicationId])
  await admin.call('setSafeStrategy', { operation_items: 100, operation_downloads: 100 })
})

// [R145] Downloads are applied for while the setting for applications is on; what was approved holds without it.
test('[R251] [R145] the settings say whether, for how long and for which version downloads are applied for', async () => {
  const admin = await world.admin()
  const { anna, ben, folderId, fileId } = await scene()
  const second = await anna.upload(folderId, '附件.txt', 'x')
  const approved = await apply(ben, { fileIdArray: [fileId], count: 3 })
  await anna.call('applyApprove', { applicationId: approved })
  const asked = { fileIdArray: [second], comment: '现场签约' }
  const set = (change: object) => admin.call('setSafeStrategy', change)
  await set({ operation_application: false })
  expect(await ben.refusal('applyDownload', asked)).toBe('noPermission')
  expect((await ben.download(fileId)).statusCode).toBe(200)
  await set({ operation_application: true, operation_version: true, operation_days: 2, operation_comment: false })
  const refusal = (change: object) => ben.refusal('applyDownload', { ...asked, ...change })
  expect([await refusal({ hasVersionLimit: false }), await refusal({ validDays: 3 })]).toEqual([
    'badRequest',
    'badRequest',
  ])
  expect(await ben.call('getApplyTerms', { operateType: 1, fileIdArray: [second] })).toMatchObject({
    ...{ onlyVersion: true, mostDays: 2, needsComment: false },
  })
  await apply(ben, { ...asked, comment: '', validDays: 2, hasVersionLimit: true })
  await set({ operation_version: false, operation_days: 7, operation_comment: true })
})

test('[R251] of two reviewers who decide at once the second learns that it is done', async () => {
  const { anna, ben, folderId, fileId } = await scene()
  const cleo = await world.person('cleo')
  const admin = await world.admin()
  const { ruleId } = await admin.call('setOperationRule', {
    ...{ name: '两位审批', operation: 'download', itemIds: [folderId] },
    subjects: [{ subjectType: 'user', subjectId: ben.userId }],
    rounds: [{ by: 'people', ids: [anna.userId, cleo.userId], needs: 'one', fromLevel: 0 }],
  })
  await anna.shares({ folderId }, [
    { to: ben, rights: preview },
    { to: cleo, rights: preview },
  ])
  const applicationId = await apply(ben, { fileIdArray: [fileId] })
  const codesOf = await Promise.all([
    anna.wire('applyApprove', { applicationId }),
    cleo.wire('applyReject', { applicationId, comment: '不行' }),
  ])
  expect(new Set(codesOf.map(({ code }) => code))).toEqual(new Set(['alreadyHandled', 'success']))
  expect(await broken()).toEqual([])
  await admin.call('removeOperationRule', { ruleId })
})

// A request is decided in the transaction that grants; a killed server has done both, or nothing.
test.each(['commit applyApprove', 'committed applyApprove'])(
  '[R251] a server killed at “%s” of an approval has decided and granted, or neither',
  async (point) => {
    const at = await openWorld({ elected: false })
    const { anna, ben, fileId } = await scene(at)
    const applicationId = await apply(ben, { fileIdArray: [fileId], count: 1 })
    await at.app.settle()
    const server = new ServerProcess([JSON.stringify(at.database), await storeOf(at), point], {}, script)
    const origin = await server.ready()
    const approving = fetch(`${origin}/services2/apply/applyApprove`, {
      method: 'POST',
      headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ applicationId }),
    }).catch(() => undefined)
    await server.says(/stopped/)
    server.child.kill('SIGKILL')
    await server.exited
    await approving
    const isDone = point === 'committed applyApprove'
    const { nodeState } = await ben.call('getApplyDetail', { applicationId })
    expect(nodeState).toBe(isDone ? ApplyState.approved : ApplyState.pending)
    expect((await ben.download(fileId)).statusCode).toBe(isDone ? 200 : 403)
    expect(await broken(at)).toEqual([])
    if (isDone) return
    await anna.call('applyApprove', { applicationId })
    expect((await ben.download(fileId)).statusCode).toBe(200)
  },
)

test('[R251] whichever statement of an approval fails, there is never a decision without its grant', async () => {
  const at = await openWorld({ elected: false })
  const { anna, ben, fileId } = await scene(at)
  const fault = new Fault()
  failStatements(at, fault, 'refused')
  for (let n = 1; ; n += 1) {
    const applicationId = await apply(ben, { fileIdArray: [fileId] })
    fault.arm(n)
    const { code } = await anna.wire('applyApprove', { applicationId })
    fault.disarm()
    const { nodeState } = await ben.call('getApplyDetail', { applicationId })
    const isDone = code === 'success'
    expect([n, nodeState]).toEqual([n, isDone ? ApplyState.approved : ApplyState.pending])
    expect((await ben.download(fileId)).statusCode).toBe(isDone ? 200 : 403)
    expect(await broken(at)).toEqual([])
    await ben.call('applyRevoke', { applicationId })
    if (!fault.fired) break
    expect(n).toBeLessThan(200)
  }
})

test('[R251] whichever statement of the approval of a link fails, the link opens exactly if it was decided', async () => {
  const at = await openWorld({ elected: false })
  const [admin, anna, boss] = [await at.admin(), await at.person('anna'), await at.person('boss')]
  const fileId = await anna.upload(anna.library, '合同.txt')
  await admin.call('setOperationRule', {
    ...{ name: '外链审批', operation: 'link', itemIds: [anna.library] },
    subjects: [{ subjectType: 'user', subjectId: anna.userId }],
    rounds: [{ by: 'people', ids: [boss.userId], needs: 'one', fromLevel: 0 }],
  })
  const fault = new Fault()
  failStatements(at, fault, 'refused')
  for (let n = 1; ; n += 1) {
    const [link] = (await anna.call('applyLink', { fileIdArray: [fileId], comment: '给客户' })).list
    const { applicationId = 0, externalId = 0 } = link ?? {}
    fault.arm(n)
    const { code } = await boss.wire('applyApprove', { applicationId })
    fault.disarm()
    const { nodeState } = await anna.call('getApplyDetail', { applicationId })
    const { status } = await anna.call('getExternalInfo', { externalId })
    expect([n, nodeState, status]).toEqual(
      code === 'success'
        ? [n, ApplyState.approved, LinkStatus.active]
        : [n, ApplyState.pending, LinkStatus.underApproval],
    )
    if (!fault.fired) break
    expect(n).toBeLessThan(200)
  }
})

test('[R251] a reviewer sees what they approve under the watermark of the applicant, nobody else does', async () => {
  const own = await openWorld()
  const { anna, ben, folderId, fileId } = await scene(own)
  const cara = await own.person('cara')
  await anna.shares({ folderId }, [
    { to: ben, rights: preview },
    { to: cara, rights: preview },
  ])
  const other = await anna.upload(folderId, '别的.txt')
  const applicationId = await apply(ben, { fileIdArray: [fileId] })
  const marked = async (person: Person, id = fileId, reviewId?: number) => {
    const shown = { fileId: id, version: 1, ...(reviewId !== undefined && { reviewId }) }
    const { watermark } = await person.call('getDocumentPreviewURLVersion', shown)
    return watermark === null ? 'none' : watermark.lines.join(' ').includes(ben.account)
  }
  // No watermark is configured: the review needs one.
  expect([await marked(anna), await marked(anna, fileId, applicationId)]).toEqual(['none', true])
  // Another file of hers, and somebody who does not review it.
  expect([await marked(anna, other, applicationId), await marked(cara, fileId, applicationId)]).not.toContain(true)
})

// Whoever is asked to decide and has no right to the file may look at the version asked about under the
// watermark of the applicant, while it waits for them, and at nothing else.
test('[R251] a reviewer without a right to the file looks at the version asked about, until it is decided', async () => {
  const own = await openWorld()
  const admin = await own.admin()
  const { anna, ben, folderId, fileId } = await scene(own)
  const [rita, sam, cara] = [await own.person('rita'), await own.person('sam'), await own.person('cara')]
  await admin.call('setOperationRule', {
    ...{ name: '下载审批', operation: 'download', itemIds: [folderId] },
    subjects: [{ subjectType: 'user', subjectId: ben.userId }],
    rounds: [{ by: 'people', ids: [rita.userId], needs: 'one', fromLevel: 0 }],
  })
  const other = await anna.upload(folderId, '别的.txt')
  const reviewId = await apply(ben, { fileIdArray: [fileId], hasVersionLimit: true })
  await anna.upload(folderId, '合同.txt', 'later'.repeat(100), { conflict: 'version' })
  const asked = { fileId, version: 1, reviewId }
  const open = (person: Person, of: { fileId: number; version: number; reviewId?: number }) =>
    person.wire('getDocumentPreviewURLVersion', of).then(({ code }) => code)
  // What she does not decide about does not exist for her, and neither does it without the review.
  const nothing = async (person: Person): Promise<void> => {
    expect([
      await open(person, { ...asked, version: 2 }),
      await open(person, { ...asked, fileId: other }),
      await open(person, { fileId, version: 1 }),
      await open(person, { ...asked, reviewId: reviewId + 1 }),
      await person.refusal('getFileInfo', { fileId }),
      await person.refusal('getSubItemList3', { folderId }),
      await person.refusal('getVersionList', { fileId, from: 0, rows: 10 }),
      await person.refusal('createDownloadTicket', { fileIdArray: [fileId] }),
    ]).toEqual(Array.from({ length: 8 }, () => 'notFound'))
    expect((await person.download(fileId, { version: '1' })).statusCode).toBe(404)
  }
  expect((await rita.call('getApplyDetail', { applicationId: reviewId })).items).toMatchObject([
    { itemId: fileId, fId: 0, version: 1, mayPreview: true },
  ])
  const shown = await rita.call('getDocumentPreviewURLVersion', asked)
  expect(shown.form).toBe('rendition')
  expect(shown.watermark?.lines.join(' ')).toContain(ben.account)
  expect(shown.previewKey).toBe(`${fileId}-1-${reviewId}`)
  const stateOf = (person: Person) => person.wire('getPreviewStatus', { previewKey: shown.previewKey })
  await expect.poll(async () => ((await stateOf(rita)).data as { state: number }).state).toBe(codes.success.code)
  const sent = () => own.app.http.inject(shown.url)
  expect((await sent()).statusCode).toBe(200)
  // Its address gives neither the stored content nor another version.
  for (const changed of [
    shown.url.replace('/rendition', '/content'),
    shown.url.replace('version=1', 'version=2'),
    shown.url.replace(`&reviewId=${reviewId}`, ''),
  ])
    expect([changed, (await own.app.http.inject(changed)).statusCode < 300]).toEqual([changed, false])
  await nothing(rita)
  for (const person of [sam, cara]) {
    expect([await open(person, asked), (await stateOf(person)).code]).toEqual(['notFound', 'notFound'])
    await nothing(person)
  }
  // Her stand-in may, as long as they are it.
  await rita.call('setReviewStandIn', { userId: sam.userId })
  expect(await open(sam, asked)).toBe('success')
  await nothing(sam)
  await rita.call('setReviewStandIn', { userId: 0 })
  expect(await open(sam, asked)).toBe('notFound')
  expect((await rita.call('getRecentHistory', {})).list).toEqual([])
  await rita.call('applyApprove', { applicationId: reviewId })
  expect([await open(rita, asked), (await stateOf(rita)).code, (await sent()).statusCode]).toEqual([
    ...['notFound', 'notFound'],
    404,
  ])
  expect((await rita.call('getApplyDetail', { applicationId: reviewId })).items).toMatchObject([{ mayPreview: false }])
})

// Of a link to a folder the reviewer sees and previews what the link would hand out, and nothing else.
test('[R251] [R254] a reviewer without a right looks into the folder of a link while it waits for them', async () => {
  const own = await openWorld()
  const admin = await own.admin()
  const [anna, ben] = [await own.person('anna', { secretLevel: 2 }), await own.person('ben', { secretLevel: 2 })]
  const [rita, cara] = [await own.person('rita', { secretLevel: 1 }), await own.person('cara', { secretLevel: 2 })]
  const folderId = await anna.folder(anna.library, '资料')
  await anna.shares({ folderId }, [{ to: ben, rights: edit }])
  const inner = await anna.folder(folderId, '附件')
  const fileId = await anna.upload(inner, '合同.txt', '合同正文')
  await anna.upload(folderId, '说明.txt', '说明')
  const secret = await anna.upload(folderId, '机密.txt', '机密')
  await anna.call('setSecretLevel', { fileIdArray: [secret], secretLevel: 2 })
  // What the maker of the link may not see is not handed out by it.
  const hidden = await anna.upload(folderId, '私下.txt', '私下')
  await anna.call('setShareList', { fileId: hidden, inherit: false, entries: [] })
  const beside = await anna.upload(anna.library, '别处.txt', '别处')
  await admin.call('setOperationRule', {
    ...{ name: '外链审批', operation: 'link', itemIds: [folderId] },
    subjects: [{ subjectType: 'user', subjectId: ben.userId }],
    rounds: [{ by: 'people', ids: [rita.userId], needs: 'one', fromLevel: 0 }],
  })
  const { list } = await ben.call('applyLink', { comment: '给客户', folderIdArray: [folderId], validDays: 3 })
  const applicationId = list[0]?.applicationId ?? 0
  const asked = { applicationId, folderId }
  const { list: content, total } = await rita.call('getApplyFolder', asked)
  expect([content.map(({ path, fName, fId, mayPreview }) => [path, fName, fId, mayPreview]), total]).toEqual([
    [
      ['', '说明.txt', 0, true],
      ['附件/', '合同.txt', 0, true],
    ],
    2,
  ])
  expect((await ben.call('getApplyFolder', asked)).list.map(({ fName }) => fName)).toEqual([
    '机密.txt',
    '说明.txt',
    '合同.txt',
  ])
  const open = (person: Person, of: number, version = 1) =>
    person.wire('getDocumentPreviewURLVersion', { fileId: of, version, reviewId: applicationId })
  const { code, data } = await open(rita, fileId)
  expect([code, (data as { watermark?: { lines: string[] } }).watermark?.lines.join(' ')]).toEqual([
    'success',
    expect.stringContaining(ben.account),
  ])
  for (const [person, of] of [
    [rita, secret],
    [rita, hidden],
    [rita, beside],
    [cara, fileId],
  ] as const)
    expect((await open(person, of)).code).toBe('notFound')
  expect(await cara.refusal('getApplyFolder', asked)).toBe('notFound')
  expect(await rita.refusal('getApplyFolder', { applicationId, folderId: inner })).toBe('notFound')
  expect(await rita.refusal('getFileInfo', { fileId })).toBe('notFound')
  // The version that a link hands out is the present one.
  await anna.upload(inner, '合同.txt', '第二版', { conflict: 'version' })
  expect([(await open(rita, fileId)).code, (await open(rita, fileId, 2)).code]).toEqual(['notFound', 'success'])
  await rita.call('applyApprove', { applicationId })
  expect([(await open(rita, fileId, 2)).code, await rita.refusal('getApplyFolder', asked)]).toEqual([
    'notFound',
    'notFound',
  ])
})

// From the grants of another person, too, one reaches the applications that one may read.
test('[R251] the rights of another person lead reviewers and supervisors to the application of a grant', async () => {
  const own = await openWorld()
  const admin = await own.admin()
  const { anna, ben, folderId, fileId } = await scene(own)
  const [cleo, sue] = [await own.person('cleo'), await own.person('sue')]
  await anna.shares({ folderId }, [
    { to: ben, rights: preview },
    { to: cleo, rights: rightsGroup.full },
    { to: sue, rights: rightsGroup.full },
  ])
  await admin.call('setPowerHolders', { power: 'security', userIds: [sue.userId] })
  const applicationId = await apply(ben, { fileIdArray: [fileId] })
  await anna.call('applyApprove', { applicationId })
  const grants = async (person: Person) =>
    (await person.call('getRightsReasons', { fileId, userId: ben.userId })).grants.map((one) => [
      one.applicationId,
      one.mayOpen,
    ])
  expect([await grants(anna), await grants(sue), await grants(cleo)]).toEqual([
    [[applicationId, true]],
    [[applicationId, true]],
    [[applicationId, false]],
  ])
  expect((await ben.call('getRightsReasons', { fileId })).grants).toMatchObject([{ mayOpen: true }])
  expect(await sue.call('getApplyDetail', { applicationId })).toMatchObject({
    ...{ userId: ben.userId, may: { decide: false, revoke: false, remove: false } },
  })
  expect(await sue.refusal('applyRevoke', { applicationId })).toBe('noPermission')
  expect(await cleo.refusal('getApplyDetail', { applicationId })).toBe('notFound')
})

// Who begins to stand in for a reviewer is told of the applications that wait already.
test('[R251] a stand-in who is set later is told of what waits, until the absence ends or it is decided', async () => {
  const own = await openWorld({ elected: false })
  const { anna, ben, fileId } = await scene(own)
  const [sam, tom] = [await own.person('sam'), await own.person('tom')]
  const applicationId = await apply(ben, { fileIdArray: [fileId] })
  const follow = async (at = Date.now()): Promise<void> => {
    await followStandIns(own.app.db, kindsOf(own.app.services), at, 100)
    await own.app.settle()
  }
  /** Unread notices of the application: one person is told once. */
  const unread = async (person: Person): Promise<number> =>
    (await person.call('getNoticeList', { unread: true, rows: 200 })).list.filter(
      ({ message }) => (JSON.parse(message) as { applicationId?: number }).applicationId === applicationId,
    ).length
  await follow()
  expect([await unread(anna), await unread(sam)]).toEqual([1, 0])
  await anna.call('setReviewStandIn', { userId: sam.userId, until: Date.now() + day })
  const page = await sam.listen()
  await follow()
  await page.next((frame) => isFrame(frame, 'operateApplication') && frame.data.applicationId === applicationId)
  await follow()
  expect([await unread(anna), await unread(sam), await unread(tom)]).toEqual([1, 1, 0])
  await anna.call('setReviewStandIn', { userId: tom.userId, until: Date.now() + day })
  await follow()
  expect([await unread(sam), await unread(tom)]).toEqual([0, 1])
  // The end of the absence, by the clock.
  await follow(Date.now() + 2 * day)
  expect(await unread(tom)).toBe(0)
  await follow()
  expect(await unread(tom)).toBe(1)
  // Who stands in when it is asked is told then, and by the chore not again.
  const told = async () =>
    (await sql`select 1 from notice where account_id = ${tom.userId}`.execute(own.app.db)).rows.length
  const second = await anna.upload(anna.library, '第二份.txt')
  await anna.shares({ fileId: second }, [{ to: ben, rights: preview }])
  await apply(ben, { fileIdArray: [second] })
  await own.app.settle()
  const before = await told()
  await follow()
  expect(await told()).toBe(before)
  await anna.call('applyReject', { applicationId, comment: '不行' })
  await follow()
  expect(await unread(tom)).toBe(0)
})
