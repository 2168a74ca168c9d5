// What gates are asked of: an item, or an object of another kind, as one actor meets it.

import type { EntryInForce, Facts } from '@cloudoc/domain'
import type { Selectable } from 'kysely'
import type { ItemTable, LibraryKind } from './db/schema.ts'

/** An item's row without its search columns, with the names of its people. */
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
  /** The most bytes in it, and of one file in it; 0: no limit. */
  readonly quota: number
  readonly fileLimit: number
  /** Kept as it is by all but its managers. */
  readonly readOnly: boolean
}

/** The most bytes that a folder may hold, at any depth ([R119]). */
export interface FolderLimit {
  readonly folderId: number
  readonly most: number
}

/** One folder on the way down to an item, and whether the actor may see it. */
export interface PathLink {
  readonly id: number
  readonly name: string
  readonly visible: boolean
}

/** An item as one actor meets it at one moment. */
export interface Access {
  readonly row: ItemRow
  readonly library: Library
  /** The limits of space of the folders above it and of its own, library root first. */
  readonly limits: readonly FolderLimit[]
  /** The folders above it, library root first. */
  readonly path: readonly PathLink[]
  /** The entries in force at the item that concern the actor. */
  readonly inForce: readonly EntryInForce[]
  /** Others' items inside are hidden from the actor ([R210]). */
  readonly restricted: boolean
  readonly facts: Facts
}

/** An object as one actor meets it at one moment. */
export interface ObjectAccess<F = unknown> {
  readonly facts: F
}
