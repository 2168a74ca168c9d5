// Hits of a search: possible locations, the caller's access, and their records.
import type { ItemRecord } from '@cloudoc/contract'
import { denial, type Facts, fail, gates } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Access, ItemRow, Library, PathLink } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import {
  accessTo,
  factsBelow,
  followLinks,
  type Parent,
  parentsOf,
  toRecord,
  unpackEntries,
} from '../../drive/tree/index.ts'
import { folderSign, librarySign } from './index-signs.ts'

/** A caller with more locations sees so much that filtering by location is not worthwhile. */
const maxRoots = 2000
/**
 * Maximum number of folders below shared ones that are searched by folder. For larger trees the whole library is
 * searched.
 */
const mostFolders = 500

/** Maximum growth factor from one window of numbers to the next. */
export const mostWider = 64
/** Expected maximum number of rows in a window. */
export const mostInWindow = 2000
/** Up to this number of locations, the index is always queried by location. */
export const fewRoots = 8

/** An item row before rights are evaluated; user names are not loaded yet. */
export type Candidate = Omit<ItemRow, 'modifier' | 'creator' | 'editor'> & {
  readonly entries: Parameters<typeof unpackEntries>[0]
}

/** Possible locations of hits: these libraries, these folders, and these items themselves. */
export interface SearchRoots {
  readonly libraries: readonly number[]
  readonly folders: readonly number[]
  readonly items: readonly number[]
  /** Signs of which each hit has at least one. */
  readonly signs: readonly number[]
}

/** The caller of a search, and what is known about the locations of its candidates. */
export interface SearchContext {
  readonly db: Db
  readonly actor: Account
  readonly now: number
  /** Undefined: everywhere. */
  readonly roots: SearchRoots | undefined
  readonly isInScope: (library: Library, path: readonly PathLink[]) => boolean
  /** The parent folders of candidates, each loaded once; undefined if the folder or an ancestor is deleted. */
  readonly folders: Map<number, Parent | undefined>
  /** Folders whose items without their own rules are hidden from the caller; they are skipped. */
  readonly closed: Set<number>
  /** Folders that cannot contain hits: deleted ones, or ones outside the searched folder. */
  readonly excludedFolders: Set<number>
}

/** SQL condition that an item is in one of the locations. */
export function inRoots(
  { roots }: SearchContext,
  row: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (roots === undefined) return sql`true`
  const { libraries, folders, items } = roots
  return sql`(${row}.library_id = any(${[...libraries]}) or ${row}.parent_id = any(${[...folders]})
    or ${id} = any(${[...items]}))`
}

/** Loads the parent folders of candidates, and candidates that are library roots, unless already loaded. */
export async function loadFolders(
  { db, actor, now, folders }: SearchContext,
  candidates: readonly Candidate[],
): Promise<void> {
  const ids = [...new Set(candidates.map((row) => row.parent_id ?? row.id))].filter((id) => !folders.has(id))
  const found = await parentsOf(db, actor, ids, now)
  for (const id of ids) folders.set(id, found.get(id))
}

export interface Hit<C extends Candidate = Candidate> {
  readonly row: C
  readonly facts: Facts
  readonly path: readonly PathLink[]
  readonly library: Library
}

/** Evaluates a candidate; undefined if the caller may not see it or it is out of scope. */
export function hitOf<C extends Candidate>(
  { actor, now, folders, closed, excludedFolders, isInScope }: SearchContext,
  row: C,
): Hit<C> | undefined {
  const place = folders.get(row.parent_id ?? row.id)
  if (row.parent_id === null) {
    if (place === undefined || denial(gates.see, place.folder.facts) !== undefined) return undefined
    const { facts, library } = place.folder
    return isInScope(library, []) ? { row, facts, path: [], library } : undefined
  }
  if (place === undefined || !isInScope(place.above.library, place.above.path)) {
    excludedFolders.add(row.parent_id)
    return undefined
  }
  const { library, path } = place.above
  const unnamed = { ...row, modifier: '', creator: '', editor: null }
  const { facts } = factsBelow(place.above, unnamed, unpackEntries(row.entries), actor, now)
  if (denial(gates.see, facts) === undefined) return { row, facts, path, library }
  if (!row.own_rules) closed.add(row.parent_id)
  return undefined
}

/** The records of hits, with user names and resolved links. */
export async function recordsOf({ db, actor, now }: SearchContext, hits: readonly Hit[]): Promise<ItemRecord[]> {
  const ids = [...new Set(hits.flatMap(({ row }) => [row.modified_by, row.created_by, row.editor_id ?? 0]))]
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from account where id = any(${ids})`.execute(db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const records = hits.map(({ row, facts, path, library }) => {
    const nameOf = (id: number | null): string => names.get(id ?? 0) ?? ''
    const people = {
      modifier: row.modifier_outsider?.name ?? nameOf(row.modified_by),
      creator: row.creator_outsider?.name ?? nameOf(row.created_by),
      editor: nameOf(row.editor_id),
    }
    return toRecord({ ...row, ...people }, facts, path, library, actor)
  })
  return followLinks(db, actor, records, now)
}

/**
 * The locations where the caller may see anything: libraries that they own, manage or have an entry on, and folders and
 * files deeper down with an entry for them. Undefined if there are too many to filter by.
 */
export async function rootsOf(db: Db, actor: Account): Promise<SearchRoots | undefined> {
  const { userId, groupIds, roleIds } = actor.subjects
  const named = sql`from entry where
      (subject_type = 'user' and subject_id = ${userId}) or
      (subject_type = 'group' and subject_id = any(${[...groupIds]})) or
      (subject_type = 'role' and subject_id = any(${[...roleIds]})) limit ${maxRoots}`
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from library_manager where account_id = ${userId} union all (select 1 ${named})) p`.execute(db)
  if ((counted[0]?.count ?? 0) >= maxRoots) return undefined
  const { rows } = await sql<{ library_id: number; id: number; f_type: 1 | 2; parent_id: number | null }>`
    select id as library_id, id, 2 as f_type, null::bigint as parent_id from library where owner_id = ${userId}
    union select library_id, library_id, 2, null from library_manager where account_id = ${userId}
    union select i.library_id, i.id, i.f_type, i.parent_id from (select item_id ${named}) e
      cross join lateral (
        select library_id, id, f_type, parent_id from item where id = e.item_id and deleted_at is null offset 0) i`.execute(
    db,
  )
  const libraries = new Set(rows.filter((row) => row.parent_id === null).map((row) => row.id))
  const deep = rows.filter((row) => !libraries.has(row.library_id))
  const shared = deep.filter((row) => row.f_type === 2).map((row) => row.id)
  const below = await foldersBelow(db, shared)
  const all = below === undefined ? [...libraries, ...deep.map((row) => row.library_id)] : [...libraries]
  const folders = below ?? []
  const around = new Set([...folders, ...deep.flatMap((row) => (row.f_type === 1 ? (row.parent_id ?? []) : []))])
  const signs = [...new Set(all.map(librarySign)), ...[...around].map(folderSign)]
  return { libraries: [...new Set(all)], folders, items: deep.map((row) => row.id), signs }
}

/** The folders with all their subfolders; undefined if there are too many. */
async function foldersBelow(db: Db, ids: readonly number[]): Promise<number[] | undefined> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with recursive down as (
      select unnest(${[...ids]}::bigint[]) as id
      union
      select c.id from down d
      cross join lateral (select id from item where parent_id = d.id and f_type = 2 and deleted_at is null offset 0) c
    )
    select id from down limit ${mostFolders + 1}`.execute(db)
  return rows.length > mostFolders ? undefined : rows.map((row) => row.id)
}

/** The locations of a search below one folder. */
export async function rootsBelow(db: Db, { row, library }: Access): Promise<SearchRoots> {
  const folders = row.parent_id === null ? undefined : await foldersBelow(db, [row.id])
  return folders === undefined
    ? { libraries: [library.id], folders: [], items: [], signs: [librarySign(library.id)] }
    : { libraries: [], folders, items: [], signs: folders.map(folderSign) }
}

/** The folder that a search is limited to. Fails if the caller may not see it. */
export async function scopeOf(db: Db, actor: Account, folderId: number, now: number): Promise<Access> {
  const folder = (await accessTo(db, actor, { fType: 2, fId: folderId }, now)) ?? fail('notFound')
  const refusal = denial(gates.see, folder.facts)
  return refusal === undefined ? folder : fail(refusal)
}
