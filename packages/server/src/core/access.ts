// What gates (permission checks) are evaluated against: an item, or an object of another kind, as one actor sees it.

import type { EntryInForce, Facts } from '@cloudoc/domain'
import type { Selectable } from 'kysely'
import type { ItemTable, LibraryKind } from './db/schema.ts'

/** An item's row without its search columns, with the names of the users it refers to. */
export type ItemRow = Omit<
  Selectable<ItemTable>,
  'search_text' | 'name_key' | 'withholds' | 'editing_since' | 'editor_until'
> & {
  readonly modifier: string
  readonly creator: string
  readonly editor: string | null
}

export interface Library {
  readonly id: number
  readonly kind: LibraryKind
  readonly ownerId: number | null
  /** Maximum bytes in the library, and maximum bytes of one file in it. 0: no limit. */
  readonly quota: number
  readonly fileLimit: number
  /** Only the library's managers can change its content. */
  readonly readOnly: boolean
}

/** The maximum number of bytes a folder may hold, at any depth ([R119]). */
export interface FolderLimit {
  readonly folderId: number
  readonly most: number
}

/** One folder on the path to an item, and whether the actor may see it. */
export interface PathLink {
  readonly id: number
  readonly name: string
  readonly visible: boolean
}

/** An item as one actor sees it at one moment. */
export interface Access {
  readonly row: ItemRow
  readonly library: Library
  /** The space limits of the item and of its ancestor folders, library root first. */
  readonly limits: readonly FolderLimit[]
  /** The ancestor folders, library root first. */
  readonly path: readonly PathLink[]
  /** The permission entries in force at the item that concern the actor. */
  readonly inForce: readonly EntryInForce[]
  /** Items of other users inside are hidden from the actor ([R210]). */
  readonly restricted: boolean
  readonly facts: Facts
}

/** An object as one actor sees it at one moment. */
export interface ObjectAccess<F = unknown> {
  readonly facts: F
  /** The item that it shows, which is then recorded with the call. */
  readonly itemId?: number
}
