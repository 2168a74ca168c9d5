// Where links meet those who approve them: that feature lies above and says here how it is asked, and what becomes of a
// request whose link is over ([R231]).
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import type { Approval, LinkRow } from './link-state.ts'

/** A link that an approval is wanted for. */
export interface AskedLink {
  readonly link: LinkRow
  /** Who decides; nobody: whoever owns or manages the library. */
  readonly approvers: readonly number[]
  readonly comments: string
  readonly handleBefore: number | null
}

interface Approvers {
  readonly ask: (context: WriteContext, asked: AskedLink) => Promise<number>
  readonly withdraw: (context: WriteContext, link: Pick<LinkRow, 'id' | 'account_id'>) => Promise<void>
}
let approvers: Approvers | undefined

/** Says who is asked for approvals. */
export function approvedBy(who: Approvers): void {
  approvers = who
}

/** Asks for the approval of a link, in the transaction that holds it; it waits from then on. Answers the request. */
export async function askApproval(context: WriteContext, asked: AskedLink): Promise<number> {
  const reviewId = await (approvers ?? fail('folderWithoutApprover')).ask(context, asked)
  await setApproval(context.tx, asked.link.id, 'pending')
  return reviewId
}

/** Nobody is asked any more about a link that is cancelled, in the transaction that cancels it. */
export async function endApproval(
  context: WriteContext,
  link: Pick<LinkRow, 'id' | 'account_id' | 'approval'>,
): Promise<void> {
  if (link.approval === 'pending') await approvers?.withdraw(context, link)
}

/** Writes down how the approval of a link stands. */
export async function setApproval(db: Db, externalId: number, approval: Approval): Promise<void> {
  await sql`update external_link set approval = ${approval} where id = ${externalId}`.execute(db)
}
