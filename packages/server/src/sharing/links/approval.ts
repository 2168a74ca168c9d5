// The connection between links and their approval. The approval feature is in a higher layer. It contributes how it is
// asked, and how a request ends with its link ([R231]).
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { AccountActor } from '../../core/actor.ts'
import type { WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { extensionPoint } from '../../core/extension-points.ts'
import type { Services } from '../../core/services.ts'
import type { Approval, LinkRow } from './link-state.ts'

/** A link that needs approval. */
export interface AskedLink {
  readonly link: LinkRow
  /** The approvers; if empty, the owner and the managers of the library. */
  readonly approvers: readonly number[]
  /** The reviewers whom the creator chose; if empty, all. */
  readonly verifiers: readonly number[]
  readonly comments: string
  readonly handleBefore: number | null
}

/** How the approval of links is asked, ended and found. */
export interface LinkApprovers {
  readonly ask: (context: WriteContext, asked: AskedLink) => Promise<number>
  readonly withdraw: (context: WriteContext, link: Pick<LinkRow, 'id' | 'account_id'>) => Promise<void>
  /** The last application of each of the links that has one the user may see. */
  readonly applicationsOf: (
    db: Db,
    actor: AccountActor,
    externalIds: readonly number[],
  ) => Promise<ReadonlyMap<number, number>>
}

/** The approval of links: one feature contributes it. Without it no link can be approved. */
export const linkApprovers = extensionPoint<LinkApprovers>('approvers of links')

type Contributions = Pick<Services, 'contributed'>

/**
 * Requests the approval of a link, in the transaction that locks it; the link is pending from then on. Returns the
 * request's id.
 */
export async function askApproval(
  context: WriteContext,
  { contributed }: Contributions,
  asked: AskedLink,
): Promise<number> {
  const [approvers] = contributed(linkApprovers)
  const reviewId = await (approvers ?? fail('folderWithoutApprover')).ask(context, asked)
  await setApproval(context.tx, asked.link.id, 'pending')
  // A link to one version is approved for the version that it leads to now.
  await sql`
    update external_link l set only_version = i.version from item i
    where l.id = ${asked.link.id} and i.id = l.item_id and l.only_version is not null`.execute(context.tx)
  return reviewId
}

/** Ends the request of a cancelled link, in the transaction that cancels it. */
export async function endApproval(
  context: WriteContext,
  { contributed }: Contributions,
  link: Pick<LinkRow, 'id' | 'account_id' | 'approval'>,
): Promise<void> {
  if (link.approval !== 'pending') return
  for (const approvers of contributed(linkApprovers)) await approvers.withdraw(context, link)
}

/** The applications of links that a user may see, by the ids of the links ([R251]). */
export async function applicationsOf(
  db: Db,
  { contributed }: Contributions,
  actor: AccountActor,
  externalIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const [approvers] = contributed(linkApprovers)
  if (approvers === undefined || externalIds.length === 0) return new Map()
  return approvers.applicationsOf(db, actor, externalIds)
}

/** Stores the approval state of a link. */
export async function setApproval(db: Db, externalId: number, approval: Approval): Promise<void> {
  await sql`update external_link set approval = ${approval} where id = ${externalId}`.execute(db)
}
