// The event of a change to an item: what its row says after the change, with who did what.
import { OperateType, type OperateTypeName } from '@cloudoc/domain'
import type { ItemRow } from '../../core/access.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Change, ItemEvent, NewEvent } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'

/** Describes a change to an item whose row is given, with what the change made of it. */
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
 * Commits what time has ended of items, by nobody: a row of the log for each, and a push to whoever shows it. `call` is
 * what the log names it by.
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
    /** What is told of it beside that. */
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
