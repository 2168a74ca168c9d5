// Libraries: creating them, determining which ones a caller may see, and the virtual folders that list them ([R110]).
import { features, type ItemRecord } from '@cloudoc/contract'
import { fail, hasRight, VirtualFolder } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { LibraryKind } from '../../core/db/schema.ts'
import { searchWords, textKeys } from '../../core/text-keys.ts'
import { accessToMany, nameColumns, recordOf, virtualParentOf } from '../tree/index.ts'
import { libraryAdministration } from './administer.ts'

/** The call handlers of libraries. */
export function libraryHandlers() {
  return implement(features.libraries.calls, {
    ...libraryAdministration(),
    async getRootFolderSetting(context) {
      const { db, now } = context
      const actor = actorOf(context)
      return {
        list: (await visibleLibraries(db, actor, now)).map((access) => {
          const { fId, fName, nameSort, itemIdStr, rights } = recordOf(access, actor)
          const isColleagues = virtualParentOf(access.library, actor) === VirtualFolder.colleagues
          return {
            ...{ fId, fName, nameSort, fType: 2 as const, itemIdStr, rights, kind: access.library.kind },
            ...(isColleagues && { colleague: true as const }),
          }
        }),
      }
    },
  })
}

/**
 * Libraries that the caller owns, manages, or has a rights entry on the root of, if visible to the caller. Items shared
 * deeper inside a library are found by id and by search.
 */
export async function visibleLibraries(db: Db, actor: Account, now: number): Promise<Access[]> {
  const { userId, groupIds, roleIds } = actor.subjects
  const { rows } = await sql<{ id: number }>`
    select id from library where owner_id = ${userId}
    union select library_id from library_manager where account_id = ${userId}
    union select e.item_id from entry e join library l on l.id = e.item_id where
      (e.subject_type = 'user' and e.subject_id = ${userId}) or
      (e.subject_type = 'group' and e.subject_id = any(${[...groupIds]})) or
      (e.subject_type = 'role' and e.subject_id = any(${[...roleIds]}))`.execute(db)
  const found = await accessToMany(
    db,
    actor,
    rows.map((row) => row.id),
    now,
  )
  const order = { company: 0, department: 1, project: 2, archive: 3, personal: 4 } as const
  return [...found.values()]
    .filter((access) => access.row.deleted_at === null && hasRight(access.facts.rights, 'display'))
    .sort(
      (a, b) =>
        order[a.library.kind] - order[b.library.kind] ||
        (a.row.name_sort < b.row.name_sort ? -1 : a.row.name_sort > b.row.name_sort ? 1 : a.row.id - b.row.id),
    )
}

/** Maximum number of items shared by colleagues that are checked. */
const mostShared = 2000

/**
 * Items in colleagues' personal libraries that are shared with the caller, if the caller cannot see the whole library:
 * the topmost item of each visible part ([R216]).
 */
async function sharedByColleagues(db: Db, actor: Account, now: number): Promise<Access[]> {
  const { userId, groupIds, roleIds } = actor.subjects
  const { rows } = await sql<{ id: number }>`
    select distinct i.id from entry e join item i on i.id = e.item_id
      join library l on l.id = i.library_id and l.kind = 'personal' and l.owner_id <> ${userId}
    where i.parent_id is not null and i.deleted_at is null and (
      (e.subject_type = 'user' and e.subject_id = ${userId}) or
      (e.subject_type = 'group' and e.subject_id = any(${[...groupIds]})) or
      (e.subject_type = 'role' and e.subject_id = any(${[...roleIds]}))) limit ${mostShared}`.execute(db)
  const found = await accessToMany(
    db,
    actor,
    rows.map((row) => row.id),
    now,
  )
  return [...found.values()]
    .filter(({ facts, path }) => hasRight(facts.rights, 'display') && !path.some(({ visible }) => visible))
    .sort((a, b) => b.row.f_type - a.row.f_type || (a.row.name_sort < b.row.name_sort ? -1 : 1))
}

/** The page of a virtual folder to list, as for any folder. */
export interface LibraryPage {
  readonly from: number
  readonly rows: number
  /** If omitted, libraries are sorted by kind, then by name. */
  readonly sort?: 'name' | 'time' | 'size' | 'type' | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly keyword: string
  readonly after?: string | undefined
  readonly around?: string | undefined
}

/** Returns one page of the virtual folders -1, -2 or -3. Their libraries are few, so they are all read each time. */
export async function listLibraries(
  db: Db,
  actor: Account,
  virtualId: number,
  now: number,
  page: LibraryPage,
): Promise<{ from: number | null; list: ItemRecord[]; total: number; next: string | null }> {
  const parent =
    virtualId === VirtualFolder.mine || virtualId === VirtualFolder.colleagues ? virtualId : VirtualFolder.company
  const words = searchWords(page.keyword)
  const libraries = (await visibleLibraries(db, actor, now)).filter(
    (access) => virtualParentOf(access.library, actor) === parent,
  )
  const shared = parent === VirtualFolder.colleagues ? await sharedByColleagues(db, actor, now) : []
  const all = [...libraries, ...shared]
    .map((access) => recordOf(access, actor))
    .filter((library) => words.every((word) => textKeys(library.fName.toLowerCase()).text.includes(word)))
  if (page.sort === 'time') all.sort((a, b) => a.modifyTime - b.modifyTime || a.fId - b.fId)
  if (page.order === 'desc') all.reverse()
  const from = positionIn(all, page)
  const end = from + page.rows
  return {
    from: page.after === undefined ? from : null,
    list: all.slice(from, end),
    total: all.length,
    next: end < all.length ? `${end}` : null,
  }
}

/** Index of the first library of the page. */
function positionIn(libraries: readonly ItemRecord[], { from, rows, after, around }: LibraryPage): number {
  if (after !== undefined) return /^\d{1,9}$/.test(after) ? Number(after) : fail('badRequest', 'after')
  if (around === undefined) return from
  const at = libraries.findIndex((library) => library.itemIdStr === around)
  return at < 0 ? fail('notFound') : Math.max(0, at - Math.floor(rows / 2))
}

export interface NewLibrary {
  readonly kind: LibraryKind
  readonly name: string
  readonly createdBy: number
  readonly now: number
  /** The owner of a personal library; owners have every right in it. */
  readonly ownerId?: number
  /** The department that the library belongs to. */
  readonly groupId?: number
  readonly managerIds?: readonly number[]
  /** The initial rights entry of a department. */
  readonly entry?: { readonly groupId: number; readonly rights: number }
}

/** Creates a library with its root folder. Returns the id of the root, which is also the library's id. */
export async function createLibrary(tx: Tx, library: NewLibrary): Promise<number> {
  const columns = nameColumns(library.name, 2)
  const { rows } = await sql<{ id: number }>`
    insert into item (id, library_id, parent_id, f_type, name, name_key, name_sort, search_text,
      created_by, created_at, modified_by, modified_at, own_rules)
    overriding system value
    select n, n, null, 2, ${columns.name}, ${columns.name_key}, ${columns.name_sort}, ${columns.search_text},
      ${library.createdBy}::bigint, ${library.now}::bigint, ${library.createdBy}::bigint,
      ${library.now}::bigint, ${library.entry !== undefined}
    from nextval(pg_get_serial_sequence('item', 'id')) as n returning id`.execute(tx)
  const id = rows[0]?.id ?? 0
  await tx
    .insertInto('library')
    .values({ id, kind: library.kind, owner_id: library.ownerId ?? null, group_id: library.groupId ?? null })
    .execute()
  for (const accountId of library.managerIds ?? []) {
    await tx.insertInto('library_manager').values({ library_id: id, account_id: accountId }).execute()
  }
  if (library.entry !== undefined) {
    await tx
      .insertInto('entry')
      .values({
        item_id: id,
        subject_type: 'group',
        subject_id: library.entry.groupId,
        rights: library.entry.rights,
        kind: 'independent',
        expires_at: null,
        created_by: library.createdBy,
        created_at: library.now,
      })
      .execute()
  }
  return id
}

/** Number of users per statement. */
const peopleBatch = 1000

/**
 * Creates a personal library with all rights for every user that has none; an import may add thousands of users at
 * once.
 */
export async function createPersonalLibraries(
  tx: Tx,
  people: readonly { readonly accountId: number; readonly name: string; readonly now: number }[],
): Promise<void> {
  for (let at = 0; at < people.length; at += peopleBatch) {
    const some = people.slice(at, at + peopleBatch).map(({ accountId, name, now }) => {
      const { name: shown, name_key, name_sort, search_text } = nameColumns(name, 2)
      return { name: shown, name_key, name_sort, search_text, by: accountId, at: now }
    })
    await sql`
      with made as (
        insert into item (id, library_id, parent_id, f_type, name, name_key, name_sort, search_text,
          created_by, created_at, modified_by, modified_at, own_rules)
        overriding system value
        select n, n, null, 2, name, name_key, name_sort, search_text, by, at, by, at, false
        from (
          select nextval(pg_get_serial_sequence('item', 'id')) as n, p.*
          from json_to_recordset(${JSON.stringify(some)})
            as p (name text, name_key text, name_sort text, search_text text, by bigint, at bigint)
        ) p
        returning id, created_by
      )
      insert into library (id, kind, owner_id) select id, 'personal', created_by from made`.execute(tx)
  }
}
