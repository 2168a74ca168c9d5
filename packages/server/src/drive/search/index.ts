/*
 * Finding items by name: part of the name, its pinyin or its initials ([R240]). Newest first, in the libraries that hold
 * anything for the caller; each hit is checked by the exact evaluator before it is answered, so an index can hide a hit,
 * never show one.
 */
import { type ItemRecord, searchCalls } from '@cloudoc/contract'
import { denial, fail, gates, isVirtualFolder } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Access, ItemRow, Library, PathLink } from '../../core/access.ts'
import type { Actor } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import {
  type Above,
  aboveChildrenOf,
  accessTo,
  accessToMany,
  factsBelow,
  followLinks,
  itemColumns,
  nameMatches,
  ownEntries,
  peopleOf,
  recordOf,
  toRecord,
  unpackEntries,
  virtualParentOf,
} from '../tree/index.ts'

const batchSize = 200
/** How many candidates one call looks at: what a person may not see costs no more than this. */
const mostLookedAt = 10_000

interface Place {
  readonly at: number
  readonly id: number
}

type Candidate = ItemRow & { entries: Parameters<typeof unpackEntries>[0] }

interface Query {
  readonly db: Db
  readonly actor: Actor
  readonly now: number
  readonly matches: readonly RawBuilder<unknown>[]
  readonly libraries: readonly number[]
  /** The folders that hits lie in, each loaded once; undefined where a folder or one above it is deleted. */
  readonly parents: Map<number, Above | undefined>
  /** Folders whose items, unless they have rules of their own, the caller turned out not to see: not looked at again. */
  readonly closed: Set<number>
}

async function candidates({ db, actor, matches, libraries, closed }: Query, before: Place): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select ${itemColumns}, ${peopleOf}, ${ownEntries(actor)} as entries
    from (
      select i.id from item i
      where i.deleted_at is null and ${sql.join(matches, sql` and `)} and i.library_id = any(${[...libraries]})
        and (i.own_rules or i.created_by = ${actor.accountId} or i.parent_id <> all(${[...closed]}))
        and (i.modified_at, i.id) < (${before.at}, ${before.id})
      order by i.modified_at desc, i.id desc limit ${batchSize}
    ) hit
    cross join lateral (select * from item where id = hit.id offset 0) i
    order by i.modified_at desc, i.id desc`.execute(db)
  return rows
}

/** Loads the folders that hits lie in and that were not met before. */
async function loadParents({ db, actor, now, parents }: Query, hits: readonly Candidate[]): Promise<void> {
  const ids = [...new Set(hits.flatMap((hit) => hit.parent_id ?? []))].filter((id) => !parents.has(id))
  const found = await accessToMany(db, actor, ids, now)
  for (const id of ids) {
    const folder = found.get(id)
    parents.set(id, folder === undefined || folder.row.deleted_at !== null ? undefined : aboveChildrenOf(folder))
  }
}

/** The record of a hit, if the caller may see it and it lies in the scope. */
async function recordOfHit(
  { db, actor, now, parents, closed }: Query,
  hit: Candidate,
  isInScope: (library: Library, path: readonly PathLink[]) => boolean,
): Promise<ItemRecord | undefined> {
  if (hit.parent_id === null) {
    const root = await accessTo(db, actor, { fType: 2, fId: hit.id }, now)
    const isShown = root !== undefined && denial(gates.see, root.facts) === undefined && isInScope(root.library, [])
    return isShown ? recordOf(root, actor) : undefined
  }
  const above = parents.get(hit.parent_id)
  const facts = above === undefined ? undefined : factsBelow(above, hit, unpackEntries(hit.entries), actor, now).facts
  if (above === undefined || facts === undefined || denial(gates.see, facts) !== undefined) {
    if (above === undefined || !hit.own_rules) closed.add(hit.parent_id)
    return undefined
  }
  return isInScope(above.library, above.path) ? toRecord(hit, facts, above.path, above.library, actor) : undefined
}

/** The libraries that the caller owns or manages, and those where some entry names them: nothing else shows them anything. */
async function librariesOf(db: Db, actor: Actor): Promise<number[]> {
  const { userId, groupIds, roleIds } = actor.subjects
  const { rows } = await sql<{ id: number }>`
    select id from library where owner_id = ${userId}
    union select library_id from library_manager where account_id = ${userId}
    union select i.library_id from entry e join item i on i.id = e.item_id where
      (e.subject_type = 'user' and e.subject_id = ${userId}) or
      (e.subject_type = 'group' and e.subject_id = any(${[...groupIds]})) or
      (e.subject_type = 'role' and e.subject_id = any(${[...roleIds]}))`.execute(db)
  return rows.map((row) => row.id)
}

function decodeScroll(scrollId: string | undefined): Place {
  if (scrollId === undefined) return { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }
  const [at, id] = scrollId.split('.').map(Number)
  if (at === undefined || id === undefined || !Number.isSafeInteger(at) || !Number.isSafeInteger(id)) {
    return fail('badRequest', 'scrollId')
  }
  return { at, id }
}

/** The folder that a search is limited to, if the caller may see it. */
async function scopeOf(db: Db, actor: Actor, folderId: number, now: number): Promise<Access> {
  const folder = (await accessTo(db, actor, { fType: 2, fId: folderId }, now)) ?? fail('notFound')
  const refusal = denial(gates.see, folder.facts)
  return refusal === undefined ? folder : fail(refusal)
}

/** The handlers of search. */
export function searchHandlers() {
  return implement(searchCalls, {
    async searchDoc(context, { keyword, folderId, rows, scrollId }) {
      const { db, now } = context
      const actor = actorOf(context)
      const started = performance.now()
      const scope = folderId === undefined ? undefined : await scopeOf(db, actor, folderId, now)
      const query: Query = {
        db,
        actor,
        now,
        matches: nameMatches(keyword),
        libraries:
          scope === undefined || isVirtualFolder(scope.row.id) ? await librariesOf(db, actor) : [scope.library.id],
        parents: new Map(),
        closed: new Set(),
      }
      const isInScope = (library: Library, path: readonly PathLink[]): boolean =>
        scope === undefined ||
        virtualParentOf(library, actor) === scope.row.id ||
        path.some((link) => link.id === scope.row.id)
      const list: ItemRecord[] = []
      let place = decodeScroll(scrollId)
      let next: string | null = null
      for (let looked = 0; query.matches.length > 0 && looked < mostLookedAt; looked += batchSize) {
        const found = await candidates(query, place)
        await loadParents(query, found)
        for (const hit of found) {
          if (list.length === rows) break
          place = { at: hit.modified_at, id: hit.id }
          const record = await recordOfHit(query, hit, isInScope)
          if (record !== undefined) list.push(record)
        }
        next = `${place.at}.${place.id}`
        if (list.length === rows) break
        if (found.length < batchSize) {
          next = null
          break
        }
      }
      const hits = await followLinks(db, actor, list, now)
      return { list: hits, scrollId: next, total: hits.length, took: Math.round(performance.now() - started) }
    },
  })
}
