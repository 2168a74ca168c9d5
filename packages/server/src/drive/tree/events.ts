// The event of a change to an item: the state of its row after the change, and the operator.
import { OperateType, type OperateTypeName } from '@cloudoc/domain'
import type { ItemRow } from '../../core/access.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Change, ItemEvent, NewEvent } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'

/** Creates the event of a change to an item from its row and the details of the change. */
export function itemEvent(
  row: Pick<ItemRow, 'id' | 'library_id' | 'parent_id' | 'f_type' | 'name' | 'version' | 'size' | 'created_by'> &
    Partial<Pick<ItemRow, 'link_to'>>,
  operate: OperateTypeName,
  operatorName: string,
  changed: Partial<Pick<ItemEvent, 'parentId' | 'name' | 'version' | 'size' | 'beforeParentId' | 'before'>> = {},
): ItemEvent {
  return {
    kind: 'item',
    libraryId: row.library_id,
    itemId: row.id,
    ...((row.link_to ?? null) === null ? {} : { isLink: true as const }),
    fType: row.f_type,
    name: row.name,
    operateType: OperateType[operate],
    operatorName,
    version: row.version,
    size: row.size,
    createdBy: row.created_by,
    parentId: row.parent_id,
    ...changed,
  }
}

/**
 * Commits the expiry of item properties without an operator: one log row per item, and a push to everybody who displays
 * it. `call` is its name in the log.
 */
export function commitEnded(
  commit: Services['commit'],
  tx: Tx,
  rows: readonly ItemRow[],
  {
    call,
    now,
    detailOf,
    eventsOf = () => [],
  }: Pick<Change, 'call' | 'now'> & {
    detailOf: (row: ItemRow) => Change['detail']
    /** Additional events per item. */
    eventsOf?: (row: ItemRow) => readonly NewEvent[]
  },
): Promise<void> {
  return commit(
    tx,
    rows.map((row) => ({
      events: row.deleted_at === null ? [itemEvent(row, 'edit', ''), ...eventsOf(row)] : [],
      changed: [],
      detail: detailOf(row),
      actor: undefined,
      now,
      call,
      address: '',
      items: [row.id],
    })),
  )
}
