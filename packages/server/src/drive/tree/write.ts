/*
 * The statements that change the tree. Each is small and complete. Their callers have locked the rows and passed the
 * gate. `tally` rows contain the changes of sums (children of a folder, bytes of an account in a library).
 */
import { extNameOf, fail, hasStatus, infectedDocument, itemName, itemStatus, numberedName } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { AccountActor, Author } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { textKeys } from '../../core/text-keys.ts'
import { maxDepth } from './chains.ts'

/** The columns derived from a name. */
export function nameColumns(name: string, fType: 1 | 2) {
  const checked = itemName(name)
  if ('code' in checked) return fail(checked.code)
  const keys = textKeys(checked.key)
  return {
    name: checked.name,
    name_key: checked.key,
    name_sort: keys.sort,
    search_text: keys.text,
    ext: fType === 1 ? extNameOf(checked.name) : '',
  }
}

export interface NewItem {
  readonly libraryId: number
  readonly parentId: number
  readonly fType: 1 | 2
  readonly name: string
  readonly accountId: number
  readonly now: number
  readonly secretLevel?: number
  /** The time from which the secret level counts as 0; null: never. */
  readonly secretUntil?: number | null
}

/** What happens if a name is taken. */
export type NameConflict = 'refuse' | 'keepBoth' | 'skip'

/**
 * Uses a name in a folder according to the caller's policy. `use` runs with the name, or with the first free numbered
 * one. If another call takes that name concurrently (`use` fails on it or returns undefined), only that attempt is
 * rolled back and the next number is tried. Returns undefined if the policy is to skip.
 */
export async function withName<T>(
  tx: Tx,
  place: { parentId: number; name: string; fType: 1 | 2 },
  conflict: NameConflict,
  use: (name: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { parentId, name, fType } = place
  if (conflict === 'refuse') return use(name)
  for (let n = 1, size = 1; ; n += size, size = numberBatch) {
    const numbers = Array.from({ length: size }, (_, i) => n + i)
    const candidates = numbers.map((each) => (each === 1 ? name : numberedName(name, each, { isFolder: fType === 2 })))
    for (const candidate of await freeNames(tx, parentId, candidates)) {
      await sql`savepoint name`.execute(tx)
      try {
        const used = await use(candidate)
        if (used !== undefined) return used
      } catch (error) {
        if (!isNameTaken(error)) throw error
        await sql`rollback to savepoint name`.execute(tx)
      }
    }
    if (conflict === 'skip') return undefined
  }
}

/** Number of numbered names looked up at once. */
const numberBatch = 50

/** Those of the names that are free in the folder, in order. */
async function freeNames(db: Db, parentId: number, names: readonly string[]): Promise<string[]> {
  const keys = names.map((name) => nameKey(name))
  const { rows } = await sql<{ name_key: string }>`
    select name_key from item where parent_id = ${parentId} and name_key = any(${keys}) and deleted_at is null`.execute(
    db,
  )
  const taken = new Set(rows.map((row) => row.name_key))
  return names.filter((_, i) => !taken.has(keys[i] ?? ''))
}

/**
 * The name that an item would get in a folder: its own, or the first free numbered one. `taken` are the keys of names
 * that others would have by then; the key of the answer is added. Undefined if the policy is not to number.
 */
export async function nameToCome(
  db: Db,
  { parentId, name, fType }: { parentId: number; name: string; fType: 1 | 2 },
  conflict: NameConflict,
  taken: Set<string>,
): Promise<string | undefined> {
  const most = conflict === 'keepBoth' ? numberBatch : 1
  const candidates = Array.from({ length: most }, (_, i) =>
    i === 0 ? name : numberedName(name, i + 1, { isFolder: fType === 2 }),
  )
  const free = (await freeNames(db, parentId, candidates)).find((candidate) => !taken.has(nameKey(candidate)))
  if (free !== undefined) taken.add(nameKey(free))
  return free
}

function nameKey(name: string): string {
  const checked = itemName(name)
  return 'code' in checked ? fail(checked.code) : checked.key
}

/** Whether PostgreSQL refused a name because another item of the folder has it. */
export function isNameTaken(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'item_name'
}

/** The existing item that holds a name in a folder. */
export async function holderOf(
  db: Db,
  parentId: number,
  name: string,
): Promise<{ id: number; f_type: 1 | 2 } | undefined> {
  return db
    .selectFrom('item')
    .select(['id', 'f_type'])
    .where('parent_id', '=', parentId)
    .where('name_key', '=', nameKey(name))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Creates a folder; a taken name fails with -5 through the unique index. */
export async function insertFolder(tx: Tx, item: Omit<NewItem, 'fType'>): Promise<number> {
  const { id } = await tx
    .insertInto('item')
    .values({
      library_id: item.libraryId,
      parent_id: item.parentId,
      f_type: 2,
      ...nameColumns(item.name, 2),
      created_by: item.accountId,
      created_at: item.now,
      modified_by: item.accountId,
      modified_at: item.now,
      deleted_at: null,
      deleted_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tally(tx, {
    libraryId: item.libraryId,
    accountId: item.accountId,
    folderId: item.parentId,
    bytes: 0,
    children: 1,
  })
  return id
}

/** Adds a version to a file whose row is locked. Returns its number. */
export async function addVersion(
  tx: Tx,
  file: { id: number; libraryId: number },
  version: {
    blobId: number
    size: number
    author: Author
    now: number
    diskTime?: number | undefined
    /** The accounts that contributed, if there are several. */
    editors?: readonly number[] | undefined
  },
): Promise<number> {
  const { accountId, outsider } = version.author
  const diskTime = version.diskTime ?? null
  const asJson = outsider === null ? null : JSON.stringify(outsider)
  const editors = version.editors === undefined ? null : JSON.stringify(version.editors)
  const { rows } = await sql<{ version: number }>`
    with changed as (
      update item set version = version + 1, size = ${version.size}, modified_by = ${accountId},
        doc_flag = doc_flag & ~${infectedDocument}::int, uninspected_by = null,
        modified_at = ${version.now}, modifier_outsider = ${asJson}::jsonb, disk_time = ${diskTime}::bigint
      where id = ${file.id} returning version
    ), added as (
      insert into version (item_id, number, blob_id, size, created_by, created_at, creator_outsider, disk_time, editors)
      select ${file.id}, version, ${version.blobId}, ${version.size}, ${accountId}, ${version.now}, ${asJson}::jsonb,
        ${diskTime}::bigint, ${editors}::jsonb
      from changed
    ), counted as (
      insert into tally (library_id, account_id, folder_id, bytes, children)
      values (${file.libraryId}, ${accountId}, null, ${version.size}, 0)
    )
    select version from changed`.execute(tx)
  return rows[0]?.version ?? fail('notFound')
}

/**
 * Removes an unnamed version from a file that has newer ones. Returns its creator, or undefined if it stays: it has a
 * name, or a hold keeps it.
 */
export async function dropVersion(
  tx: Tx,
  file: { id: number; libraryId: number },
  number: number,
): Promise<readonly number[] | undefined> {
  const { rows } = await sql<{ editors: readonly number[] | null }>`
    with gone as (
      delete from version
      where item_id = ${file.id} and number = ${number} and name = '' and not is_held(${file.id})
      returning created_by, size, editors
    ), counted as (
      insert into tally (library_id, account_id, folder_id, bytes, children)
      select ${file.libraryId}, created_by, null, -size, 0 from gone
    )
    select editors from gone`.execute(tx)
  return rows[0] && (rows[0].editors ?? [])
}

/** The columns of a file without an edit lock. */
export const notEdited = { editor_id: null, editor_session: null, editing_since: null, editor_until: null } as const

export interface TallyRow {
  readonly libraryId: number
  readonly accountId: number
  readonly folderId: number | null
  readonly bytes: number
  readonly children: number
}

/** Appends to the sums. */
export async function tally(tx: Tx, row: TallyRow): Promise<void> {
  await tx
    .insertInto('tally')
    .values({
      library_id: row.libraryId,
      account_id: row.accountId,
      folder_id: row.folderId,
      bytes: row.bytes,
      children: row.children,
    })
    .execute()
}

/** Whether a folder with this many ancestors is so deep that reads below it would become slow. */
export const isTooDeep = (levelsAbove: number): boolean => levelsAbove >= maxDepth

/** Refuses such a depth. */
export function checkDepth(levelsAbove: number): void {
  if (isTooDeep(levelsAbove)) fail('tooDeep', `${maxDepth}`)
}

/** The same for a folder that is moved with its subfolders. Reads only folders, which are few. */
export async function checkDepthOf(db: Db, levelsAbove: number, folderId: number): Promise<void> {
  checkDepth(levelsAbove)
  const most = maxDepth - levelsAbove
  const { rows } = await sql<{ deep: boolean }>`
    with recursive down as (
      select ${folderId}::bigint as id, 0 as depth
      union all
      select c.id, d.depth + 1 from down d
      cross join lateral (
        select id from item where parent_id = d.id and f_type = 2 and deleted_at is null offset 0) c
      where d.depth < ${most}
    )
    select exists (select 1 from down where depth >= ${most}) as deep`.execute(db)
  if (rows[0]?.deep === true) fail('tooDeep', `${maxDepth}`)
}

/**
 * Refuses to move or delete a folder that contains an item that must not be moved or deleted: a document being signed or
 * in a running process, one edited by another user, or a read-only folder ([R215]) unless the actor manages the
 * library. Walks up from such items, which are few, not down through the folder.
 */
export async function checkBelow(
  db: Db,
  { row, facts }: Access,
  { accountId, sessionId }: Pick<AccountActor, 'accountId' | 'sessionId'>,
): Promise<void> {
  if (row.f_type !== 2) return
  const { rows } = await sql<{ status: number | null; held: boolean | null; running: boolean | null }>`
    with recursive first as (
      select i.status, i.editor_id is not null
          and (i.editor_id <> ${accountId} or coalesce(i.editor_session <> ${sessionId}, false)) as held, false as running,
          i.parent_id
      from item i where i.library_id = ${row.library_id} and i.id <> ${row.id}
        and (i.status & 270532608 <> 0 or i.editor_id is not null) and i.deleted_at is null
      union all
      select i.status, true, false, i.parent_id from shared_edit s join item i on i.id = s.item_id
      where i.library_id = ${row.library_id} and i.deleted_at is null
      union all
      select i.status, false, true, i.parent_id from item i
      where i.library_id = ${row.library_id} and i.process_id is not null and i.status & 114688 = 0
        and i.deleted_at is null
    ), up as (
      select status, held, running, parent_id from first
      union all
      select u.status, u.held, u.running, p.parent_id from up u
      cross join lateral (select parent_id, deleted_at from item where id = u.parent_id offset 0) p
      where u.parent_id <> ${row.id} and p.deleted_at is null
    )
    select bit_or(status) as status, bool_or(held) as held, bool_or(running) as running from up where parent_id = ${row.id}`.execute(
    db,
  )
  const status = itemStatus(rows[0]?.status ?? 0)
  if (rows[0]?.running === true) fail('alreadyInProcess')
  if (rows[0]?.held === true || hasStatus(status, 'signing')) fail('fileLocked')
  if (hasStatus(status, 'folderReadOnly') && !facts.actor.isManager) fail('readOnlyFolder')
}

/**
 * Refuses an item if one of its ancestors was deleted after its gate was checked. Otherwise the item's new name
 * elsewhere could be that folder's own name, which is only free since then, and no serial order of the two changes
 * would produce that result.
 */
export async function checkStillThere(
  db: Db,
  { parent_id, deleted_at }: Pick<Access['row'], 'parent_id' | 'deleted_at'>,
): Promise<void> {
  const { rows } = await sql<{ gone: boolean | null }>`
    with recursive up as (
      select parent_id, purged, deleted_at from item where id = ${parent_id}
      union all
      select p.parent_id, p.purged, p.deleted_at from up
      cross join lateral (select parent_id, purged, deleted_at from item where id = up.parent_id offset 0) p
    ) select bool_or(purged or (${deleted_at === null} and deleted_at is not null)) as gone from up`.execute(db)
  if (rows[0]?.gone === true) fail('notFound')
}

/** Whether a folder is the other one or is below it, in the latest committed state. */
export async function isWithin(db: Db, id: number, folderId: number): Promise<boolean> {
  const { rows } = await sql<{ within: boolean }>`
    with recursive up as (
      select id, parent_id from item where id = ${id}
      union all
      select p.id, p.parent_id from up
      cross join lateral (select id, parent_id from item where id = up.parent_id offset 0) p
    ) select exists (select 1 from up where id = ${folderId}) as within`.execute(db)
  return rows[0]?.within === true
}

/**
 * Serializes folder moves within a library. Row locks alone cannot prevent the concurrent moves of A into B and B into
 * A, which would create a cycle.
 */
export async function lockFolderMoves(tx: Tx, libraryId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x6d6f7665}, ${libraryId % 0x7fffffff})`.execute(tx)
}
