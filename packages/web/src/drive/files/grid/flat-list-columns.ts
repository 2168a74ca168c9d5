// Columns of lists whose items lie in different folders.
import type { ItemRecord } from '@cloudoc/contract'
import type { PlainTextKey } from '../../../core/i18n/i18n.ts'
import { type FixedColumns, type ItemColumn, itemColumns } from './columns.ts'

/** The folder of the item. */
export const locationColumn: ItemColumn = {
  id: 'place',
  label: 'drive.column.where',
  text: ({ pathString }: ItemRecord) => pathString.replaceAll('/', ' › '),
  title: ({ pathString }) => pathString,
}

/** The folder, an optional extra column, the time, the user and the size. */
export function flatListColumnsWith(
  time: PlainTextKey,
  { more = [], by = true }: { readonly more?: readonly ItemColumn[]; readonly by?: boolean } = {},
): FixedColumns {
  const between = more.map(() => '104px').join(' ')
  return {
    columns: [
      locationColumn,
      ...more,
      { ...itemColumns.time, label: time },
      ...(by ? [{ ...itemColumns.by }] : []),
      itemColumns.size,
    ],
    template: `36px minmax(180px, 3fr) minmax(0, 2fr) ${between} 108px ${by ? '100px ' : ''}92px`,
  }
}

/** The folder, the modification time, the user and the size. */
export const flatListColumns = flatListColumnsWith('drive.column.time')
