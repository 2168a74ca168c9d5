// Which item comments are on.
import type { ItemRecord } from '@cloudoc/contract'

export type CommentTarget = Pick<ItemRecord, 'fId' | 'fType' | 'fName'>

/** The item as the calls name it. */
export function targetInput({
  fId,
  fType,
}: Pick<CommentTarget, 'fId' | 'fType'>): { fileId: number } | { folderId: number } {
  return fType === 1 ? { fileId: fId } : { folderId: fId }
}

/** The key of what is fetched of the comments on an item. */
export const commentsKey = ({ fId, fType }: Pick<CommentTarget, 'fId' | 'fType'>) =>
  ['drive', 'comments', fType, fId] as const
