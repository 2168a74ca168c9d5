// The connection between links and their approval. The approval feature is in a higher layer and registers here how it
// is asked, and how a request ends with its link ([R231]).
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import type { Approval, LinkRow } from './link-state.ts'

/** A link that needs approval. */
export interface AskedLink {
  readonly link: LinkRow
  /** The approvers; if empty, the owner and the managers of the library. */
  readonly approvers: readonly number[]
  readonly comments: string
  readonly handleBefore: number | null
}

interface Approvers {
  readonly ask: (context: WriteContext, asked: AskedLink) => Promise<number>
  readonly withdraw: (context: WriteContext, link: Pick<LinkRow, 'id' | 'account_id'>) => Promise<void>
}
let approvers: Approvers | undefined

/** Registers the approval feature. */
export function approvedBy(who: Approvers): void {
  approvers = who
}

/**
 * Requests the approval of a link, in the transaction that locks it; the link is pending from then on. Returns the
 * request's id.
 */
export async function askApproval(context: WriteContext, asked: AskedLink): Promise<number> {
  const reviewId = await (approvers ?? fail('folderWithoutApprover')).ask(context, asked)
  await setApproval(context.tx, asked.link.id, 'pending')
  return reviewId
}

/** Ends the request of a cancelled link, in the transaction that cancels it. */
export async function endApproval(
  context: WriteContext,
  link: Pick<LinkRow, 'id' | 'account_id' | 'approval'>,
): Promise<void> {
  if (link.approval === 'pending') await approvers?.withdraw(context, link)
}

/** Stores the approval state of a link. */
export async function setApproval(db: Db, externalId: number, approval: Approval): Promise<void> {
  await sql`update external_link set approval = ${approval} where id = ${externalId}`.execute(db)
}
