// Finding items ([R240], by name).
import { z } from 'zod'
import { signedIn } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { FType, Id, ItemRecord, Nothing, rows, text } from '../fields.ts'

const searchCalls = {
  /** Ends a scroll. None holds anything on the server, so this is always done. */
  clearScroll: call({
    summary: 'Ends a search',
    kind: 'read',
    method: 'POST',
    path: '/services2/search/clearScroll',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({ scrollId: text(500) }),
    data: Nothing,
  }),
  /**
   * Names that are the keyword come first, then those that begin with it, then the others; of each the newest first.
   * Every hit is checked by the exact rights evaluator before it is answered.
   */
  searchDoc: call({
    summary: 'Finds items by name',
    kind: 'read',
    method: 'POST',
    path: '/services2/search/searchDoc',
    aliases: ['/services2/search/searchDoc2'],
    auth: 'required',
    payload: 'json',
    needs: 'files',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({
      /** Part of a name, its pinyin, or the pinyin initials. */
      keyword: text(255),
      /** Only below this folder. */
      folderId: Id.optional(),
      /** Only files (1) or only folders (2). */
      fType: FType.optional(),
      rows: rows(60, 200),
      scrollId: text(500).optional(),
    }),
    data: z.strictObject({
      list: z.array(ItemRecord),
      scrollId: z.string().nullable(),
      /** How many were found so far; with a scrollId there may be more. */
      total: z.int(),
      took: z.int(),
    }),
    codes: ['notFound'],
  }),
}

export const search = feature({
  about: { name: 'search', text: 'Finding items' },
  calls: searchCalls,
})
