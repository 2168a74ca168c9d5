// A request for a link as a kind of review ([R231]): the approvers of the policy decide, else the owner and the
// managers of the library.
import { ApplyState, ApplyType, fail, OperateType } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { type AskedLink, type LinkApprovers, setApproval } from '../../sharing/links/index.ts'
import { checkChosen, type OperationRule, readRules, ruledRounds, ruleFor } from '../operations/index.ts'
import {
  type Ask,
  launch,
  type Review,
  type Round,
  requestItem,
  reviewersBy,
  reviewKind,
  reviewObjects,
  withdraw,
} from '../review/index.ts'

/** The link at the time of the request. It cannot be widened while it is pending. */
export interface RequestedLink {
  readonly externalId: number
  readonly fType: 1 | 2
  readonly rights: number
  readonly startTime: number
  readonly endTime: number
  readonly hasPassword: boolean
  readonly visitLimit: number
  readonly downloadLimit: number
  readonly people: readonly { readonly userId: number; readonly accountName: string }[]
  /** Absent in requests of older builds, whose links had no mail recipients. */
  readonly mails?: readonly string[]
  readonly note: string
  readonly approvers: readonly number[]
  /** The rule that determined the reviewers; absent without one. */
  readonly ruleId?: number
  readonly atDeadline?: OperationRule['atDeadline']
  readonly verifiers?: readonly number[]
  readonly secretLevel?: number
  /** The link is for the present version of the file only. */
  readonly onlyVersion?: boolean
}

export const linkName = 'link'
const hourMs = 60 * 60_000

/**
 * The reviewers: the people whom the policy of links names, one of them is enough; else those of the rule that makes
 * links need an approval; else the owner and the managers of the library.
 */
export async function roundsOf(
  ask: Pick<Ask<Pick<RequestedLink, 'approvers' | 'ruleId' | 'verifiers' | 'secretLevel'>>, keyof Ask<unknown>>,
): Promise<Round[]> {
  const { approvers, ruleId, verifiers = [], secretLevel = 0 } = ask.subject
  const named = await reviewersBy(ask, [{ by: 'people', accountIds: approvers }])
  if (named.length > 0) return [{ who: named, needed: 1 }]
  if (ruleId === undefined && verifiers.length === 0) {
    const who = await reviewersBy(ask, [{ by: 'owner' }, { by: 'managers' }])
    return who.length === 0 ? [] : [{ who, needed: 1 }]
  }
  return ruledRounds(ask, await ruleById(ask.tx, ruleId), secretLevel, verifiers)
}

const ruleById = async (tx: Tx, id: number | undefined): Promise<OperationRule | undefined> =>
  id === undefined ? undefined : (await readRules(tx)).find((rule) => rule.id === id)

export const linkRequest = reviewKind<RequestedLink, object>({
  name: linkName,
  isSupervised: true,
  rounds: roundsOf,
  atDeadline: ({ subject }) => subject.atDeadline ?? 'wait',

  async approved(context, { subject: { externalId } }) {
    await lockLink(context.tx, externalId)
    await setApproval(context.tx, externalId, 'approved')
    return { decision: {}, endsAt: null }
  },
  rejected: ({ tx }, { subject }) => setApproval(tx, subject.externalId, 'refused'),
  lapsed: (tx, { subject }) => setApproval(tx, subject.externalId, 'refused'),
  withdrawn: (context, { subject }) => setApproval(context.tx, subject.externalId, 'withdrawn'),
  async revoked(context, review) {
    const { launcher, subject } = review
    await setApproval(context.tx, subject.externalId, 'revoked')
    const { accountId, name } = actorOf(context)
    const said = { nodeState: ApplyState.over, reason: 'revoked', handlerUserName: name } as const
    if (accountId !== launcher.accountId)
      context.event(personal('operateApplication', [launcher.accountId], { ...noticeOf(review), ...said }))
  },

  asks: (review, people, isReminder) => [
    personal('operateApplication', people, { ...noticeOf(review), ...(isReminder && { reminder: true as const }) }),
  ],
  answers: (review, { approved, by, comments }) => [
    personal('operateApplication', [review.launcher.accountId], {
      ...noticeOf(review),
      nodeState: approved ? ApplyState.approved : ApplyState.rejected,
      handlerUserName: by,
      answer: comments,
    }),
  ],
  late: (review) => [personal('operateApplication', [review.launcher.accountId], { ...noticeOf(review), late: true })],
})

/** Locks the link; fails if it was cancelled meanwhile. */
async function lockLink(tx: Tx, externalId: number): Promise<void> {
  const { rows } = await sql`
    select 1 from external_link where id = ${externalId} and cancelled_at is null for no key update`.execute(tx)
  if (rows.length === 0) fail('notFound')
}

const noticeOf = ({ id, launcher, itemId, title, subject, createdAt }: Review<RequestedLink>) => ({
  serverId: 0,
  applicationId: id,
  operateType: ApplyType.external,
  applicationTitle: title,
  applicationTitleType: subject.fType,
  itemCount: 1,
  nodeState: ApplyState.pending,
  handlerUserName: '',
  createTime: createdAt,
  fType: subject.fType,
  fId: itemId ?? 0,
  ...requestItem(subject.fType, itemId, OperateType.rights),
  userId: launcher.accountId,
  userName: launcher.name,
  externalId: subject.externalId,
  answer: '',
})

async function ask(
  context: WriteContext,
  { link, approvers, verifiers, comments, handleBefore }: AskedLink,
): Promise<number> {
  const { tx, now } = context
  const actor = actorOf(context)
  const access = (await accessToMany(tx, actor, [link.item_id], now)).get(link.item_id)
  const rule = access === undefined ? undefined : ruleFor(await readRules(tx), 'link', actor, access)
  const secretLevel = access?.facts.secretLevel ?? link.secret_level
  if (verifiers.length > 0 && approvers.length === 0)
    await checkChosen(
      { tx, now, itemId: link.item_id, launcherId: actor.accountId },
      ...([rule, secretLevel, verifiers] as const),
    )
  const deadline = rule === undefined || rule.hours === 0 ? null : now + rule.hours * hourMs
  return launch<RequestedLink, object>(context, linkRequest, {
    itemId: link.item_id,
    title: link.item_name,
    key: String(link.id),
    subject: {
      externalId: link.id,
      fType: link.f_type,
      rights: link.rights,
      startTime: link.starts_at,
      endTime: link.ends_at,
      hasPassword: link.password !== null,
      visitLimit: link.visit_limit,
      downloadLimit: link.download_limit,
      people: link.named ?? [],
      mails: link.mails,
      note: link.note,
      approvers,
      ...(rule !== undefined && { ruleId: rule.id, atDeadline: rule.atDeadline }),
      ...{ verifiers, secretLevel, onlyVersion: link.only_version !== null },
    },
    comments,
    handleBefore: handleBefore ?? deadline,
  })
}

/** How links ask for their approval, and lead to it. */
export function requestedApproval(services: Pick<Services, 'now' | 'contributed'>): LinkApprovers {
  const objects = reviewObjects(services)
  return {
    ask,
    async withdraw(context, link) {
      const { rows } = await sql<{ id: number }>`
        select id from review where kind = ${linkName} and launcher_id = ${link.account_id} and key = ${String(link.id)}
          and state = 'pending' for no key update`.execute(context.tx)
      for (const { id } of rows) await withdraw(context, () => linkRequest, id, '')
    },
    async applicationsOf(db, actor, externalIds) {
      const { rows } = await sql<{ id: number; externalId: number }>`
        select distinct on (key) id, key::bigint as "externalId" from review
        where kind = 'link' and key = any(${externalIds.map(String)}) order by key, id desc`.execute(db)
      const seen = await objects.load(
        db,
        actor,
        rows.map(({ id }) => id),
      )
      return new Map(rows.flatMap(({ id, externalId }) => (seen.has(id) ? [[externalId, id] as const] : [])))
    },
  }
}
