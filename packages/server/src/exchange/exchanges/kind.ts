// An exchange as a kind of review: who decides is in the rule that permitted it, and an approval begins the delivery.
import { type ExchangeRound, ExchangeStatus, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Review, reviewKind } from '../../approvals/review/index.ts'
import type { Tx } from '../../core/db/database.ts'
import { type NewEvent, personal } from '../../core/events.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { cancel, enqueue } from '../../core/queue/rows.ts'
import { exchangeRounds, mayDecideExchange } from '../rules/index.ts'

/** What reviewers decide about. */
export interface RequestedExchange {
  readonly ruleId: number
  readonly networkName: string
  readonly level: number
  readonly isFree: boolean
  readonly rounds: readonly ExchangeRound[]
  readonly atDeadline: 'wait' | 'reject' | 'managers'
  readonly fileCount: number
}

export const exchangeReviewName = 'exchange'

const Asked = z.strictObject({ applyId: z.int() })
/** The exchange that a job is about. */
export type Delivering = z.output<typeof Asked>
/** The delivery of an approved exchange over the wire. */
export const delivering: JobKind<Delivering> = {
  name: 'delivery of an exchange',
  input: Asked,
  key: ({ applyId }) => String(applyId),
}
/** Taking back at the target what was delivered and not picked up. */
export const recalling: JobKind<Delivering> = { ...delivering, name: 'recall of an exchange' }

export const exchangeReview = reviewKind<RequestedExchange, object>({
  name: exchangeReviewName,
  rounds: (ask) => exchangeRounds(ask, ask.subject),
  mayDecide: (tx, { itemId, launcher, subject }, account, now) =>
    mayDecideExchange({ tx, now, itemId, launcherId: launcher.accountId }, subject.rounds, account),
  atDeadline: ({ subject }) => subject.atDeadline,

  async approved({ tx, now }, { id }) {
    const { rows } = await sql<{ server_id: number | null }>`
      update exchange set delivery = 'waiting', changed_at = ${now} where review_id = ${id}
      returning server_id`.execute(tx)
    const serverId = rows[0] === undefined ? fail('notFound') : rows[0].server_id
    if (serverId !== null) await enqueue({ tx, now }, delivering, { applyId: id })
    return { decision: {}, endsAt: null }
  },
  rejected: ({ tx, now }, { id }) => touch(tx, id, now),
  async revoked({ tx, now }, { id }) {
    const { rows } = await sql<{ delivery: string | null }>`
      select delivery from exchange where review_id = ${id} for update`.execute(tx)
    const delivery = rows[0]?.delivery
    // What is on its way, in a bundle, or picked up is not taken back.
    if (delivery !== 'waiting' && delivery !== 'failed' && delivery !== 'delivered') return fail('alreadyHandled')
    if (delivery === 'delivered') await enqueue({ tx, now }, recalling, { applyId: id })
    else await cancel({ tx, now }, delivering, delivering.key({ applyId: id }))
    await sql`update exchange set delivery = null, changed_at = ${now} where review_id = ${id}`.execute(tx)
  },
  withdrawn: ({ tx, now }, { id }) => touch(tx, id, now),

  asks: (review, people, isReminder) => [
    personal('fileExchange', people, {
      ...told(review, ExchangeStatus.toReview),
      ...(isReminder && { isReminder: true as const }),
    }),
  ],
  answers: (review, { approved }, now) => (approved ? [] : [toSender(review, ExchangeStatus.rejected, now)]),
  late: (review, now) => [toSender(review, ExchangeStatus.reviewing, now)],
})

async function touch(tx: Tx, id: number, now: number): Promise<void> {
  await sql`update exchange set changed_at = ${now} where review_id = ${id}`.execute(tx)
}

const told = (
  { id, title, launcher, subject, createdAt }: Review<RequestedExchange>,
  remindStatus: ExchangeStatus,
  delivery: 'delivered' | 'failed' | null = null,
) => ({
  ...{ serverId: 0, remindStatus, notifyId: id, approveId: 0, applyId: id },
  ...{ name: launcher.name, itemName: title, itemCount: subject.fileCount, networkName: subject.networkName },
  ...{ delivery, requirePwd: false, createTime: createdAt },
})

/** Notifies the sender. */
export const toSender = (
  review: Review<RequestedExchange>,
  status: ExchangeStatus,
  now: number,
  delivery: 'delivered' | 'failed' | null = null,
): NewEvent =>
  personal('fileExchange', [review.launcher.accountId], { ...told(review, status, delivery), createTime: now })
