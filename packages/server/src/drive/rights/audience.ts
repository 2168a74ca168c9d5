/*
 * Determines who receives a push about a change to an item: users who may see it now, and users who lost sight of it
 * through the change. The former get the change, the latter only that the item is gone. A wrong result is a data leak,
 * so this is one separately tested function.
 *
 * Rights and name are those at the time of delivery and are read together. A name that an item had before a user got
 * access is never disclosed to that user.
 */
import type { PushOf } from '@cloudoc/contract'
import {
  hasRight,
  OperateType,
  type RightName,
  type Rights,
  type RightsState,
  rightsOf,
  rightsStateAt,
  rightsStateBelow,
  topRightsState,
} from '@cloudoc/domain'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { ItemEvent } from '../../core/events.ts'
import type { AudibleEvent, Audience, PushMessage, StoredEvent } from '../../core/push/index.ts'
import { type ItemLevel, loadLevels } from './levels.ts'

/** The rights of an account in a state. */
export function rightsAt(state: RightsState, actor: Account, isManager: boolean): Rights {
  return rightsOf(state, actor.subjects, { printRights: actor.settings.setting.print_rights, isManager }).rights
}

/** The push that an account receives for an item event. */
type ItemView = PushOf<'fileChange' | 'folderChange'>

/** The audience of item changes. */
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
  // Changes that are delivered together mostly concern the same few folders.
  const places = new Map<number, RightsState | undefined>()
  const placeOf = (folderId: number | null): RightsState | undefined => {
    if (folderId === null) return topRightsState
    if (!places.has(folderId)) {
      const found = levels.get(folderId)
      places.set(folderId, found === undefined ? undefined : rightsStateAt(found, now))
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

/** Data read once for many events. */
interface Known {
  /** The levels down to the item; undefined if its rows are gone. */
  readonly chain: readonly ItemLevel[] | undefined
  readonly managers: ReadonlySet<number>
  readonly placeOf: (folderId: number | null) => RightsState | undefined
  readonly now: number
}

function audible(
  { event, at, actorId }: StoredEvent<ItemEvent>,
  { chain, managers, placeOf, now }: Known,
): AudibleEvent<ItemView> {
  // The rows of a permanently deleted item are gone; the event carries its own rights.
  const own = chain?.at(-1)
  const level = {
    ...(own ?? { itemId: event.itemId, inherit: true, restricted: false, entries: [] }),
    createdBy: event.createdBy,
  }
  const shownName = own?.name ?? (event.before === undefined ? '' : event.name)
  const parentNow = placeOf(event.parentId)
  const parentBefore = event.beforeParentId === undefined ? parentNow : placeOf(event.beforeParentId)
  const gone = event.operateType === OperateType.delete
  const after = own === undefined || parentNow === undefined ? undefined : rightsStateBelow(parentNow, level, now)
  const before =
    parentBefore === undefined ? undefined : rightsStateBelow(parentBefore, { ...level, ...event.before }, now)
  // The name is the current one, so it is disclosed only to users who may see the item at its current location.
  const present = chain === undefined ? before : rightsStateBelow(rightsStateAt(chain.slice(0, -1), now), level, now)

  const sees = (actor: Account, place: RightsState | undefined): boolean =>
    place !== undefined && hasRight(rightsAt(place, actor, managers.has(actor.accountId)), 'display')

  // A link has the type of its target, but its id must not be taken for a file or folder id.
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
  /** What happened and where, under both field names of the documents ([R341]). */
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
          // For a user who lost sight of the item, its current name and figures are omitted.
          ...(gone && sees(actor, present) ? { fName: shownName } : { fName: '', version: 0, fileSize: 0 }),
          ...told(OperateType.delete, sees(actor, parentBefore) ? folderId : 0),
        },
      }
    },
  }
}

/** An event about an item that is pushed to everybody who has a certain right to it now. */
interface ItemMessage {
  readonly itemId: number
  readonly libraryId: number
}

/** The audience of such events: the accounts that currently have the right. */
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
      const place = rightsStateAt(chain, now)
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

/** All accounts that could see anything at one of these items. Only they are checked. */
function receiversOf(
  places: readonly (RightsState | undefined)[],
  managers: ReadonlySet<number>,
): Pick<AudibleEvent, 'concerns' | 'perAccount'> {
  const concerns = { accountIds: new Set(managers), groupIds: new Set<number>(), roleIds: new Set<number>() }
  const idsOf = { user: concerns.accountIds, group: concerns.groupIds, role: concerns.roleIds }
  for (const place of new Set(places)) {
    for (const { subjectType, subjectId } of place?.inForce ?? []) idsOf[subjectType].add(subjectId)
  }
  return { concerns, perAccount: places.some((place) => place?.onlyFor !== undefined) }
}

/** The owners and managers of each library. */
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
