/*
 * Who hears of a change to an item: who may see it now, and from whom the change took it. The first get what changed, the
 * second only that it is gone. A wrong answer here is a leak, so this is one function with tests of its own.
 */
import { type EntryInForce, entriesAt, hasRight, OperateType, rightsFrom } from '@cloudoc/domain'
import type { Actor } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { ItemEvent } from '../../core/events.ts'
import type { AudibleEvent, ItemView, StoredEvent } from '../../core/push/index.ts'
import { type ItemLevel, loadLevels } from './levels.ts'

/** What is in force at one place, for everybody. */
interface Place {
  readonly inForce: readonly EntryInForce[]
  readonly restricted: boolean
}

/** Folds levels down to a place. */
function placeAt(levels: readonly ItemLevel[], now: number): Place {
  return levels.reduce<Place>((above, level) => below(above, level, now), { inForce: [], restricted: false })
}

function below(above: Place, level: Omit<ItemLevel, 'createdBy'>, now: number): Place {
  return {
    inForce: entriesAt(above.inForce, level, now),
    restricted: level.restricted || (level.inherit && above.restricted),
  }
}

/** Prepares events for delivery; those of items that left no trace are for nobody. */
export async function audienceOf(
  db: Db,
  events: readonly StoredEvent<ItemEvent>[],
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
  return new Map(
    events.map((stored) => [
      stored.position,
      audible(stored, levels, managers.get(stored.event.libraryId) ?? new Set()),
    ]),
  )
}

function audible(
  { event, at, actorId }: StoredEvent<ItemEvent>,
  levels: ReadonlyMap<number, ItemLevel[]>,
  managers: ReadonlySet<number>,
): AudibleEvent {
  const chain = levels.get(event.itemId)
  // The rows of a completely deleted item are gone; the folder it was in still tells who knew it.
  const own: Omit<ItemLevel, 'createdBy'> = chain?.at(-1) ?? {
    itemId: event.itemId,
    inherit: true,
    restricted: false,
    entries: [],
  }
  const placeOf = (folderId: number | null | undefined): Place | undefined => {
    if (folderId === null) return { inForce: [], restricted: false }
    const found = folderId === undefined ? undefined : levels.get(folderId)
    return found === undefined ? undefined : placeAt(found, at)
  }
  const parentNow = placeOf(event.parentId)
  const parentBefore = event.beforeParentId === undefined ? parentNow : placeOf(event.beforeParentId)
  const gone = event.operateType === OperateType.delete
  const after = chain === undefined || parentNow === undefined ? undefined : below(parentNow, own, at)
  const before =
    parentBefore === undefined
      ? undefined
      : below(parentBefore, { ...own, ...(event.before ?? {}), itemId: event.itemId }, at)

  const sees = (actor: Actor, place: Place | undefined, above: Place | undefined): boolean => {
    if (place === undefined || above === undefined) return false
    const isManager = managers.has(actor.accountId)
    if (above.restricted && !isManager && event.createdBy !== actor.accountId) return false
    const printRights = actor.settings.setting.print_rights
    return hasRight(rightsFrom(place.inForce, actor.subjects, { printRights, isManager }).rights, 'display')
  }
  const seesFolder = (actor: Actor, folder: Place | undefined): boolean =>
    folder !== undefined &&
    hasRight(
      rightsFrom(folder.inForce, actor.subjects, {
        printRights: actor.settings.setting.print_rights,
        isManager: managers.has(actor.accountId),
      }).rights,
      'display',
    )

  const base = {
    serverId: 0,
    fId: event.itemId,
    fType: event.fType,
    operateTime: at,
    operatorId: actorId ?? 0,
    operatorName: event.operatorName,
    version: event.version,
    fileSize: event.size,
  }
  const name = event.fType === 1 ? ('fileChange' as const) : ('folderChange' as const)

  return {
    viewFor(actor): ItemView {
      const seesAfter = !gone && sees(actor, after, parentNow)
      const sawBefore = sees(actor, before, parentBefore)
      const oldParent = event.beforeParentId ?? event.parentId ?? 0
      if (seesAfter) {
        const before = event.beforeParentId
        return {
          name,
          payload: {
            ...base,
            fName: event.name,
            operateType: event.operateType,
            parentFolderId: event.parentId !== null && seesFolder(actor, parentNow) ? event.parentId : 0,
            ...(before !== undefined && sawBefore && seesFolder(actor, parentBefore)
              ? { beforeParentFolderId: before }
              : {}),
          },
        }
      }
      if (!sawBefore) return undefined
      return {
        name,
        payload: {
          ...base,
          fName: gone ? event.name : '',
          operateType: OperateType.delete,
          parentFolderId: seesFolder(actor, parentBefore) ? oldParent : 0,
          version: gone ? event.version : 0,
          fileSize: gone ? event.size : 0,
        },
      }
    },
  }
}

async function managersOf(db: Db, libraryIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const managers = new Map<number, Set<number>>()
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
