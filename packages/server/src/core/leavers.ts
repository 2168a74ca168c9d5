/*
 * What is handed over when somebody leaves. Each feature says of its own what passes to the successor and what ends, item by
 * item; what it lists before is what it does then, in one transaction. What no feature speaks for passes by the declaration
 * of its table alone (db/tables.ts).
 */
import { sql } from 'kysely'
import type { WriteContext } from './call/context.ts'
import type { Tx } from './db/database.ts'
import type { Table, Tables } from './db/tables.ts'

/** Who leaves, and who follows them. */
export interface Handover {
  readonly leaverId: number
  readonly successorId: number
  readonly now: number
}

/**
 * `passes`: it is the successor's. `merges`: the successor has it already, and keeps the better of both. `ends`: it goes with
 * who leaves. `waits`: it stays as it is until somebody decides.
 */
export type Outcome = 'passes' | 'merges' | 'ends' | 'waits'

/** One thing that is handed over, or not. */
export interface HandoverItem {
  readonly id: number
  readonly name: string
  readonly outcome: Outcome
  /** Where it is, or whose. */
  readonly detail?: string
  /** Why it does not simply pass; a key of the client's texts. */
  readonly why?: string
}

/** All of one kind. */
export interface HandoverPart {
  readonly items: readonly HandoverItem[]
  /** How many things there are, where what is listed holds more. */
  readonly count?: number
  readonly bytes?: number
}

/** What one feature hands over. */
export interface Leaver {
  /** What it is called on the wire. */
  readonly kind: string
  /** The columns that it speaks for, as `table.column`. */
  readonly columns: readonly string[]
  list(tx: Tx, who: Handover): Promise<HandoverPart>
  /** Does with each item what the list says. */
  carryOut(context: WriteContext, who: Handover, items: readonly HandoverItem[]): Promise<void>
}

/** The ids of those with an outcome. */
export function idsOf(items: readonly HandoverItem[], outcome: Outcome): number[] {
  return items.filter((item) => item.outcome === outcome).map(({ id }) => id)
}

/** One for every column that passes and that none of these speaks for: its rows name the successor from then on. */
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
  /** Two rows that differ by the person alone cannot both be the successor's. */
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
