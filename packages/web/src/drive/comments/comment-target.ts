// Identifies the item that comments belong to.
import type { ItemRecord } from '@cloudoc/contract'

export type CommentTarget = Pick<ItemRecord, 'fId' | 'fType' | 'fName'>

/** Returns the item as an argument of the comment calls. */
export function targetInput({
  fId,
  fType,
}: Pick<CommentTarget, 'fId' | 'fType'>): { fileId: number } | { folderId: number } {
  return fType === 1 ? { fileId: fId } : { folderId: fId }
}

/** The query key of the comments of an item. */
export const commentsKey = ({ fId, fType }: Pick<CommentTarget, 'fId' | 'fType'>) =>
  ['drive', 'comments', fType, fId] as const
