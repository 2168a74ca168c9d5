/*
 * The statements that change the tree. Each is small and total: whoever calls it has the rows locked and the gate passed.
 * `tally` rows carry what changed in sums (children of a folder, bytes of an account in a library).
 */
import { extNameOf, fail, itemName, numberedName } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { textKeys } from '../../core/text-keys.ts'
import { maxDepth } from './access.ts'

/** The columns that follow from a name. */
export function nameColumns(name: string, fType: 1 | 2) {
  const checked = itemName(name)
  if ('code' in checked) return fail(checked.code)
  const keys = textKeys(checked.key)
  return {
    name: checked.name,
    name_key: checked.key,
    name_sort: keys.sort,
    search_text: keys.text,
    search_grams: keys.grams,
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
}

/** What happens when a name is taken. */
export type NameConflict = 'refuse' | 'keepBoth' | 'skip'

/**
 * Uses a name in a folder by the caller's policy. `use` runs with the name, or with the first free numbered one; when
 * somebody takes that name at the same moment, only the attempt is undone and the next number tried. Answers undefined
 * where the policy is to skip.
 */
export async function withName<T>(
  tx: Tx,
  place: { parentId: number; name: string; fType: 1 | 2; exceptId?: number },
  conflict: NameConflict,
  use: (name: string) => Promise<T>,
): Promise<T | undefined> {
  const { parentId, name, fType, exceptId } = place
  if (conflict === 'refuse') return use(name)
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? name : numberedName(name, n, { isFolder: fType === 2 })
    if ((await holderOf(tx, parentId, candidate, exceptId)) === undefined) {
      await sql`savepoint name`.execute(tx)
      try {
        return await use(candidate)
      } catch (error) {
        if (!isNameTaken(error)) throw error
        await sql`rollback to savepoint name`.execute(tx)
      }
    }
    if (conflict === 'skip') return undefined
  }
}

/** Whether PostgreSQL refused a name that another item of the folder holds. */
export function isNameTaken(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'item_name'
}

/** The living item that holds a name in a folder. */
export async function holderOf(
  db: Db,
  parentId: number,
  name: string,
  exceptId = 0,
): Promise<{ id: number; f_type: 1 | 2 } | undefined> {
  const checked = itemName(name)
  if ('code' in checked) return fail(checked.code)
  return db
    .selectFrom('item')
    .select(['id', 'f_type'])
    .where('parent_id', '=', parentId)
    .where('name_key', '=', checked.key)
    .where('deleted_at', 'is', null)
    .where('id', '<>', exceptId)
    .executeTakeFirst()
}

/** Makes a folder; a taken name fails with -5 through the unique index. */
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

/** Makes a file with its first version, in one statement. */
export async function insertFile(tx: Tx, item: NewItem & { blobId: number; size: number }): Promise<number> {
  const columns = nameColumns(item.name, 1)
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, search_grams, ext,
        created_by, created_at, modified_by, modified_at, version, size, secret_level)
      values (${item.libraryId}, ${item.parentId}, 1, ${columns.name}, ${columns.name_key}, ${columns.name_sort},
        ${columns.search_text}, ${columns.search_grams}, ${columns.ext}, ${item.accountId}, ${item.now},
        ${item.accountId}, ${item.now}, 1, ${item.size}, ${item.secretLevel ?? 0})
      returning id
    ), first as (
      insert into version (item_id, number, blob_id, size, created_by, created_at)
      select id, 1, ${item.blobId}, ${item.size}, ${item.accountId}, ${item.now} from made
    ), counted as (
      insert into tally (library_id, account_id, folder_id, bytes, children)
      values (${item.libraryId}, ${item.accountId}, ${item.parentId}, ${item.size}, 1)
    )
    select id from made`.execute(tx)
  return rows[0]?.id ?? fail('serverException')
}

/** Adds a version to a file whose row is locked; answers its number. */
export async function addVersion(
  tx: Tx,
  file: { id: number; libraryId: number },
  version: { blobId: number; size: number; accountId: number; now: number },
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    with changed as (
      update item set version = version + 1, size = ${version.size}, modified_by = ${version.accountId},
        modified_at = ${version.now}
      where id = ${file.id} returning version
    ), added as (
      insert into version (item_id, number, blob_id, size, created_by, created_at)
      select ${file.id}, version, ${version.blobId}, ${version.size}, ${version.accountId}, ${version.now} from changed
    ), counted as (
      insert into tally (library_id, account_id, folder_id, bytes, children)
      values (${file.libraryId}, ${version.accountId}, null, ${version.size}, 0)
    )
    select version from changed`.execute(tx)
  return rows[0]?.version ?? fail('notFound')
}

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

/** Refuses a place so deep that reads below it would grow slow. */
export function checkDepth(levelsAbove: number): void {
  if (levelsAbove >= maxDepth) fail('nameTooLong', `${maxDepth}`)
}

/**
 * Serialises folder moves within a library: row locks alone cannot stop A into B and B into A from passing each other
 * and closing a ring.
 */
export async function lockFolderMoves(tx: Tx, libraryId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x6d6f7665}, ${libraryId % 0x7fffffff})`.execute(tx)
}
