// Renaming a file or folder ([R120]).
import type { StoredItem } from '@cloudoc/contract'
import { extNameOf, fail, isTypeRestricted } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { itemEvent, nameColumns, storedItem } from '../tree/index.ts'

/** Renames an item. The unique index refuses a taken name with -5. */
export async function rename(context: WriteContext, access: Access, name: string): Promise<StoredItem> {
  const actor = actorOf(context)
  const { row } = access
  const columns = nameColumns(name, row.f_type)
  if (columns.name === row.name) return storedItem(access, actor, {})
  const isOtherKind = row.f_type === 1 && row.link_to === null && extNameOf(columns.name) !== extNameOf(row.name)
  if (isOtherKind && isTypeRestricted(columns.name, actor.settings)) return fail('typeRestricted')
  await context.tx
    .updateTable('item')
    .set({ ...columns, modified_by: actor.accountId, modified_at: context.now, modifier_outsider: null })
    .where('id', '=', row.id)
    .execute()
  context.event(itemEvent(row, 'rename', actor.name, { name: columns.name }))
  context.audit({ from: row.name, to: columns.name })
  return storedItem(access, actor, { fName: columns.name, modifyTime: context.now })
}
