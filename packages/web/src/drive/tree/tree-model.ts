/*
 * The folder tree as rows: libraries in sections, and subfolders below each expanded folder. Every expanded folder is a
 * list of its own (lists.ts), so pushes reach the tree in the same way as the files view.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type ItemKey, keyOf } from '../../items/item/item.ts'
import type { FolderList } from '../../items/lists/folder-list.ts'

/** A folder in the tree. */
export interface TreeNode {
  readonly folder: ItemRecord
  readonly depth: number
  readonly open: boolean
  /** False if the folder has no subfolders. Undefined while that is not known. */
  readonly mayOpen: boolean | undefined
  readonly parentKey: ItemKey | undefined
  /** The folders from the library down to the parent. */
  readonly ancestors: readonly ItemRecord[]
}

/** A placeholder row for subfolders that are not loaded yet. */
export interface TreeMore {
  readonly moreOf: ItemRecord
  readonly depth: number
}

export type TreeRow = TreeNode | TreeMore

/** Returns the rows of a tree below these folders. */
export function treeRows(
  roots: readonly ItemRecord[],
  isOpen: (key: ItemKey) => boolean,
  listOf: (folder: ItemRecord) => FolderList,
  mayOpen: (folder: ItemRecord) => boolean | undefined,
): TreeRow[] {
  const rows: TreeRow[] = []
  const add = (folder: ItemRecord, depth: number, ancestors: readonly ItemRecord[]): void => {
    const open = isOpen(keyOf(folder))
    const state = open ? listOf(folder).snapshot() : undefined
    const parent = ancestors.at(-1)
    const isLeaf = state?.status === 'ready' && state.total === 0
    rows.push({
      folder,
      depth,
      open: open && !isLeaf,
      mayOpen: open ? !isLeaf : mayOpen(folder),
      parentKey: parent && keyOf(parent),
      ancestors,
    })
    if (state === undefined) return
    const below = [...ancestors, folder]
    for (const child of state.items) if (child !== undefined) add(child, depth + 1, below)
    if (!state.complete && state.total > 0) rows.push({ moreOf: folder, depth: depth + 1 })
  }
  for (const root of roots) add(root, 0, [])
  return rows
}
