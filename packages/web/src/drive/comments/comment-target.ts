// Identifies the item that comments belong to.

import type { ItemRecord } from '@cloudoc/contract'
import { keyOf } from '../../items/item/item.ts'

export type CommentTarget = Pick<ItemRecord, 'serverId' | 'fId' | 'fType' | 'fName'>

/** Returns the item as an argument of the comment calls. */
export function targetInput({
  fId,
  fType,
}: Pick<CommentTarget, 'fId' | 'fType'>): { fileId: number } | { folderId: number } {
  return fType === 1 ? { fileId: fId } : { folderId: fId }
}

/** The query key of the comments of an item. */
export const commentsKey = (item: Pick<CommentTarget, 'serverId' | 'fId' | 'fType'>) =>
  ['drive', 'comments', keyOf(item)] as const
