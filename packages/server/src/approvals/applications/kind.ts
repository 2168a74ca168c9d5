/*
 * Applications for downloads as a kind of review ([R251]). An approval grants counted downloads (drive/downloads); they
 * end with it. Rules name the reviewers (approvals/operations).
 */
import type { PushPayload } from '@cloudoc/contract'
import { ApplyState, ApplyType, fail, OperateType } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import { addGrants, endGrants } from '../../drive/downloads/index.ts'
import { accessToMany, itemEvent } from '../../drive/tree/index.ts'
import { mayDecideBy, type OperationRule, readRules, ruledRounds } from '../operations/index.ts'
import { type Review, requestItem, reviewKind } from '../review/index.ts'

const dayMs = 24 * 60 * 60_000

/** What is applied for. */
export interface RequestedDownload {
  /** The rule that determined the reviewers; null for the default. */
  readonly ruleId: number | null
  readonly atDeadline: OperationRule['atDeadline']
  readonly verifiers: readonly number[]
  readonly onlyVersion: boolean
  readonly validDays: number
  /** Downloads of each file; 0 for any number. */
  readonly count: number
  readonly secretLevel: number
  readonly itemCount: number
  readonly fType: 1 | 2
}

/** What was approved. */
export interface GrantedTerms {
  readonly validDays: number
  readonly count: number
  /** The items that were applied for and are rejected. */
  readonly rejected: readonly number[]
}

export const downloadApplyName = 'downloadApply'

/** The rule of an application, if it still exists. */
export async function ruleOf(tx: Tx, ruleId: number | null): Promise<OperationRule | undefined> {
  return ruleId === null ? undefined : (await readRules(tx)).find(({ id }) => id === ruleId)
}

export const downloadApplication = reviewKind<RequestedDownload, GrantedTerms>({
  name: downloadApplyName,
  isSupervised: true,
  rounds: async (ask) => {
    const { ruleId, secretLevel, verifiers } = ask.subject
    return ruledRounds(ask, await ruleOf(ask.tx, ruleId), secretLevel, verifiers)
  },
  mayDecide: async (tx, { itemId, launcher, subject }, account, now) =>
    mayDecideBy(tx, await ruleOf(tx, subject.ruleId), { itemId, launcherId: launcher.accountId, now }, account),
  atDeadline: ({ subject }) => subject.atDeadline,

  async approved(context, review, terms) {
    const { tx, now } = context
    const { id, subject, launcher } = review
    if (terms.validDays > subject.validDays || isMore(terms.count, subject.count))
      return fail('badRequest', 'validDays')
    const endsAt = now + terms.validDays * dayMs
    await sql`
      update application_item set result = case when root_id = any(${[...terms.rejected]}) then 'rejected'
        else 'approved' end
      where review_id = ${id}`.execute(tx)
    // Items that are gone are granted nothing.
    const { rows } = await sql<{ itemId: number; version: number; most: number }>`
      select a.item_id as "itemId", a.version, case when a.f_type = 2 then 0 else ${terms.count}::int end as most
      from application_item a join item i on i.id = a.item_id
      where a.review_id = ${id} and a.result = 'approved' and i.deleted_at is null and not i.purged
      order by a.item_id`.execute(tx)
    await addGrants(tx, { reviewId: id, accountId: launcher.accountId, onlyVersion: subject.onlyVersion, endsAt }, rows)
    await announce(context, id)
    return { decision: terms, endsAt }
  },
  rejected: ({ tx }, { id }) => rejectItems(tx, id),
  lapsed: (tx, { id }) => rejectItems(tx, id),
  async revoked(context, review) {
    await endGrants(context.tx, review.id, context.now)
    await announce(context, review.id)
    const { accountId, name } = actorOf(context)
    if (accountId !== review.launcher.accountId)
      context.event(toLauncher(review, { nodeState: ApplyState.over, reason: 'revoked', handlerUserName: name }))
  },

  asks: (review, people, isReminder) => [
    personal('operateApplication', people, { ...noticeOf(review), ...(isReminder && { reminder: true as const }) }),
  ],
  answers: (review, { approved, by, comments }) => [
    toLauncher(review, {
      nodeState: approved ? ApplyState.approved : ApplyState.rejected,
      ...{ handlerUserName: by, answer: comments },
    }),
  ],
  late: (review) => [toLauncher(review, { late: true })],
})

/** Whether a number of downloads is more than another; 0 is any number. */
export const isMore = (one: number, other: number): boolean => other > 0 && (one === 0 || one > other)

async function rejectItems(tx: Tx, reviewId: number): Promise<void> {
  await sql`update application_item set result = 'rejected' where review_id = ${reviewId}`.execute(tx)
}

/** Notifies clients that show the items that applied for that something of them has changed. */
async function announce(context: WriteContext, reviewId: number): Promise<void> {
  const { tx, now } = context
  const actor = actorOf(context)
  const { rows } = await sql<{ id: number }>`
    select item_id as id from application_item where review_id = ${reviewId} and item_id = root_id`.execute(tx)
  const found = await accessToMany(
    tx,
    actor,
    rows.map(({ id }) => id),
    now,
  )
  for (const { row } of found.values()) if (row.deleted_at === null) context.event(itemEvent(row, 'rights', actor.name))
}

/** The notice for an applicant. */
export const toLauncher = (review: Review<RequestedDownload>, changed: Partial<PushPayload<'operateApplication'>>) =>
  personal('operateApplication', [review.launcher.accountId], { ...noticeOf(review), ...changed })

const noticeOf = ({ id, launcher, itemId, title, subject, createdAt }: Review<RequestedDownload>) => ({
  serverId: 0,
  applicationId: id,
  operateType: ApplyType.download,
  applicationTitle: title,
  applicationTitleType: subject.fType,
  itemCount: subject.itemCount,
  nodeState: ApplyState.pending,
  handlerUserName: '',
  createTime: createdAt,
  fType: subject.fType,
  fId: itemId ?? 0,
  ...requestItem(subject.fType, itemId, OperateType.download),
  userId: launcher.accountId,
  userName: launcher.name,
  externalId: 0,
  answer: '',
})
