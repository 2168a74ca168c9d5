/*
 * Imports 20,000 people in 1,000 departments from a table, as an administrator does, against COPY of all resulting rows
 * into empty tables of the same form with the same indexes. The accounts have no password yet, so nothing is hashed.
 */
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import copy from 'pg-copy-streams'
import { compare, type Measured } from './measure.ts'
import type { BenchServer } from './server.ts'

const people = 20_000
const departments = 1000
/** The tables that an import writes, at least one row in each per person or department. */
const tables = ['account', 'org_group', 'library', 'item'] as const

interface Copied {
  readonly table: (typeof tables)[number]
  readonly columns: string
  readonly rows: Buffer
}

export async function peopleImport(server: BenchServer, runs: number): Promise<Measured> {
  const client = new pg.Client(server.database)
  await client.connect()
  try {
    const before = await lastIds(client)
    // Also warms the server up.
    await measureImport(server, 'warm')
    const written = await rowsSince(client, before)
    return await compare(
      { what: `${people} people in ${departments} departments imported, against COPY`, bar: 0.1, unit: 'people/s' },
      runs,
      () => measureCopy(client, written),
      (run) => measureImport(server, `run${run}`),
    )
  } finally {
    await client.end()
  }
}

/** People per second of one import. */
async function measureImport(server: BenchServer, name: string): Promise<number> {
  const way = (n: number): string => `${name} ${n % 10} / 部门 ${n}`
  const newGroups = Array.from({ length: departments }, (_, n) => way(n))
  const rows = Array.from({ length: people }, (_, n) => {
    const department = way(n % departments)
    return [`员工${n}`, `${name}-${n}`, department, '工程师', `${name}-${n}@example.com`, '', '', '', '']
  })
  const started = performance.now()
  const { done } = (await server.post('/services2/organization/importPeople', { rows, newGroups })) as { done: boolean }
  if (!done) throw new Error('the import was refused')
  return (people / (performance.now() - started)) * 1000
}

async function lastIds(client: pg.Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const table of tables) {
    const { rows } = await client.query<{ id: string }>(`select coalesce(max(id), 0) as id from ${table}`)
    ids.set(table, rows[0]?.id ?? '0')
  }
  return ids
}

async function rowsSince(client: pg.Client, before: Map<string, string>): Promise<Copied[]> {
  const written: Copied[] = []
  for (const table of tables) {
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    )
    const columns = rows[0]?.columns ?? ''
    const since = `select ${columns} from ${table} where id > ${before.get(table)} order by id`
    written.push({ table, columns, rows: await buffer(client.query(copy.to(`copy (${since}) to stdout`))) })
  }
  return written
}

/** People per second of the same rows by COPY, committed. */
async function measureCopy(client: pg.Client, written: readonly Copied[]): Promise<number> {
  for (const { table } of written) await client.query(`create table bench_${table} (like ${table} including all)`)
  const started = performance.now()
  await client.query('begin')
  for (const { table, columns, rows } of written)
    await pipeline([rows], client.query(copy.from(`copy bench_${table} (${columns}) from stdin`)))
  await client.query('commit')
  const rate = (people / (performance.now() - started)) * 1000
  for (const { table } of written) await client.query(`drop table bench_${table}`)
  return rate
}
