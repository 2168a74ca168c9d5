/*
 * What PostgreSQL does for a call. Records the statements of a call on their way to the driver, with their parameters.
 * Then runs each again as EXPLAIN (ANALYZE, BUFFERS) of the prepared statement, once with a custom plan and once with
 * the generic plan.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { World } from './harness.ts'

/** A node of a plan in PostgreSQL's output. */
export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** How many rows it has answered or changed; absent before its answer. */
  rows?: number
}

export interface Plan extends Statement {
  readonly mode: 'custom' | 'generic'
  readonly root: PlanNode
  readonly milliseconds: number
}

interface Answered {
  callback: (error: Error | null, result: pg.QueryResult | undefined) => void
}

/** Notes how many rows a query answers or changes. */
function countRows(query: Answered, statement: Statement): void {
  const { callback } = query
  query.callback = (error, result) => {
    statement.rows = result?.rowCount ?? 0
    callback(error, result)
  }
}

const recording = new AsyncLocalStorage<Statement[]>()

/**
 * Records the statements that `work` sends, in order. Excludes statements of other activity in the process, such as the
 * timers of each open world.
 */
export async function recordStatements<T>(work: () => Promise<T>): Promise<{ value: T; statements: Statement[] }> {
  const statements: Statement[] = []
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const original = prototype.query
  prototype.query = function record(this: unknown, ...args: unknown[]) {
    const [config, values] = args
    const { text, values: own } = (typeof config === 'string' ? { text: config, values } : config) as Partial<Statement>
    if (text !== undefined && recording.getStore() === statements) {
      const statement: Statement = { text, values: own ?? [] }
      statements.push(statement)
      if (config instanceof pg.Query) countRows(config as unknown as Answered, statement)
    }
    return original.apply(this, args)
  }
  try {
    return { value: await recording.run(statements, work), statements }
  } finally {
    prototype.query = original
  }
}

/** Runs `work` and explains each SELECT on items that it sent. */
export async function explain<T>(world: World, work: () => Promise<T>): Promise<{ value: T; plans: Plan[] }> {
  const { value, statements } = await recordStatements(work)
  const client = new pg.Client(world.database)
  await client.connect()
  try {
    const plans: Plan[] = []
    const reading = statements.filter(
      ({ text }) =>
        /^\s*(select|with)/i.test(text) &&
        /\bitem\b/.test(text) &&
        !/for (share|no key|update)|insert into/i.test(text),
    )
    for (const [n, { text, values }] of reading.entries()) {
      for (const mode of ['custom', 'generic'] as const) {
        await client.query(`set plan_cache_mode = force_${mode}_plan`)
        await client.query(`prepare s${n}_${mode} as ${text}`)
        const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }] }>(
          `explain (analyze, buffers, format json) execute s${n}_${mode}${given}`,
        )
        const [plan] = rows[0]?.['QUERY PLAN'] ?? []
        if (plan !== undefined) {
          plans.push({ text, values, mode, root: plan.Plan, milliseconds: plan['Execution Time'] })
        }
      }
    }
    return { value, plans }
  } finally {
    await client.end()
  }
}

/** Formats a parameter as the driver would send it. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`)
  if (typeof value === 'number' || typeof value === 'boolean') return `'${value}'`
  if (Array.isArray(value))
    return pg.escapeLiteral(
      `{${value.map((each) => (typeof each === 'number' ? each : `"${elementOf(each).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`,
    )
  return pg.escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value))
}

const elementOf = (each: unknown): string => (Buffer.isBuffer(each) ? `\\x${each.toString('hex')}` : String(each))

/** The nodes of a plan in top-down order. */
export function planNodes(root: PlanNode): PlanNode[] {
  return [root, ...(root.Plans ?? []).flatMap(planNodes)]
}

/** How many rows of a table a plan read, including those that it filtered out. */
export function rowsRead(root: PlanNode, table: string): number {
  return planNodes(root)
    .filter((node) => node['Relation Name'] === table)
    .reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    )
}
