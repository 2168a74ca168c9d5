// The columns after the name: those of a folder, which the user selects and resizes, or the fixed ones of another list.
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize, fullTime, type Locale, shortTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import type { PlainTextKey } from '../../../core/i18n/i18n.ts'
import { isFolder, isLink } from '../../../items/item/item.ts'
import { kindText } from '../../../items/item/kind-text.ts'
import type { SortKey } from '../../../items/lists/folder-list.ts'
import type { Column } from './view-mode.ts'

export interface ItemColumn {
  /** Also the class name of its cells. */
  readonly id: string
  readonly label: PlainTextKey
  /** The sort key of the header. */
  readonly sort?: SortKey
  readonly text: (item: ItemRecord, now: number, locale: Locale) => string
  /** Renders the cell instead of its text. */
  readonly cell?: (item: ItemRecord) => ReactNode
  /** The column shows the tags, which are then not shown next to the name. */
  readonly showsTags?: true
  /** The tooltip of the cell. Default: its text. */
  readonly title?: (item: ItemRecord) => string | undefined
}

/** Fixed columns and the matching CSS grid template. */
export interface FixedColumns {
  readonly columns: readonly ItemColumn[]
  readonly template: string
}

/** The columns of a folder. */
export const itemColumns: Readonly<Record<Column, ItemColumn>> = {
  time: {
    id: 'time',
    label: 'drive.column.time',
    sort: 'time',
    text: ({ modifyTime }, now, locale) => shortTime(modifyTime, now, locale),
    title: ({ modifyTime }) => fullTime(modifyTime),
  },
  disk: {
    id: 'disk',
    label: 'drive.column.disk',
    text: ({ diskTime }, now, locale) => shortTime(diskTime, now, locale),
    title: ({ diskTime }) => fullTime(diskTime),
  },
  by: { id: 'by', label: 'drive.column.by', text: ({ lastOperatorName }) => lastOperatorName },
  size: {
    id: 'size',
    label: 'drive.column.size',
    sort: 'size',
    text: (item) => (isFolder(item) || isLink(item) ? '—' : formatSize(item.fileSize)),
    title: () => undefined,
  },
  type: { id: 'type', label: 'drive.column.type', sort: 'type', text: kindText },
}
