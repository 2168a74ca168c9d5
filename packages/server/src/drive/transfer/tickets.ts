// Tickets of downloads and previews ([X36]).
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { ticketTokens } from '../../people/auth/index.ts'

/** Lifetime of a ticket for a download or a preview ([X36]). */
const ticketLife = 5 * 60_000

/** The data of a ticket; read by people/auth. */
export interface Ticket {
  readonly sessionId: number
  readonly scope: readonly string[]
}

/** Creates a ticket for the caller's session that is valid for some minutes. */
export async function issueTicket(
  context: WriteContext,
  scope: string[],
): Promise<{ ticket: string; expiresAt: number }> {
  const expiresAt = context.now + ticketLife
  const ticket: Ticket = { sessionId: actorOf(context).sessionId, scope }
  return { ticket: await ticketTokens.issue(context.tx, ticket, expiresAt), expiresAt }
}
