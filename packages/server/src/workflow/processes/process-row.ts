// A process as it is stored, and the transaction in which it changes.
import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import type { Schema } from '../../core/db/schema.ts'
import type { NewEvent } from '../../core/events.ts'

export type ProcessRow = Selectable<Schema['process']>

/** The transaction in which a process changes, and who changes it. */
export interface Acting {
  readonly tx: Tx
  readonly now: number
  /** Undefined for what happens by itself. */
  readonly actor: { readonly accountId: number; readonly name: string } | undefined
  event(event: NewEvent): void
}

/** Those who stand in now for some of these people. */
export async function standInsOf(
  { tx, now }: Pick<Acting, 'tx' | 'now'>,
  people: readonly number[],
): Promise<number[]> {
  if (people.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select stand_in_id as id from review_stand_in
    where account_id = any(${[...people]}) and from_at <= ${now} and (until_at is null or until_at > ${now})`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}
