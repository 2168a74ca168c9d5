// The columns beside the name: those of a folder, which a person chooses and widens, or the fixed ones of another list.
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize, fullTime, type Locale, shortTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import type { PlainTextKey } from '../../../core/i18n/i18n.ts'
import { isFolder, isLink } from '../../../items/item/item.ts'
import { kindText } from '../../../items/item/kind-text.ts'
import type { SortKey } from '../../../items/lists/folder-list.ts'
import type { Column } from './view-mode.ts'

export interface ItemColumn {
  /** Also the name of its cells' class. */
  readonly id: string
  readonly label: PlainTextKey
  /** What its head sorts by. */
  readonly sort?: SortKey
  readonly text: (item: ItemRecord, now: number, locale: Locale) => string
  /** What is drawn instead of its text. */
  readonly cell?: (item: ItemRecord) => ReactNode
  /** It shows the tags, which then do not stand beside the name. */
  readonly showsTags?: true
  /** What the pointer over it says; its text unless said. */
  readonly title?: (item: ItemRecord) => string | undefined
}

/** Columns that stay as they are, with the grid's template. */
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
