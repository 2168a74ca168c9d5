// What calls over items of the tree have in common.
import { z } from 'zod'
import type { ItemRef } from '../call.ts'
import { IdArray } from '../fields.ts'

export const file = (fId: number): ItemRef => ({ fType: 1, fId })
export const folder = (fId: number): ItemRef => ({ fType: 2, fId })

/** What happens when the name is taken in the target: refuse with -5, number the newcomer, or leave it out. */
export const Conflict = z.enum(['refuse', 'keepBoth', 'skip']).default('refuse')

/** The items of a batch call ([R121]). */
export const itemArrays = {
  fileIdArray: IdArray.default([]),
  folderIdArray: IdArray.default([]),
  /** Links are not items of the tree yet; an id here is answered -3. */
  linkIdArray: IdArray.default([]),
}
export const itemsOf = (input: { fileIdArray: number[]; folderIdArray: number[] }): ItemRef[] => [
  ...input.fileIdArray.map(file),
  ...input.folderIdArray.map(folder),
]
