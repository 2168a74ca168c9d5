// What must be true between the rows of an installation.
import type { RawBuilder } from 'kysely'
import type { Tx } from './db/database.ts'

/** One thing that must hold; fsck asks it of one snapshot, without any index. */
export interface TableCheck {
  /** What should be true, in words. */
  readonly says: string
  /** A query of what is not so, as `what`: ids, never names. */
  readonly broken: RawBuilder<unknown>
  /** Sets right what follows from the rest; left out where nothing but a person can know. */
  readonly mend?: (tx: Tx) => Promise<unknown>
}
