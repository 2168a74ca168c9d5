// What a view tells of the list that it shows: where its rows come from, and what can be done with them.
import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import type { ItemKey } from '../../../items/item/item.ts'
import type { FolderList, Sorting, SortKey } from '../../../items/lists/folder-list.ts'
import type { Group } from '../../../items/lists/list-layout.ts'
import type { Selection } from '../../../items/lists/selection.ts'
import type { FixedColumns } from './columns.ts'
import type { ViewMode } from './view-mode.ts'

/** Rows of several lines. */
export interface RowRenderer {
  readonly height: number
  /** Stands for the name. */
  readonly name: (item: ItemRecord) => ReactNode
  /** Stands below it. */
  readonly below: (item: ItemRecord) => ReactNode
}

export interface ListSource {
  /** The rows: pages, positions and live changes. */
  readonly rows: FolderList
  /** Whose actions its menus and keys offer. */
  readonly module: string
  readonly label: string
  /** The folder that is shown: drags begin in it, and what is dropped on none of its folders goes there. */
  readonly folder?: ItemRecord | undefined
  /** Its own columns; the person's choice unless said. */
  readonly columns?: FixedColumns
  /** How it is sorted, where that can be chosen. */
  readonly sorting?: Sorting
  readonly onSort?: (sort: SortKey) => void
  /** All rows under heads, in their order. */
  readonly groups?: readonly Group[] | undefined
  /** Rows unless said. */
  readonly view?: ViewMode
  /** Rows that tell more than their columns do. */
  readonly rowRenderer?: RowRenderer
  /** Opens an item; without it a double click does nothing. */
  readonly onOpen?: (item: ItemRecord) => void
  readonly onRename?: (item: ItemRecord, name: string) => Promise<void>
  /** What it looked like when it was left, and how to keep that. */
  readonly visit?: ListVisit
  readonly onVisit?: (visit: ListVisit) => void
  /** Items to select and scroll to, written ids with commas. */
  readonly focusIds?: string
}

/** What the page asks of the grid. */
export interface GridHandle {
  /** Scrolls the row into sight and gives it the keyboard. */
  reveal(key: ItemKey): void
  focus(): void
}

/** What a list looked like when it was left. */
export interface ListVisit {
  readonly selection?: Selection
  readonly scroll?: number
}
