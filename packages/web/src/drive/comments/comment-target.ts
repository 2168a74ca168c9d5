// Which item comments are on.
import type { ItemRecord } from '@cloudoc/contract'

export type Named = Pick<ItemRecord, 'fId' | 'fType' | 'fName'>

/** The item as the calls name it. */
export function namedIn({ fId, fType }: Pick<Named, 'fId' | 'fType'>): { fileId: number } | { folderId: number } {
  return fType === 1 ? { fileId: fId } : { folderId: fId }
}

/** The key of what is fetched of the comments on an item. */
export const commentsKey = ({ fId, fType }: Pick<Named, 'fId' | 'fType'>) => ['drive', 'comments', fType, fId] as const
