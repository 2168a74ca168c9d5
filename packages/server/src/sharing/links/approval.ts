// Where links meet those who approve them: that feature lies above and says here how it is asked ([R231]).
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import type { Approval, LinkRow } from './state.ts'

/** A link that an approval is wanted for. */
export interface AskedLink {
  readonly link: LinkRow
  /** Who decides; nobody: whoever owns or manages the library. */
  readonly approvers: readonly number[]
  readonly comments: string
  readonly handleBefore: number | null
}

type Ask = (context: WriteContext, asked: AskedLink) => Promise<number>
let asker: Ask | undefined

/** Says who asks for approvals. */
export function approvedBy(ask: Ask): void {
  asker = ask
}

/** Asks for the approval of a link, in the transaction that holds it; it waits from then on. Answers the request. */
export async function askApproval(context: WriteContext, asked: AskedLink): Promise<number> {
  const reviewId = await (asker ?? fail('folderWithoutApprover'))(context, asked)
  await setApproval(context.tx, asked.link.id, 'pending')
  return reviewId
}

/** Writes down how the approval of a link stands. */
export async function setApproval(db: Db, externalId: number, approval: Approval): Promise<void> {
  await sql`update external_link set approval = ${approval} where id = ${externalId}`.execute(db)
}
