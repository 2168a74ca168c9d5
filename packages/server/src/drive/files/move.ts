// Moving items.
import { fail } from '@cloudoc/domain'
import type { Access, ItemRow } from '../../core/access.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { BatchItemData } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { takeMoved } from '../quotas/index.ts'
import {
  checkBelow,
  checkDepth,
  checkDepthOf,
  checkStillThere,
  isFolderRow,
  isWithin,
  itemEvent,
  lockFolderMoves,
  nameColumns,
  storedItem,
  tally,
  withName,
} from '../tree/index.ts'
import { checkControlled } from './controlled.ts'
import { copyItem } from './copy.ts'
import { CopyReporter } from './copy-reporter.ts'

const folder = (fId: number) => ({ fType: 2, fId }) as const

/** Identifies an item in the results of a batch: a link by `linkId`, others by `fId`. */
export const idOf = (row: ItemRow) => (row.link_to === null ? { fId: row.id } : { linkId: row.id })

/** Moves an item to another folder. Into another library it is copied, and removed afterwards. */
export async function moveItem(
  context: WriteContext,
  moved: Access,
  input: { readonly targetFolderId: number; readonly conflict: Parameters<typeof copyItem>[3] },
  db: Db,
): Promise<BatchItemData> {
  const { tx } = context
  const actor = actorOf(context)
  const { row, library } = moved
  const target = context.item(folder(input.targetFolderId))
  if (target.library.id !== library.id) {
    return copyItem(context, moved, target, input.conflict, new CopyReporter(db, undefined))
  }
  if (row.parent_id === target.row.id) return fail('sameFolder')
  checkControlled(moved, target)
  checkDepth(target.path.length + 1)
  if (isFolderRow(row)) {
    await lockFolderMoves(tx, library.id)
    if (await isWithin(tx, target.row.id, row.id)) return fail('moveIntoSubfolder')
    await checkDepthOf(tx, target.path.length + 1, row.id)
    await checkBelow(tx, moved, actor)
  }
  await takeMoved(tx, moved, target, context.now)
  const place = { parentId: target.row.id, name: row.name, fType: row.f_type }
  const named = await withName(tx, place, input.conflict, async (name) => {
    await tx
      .updateTable('item')
      .set({ parent_id: target.row.id, ...(name === row.name ? {} : nameColumns(name, row.f_type)) })
      .where('id', '=', row.id)
      .execute()
    return name
  })
  if (named === undefined) return {}
  await checkStillThere(tx, row)
  for (const [folderId, children] of [
    [row.parent_id, -1],
    [target.row.id, 1],
  ] as const) {
    await tally(tx, { libraryId: library.id, accountId: actor.accountId, folderId, bytes: 0, children })
  }
  context.event(
    itemEvent(row, 'move', actor.name, {
      parentId: target.row.id,
      name: named,
      ...(row.parent_id === null ? {} : { beforeParentId: row.parent_id }),
    }),
  )
  const { fName, ...stored } = storedItem(moved, actor, {
    fName: named,
    parentFolderId: target.row.id,
  })
  return { ...idOf(row), name: fName, ...stored }
}
