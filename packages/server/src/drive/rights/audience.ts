/*
 * Who hears of a change to an item: who may see it now, and from whom the change took it. The first get what changed, the
 * second only that it is gone. A wrong answer here is a leak, so this is one function with tests of its own.
 *
 * Rights and name are those of the moment of delivery, read together: a name that an item bore before somebody was let in
 * is never told to them.
 */
import type { PushOf } from '@cloudoc/contract'
import {
  type EntryInForce,
  entriesAt,
  hasRight,
  OperateType,
  type RightName,
  type Rights,
  rights,
  rightsFrom,
} from '@cloudoc/domain'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { ItemEvent } from '../../core/events.ts'
import type { AudibleEvent, Audience, PushMessage, StoredEvent } from '../../core/push/index.ts'
import { type ItemLevel, loadLevels } from './levels.ts'

/** What is in force at one place, for everybody. */
export interface Place {
  readonly inForce: readonly EntryInForce[]
  readonly restricted: boolean
  /** Set inside a restricted folder ([R210]): whoever else put the item there does not see it. */
  readonly onlyFor: number | undefined
}

type Level = Pick<ItemLevel, 'itemId' | 'inherit' | 'restricted' | 'entries'>

const top: Place = { inForce: [], restricted: false, onlyFor: undefined }

/** Folds levels down to a place. */
export function placeAt(levels: readonly ItemLevel[], now: number): Place {
  return levels.reduce<Place>((above, level) => below(above, level, level.createdBy, now), top)
}

function below(above: Place, level: Level, createdBy: number, now: number): Place {
  return {
    inForce: entriesAt(above.inForce, level, now),
    restricted: level.restricted || (level.inherit && above.restricted),
    onlyFor: above.restricted ? createdBy : undefined,
  }
}

/** What an account may do at a place; nothing where others' items are hidden from it. */
export function rightsAt({ inForce, onlyFor }: Place, actor: Account, isManager: boolean): Rights {
  if (onlyFor !== undefined && !isManager && onlyFor !== actor.accountId) return rights(0)
  return rightsFrom(inForce, actor.subjects, { printRights: actor.settings.setting.print_rights, isManager }).rights
}

/** What an item event is for one account. */
type ItemView = PushOf<'fileChange' | 'folderChange'>

/** Who hears of changes to items. */
export const itemAudience: Audience<ItemEvent> = { prepare }

async function prepare(
  db: Db,
  events: readonly StoredEvent<ItemEvent>[],
  now: number,
): Promise<Map<number, AudibleEvent>> {
  const ids = new Set(
    events.flatMap(({ event }) => [
      event.itemId,
      ...(event.parentId === null ? [] : [event.parentId]),
      ...(event.beforeParentId === undefined ? [] : [event.beforeParentId]),
    ]),
  )
  const levels = await loadLevels(db, [...ids])
  const managers = await managersOf(db, [...new Set(events.map(({ event }) => event.libraryId))])
  // Changes of one moment are mostly to the same few folders.
  const places = new Map<number, Place | undefined>()
  const placeOf = (folderId: number | null): Place | undefined => {
    if (folderId === null) return top
    if (!places.has(folderId)) {
      const found = levels.get(folderId)
      places.set(folderId, found === undefined ? undefined : placeAt(found, now))
    }
    return places.get(folderId)
  }
  return new Map(
    events.map((stored) => [
      stored.position,
      audible(stored, {
        chain: levels.get(stored.event.itemId),
        managers: managers.get(stored.event.libraryId) ?? new Set(),
        placeOf,
        now,
      }),
    ]),
  )
}

/** What is read for many events together. */
interface Known {
  /** The levels down to the item; undefined for one whose rows are gone. */
  readonly chain: readonly ItemLevel[] | undefined
  readonly managers: ReadonlySet<number>
  readonly placeOf: (folderId: number | null) => Place | undefined
  readonly now: number
}

function audible(
  { event, at, actorId }: StoredEvent<ItemEvent>,
  { chain, managers, placeOf, now }: Known,
): AudibleEvent<ItemView> {
  // The rows of a completely deleted item are gone; the event says what its own rights were.
  const own = chain?.at(-1)
  const level: Level = own ?? { itemId: event.itemId, inherit: true, restricted: false, entries: [] }
  const shownName = own?.name ?? (event.before === undefined ? '' : event.name)
  const parentNow = placeOf(event.parentId)
  const parentBefore = event.beforeParentId === undefined ? parentNow : placeOf(event.beforeParentId)
  const gone = event.operateType === OperateType.delete
  const after = own === undefined || parentNow === undefined ? undefined : below(parentNow, level, event.createdBy, now)
  const before =
    parentBefore === undefined ? undefined : below(parentBefore, { ...level, ...event.before }, event.createdBy, now)
  // The name is that of now, so it is told only to who may see the item where it is now.
  const present = chain === undefined ? before : below(placeAt(chain.slice(0, -1), now), level, event.createdBy, now)

  const sees = (actor: Account, place: Place | undefined): boolean =>
    place !== undefined && hasRight(rightsAt(place, actor, managers.has(actor.accountId)), 'display')

  // A link bears the kind of what it leads to, which it must not be taken for.
  const fId = event.isLink === true ? 0 : event.itemId
  const base = {
    serverId: 0,
    ...(event.isLink === true && { linkId: event.itemId }),
    fId,
    fType: event.fType,
    fileId: event.fType === 1 ? fId : 0,
    folderId: event.fType === 2 ? fId : 0,
    operateTime: at,
    operatorId: actorId ?? 0,
    operatorName: event.operatorName,
    version: event.version,
    fileSize: event.size,
  }
  const name = event.fType === 1 ? ('fileChange' as const) : ('folderChange' as const)
  /** What happened and where, by both names that the documents have for each ([R341]). */
  const told = (operateType: number, parentFolderId: number) => ({
    operateType,
    operate: operateType,
    parentFolderId,
    parentId: parentFolderId,
  })

  return {
    ...receiversOf([before, after, present, parentNow, parentBefore], managers),
    viewFor(actor) {
      const sawBefore = sees(actor, before)
      if (!gone && sees(actor, after) && sees(actor, present)) {
        const oldId = event.beforeParentId
        return {
          name,
          payload: {
            ...base,
            fName: shownName,
            ...told(event.operateType, event.parentId !== null && sees(actor, parentNow) ? event.parentId : 0),
            ...(oldId !== undefined && sawBefore && sees(actor, parentBefore) ? { beforeParentFolderId: oldId } : {}),
          },
        }
      }
      if (!sawBefore) return undefined
      const folderId = event.beforeParentId ?? event.parentId ?? 0
      return {
        name,
        payload: {
          ...base,
          // What was taken from somebody bears a name and figures they need not know any more.
          ...(gone && sees(actor, present) ? { fName: shownName } : { fName: '', version: 0, fileSize: 0 }),
          ...told(OperateType.delete, sees(actor, parentBefore) ? folderId : 0),
        },
      }
    },
  }
}

/** Something that was said of an item, which whoever has a right to it now hears of. */
interface ItemMessage {
  readonly itemId: number
  readonly libraryId: number
}

/** Who hears of what is said of items, by what holds now: those who have the right. */
export async function itemListeners<E extends ItemMessage, V extends PushMessage>(
  db: Db,
  events: readonly StoredEvent<E>[],
  now: number,
  { right, viewOf }: { readonly right: RightName; readonly viewOf: (event: E) => V },
): Promise<Map<number, AudibleEvent<V>>> {
  const levels = await loadLevels(db, [...new Set(events.map(({ event }) => event.itemId))])
  const managers = await managersOf(db, [...new Set(events.map(({ event }) => event.libraryId))])
  return new Map(
    events.flatMap(({ position, event }): [number, AudibleEvent<V>][] => {
      const chain = levels.get(event.itemId)
      if (chain === undefined) return []
      const place = placeAt(chain, now)
      const own = managers.get(event.libraryId) ?? new Set<number>()
      return [
        [
          position,
          {
            ...receiversOf([place], own),
            viewFor: (actor) =>
              hasRight(rightsAt(place, actor, own.has(actor.accountId)), right) ? viewOf(event) : undefined,
          },
        ],
      ]
    }),
  )
}

/** Whoever could see anything at one of these places: nobody else is asked. */
function receiversOf(
  places: readonly (Place | undefined)[],
  managers: ReadonlySet<number>,
): Pick<AudibleEvent, 'concerns' | 'perAccount'> {
  const concerns = { accountIds: new Set(managers), groupIds: new Set<number>(), roleIds: new Set<number>() }
  const idsOf = { user: concerns.accountIds, group: concerns.groupIds, role: concerns.roleIds }
  for (const place of new Set(places)) {
    for (const { subjectType, subjectId } of place?.inForce ?? []) idsOf[subjectType].add(subjectId)
  }
  return { concerns, perAccount: places.some((place) => place?.onlyFor !== undefined) }
}

/** Who owns or manages each library. */
export async function managersOf(db: Db, libraryIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const managers = new Map<number, Set<number>>()
  if (libraryIds.length === 0) return managers
  const add = (libraryId: number, accountId: number | null): void => {
    if (accountId === null) return
    managers.set(libraryId, (managers.get(libraryId) ?? new Set()).add(accountId))
  }
  for (const row of await db.selectFrom('library').select(['id', 'owner_id']).where('id', 'in', libraryIds).execute()) {
    add(row.id, row.owner_id)
  }
  for (const row of await db
    .selectFrom('library_manager')
    .select(['library_id', 'account_id'])
    .where('library_id', 'in', libraryIds)
    .execute()) {
    add(row.library_id, row.account_id)
  }
  return managers
}
