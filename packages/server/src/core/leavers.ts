/*
 * Handover when a user leaves. Each feature declares what passes to the successor and what ends, item by item. The list
 * shown before is exactly what is done, in one transaction. Tables that no feature handles pass by their declaration
 * alone (db/tables.ts).
 */
import { sql } from 'kysely'
import type { WriteContext } from './call/context.ts'
import type { Tx } from './db/database.ts'
import type { Table, Tables } from './db/tables.ts'

/** The leaving user and the successor. */
export interface Handover {
  readonly leaverId: number
  readonly successorId: number
  readonly now: number
}

/**
 * `passes`: it goes to the successor. `merges`: the successor already has it, and keeps the better of both. `ends`: it
 * is deleted with the leaving user. `waits`: it stays unchanged until a user decides.
 */
export type Outcome = 'passes' | 'merges' | 'ends' | 'waits'

/** One thing that is or is not handed over. */
export interface HandoverItem {
  readonly id: number
  readonly name: string
  readonly outcome: Outcome
  /** Its location, or its owner. */
  readonly detail?: string
  /** Why it does not simply pass. A key of the client's texts. */
  readonly why?: string
}

/** One line of the hand-over: all that the leaver has of one kind. */
export interface HandoverPart {
  readonly items: readonly HandoverItem[]
  /** Number of things, if the listed items contain more. */
  readonly count?: number
  readonly bytes?: number
}

/** The handover of one feature. */
export interface Leaver {
  /** Its name in the API. */
  readonly kind: string
  /** The columns it handles, as `table.column`. */
  readonly columns: readonly string[]
  list(tx: Tx, who: Handover): Promise<HandoverPart>
  /** Applies the listed outcome to each item. */
  carryOut(context: WriteContext, who: Handover, items: readonly HandoverItem[]): Promise<void>
}

/** The ids of the items with an outcome. */
export function idsOf(items: readonly HandoverItem[], outcome: Outcome): number[] {
  return items.filter((item) => item.outcome === outcome).map(({ id }) => id)
}

/**
 * Creates a leaver for every column that passes and that no feature handles: its rows name the successor afterwards.
 */
export function remainingLeavers(tables: Tables, spoken: readonly Leaver[]): readonly Leaver[] {
  const known = new Set(spoken.flatMap(({ columns }) => columns))
  return Object.entries(tables as Readonly<Record<string, Table>>).flatMap(([table, { accounts = {} }]) =>
    Object.entries(accounts)
      .filter(([column, leaving]) => leaving === 'passes' && !known.has(`${table}.${column}`))
      .map(([column]) => byDeclaration(table, column)),
  )
}

function byDeclaration(table: string, column: string): Leaver {
  const [rows, names] = [sql.table(table), sql.ref(column)]
  /**
   * Finds rows that would violate a unique index: two rows that differ only by the user cannot both go to the
   * successor.
   */
  const taken = async (tx: Tx, { successorId }: Handover) => {
    const { rows: keys } = await sql<{ columns: string[] }>`
      select array_agg(a.attname::text) filter (where a.attname <> ${column}) as columns from pg_index x
      join pg_attribute a on a.attrelid = x.indrelid and a.attnum = any(x.indkey)
      where x.indrelid = ${table}::regclass and x.indisunique and x.indpred is null
      group by x.indexrelid having bool_or(a.attname = ${column})`.execute(tx)
    const same = keys.map(({ columns }) =>
      (columns ?? []).map((other) => sql`o.${sql.ref(other)} is not distinct from t.${sql.ref(other)}`),
    )
    return same.length === 0
      ? sql`false`
      : sql`(${sql.join(
          same.map(
            (all) => sql`exists (select 1 from ${rows} o where o.${names} = ${successorId}
              and ${all.length === 0 ? sql`true` : sql.join(all, sql` and `)})`,
          ),
          sql` or `,
        )})`
  }
  const kind = `${table}.${column}`
  return {
    kind,
    columns: [kind],
    async list(tx, who) {
      const { rows: found } = await sql<{ merges: boolean; n: number }>`
        select ${await taken(tx, who)} as merges, count(*) as n from ${rows} t where t.${names} = ${who.leaverId}
        group by 1 order by 1`.execute(tx)
      return {
        count: found.reduce((sum, { n }) => sum + n, 0),
        items: found.map(({ merges, n }) => ({
          id: Number(merges),
          name: String(n),
          outcome: merges ? 'merges' : 'passes',
        })),
      }
    },
    async carryOut({ tx }, who) {
      await sql`delete from ${rows} t where t.${names} = ${who.leaverId} and ${await taken(tx, who)}`.execute(tx)
      await sql`update ${rows} t set ${names} = ${who.successorId} where t.${names} = ${who.leaverId}`.execute(tx)
    },
  }
}
