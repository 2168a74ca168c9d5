// Shared fields of calls over tree items.
import { mainServerId, maxSecretDuration, nameEncodings, parseItemIdStr } from '@cloudoc/domain'
import { z } from 'zod'
import type { ItemRef } from '../authority.ts'
import { Count, IdArray, text } from '../fields.ts'

export const file = (fId: number): ItemRef => ({ fType: 1, fId })
export const folder = (fId: number): ItemRef => ({ fType: 2, fId })
export const link = (fId: number): ItemRef => ({ fType: 0, fId })

/** Parses the written id of an item of this server ([R113]); returns id 0, which no item has, for any other address. */
export function itemOfIdStr(itemIdStr: string): ItemRef {
  const named = parseItemIdStr(itemIdStr)
  return named?.serverId === mainServerId ? { fType: named.fType, fId: named.fId } : folder(0)
}

/** What to do when the name exists in the target: refuse with -5, keep both by numbering the new item, or skip it. */
export const Conflict = z.enum(['refuse', 'keepBoth', 'skip']).default('refuse')

/** Client-chosen id of a copy, used to query its progress and to cancel it. */
export const CopyId = text(64).regex(/^[\w-]{16,64}$/, 'sixteen letters, digits and dashes at least')

/** Encoding of the names in an archive that does not declare it; by default the server detects it. */
export const NameEncodingOfArchive = z.enum(nameEncodings).optional()

/** Secret level of a new file and its duration: unit 0 unlimited, 1 days, 2 months, 3 years. */
export const secretChoice = {
  secretLevel: Count.pipe(z.int().max(100)).default(0),
  duration: Count.pipe(z.int().max(maxSecretDuration)).default(0),
  unit: Count.pipe(z.int().max(3)).default(0),
}

/** The items of a batch call ([R121]). */
export const itemArrays = {
  fileIdArray: IdArray.default([]),
  folderIdArray: IdArray.default([]),
  /** Links to files and folders, by the link's own id. */
  linkIdArray: IdArray.default([]),
}
export const itemsOf = (input: {
  fileIdArray: number[]
  folderIdArray: number[]
  linkIdArray: number[]
}): ItemRef[] => [...input.fileIdArray.map(file), ...input.folderIdArray.map(folder), ...input.linkIdArray.map(link)]
