// Names are stored for search in simplified characters, so that traditional ones are found by simplified ones and the
// other way round. Reads in batches by id and writes only the rows whose text changes, so that no table is locked; the
// trigger of items queues them for the index of names. The order of names does not change. Renditions may be PDFs to download.
import { type Kysely, sql } from 'kysely'
import { foldTyped } from '../src/core/folding.ts'
import { shortWords, textKeys } from '../src/core/text-keys.ts'

const atOnce = 5000

/** A table of names: the column that its search text is computed from, and what precedes it there. */
interface Names {
  readonly table: string
  readonly name: string
  readonly before?: string
  readonly hasGrams?: boolean
}

const tables: readonly Names[] = [
  { table: 'item', name: 'name_key' },
  { table: 'account', name: 'lower(name)', before: 'account_key', hasGrams: true },
  { table: 'org_group', name: 'name_key', hasGrams: true },
  { table: 'role', name: 'name_key' },
  { table: 'tag', name: 'name_key' },
  { table: 'talk_conversation', name: 'name' },
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const names of tables) await foldNames(db, names)
  await sql
    .raw(`
alter table rendition drop constraint rendition_form_check;
alter table rendition add constraint rendition_form_check check (form in ('view', 'thumbnail', 'words', 'pdf'));
`)
    .execute(db)
}

async function foldNames(db: Kysely<never>, { table, name, before, hasGrams = false }: Names): Promise<void> {
  const prefix = before === undefined ? sql`''` : sql`${sql.ref(before)} || chr(10)`
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string; prefix: string; text: string }>`
      select id, ${sql.raw(name)} as name, ${prefix} as prefix, search_text as text
      from ${sql.table(table)} where id > ${last} order by id limit ${atOnce}`.execute(db)
    const next = rows.at(-1)?.id
    if (next === undefined) return
    const changed = rows.flatMap((row) => {
      const text = searchText(row)
      return text === row.text ? [] : [{ id: row.id, text, grams: hasGrams ? [...shortWords(text)] : [] }]
    })
    if (changed.length > 0)
      await sql`
        update ${sql.table(table)} t set search_text = w.text ${hasGrams ? sql`, search_grams = w.grams` : sql``}
        from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as w (id bigint, text text, grams text[])
        where t.id = w.id`.execute(db)
    last = next
  }
}

/** The search text of a name. Most have theirs already, and need no pinyin. */
function searchText({ name, prefix, text }: { name: string; prefix: string; text: string }): string {
  const folded = prefix + foldTyped(name)
  return text === folded || text.startsWith(`${folded}\n`) ? text : prefix + textKeys(name).text
}
