/*
 * A sensitive file as a kind of review: its uploader is told, its reviewers decide. The decision covers the values that
 * were found, by their keyed hashes, so it holds for later versions with the same values and not for new ones.
 */
import type { PushPayload, SensitiveRuleInput } from '@cloudoc/contract'
import { ItemStatusBit, mainServerId, SensitiveAudit } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import { itemEvent, notEdited, tally } from '../../drive/tree/index.ts'
import {
  type Ask,
  type Review,
  type ReviewerRule,
  type ReviewKind,
  type Round,
  reviewersBy,
  reviewKind,
} from '../review/index.ts'
import { writeLog } from './log.ts'

export const sensitiveReviewName = 'sensitive'

/** What a review is about. */
export interface SensitiveSubject {
  readonly checkId: number
  readonly version: number
  readonly folderId: number
  readonly reviewers: SensitiveRuleInput['reviewers']
}

type Subjects = readonly { readonly subjectType: 'user' | 'role'; readonly subjectId: number }[]

const rulesOf = (subjects: Subjects): ReviewerRule[] => [
  { by: 'people', accountIds: subjects.filter((one) => one.subjectType === 'user').map((one) => one.subjectId) },
  ...subjects
    .filter((one) => one.subjectType === 'role')
    .map((one): ReviewerRule => ({ by: 'role', roleId: one.subjectId })),
]

/** The usual reviewers. */
export async function usualReviewers(tx: Tx): Promise<Subjects> {
  const { rows } = await sql<Subjects[number]>`
    select subject_type as "subjectType", subject_id as "subjectId" from sensitive_reviewer
    order by subject_type, subject_id`.execute(tx)
  return rows
}

/**
 * One of the reviewers of the rules decides; where these cannot, one of the usual reviewers, of the managers of the
 * library, or of the holders of the security power.
 */
async function roundsOf(ask: Ask<SensitiveSubject>): Promise<Round[]> {
  const groups: (() => Promise<readonly ReviewerRule[]>)[] = [
    async () => rulesOf(ask.subject.reviewers),
    async () => rulesOf(await usualReviewers(ask.tx)),
    async () => [{ by: 'managers' }, { by: 'owner' }],
    async () => {
      const { rows } = await sql<{ id: number }>`
        select id from account where is_admin union select account_id from administrator where power = 'security'
        order by id`.execute(ask.tx)
      return [{ by: 'people', accountIds: rows.map(({ id }) => id) }]
    },
  ]
  for (const group of groups) {
    const who = await reviewersBy(ask, await group())
    if (who.length > 0) return [{ who, needed: 1 }]
  }
  return []
}

interface CheckRow {
  readonly id: number
  readonly item_id: number
  readonly version: number
  readonly blob_id: number
  readonly name: string
  readonly action: 'none' | 'note' | 'audit' | 'block'
  readonly asked: [number, string][]
  readonly uploader_id: number
}

/** The check of a review, with its item locked. The item is undefined if it has been removed. */
async function checkOf(tx: Tx, reviewId: number): Promise<{ check: CheckRow; item: ItemRow | undefined }> {
  const { rows } = await sql<CheckRow>`select * from sensitive_file where review_id = ${reviewId}`.execute(tx)
  const [check] = rows
  if (check === undefined) throw new Error(`review ${reviewId} has no checked file`)
  const items = await sql<ItemRow>`select * from item where id = ${check.item_id} for no key update`.execute(tx)
  return { check, item: items.rows[0] }
}

const setState = (tx: Tx, { id }: CheckRow, state: string, now: number) =>
  sql`update sensitive_file set state = ${state}, decided_at = ${now} where id = ${id}`.execute(tx)

/** Logs a decision of the caller. */
const logDecision = (
  context: WriteContext,
  check: CheckRow,
  what: 'approved' | 'disapproved' | 'deleted' | 'revoked',
  comments: string,
) =>
  writeLog(context.tx, context.now, [
    {
      ...{ what, accountId: actorOf(context).accountId, checkId: check.id, itemId: check.item_id, name: check.name },
      ...{ version: check.version, action: check.action, comments },
    },
  ])

const noticeOf = ({ id, launcher, subject, title, itemId, createdAt }: Review<SensitiveSubject>) => ({
  serverId: mainServerId,
  checkId: subject.checkId,
  fileId: itemId ?? 0,
  folderId: subject.folderId,
  fileName: title,
  version: subject.version,
  remindTime: createdAt,
  uploadName: launcher.name,
  userName: id === 0 ? '' : launcher.name,
  answer: '',
})

/** Tells the uploader what became of their file (X13). */
export const toUploader = (
  review: Review<SensitiveSubject>,
  said: Pick<PushPayload<'sensitiveFile'>, 'state'> & Partial<PushPayload<'sensitiveFile'>>,
) => personal('sensitiveFile', [review.launcher.accountId], { ...noticeOf(review), ...said })

/** The comments of the decision in progress, which only its call knows. */
const commentsOf = (tx: Tx, reviewId: number) =>
  sql<{ comments: string }>`
    select comments from review_note where review_id = ${reviewId} and what in ('approved', 'rejected')
    order by id desc limit 1`
    .execute(tx)
    .then(({ rows }) => rows[0]?.comments ?? '')

/** The status bits of a file that is checked or restricted. */
export const restricted = ItemStatusBit.fileAudit | ItemStatusBit.auditDetecting

/** Lifts what restricts a file, if the version is still the current one. */
export async function release(tx: Tx, itemId: number, version: number): Promise<void> {
  await sql`update version set held = false where item_id = ${itemId} and number = ${version} and held`.execute(tx)
  await sql`
    update item set status = status & ~${restricted}::int, held_for = null
    where id = ${itemId} and version = ${version}`.execute(tx)
}

/** Restricts a file: nothing of it leaves the company, and with `block` only those accounts may use it. */
export async function restrict(
  tx: Tx,
  itemId: number,
  version: number,
  heldFor: readonly number[] | null,
): Promise<void> {
  if (heldFor !== null)
    await sql`update version set held = true where item_id = ${itemId} and number = ${version}`.execute(tx)
  await sql`
    update item set status = (status & ~${ItemStatusBit.auditDetecting}::int) | ${ItemStatusBit.fileAudit}::int,
      held_for = ${heldFor === null ? null : JSON.stringify(heldFor)}::jsonb
    where id = ${itemId} and version = ${version}`.execute(tx)
}

/** Who may use the content of a file while it is held back: its uploader, its reviewers and their stand-ins. */
export async function holdersOf(tx: Tx, reviewId: number | null, uploaderId: number, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select w.account_id as id from review_reviewer w where w.review_id = ${reviewId}
    union select s.stand_in_id from review_stand_in s join review_reviewer w on w.account_id = s.account_id
      where w.review_id = ${reviewId} and (s.until_at is null or s.until_at > ${now})
    union select ${uploaderId}::bigint order by 1`.execute(tx)
  return rows.map(({ id }) => id)
}

async function approve(context: WriteContext, review: Review<SensitiveSubject>) {
  const { tx, now } = context
  const { check, item } = await checkOf(tx, review.id)
  if (item !== undefined) {
    await sql`
      insert into sensitive_release (item_id, library_id, blob_id, rule_id, hash, review_id, at)
      select ${item.id}, ${item.library_id}, ${check.blob_id}, (e->>0)::bigint, e->>1, ${review.id}, ${now}
      from jsonb_array_elements(${JSON.stringify(check.asked)}::jsonb) e
      on conflict do nothing`.execute(tx)
    await release(tx, item.id, check.version)
    context.event(itemEvent(item, 'edit', actorOf(context).name))
  }
  await setState(tx, check, 'approved', now)
  await logDecision(context, check, 'approved', await commentsOf(tx, review.id))
  return { decision: {}, endsAt: null }
}

async function disapprove(context: WriteContext, review: Review<SensitiveSubject>): Promise<void> {
  const { tx, now } = context
  const { check } = await checkOf(tx, review.id)
  await setState(tx, check, 'disapproved', now)
  await logDecision(context, check, 'disapproved', await commentsOf(tx, review.id))
}

export const sensitiveReview: ReviewKind<SensitiveSubject, object> = reviewKind({
  name: sensitiveReviewName,
  isImposed: true,
  rounds: roundsOf,
  approved: approve,
  rejected: disapprove,
  async revoked(context, review) {
    const { tx, now } = context
    const { check, item } = await checkOf(tx, review.id)
    await sql`delete from sensitive_release where review_id = ${review.id}`.execute(tx)
    if (item !== undefined) {
      const heldFor = check.action === 'block' ? await holdersOf(tx, review.id, check.uploader_id, now) : null
      await restrict(tx, item.id, check.version, heldFor)
      context.event(itemEvent(item, 'edit', actorOf(context).name))
    }
    await setState(tx, check, 'disapproved', now)
    await logDecision(context, check, 'revoked', '')
    context.event(
      toUploader(review, { state: SensitiveAudit.disapproved, userName: actorOf(context).name, remindTime: now }),
    )
  },
  asks: (review, people) => [personal('sensitiveFile', people, { ...noticeOf(review), state: SensitiveAudit.review })],
  answers: (review, { approved, by, comments }, now) => [
    toUploader(review, {
      state: approved ? SensitiveAudit.approved : SensitiveAudit.disapproved,
      ...{ userName: by, answer: comments, remindTime: now },
    }),
  ],
  late: () => [],
})

/** The same review, where the decision is to move the file to the recycle bin. */
export const sensitiveRemoval: ReviewKind<SensitiveSubject, object> = {
  ...sensitiveReview,
  async rejected(context, review) {
    const { tx, now } = context
    const actor = actorOf(context)
    const { check, item } = await checkOf(tx, review.id)
    if (item !== undefined && item.deleted_at === null) {
      await tx
        .updateTable('item')
        .set({ deleted_at: now, deleted_by: actor.accountId, ...notEdited })
        .where('id', '=', item.id)
        .execute()
      await tally(tx, {
        ...{ libraryId: item.library_id, accountId: actor.accountId, folderId: item.parent_id, bytes: 0, children: -1 },
      })
      context.event(itemEvent(item, 'delete', actor.name))
    }
    await setState(tx, check, 'deleted', now)
    await logDecision(context, check, 'deleted', await commentsOf(tx, review.id))
  },
  answers: (review, { by, comments }, now) => [
    toUploader(review, { state: SensitiveAudit.deleted, userName: by, answer: comments, remindTime: now }),
  ],
}
