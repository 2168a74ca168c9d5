// A process as it is stored, and the transaction in which it changes.
import type { Selectable } from 'kysely'
import { standInsOf as currentStandIns } from '../../approvals/review/index.ts'
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
export const standInsOf = ({ tx, now }: Pick<Acting, 'tx' | 'now'>, people: readonly number[]): Promise<number[]> =>
  currentStandIns(tx, people, now)
