// Creates links to files and folders ([R121]). Moving, copying and deleting them works as for all other items.
import { denial, fail, gates } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { BatchItemData } from '../../core/call/implement.ts'
import {
  accessTo,
  checkDepth,
  checkStillThere,
  insertLink,
  itemEvent,
  type NameConflict,
  newlyStored,
  withName,
} from '../tree/index.ts'

/** Creates a link in a folder to the item. If the item is itself a link, the new link points to its target. */
export async function linkItem(
  context: WriteContext,
  source: Access,
  target: Access,
  conflict: NameConflict,
): Promise<BatchItemData> {
  const { row } = source
  if (row.link_to !== null) {
    const item = await accessTo(context.tx, actorOf(context), { fType: row.f_type, fId: row.link_to }, context.now)
    if (item === undefined || denial(gates.link, item.facts) !== undefined) return fail('notFound')
  }
  return placeLink(context, source, target, conflict, 'add')
}

/** Creates a link with the source's name in a folder. A copy of a broken link is also broken. */
export async function placeLink(
  context: WriteContext,
  { row }: Access,
  target: Access,
  conflict: NameConflict,
  operate: 'add' | 'copy',
): Promise<BatchItemData> {
  const { tx, now } = context
  const actor = actorOf(context)
  checkDepth(target.path.length + 1)
  const place = { libraryId: target.library.id, parentId: target.row.id, fType: row.f_type }
  const to = row.link_to ?? row.id
  const made = await withName(tx, { ...place, name: row.name }, conflict, async (name) => {
    const id = await insertLink(tx, { ...place, name, accountId: actor.accountId, now, to })
    return { id, name }
  })
  if (made === undefined) return {}
  await checkStillThere(tx, row)
  context.event(
    itemEvent(
      { ...row, id: made.id, library_id: place.libraryId, created_by: actor.accountId, link_to: to },
      operate,
      actor.name,
      { parentId: place.parentId, name: made.name, version: 0, size: 0 },
    ),
  )
  const { fName: name, ...stored } = newlyStored(made.name, place.parentId, 0, now)
  return { linkId: made.id, name, ...stored }
}
