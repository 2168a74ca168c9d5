/*
 * createFolderByPathList: creates a tree of folders in one call ([R398]). Existing folders are reused and missing ones
 * created, one level of all paths at a time. The number of statements therefore depends on the depth, not on the number
 * of paths.
 */
import { denial, fail, gates, itemName } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { planAnew, type Tx } from '../../core/db/database.ts'
import { accessToMany, checkDepth, itemEvent, nameColumns } from '../tree/index.ts'

interface Place {
  readonly name: string
  readonly key: string
  /** Undefined for the root folder that the call names. */
  readonly above: Place | undefined
  id: number
  /** Whether this call created it: it is still empty then. */
  made: boolean
  /** Whether the caller may create folders in it. */
  writable: boolean
}

/** How often a name that another call takes concurrently is looked up again. */
const tries = 3

/**
 * Creates the missing folders of each slash-separated path below `root`. Returns the id of each path's last folder. If
 * this transaction has created the root, the caller publishes its event.
 */
export async function makeFolders(
  context: WriteContext,
  root: Access,
  paths: readonly string[],
  isNew = false,
): Promise<{ path: string; folderId: number }[]> {
  const top: Place = { name: '', key: '', above: undefined, id: root.row.id, made: isNew, writable: true }
  const { levels, ends } = planOf(top, paths)
  await planAnew(context.tx)
  for (const [depth, level] of levels.entries()) {
    let open = level
    for (let attempt = 0; open.length > 0; attempt += 1) {
      if (attempt === tries) return fail('alreadyExists')
      const missing = await useExisting(context, open)
      if (missing.length === 0) break
      checkDepth(root.path.length + 1 + depth)
      if (missing.some((place) => place.above?.writable === false)) return fail('noPermission')
      open = await makeMissing(context, root.library.id, missing)
    }
  }
  return paths.map((path, i) => ({ path, folderId: ends[i]?.id ?? top.id }))
}

/** The folders that the paths name, without duplicates and grouped by level, and the last folder of each path. */
function planOf(top: Place, paths: readonly string[]): { levels: Place[][]; ends: Place[] } {
  const levels: Place[][] = []
  const known = new Map<Place, Map<string, Place>>()
  const ends = paths.map((path) => {
    let place = top
    for (const [depth, part] of path
      .split('/')
      .filter((segment) => segment !== '')
      .entries()) {
      const checked = itemName(part)
      if ('code' in checked) return fail(checked.code)
      const inside = known.get(place) ?? new Map<string, Place>()
      known.set(place, inside)
      let next = inside.get(checked.key)
      if (next === undefined) {
        next = { ...checked, above: place, id: 0, made: false, writable: true }
        inside.set(checked.key, next)
        const level = levels[depth] ?? []
        level.push(next)
        levels[depth] = level
      }
      place = next
    }
    return place
  })
  return { levels, ends }
}

/** Fills in the ids of existing folders. Returns the missing ones. */
async function useExisting(context: WriteContext, places: readonly Place[]): Promise<Place[]> {
  const { tx, now } = context
  const actor = actorOf(context)
  const old = places.filter((place) => place.above?.made !== true)
  const { rows } = await sql<{ id: number; parent_id: number; name_key: string; f_type: 1 | 2 }>`
    select i.id, i.parent_id, i.name_key, i.f_type
    from unnest(${old.map((place) => place.above?.id)}::bigint[], ${old.map((place) => place.key)}::text[])
      as wanted (parent_id, name_key)
    join item i on i.parent_id = wanted.parent_id and i.name_key = wanted.name_key and i.deleted_at is null`.execute(tx)
  const found = new Map(rows.map((row) => [`${row.parent_id}/${row.name_key}`, row]))
  const access = await accessToMany(
    tx,
    actor,
    rows.map((row) => row.id),
    now,
  )
  return places.filter((place) => {
    const row = found.get(`${place.above?.id}/${place.key}`)
    if (row === undefined) return true
    const facts = access.get(row.id)?.facts
    // If a folder that the caller may not see holds the name, the name is taken, and nothing else is disclosed.
    if (row.f_type === 1 || facts === undefined || denial(gates.see, facts) !== undefined) return fail('alreadyExists')
    place.id = row.id
    place.writable = denial(gates.upload, facts) === undefined
    return false
  })
}

/** Creates folders. Returns those whose names another call took concurrently. */
async function makeMissing(context: WriteContext, libraryId: number, places: readonly Place[]): Promise<Place[]> {
  const { tx, now } = context
  const actor = actorOf(context)
  const made = await insertFolders(tx, { libraryId, accountId: actor.accountId, now }, places)
  return places.filter((place) => {
    const parentId = place.above?.id ?? 0
    const id = made.get(`${parentId}/${place.key}`)
    if (id === undefined) return true
    place.id = id
    place.made = true
    // A new folder's own event covers its contents: clients that display it list them.
    if (place.above?.made !== true) {
      const row = { id, library_id: libraryId, parent_id: parentId, f_type: 2, name: place.name } as const
      context.event(itemEvent({ ...row, version: 0, size: 0, created_by: actor.accountId }, 'add', actor.name))
    }
    return false
  })
}

async function insertFolders(
  tx: Tx,
  by: { libraryId: number; accountId: number; now: number },
  places: readonly Place[],
): Promise<Map<string, number>> {
  // A fixed order prevents deadlocks between calls that create the same folders.
  const rows = places
    .map((place) => ({ parent_id: place.above?.id ?? 0, ...nameColumns(place.name, 2) }))
    .sort((a, b) => a.parent_id - b.parent_id || (a.name_key < b.name_key ? -1 : 1))
  const inserted = await sql<{ id: number; parent_id: number; name_key: string }>`
    with made as (
      insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text,
        created_by, created_at, modified_by, modified_at)
      select ${by.libraryId}, parent_id, 2, name, name_key, name_sort, search_text,
        ${by.accountId}::bigint, ${by.now}::bigint, ${by.accountId}::bigint, ${by.now}::bigint
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (parent_id bigint, name text, name_key text, name_sort text, search_text text)
      on conflict (parent_id, name_key) where deleted_at is null do nothing
      returning id, parent_id, name_key
    ), counted as (
      insert into tally (library_id, account_id, folder_id, bytes, children)
      select ${by.libraryId}, ${by.accountId}, parent_id, 0, count(*) from made group by parent_id
    )
    select id, parent_id, name_key from made`.execute(tx)
  return new Map(inserted.rows.map((row) => [`${row.parent_id}/${row.name_key}`, row.id]))
}
