// Consistency checks between the rows of an installation.
import type { RawBuilder } from 'kysely'
import type { Tx } from './db/database.ts'

/** One consistency rule. fsck checks it in one snapshot, without any index. */
export interface TableCheck {
  /** The rule, as text. */
  readonly says: string
  /** A query of the violations, as `what`: ids, never names. */
  readonly broken: RawBuilder<unknown>
  /** Repairs what follows from other rows. Absent if only a person can decide. */
  readonly mend?: (tx: Tx) => Promise<unknown>
}
