/*
 * More downloads per day as a kind of review ([R284]): any holder of the security power decides. The grant is stored
 * beside the limit in the row of the day of the decision, and ends with that day.
 */
import type { PushPayload } from '@cloudoc/contract'
import { ApplyState, calendarDay, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import { giveMore } from '../../drive/downloads/index.ts'
import { type Ask, type Review, type Round, reviewersBy, reviewKind } from '../review/index.ts'

/** The request, with the numbers at that time. */
export interface RequestedDownloads {
  readonly count: number
  readonly taken: number
  readonly limit: number
}

/** The grant. */
export interface GrantedDownloads {
  readonly count: number
  /** The day whose download limit is raised. Set when the request is granted. */
  readonly day: string
}

export const moreDownloadsName = 'downloads'

/** The holders of the security power; one of them is enough. */
export async function roundsOf(ask: Pick<Ask<unknown>, 'tx' | 'now' | 'itemId' | 'launcherId'>): Promise<Round[]> {
  const { rows } = await sql<{ id: number }>`
    select id from account where is_admin union select account_id from administrator where power = 'security'
    order by id`.execute(ask.tx)
  const who = await reviewersBy(ask, [{ by: 'people', accountIds: rows.map(({ id }) => id) }])
  return who.length === 0 ? [] : [{ who, needed: 1 }]
}

export const moreDownloads = reviewKind<RequestedDownloads, GrantedDownloads>({
  name: moreDownloadsName,
  rounds: roundsOf,
  mayDecide: async (_tx, _review, { powers }) => powers.includes('security'),

  async approved(context, { launcher }, { count }, by) {
    if (!by.powers.includes('security')) return fail('noPermission')
    const { day, until } = calendarDay(context.now, by.settings.setting.download_time_zone)
    await giveMore(context.tx, launcher.accountId, day, count)
    return { decision: { count, day }, endsAt: until }
  },
  async revoked(context, review) {
    const { count, day } = await grantedBy(context.tx, review.id)
    await giveMore(context.tx, review.launcher.accountId, day, -count)
    const { accountId, name } = actorOf(context)
    if (accountId !== review.launcher.accountId)
      context.event(toLauncher(review, { nodeState: ApplyState.over, handlerUserName: name }))
  },

  asks: (review, people, isReminder) => [
    personal('moreDownloads', people, { ...noticeOf(review), ...(isReminder && { reminder: true as const }) }),
  ],
  answers: (review, { approved, by, comments, decision }) => [
    toLauncher(review, {
      nodeState: approved ? ApplyState.approved : ApplyState.rejected,
      ...(decision !== undefined && { count: decision.count }),
      handlerUserName: by,
      answer: comments,
    }),
  ],
  // There is no deadline: a grant is for the day of the decision.
  late: () => [],
})

async function grantedBy(tx: Tx, reviewId: number): Promise<GrantedDownloads> {
  const { decision } = await tx
    .selectFrom('review')
    .select('decision')
    .where('id', '=', reviewId)
    .executeTakeFirstOrThrow()
  return decision as unknown as GrantedDownloads
}

const toLauncher = (review: Review<RequestedDownloads>, said: Partial<PushPayload<'moreDownloads'>>) =>
  personal('moreDownloads', [review.launcher.accountId], { ...noticeOf(review), ...said })

const noticeOf = ({ id, launcher, subject, comments, createdAt }: Review<RequestedDownloads>) => ({
  serverId: 0,
  reviewId: id,
  userId: launcher.accountId,
  userName: launcher.name,
  count: subject.count,
  comments,
  createTime: createdAt,
  nodeState: ApplyState.pending,
  handlerUserName: '',
  answer: '',
})
