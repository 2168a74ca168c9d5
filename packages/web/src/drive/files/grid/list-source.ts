// The description of a list that a view passes to the grid: the source of its rows and what can be done with them.
import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import type { ItemKey } from '../../../items/item/item.ts'
import type { FolderList, Sorting, SortKey } from '../../../items/lists/folder-list.ts'
import type { Group } from '../../../items/lists/list-layout.ts'
import type { Selection } from '../../../items/lists/selection.ts'
import type { FixedColumns } from './columns.ts'
import type { ViewMode } from './view-mode.ts'

/** The layout of rows with several lines. */
export interface RowRenderer {
  readonly height: number
  /** Replaces the name. */
  readonly name: (item: ItemRecord) => ReactNode
  /** The content of the second line. */
  readonly below: (item: ItemRecord) => ReactNode
}

export interface ListSource {
  /** The row store: pages, positions and live updates. */
  readonly rows: FolderList
  /** The module whose actions the menus and keys of the list offer. */
  readonly module: string
  readonly label: string
  /** The current folder: the source of drags, and the target of drops outside a subfolder. */
  readonly folder?: ItemRecord | undefined
  /** Fixed columns of the list. Default: the user's choice. */
  readonly columns?: FixedColumns
  /** The sort order, where it can be chosen. */
  readonly sorting?: Sorting
  readonly onSort?: (sort: SortKey) => void
  /** All rows in groups with headers, in order. */
  readonly groups?: readonly Group[] | undefined
  /** Default: rows. */
  readonly view?: ViewMode
  /** Rows with more lines than their columns. */
  readonly rowRenderer?: RowRenderer
  /** Opens an item. Without it, a double click does nothing. */
  readonly onOpen?: (item: ItemRecord) => void
  readonly onRename?: (item: ItemRecord, name: string) => Promise<void>
  /** The saved view state of the previous visit, and the callback that saves it. */
  readonly visit?: ListVisit
  readonly onVisit?: (visit: ListVisit) => void
  /** Items to select and scroll to: item ids as text, separated by commas. */
  readonly focusIds?: string
}

/** The imperative methods of the grid for the page. */
export interface GridHandle {
  /** Scrolls the row into view and focuses it. */
  reveal(key: ItemKey): void
  focus(): void
}

/** The view state of a list when the user left it. */
export interface ListVisit {
  readonly selection?: Selection
  readonly scroll?: number
}
