// What other parts of the server must know of a table; each feature declares its own.
import { type RawBuilder, sql } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * What becomes of a row when the person it names leaves the company. `stays`: it tells what happened. `passes`: it is
 * handed over to who follows them. `ends`: it goes with them.
 */
export type Leaving = 'stays' | 'passes' | 'ends'

/** One table. */
export interface Table<Column extends string = string> {
  /**
   * Whether a backup holds its rows. `left` are rows of the moment: what was ended after the backup must not come back to
   * life with it, what had not ended begins again, and what the upkeep of one store remembers means nothing to another.
   */
  readonly backup: 'kept' | 'left'
  /** The columns that name accounts. */
  readonly accounts?: { readonly [C in Column]?: Leaving }
  /** The columns that name contents and keep them: the collector asks each. */
  readonly contents?: readonly Column[]
  /** An item's record shows its rows: triggers must tell whoever keeps records of them (invalidations.ts). */
  readonly inItemRecord?: true
}

/** The tables of a feature. */
export type Tables = { readonly [T in keyof Schema]?: Table<keyof Schema[T] & string> }

/** Whether any row of the tables refers to the content with the id of `blob`. */
export function isReferredTo(tables: Tables, blob: RawBuilder<unknown>): RawBuilder<boolean> {
  const referrers = Object.entries(tables as Readonly<Record<string, Table>>).flatMap(([name, { contents = [] }]) =>
    contents.map(
      (column) => sql<boolean>`exists (
      select 1 from ${sql.table(name)} where ${sql.ref(`${name}.${column}`)} = ${blob})`,
    ),
  )
  return sql<boolean>`(${sql.join([sql.lit(false), ...referrers], sql` or `)})`
}
