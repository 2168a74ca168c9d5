// What changes of rules and of networks have in common.
import { sql } from 'kysely'
import type { WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'

/** The event by which clients read the rules again ([R338]). */
export const rulesChanged = { kind: 'exchange.rules' } as const

export async function isMissing(tx: Tx, table: string, ids: readonly number[]): Promise<boolean> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return false
  const { rows } = await sql`select 1 from ${sql.table(table)} where id = any(${wanted})`.execute(tx)
  return rows.length < wanted.length
}

/** Changes of the rules happen one after the other, because their positions depend on each other. */
export async function changeRules(context: WriteContext): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('exchange_rule'))`.execute(context.tx)
  context.event(rulesChanged)
}

export const publicKey = ({
  text,
  fingerprint,
  createdAt,
}: {
  text: string
  fingerprint: string
  createdAt: number
}) => ({
  ...{ text, fingerprint, time: createdAt },
})
