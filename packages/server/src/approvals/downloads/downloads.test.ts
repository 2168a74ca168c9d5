// Requests for more downloads per day ([R284]): requesting, granting and counting.
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { downloadApprovals } from './feature.ts'

const world = sharedWorld()
const neverTheSameDay = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const

/** Number of successful ones among concurrent downloads; the others were refused because the daily limit is used up. */
async function download(person: Person, fileId: number, times: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: times }, () =>
      world.app.http.inject({
        method: 'GET',
        url: `/DownloadServlet?fileId=${fileId}`,
        headers: { authorization: `Bearer ${person.token}` },
      }),
    ),
  )
  const got = answers.filter(({ body }) => body === 'text')
  const refused = answers.filter(({ headers }) => `${headers['content-type']}`.includes('json'))
  expect(refused.map((one) => one.json<{ result: number }>().result)).toEqual(
    Array(times - got.length).fill(codes.downloadLimit.code),
  )
  return got.length
}

const today = async (person: Person): Promise<number[]> => {
  const { count, limit, more } = await person.call('getDownloadToday', {})
  return [count, limit, more]
}
const told = async (person: Person): Promise<string[]> => {
  const { groups } = await person.call('getNotices', {})
  return (groups.find(({ group }) => group === 'operationApply')?.list ?? []).map(({ message }) => message)
}
const brokenRows = async (): Promise<number> => {
  const [check] = downloadApprovals.checks ?? []
  return (await sql`${check?.broken}`.execute(world.app.db)).rows.length
}

// [R284] A person who has used up the limit requests more; a security administrator grants it until the end of the day,
// counted exactly with concurrent downloads.
test('[R284] more downloads are asked for by who has a limit, given by who answers for security, and counted exactly beside what is downloaded at that moment', async () => {
  const admin = await world.admin()
  const [cleo, guard, auditor] = [await world.person('cleo'), await world.person('guard'), await world.person('reader')]
  await admin.call('setPowerHolders', { power: 'security', userIds: [guard.userId] })
  await admin.call('setPowerHolders', { power: 'audit', userIds: [auditor.userId] })
  const fileId = await cleo.upload(await cleo.folder(cleo.library, '限额'), '甲.txt', 'text')

  expect(await cleo.refusal('moreDownloadsApply', { count: 5 })).toBe('duplicateOperation')
  const whom = { subjectType: 'user', subjectId: cleo.userId } as const
  const { limitId } = await admin.call('setDownloadLimit', { ...whom, perDay: 3 })
  expect(await download(cleo, fileId, 6)).toBe(3)
  const terms = await cleo.call('getMoreDownloadsTerms', {})
  expect(terms.pendingId).toBeNull()
  expect(terms.reviewers.map(({ userId }) => userId)).toEqual([admin.userId, guard.userId].sort((a, b) => a - b))
  expect(await cleo.refusal('moreDownloadsApply', { count: 0 })).toBe('badRequest')
  const { reviewId } = await cleo.call('moreDownloadsApply', { count: 8, comments: '投标资料' })
  expect(await cleo.refusal('moreDownloadsApply', { count: 1 })).toBe('duplicateRequest')
  expect((await cleo.call('getMoreDownloadsTerms', {})).pendingId).toBe(reviewId)
  await expect.poll(() => told(guard)).toEqual([expect.stringContaining('投标资料')])
  expect((await guard.call('getCounters', {})).list).toContainEqual({ name: 'downloadReview', count: 1 })
  expect((await guard.call('getMoreDownloadsReviewList', { state: 'open' })).list).toMatchObject([
    { reviewId, userId: cleo.userId, count: 8, given: 0, taken: 3, limit: 3, comments: '投标资料', isAwaited: true },
  ])

  // An auditor does not know of it. The requester cannot decide. The calls of other kinds do not find it.
  expect(await auditor.refusal('moreDownloadsApprove', { reviewId })).toBe('notFound')
  expect(await auditor.refusal('getMoreDownloads', { reviewId })).toBe('notFound')
  expect(await cleo.refusal('moreDownloadsApprove', { reviewId })).toBe('noPermission')
  expect(await guard.refusal('applyApprove', { applicationId: reviewId })).toBe('notFound')
  expect(await guard.refusal('handOnReview', { reviewId, userId: auditor.userId })).toBe('noPermission')

  // Fewer are granted than requested, during many concurrent downloads.
  const [, ...came] = await Promise.all([
    guard.call('moreDownloadsApprove', { reviewId, count: 5, comments: '只给五次' }),
    download(cleo, fileId, 9),
    download(cleo, fileId, 9),
  ])
  const rest = await download(cleo, fileId, 9)
  expect(came.reduce((sum, one) => sum + one, rest)).toBe(5)
  expect(await today(cleo)).toEqual([8, 8, 5])
  expect(await admin.refusal('moreDownloadsReject', { reviewId })).toBe('alreadyHandled')
  await expect.poll(() => told(cleo)).toEqual([expect.stringContaining('只给五次')])
  expect((await cleo.call('getMoreDownloadsList', {})).list).toMatchObject([
    { reviewId, state: 'approved', count: 8, given: 5, handledBy: { userId: guard.userId } },
  ])
  expect(await brokenRows()).toBe(0)

  // A revoked grant no longer counts; a rejected one never did.
  await guard.call('revokeReview', { reviewId })
  expect(await today(cleo)).toEqual([8, 3, 0])
  expect(await download(cleo, fileId, 1)).toBe(0)
  const second = await cleo.call('moreDownloadsApply', { count: 7 })
  await admin.call('moreDownloadsReject', { reviewId: second.reviewId })
  expect(await today(cleo)).toEqual([8, 3, 0])
  const third = await cleo.call('moreDownloadsApply', { count: 7 })
  await admin.call('moreDownloadsApprove', { reviewId: third.reviewId })
  expect(await today(cleo)).toEqual([8, 10, 7])
  expect(await brokenRows()).toBe(0)

  // On another day the grant is gone: the test uses two time zones that never share a day.
  const counted: number[][] = []
  for (const zone of neverTheSameDay) {
    await admin.call('setSafeStrategy', { download_time_zone: zone })
    counted.push(await today(cleo))
  }
  expect(counted).toContainEqual([0, 3, 0])
  await admin.call('removeDownloadLimit', { limitId })
  expect(await cleo.refusal('moreDownloadsApply', { count: 1 })).toBe('duplicateOperation')
})
