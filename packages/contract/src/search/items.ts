// Finding items by their names and by what stands in them ([R240], [R241]).
import { docTypes } from '@cloudoc/domain'
import { z } from 'zod'
import { ownAccount, signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { file } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Count, FType, Id, ItemRecord, integer, Nothing, rows, text } from '../fields.ts'

const Bytes = integer(0, Number.MAX_SAFE_INTEGER)
const Moment = integer(0, Number.MAX_SAFE_INTEGER)

/** What narrows a search ([R241]); all that is named counts, each on the server. */
const filters = {
  /** Only below this folder. */
  folderId: Id.optional(),
  /** Where the words are looked for. */
  scope: z.enum(['all', 'name', 'content', 'tag', 'comment']).optional(),
  /** Only what bears this tag. */
  tagId: Id.optional(),
  /** Only documents of one kind. */
  docType: z.enum(docTypes).optional(),
  /** Changed within so many days before now. */
  days: integer(1, 36_500).optional(),
  /** Changed from this moment on, and before that one. */
  timeFrom: Moment.optional(),
  timeTo: Moment.optional(),
  /** Of so many bytes at least, and of fewer than these. */
  sizeFrom: Bytes.optional(),
  sizeTo: Bytes.optional(),
}
const order = {
  sort: z.enum(['relevance', 'time', 'name', 'size']).optional(),
  order: z.enum(['asc', 'desc']).optional(),
}

/** A search as somebody keeps it. */
export const SearchQuery = z.strictObject({ keyword: text(255), ...filters, ...order }).meta({ id: 'SearchQuery' })
export type SearchQuery = z.output<typeof SearchQuery>

/** A passage of a document, with the places of the words in it: from, and behind the last letter. */
export const SearchPassage = z
  .strictObject({
    /** Where it stands: a page, a slide or a line by its number, a sheet by its name; `whole` where it has no such parts. */
    kind: z.enum(['whole', 'page', 'sheet', 'slide', 'line']),
    name: z.string(),
    text: z.string(),
    marks: z.array(z.strictObject({ from: z.int(), to: z.int() })),
  })
  .meta({ id: 'SearchPassage' })
export type SearchPassage = z.output<typeof SearchPassage>

/** Why an item was found. */
export const SearchHighlight = z
  .strictObject({
    itemIdStr: z.string(),
    /** What holds words of the search. */
    in: z.array(z.enum(['name', 'pinyin', 'content', 'tag', 'comment'])),
    /** How often they stand in its content. */
    times: z.int(),
    /** The first of them. */
    passage: SearchPassage.nullable(),
  })
  .meta({ id: 'SearchHighlight' })
export type SearchHighlight = z.output<typeof SearchHighlight>

/** How many there are by value; `all` without the filter. */
const counts = z.array(z.strictObject({ value: z.string(), total: z.int() }))
/** How many would be found with another value of one filter, the others as they are. */
export const SearchFacets = z
  .strictObject({
    /** There are more hits than were counted: counted are the newest. */
    isMore: z.boolean(),
    scopes: counts,
    docTypes: counts,
    days: counts,
    sizes: counts,
    /** With the tag that is chosen, and without that choice. */
    tags: counts,
    places: counts,
  })
  .meta({ id: 'SearchFacets' })
export type SearchFacets = z.output<typeof SearchFacets>

const SavedSearch = z.strictObject({ searchId: z.int(), name: z.string(), query: SearchQuery })

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
   * By a keyword alone, names are looked through: those that are the keyword come first, then those that begin with it,
   * then the others; of each the newest first. With a scope, a filter or an order, contents are looked through too, and
   * the first thousand hits are told. Words in quotes stand together, words behind a minus must not be there. Every hit is
   * checked by the exact rights evaluator before it is answered, and words of a content count only for whoever may read it.
   * Names of tags that the caller sees count with all scopes but those of name and content; comments with theirs alone.
   */
  searchDoc: call({
    summary: 'Finds items by name and content',
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
      /** Words: part of a name or a content, its pinyin, or the pinyin initials. */
      keyword: text(255),
      ...filters,
      ...order,
      /** Only files (1) or only folders (2). */
      fType: FType.optional(),
      /** With counts by what could be filtered, and with other words where hardly anything is found. */
      facets: z.boolean().optional(),
      rows: rows(60, 200),
      scrollId: text(500).optional(),
    }),
    data: z.strictObject({
      list: z.array(ItemRecord),
      scrollId: z.string().nullable(),
      /** How many were found so far; with a scrollId there may be more. */
      total: z.int(),
      took: z.int(),
      /** Ours, of searches in contents: why each of the list was found, in its order. */
      highlights: z.array(SearchHighlight).optional(),
      /** Ours: there are more than the total, which counts the newest. */
      isMore: z.boolean().optional(),
      facets: SearchFacets.optional(),
      /** Ours: words that differ by one letter, with how many hits they have. */
      suggestions: z.array(z.strictObject({ keyword: z.string(), total: z.int() })).optional(),
      /** Ours: what was typed stands nowhere as it is; these of its words were looked for, in any order. */
      looser: z.array(z.string()).optional(),
      /** Ours, where hardly anything is found: what the caller has stored still waits to be read. */
      isReading: z.boolean().optional(),
    }),
    codes: ['notFound'],
  }),
  /** Where the words of a search stand in one document, in its order. */
  getSearchMatches: call({
    summary: 'Tells where words stand in a document',
    kind: 'read',
    method: 'POST',
    path: '/services2/search/getSearchMatches',
    auth: 'required',
    payload: 'json',
    needs: 'files',
    origin: 'ours',
    gate: ({ fileId }) => [{ item: file(fileId), action: 'preview' }],
    input: z.strictObject({ fileId: Id, keyword: text(255), rows: rows(50, 200) }),
    data: z.strictObject({ list: z.array(SearchPassage), total: z.int() }),
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  getSavedSearches: call({
    summary: 'Lists the searches that the caller keeps',
    kind: 'read',
    method: 'GET',
    path: '/services2/search/getSavedSearches',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(SavedSearch) }),
  }),
  /** Keeps a search by a name; one of the same name takes its place, and of more than a hundred the oldest goes. */
  saveSearch: call({
    summary: 'Keeps a search',
    kind: 'write',
    method: 'POST',
    path: '/services2/search/saveSearch',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ name: text(60).min(1), query: SearchQuery }),
    data: z.strictObject({ searchId: z.int() }),
  }),
  renameSavedSearch: call({
    summary: 'Gives a search that is kept another name',
    kind: 'write',
    method: 'POST',
    path: '/services2/search/renameSavedSearch',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ searchId: Count, name: text(60).min(1) }),
    data: Nothing,
    codes: ['notFound', 'alreadyExists'],
  }),
  /** Whether the setting `search_ocr` has a program that does it, and how much it has still to do. */
  getOcrStatus: call({
    summary: 'Tells whether words in pictures can be read, and how many contents wait for it',
    kind: 'read',
    method: 'GET',
    path: '/services2/search/getOcrStatus',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      installed: z.boolean(),
      /** Counted up to a thousand. */
      waiting: z.int(),
    }),
  }),
  deleteSavedSearch: call({
    summary: 'No longer keeps a search',
    kind: 'write',
    method: 'POST',
    path: '/services2/search/deleteSavedSearch',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ searchId: Count }),
    data: Nothing,
    codes: ['notFound'],
  }),
}

export const search = feature({
  about: { name: 'search', text: 'Finding items' },
  calls: searchCalls,
  settings: {
    inner: {
      /** Words that are only drawn, in pictures and on scanned pages, are read where the server has a program for it. */
      search_ocr: z.boolean().default(false),
    },
    administered: { search_ocr: { power: 'system', group: 'files', as: 'switch' } },
  },
})
