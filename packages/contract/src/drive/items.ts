// What calls over items of the tree have in common.
import { mainServerId, maxSecretDuration, nameEncodings, parseItemIdStr } from '@cloudoc/domain'
import { z } from 'zod'
import type { ItemRef } from '../authority.ts'
import { Count, IdArray, text } from '../fields.ts'

export const file = (fId: number): ItemRef => ({ fType: 1, fId })
export const folder = (fId: number): ItemRef => ({ fType: 2, fId })
export const link = (fId: number): ItemRef => ({ fType: 0, fId })

/** The item of this server that an address names ([R113]); of any other address 0, which no item has. */
export function itemOfIdStr(itemIdStr: string): ItemRef {
  const named = parseItemIdStr(itemIdStr)
  return named?.serverId === mainServerId ? { fType: named.fType, fId: named.fId } : folder(0)
}

/** What happens when the name is taken in the target: refuse with -5, number the newcomer, or leave it out. */
export const Conflict = z.enum(['refuse', 'keepBoth', 'skip']).default('refuse')

/** What a client calls a copy, to ask how far it is and to call it off. */
export const CopyId = text(64).regex(/^[\w-]{16,64}$/, 'sixteen letters, digits and dashes at least')

/** How the names of an archive are read that does not say how they are written; otherwise the server finds that out. */
export const NameEncodingOfArchive = z.enum(nameEncodings).optional()

/** The secret level of a new file and how long it holds: unit 0 unlimited, 1 days, 2 months, 3 years. */
export const secretChoice = {
  secretLevel: Count.pipe(z.int().max(100)).default(0),
  duration: Count.pipe(z.int().max(maxSecretDuration)).default(0),
  unit: Count.pipe(z.int().max(3)).default(0),
}

/** The items of a batch call ([R121]). */
export const itemArrays = {
  fileIdArray: IdArray.default([]),
  folderIdArray: IdArray.default([]),
  /** Links to files and folders, by their own ids. */
  linkIdArray: IdArray.default([]),
}
export const itemsOf = (input: {
  fileIdArray: number[]
  folderIdArray: number[]
  linkIdArray: number[]
}): ItemRef[] => [...input.fileIdArray.map(file), ...input.folderIdArray.map(folder), ...input.linkIdArray.map(link)]
