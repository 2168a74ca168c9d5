// What stands at an address: the list of libraries, a folder or a file, as its caller sees it.
import { denial, gates, hasRight, itemName } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { AccountActor } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { visibleLibraries } from '../../drive/libraries/index.ts'

/** What stands at an address. */
export interface Resource {
  readonly names: readonly string[]
  /** Undefined for the list of libraries, and where nothing stands that the caller may see. */
  readonly item: Access | undefined
  /** The folder in which it stands or would stand; undefined if there is none that the caller may see. */
  readonly parent: Access | undefined
  readonly isRoot: boolean
  /** Its name as it is stored; a library has the name under which it is listed. */
  readonly name: string
}

/** A library under the name that its folder has in the list of libraries. */
export interface NamedLibrary {
  readonly name: string
  readonly access: Access
}

/** The libraries of a person, each under a name of its own: of equal names the later ones carry their id. */
export async function namedLibraries(db: Db, actor: AccountActor, now: number): Promise<readonly NamedLibrary[]> {
  const taken = new Set<string>()
  const own = (await visibleLibraries(db, actor, now)).filter((access) => isWithinLimit(actor, access))
  return own.map((access) => {
    const checked = itemName(access.row.name)
    const key = 'key' in checked ? checked.key : access.row.name
    const name = taken.has(key) ? `${access.row.name} (${access.row.id})` : access.row.name
    taken.add(key)
    return { name, access }
  })
}

/** Finds what stands at an address, with the folder around it. Shortcuts do not exist for WebDAV. */
export async function findResource(
  { db, meet }: Pick<Services, 'db' | 'meet'>,
  actor: AccountActor,
  names: readonly string[],
  now: number,
): Promise<Resource> {
  const nothing = { names, item: undefined, parent: undefined, isRoot: names.length === 0, name: '' }
  const [first, ...below] = names
  if (first === undefined) return nothing
  const wanted = keyOf(first)
  const library = (await namedLibraries(db, actor, now)).find(({ name }) => keyOf(name) === wanted)
  if (library === undefined) return nothing
  if (below.length === 0) return { ...nothing, item: library.access, name: library.name }
  const keys = below.map(keyOf)
  const { rows } = await sql<{ id: number; f_type: 1 | 2; depth: number }>`
    with recursive walk as (
      select id, f_type, 0 as depth from item where id = ${library.access.row.id}
      union all
      select c.id, c.f_type, walk.depth + 1 from walk cross join lateral (
        select id, f_type from item
        where parent_id = walk.id and name_key = (${keys}::text[])[walk.depth + 1]
          and deleted_at is null and link_to is null
      ) c where walk.depth < ${keys.length}::int and walk.f_type = 2
    ) select id, f_type, depth from walk order by depth`.execute(db)
  const ends = [rows[keys.length - 1], rows[keys.length]].filter((row) => row !== undefined)
  const met = await meet(
    db,
    ends.map(({ id, f_type }) => ({ actor, item: { fType: f_type, fId: id } })),
  )
  const at = (id: number | undefined): Access | undefined =>
    met.find(
      (access) =>
        access !== undefined &&
        access.row.id === id &&
        isWithinLimit(actor, access) &&
        denial(gates.see, access.facts) === undefined,
    )
  const parent = at(rows[keys.length - 1]?.id)
  const item = at(rows[keys.length]?.id)
  return { ...nothing, item, parent: parent?.row.f_type === 2 ? parent : undefined, name: item?.row.name ?? '' }
}

/** Whether the token of the caller is good for an item: some are for a few libraries alone. */
const isWithinLimit = ({ limit }: AccountActor, access: Access): boolean =>
  limit?.({ item: { fType: access.row.f_type, fId: access.row.id }, action: 'see' }, access) === undefined

/** The key by which names are compared, as in every folder. A name that no item can have stands for itself. */
export function keyOf(name: string): string {
  const checked = itemName(name)
  return 'key' in checked ? checked.key : name
}

export const isFolder = ({ isRoot, item }: Resource): boolean => isRoot || item?.row.f_type === 2

/** Whether the caller may have the content, and so its hash. */
export const mayRead = ({ facts }: Access): boolean => hasRight(facts.rights, 'download')
