// What features declare about their tables matches the database: references to people and contents, and columns that
// are shown.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Table } from '../src/core/db/tables.ts'
import { installation } from '../src/installation.ts'
import { explain, planNodes } from './explain.ts'
import { openWorld, type Person, type World } from './harness.ts'

const tables = installation.tables as Readonly<Record<string, Table>>

let world: World
let anna: Person
beforeAll(async () => {
  world = await openWorld()
  anna = await world.person('anna')
})

/** The foreign key columns that reference a table, as `table.column`. */
async function referencesTo(target: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select k.conrelid::regclass || '.' || a.attname as name from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid = ${target}::regclass`.execute(world.app.db)
  return rows.map(({ name }) => name)
}

const declared = (columnsOf: (table: Table) => readonly string[]): string[] =>
  Object.entries(tables).flatMap(([name, table]) => columnsOf(table).map((column) => `${name}.${column}`))

describe('the tables of features', () => {
  test('are all there is', async () => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`.execute(
      world.app.db,
    )
    expect(Object.keys(tables).sort()).toEqual(rows.map(({ name }) => name).sort())
  })

  test('declare refusals for unique indexes and triggers that they have', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indisunique
      union all select tgname from pg_trigger`.execute(world.app.db)
    const named = Object.values(tables).flatMap(({ refusals = {} }) => Object.keys(refusals))
    expect(named.length).toBeGreaterThan(0)
    const existing = new Set(rows.map(({ name }) => name))
    expect(named.filter((name) => !existing.has(name))).toEqual([])
  })

  test('say of every column that names a person what becomes of the row when the person leaves', async () => {
    const names = declared(({ accounts }) => Object.keys(accounts ?? {}))
    // Columns whose foreign key was dropped because it slowed every upload: they are found by name.
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name ~ '(^|_)(account|actor|owner|editor)_id$|_by$'`.execute(
      world.app.db,
    )
    const naming = [...(await referencesTo('account')), ...rows.map(({ name }) => name)]
    expect(naming.filter((name) => !names.includes(name))).toEqual([])
  })

  test('say of every column that names a content that it keeps it, but those whose rows go with the content', async () => {
    const names = declared(({ contents }) => contents ?? [])
    expect((await referencesTo('blob')).filter((name) => !names.includes(name)).sort()).toEqual([
      'blob_problem.blob_id',
      'blob_sums.blob_id',
      'content_text.blob_id',
      'rendition.blob_id',
      'rendition_pages.blob_id',
      'scan.blob_id',
      'sensitive_result.blob_id',
    ])
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_constraint
      where contype = 'f' and confrelid = 'blob'::regclass and confdeltype = 'c'`.execute(world.app.db)
    expect(rows[0]?.n).toBe(7)
  })

  test('name columns that there are', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`.execute(
      world.app.db,
    )
    const there = new Set(rows.map(({ name }) => name))
    const named = declared(({ accounts = {}, contents = [] }) => [...Object.keys(accounts), ...contents])
    expect(named.filter((name) => !there.has(name))).toEqual([])
  })

  test('that an item’s record shows tell whoever keeps records when a row changes', async () => {
    const folder = await anna.folder(anna.library, 'folder')
    const fileId = await anna.upload(folder, 'a.txt')
    await anna.shares({ folderId: folder }, [{ to: await world.person('ben'), rights: 6 }])
    const read = await explain(world, async () => {
      await anna.call('getSubItemList3', { folderId: folder })
      await anna.call('getFileInfo', { fileId })
      await anna.call('getFolderInfo', { folderId: folder })
    })
    const shown = new Set(
      read.plans.flatMap(({ root }) => planNodes(root).flatMap((node) => node['Relation Name'] ?? [])),
    )
    // The sums are queried with every page and are never cached.
    for (const sums of ['child_total', 'tally']) shown.delete(sums)
    expect([...shown].sort()).toEqual(
      Object.entries(tables)
        .filter(([, table]) => table.inItemRecord === true)
        .map(([name]) => name)
        .sort(),
    )
    const { rows } = await sql<{ name: string }>`
      select distinct tgrelid::regclass::text as name from pg_trigger where tgname like '%invalidates'`.execute(
      world.app.db,
    )
    const telling = new Set(rows.map(({ name }) => name))
    expect([...shown].filter((name) => !telling.has(name))).toEqual([])
  })
})
