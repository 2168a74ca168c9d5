// What other parts of the server must know about a table. Each feature declares its own.
import { type CodeName, ResultError } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * What happens to a row when the user it names leaves the company. `stays`: it is a record of the past. `passes`: it is
 * handed over to the successor. `ends`: it is deleted with the user.
 */
export type Leaving = 'stays' | 'passes' | 'ends'

/** One table. */
export interface Table<Column extends string = string> {
  /**
   * Whether a backup includes its rows. `left` marks temporary rows: what ended after the backup must not exist again
   * after a restore, what had not ended starts again, and maintenance state of one store is meaningless for another.
   */
  readonly backup: 'kept' | 'left'
  /** The columns that refer to accounts. */
  readonly accounts?: { readonly [C in Column]?: Leaving }
  /** The columns that refer to contents and protect them: the collector checks each. */
  readonly contents?: readonly Column[]
  /** Its rows are visible in an item's record: triggers must invalidate caches of such records (invalidations.ts). */
  readonly inItemRecord?: true
  /**
   * Unique indexes and triggers that hold a rule: with which code a call fails whose row violates one. A trigger raises
   * `restrict_violation` with its own name as the constraint.
   */
  readonly refusals?: Readonly<Record<string, CodeName>>
}

/** The tables of a feature. */
export type Tables = { readonly [T in keyof Schema]?: Table<keyof Schema[T] & string> }

/** Whether any row of the tables refers to the content with the id `blob`. */
export function isReferredTo(tables: Tables, blob: RawBuilder<unknown>): RawBuilder<boolean> {
  const referrers = Object.entries(tables as Readonly<Record<string, Table>>).flatMap(([name, { contents = [] }]) =>
    contents.map(
      (column) => sql<boolean>`exists (
      select 1 from ${sql.table(name)} where ${sql.ref(`${name}.${column}`)} = ${blob})`,
    ),
  )
  return sql<boolean>`(${sql.join([sql.lit(false), ...referrers], sql` or `)})`
}

/** Translates the violation of a unique index or of a trigger's rule into the code that its table declares; undefined for other errors. */
export function createRefusals(tables: Tables): (error: unknown) => ResultError | undefined {
  const all = Object.values(tables as Readonly<Record<string, Table>>)
  const codeOf = new Map(all.flatMap(({ refusals = {} }) => Object.entries(refusals)))
  return (error) => {
    const { code, constraint = '' } = (error ?? {}) as { code?: string; constraint?: string }
    const name = ruleViolations.has(code ?? '') ? codeOf.get(constraint) : undefined
    return name && new ResultError(name)
  }
}

/** `unique_violation` and `restrict_violation`. */
const ruleViolations: ReadonlySet<string> = new Set(['23505', '23001'])
