// Search for items by name and content ([R240], [R241]).
import { docTypes } from '@cloudoc/domain'
import { z } from 'zod'
import { ownAccount, signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { file } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Count, FType, Id, ItemRecord, integer, Nothing, rows, text } from '../fields.ts'

const Bytes = integer(0, Number.MAX_SAFE_INTEGER)
const Moment = integer(0, Number.MAX_SAFE_INTEGER)

/** Search filters ([R241]); all given filters are combined, and all are applied on the server. */
const filters = {
  /** Only below this folder. */
  folderId: Id.optional(),
  /** The fields to search. */
  scope: z.enum(['all', 'name', 'content', 'tag', 'comment']).optional(),
  /** Only items with this tag. */
  tagId: Id.optional(),
  /** Only documents of one kind. */
  docType: z.enum(docTypes).optional(),
  /** Changed within this number of days. */
  days: integer(1, 36_500).optional(),
  /** Modification time: from (inclusive) and to (exclusive). */
  timeFrom: Moment.optional(),
  timeTo: Moment.optional(),
  /** Size in bytes: minimum (inclusive) and maximum (exclusive). */
  sizeFrom: Bytes.optional(),
  sizeTo: Bytes.optional(),
}
const order = {
  sort: z.enum(['relevance', 'time', 'name', 'size']).optional(),
  order: z.enum(['asc', 'desc']).optional(),
}

/** A saved search of a user. */
export const SearchQuery = z.strictObject({ keyword: text(255), ...filters, ...order }).meta({ id: 'SearchQuery' })
export type SearchQuery = z.output<typeof SearchQuery>

/** A passage of a document with the ranges of the search terms in it: start, and end (exclusive). */
export const SearchPassage = z
  .strictObject({
    /** Its position: page, slide or line by number, sheet by name; `whole` if the document has no such parts. */
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
    /** The fields that contain search terms. */
    in: z.array(z.enum(['name', 'pinyin', 'content', 'tag', 'comment'])),
    /** Number of matches in the content. */
    times: z.int(),
    /** The first match. */
    passage: SearchPassage.nullable(),
  })
  .meta({ id: 'SearchHighlight' })
export type SearchHighlight = z.output<typeof SearchHighlight>

/** Number of hits per filter value; `all` is the number without the filter. */
const counts = z.array(z.strictObject({ value: z.string(), total: z.int() }))
/** Number of hits for the other values of each filter, with the remaining filters unchanged. */
export const SearchFacets = z
  .strictObject({
    /** True if there are more hits than were counted; only the newest are counted. */
    isMore: z.boolean(),
    scopes: counts,
    docTypes: counts,
    days: counts,
    sizes: counts,
    /** Counts with the selected tag filter, and without it. */
    tags: counts,
    places: counts,
  })
  .meta({ id: 'SearchFacets' })
export type SearchFacets = z.output<typeof SearchFacets>

const SavedSearch = z.strictObject({ searchId: z.int(), name: z.string(), query: SearchQuery })

const searchCalls = {
  /** Ends a scroll. The server holds no scroll state, so this always succeeds. */
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
    sample: () => ({ scrollId: 'x' }),
    data: Nothing,
  }),
  /**
   * A search with only a keyword searches names: exact matches come first, then prefix matches, then the others; each
   * group newest first. With a scope, a filter or an order the contents are searched too, and the first thousand hits
   * are returned. Quoted words must be adjacent, words after a minus must not occur. Every hit is checked by the exact
   * rights evaluator before it is returned, and content terms count only for callers who may read the content. Names of
   * visible tags are searched in all scopes except name and content; comments only in their own scope.
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
      /** Search terms: part of a name or a content, its pinyin, or its pinyin initials. */
      keyword: text(255),
      ...filters,
      ...order,
      /** Only files (1) or only folders (2). */
      fType: FType.optional(),
      /** Adds the counts per filter value, and alternative search terms if there are hardly any hits. */
      facets: z.boolean().optional(),
      rows: rows(60, 200),
      scrollId: text(500).optional(),
    }),
    sample: () => ({ keyword: '样' }),
    data: z.strictObject({
      list: z.array(ItemRecord),
      scrollId: z.string().nullable(),
      /** Number of hits found so far; with a scrollId there may be more. */
      total: z.int(),
      took: z.int(),
      /** Not in the spec, for content searches: why each item of the list was found, in list order. */
      highlights: z.array(SearchHighlight).optional(),
      /** Not in the spec: there are more hits than the total, which counts the newest. */
      isMore: z.boolean().optional(),
      facets: SearchFacets.optional(),
      /** Not in the spec: search terms that differ by one letter, with their number of hits. */
      suggestions: z.array(z.strictObject({ keyword: z.string(), total: z.int() })).optional(),
      /** Not in the spec: the query as typed has no hits; these of its terms were searched instead, in any order. */
      looser: z.array(z.string()).optional(),
      /** Not in the spec, if there are hardly any hits: files of the caller are still waiting to be indexed. */
      isReading: z.boolean().optional(),
    }),
    codes: ['notFound'],
  }),
  /** Positions of the search terms in one document, in document order. */
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
    sample: (ids) => ({ fileId: ids.fileId, keyword: '样' }),
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
  /**
   * Saves a search under a name and replaces one of the same name. Above a hundred saved searches the oldest is
   * deleted.
   */
  saveSearch: call({
    summary: 'Keeps a search',
    title: { zh: '保存搜索', en: 'Search kept' },
    kind: 'write',
    method: 'POST',
    path: '/services2/search/saveSearch',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ name: text(60).min(1), query: SearchQuery }),
    sample: () => ({ name: '新库', query: { keyword: '样' } }),
    data: z.strictObject({ searchId: z.int() }),
  }),
  renameSavedSearch: call({
    summary: 'Gives a search that is kept another name',
    title: { zh: '重命名保存的搜索', en: 'Kept search renamed' },
    kind: 'write',
    method: 'POST',
    path: '/services2/search/renameSavedSearch',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ searchId: Count, name: text(60).min(1) }),
    sample: () => ({ searchId: 1, name: '新库' }),
    data: Nothing,
    codes: ['notFound', 'alreadyExists'],
  }),
  /** Whether an OCR program is available for the setting `search_ocr`, and the length of its queue. */
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
      /** Counted up to 1000. */
      waiting: z.int(),
    }),
  }),
  deleteSavedSearch: call({
    summary: 'No longer keeps a search',
    title: { zh: '删除保存的搜索', en: 'Kept search deleted' },
    kind: 'write',
    method: 'POST',
    path: '/services2/search/deleteSavedSearch',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ searchId: Count }),
    sample: () => ({ searchId: 1 }),
    data: Nothing,
    codes: ['notFound'],
  }),
}

export const search = feature({
  about: { name: 'search', text: 'Finding items' },
  calls: searchCalls,
  settings: {
    inner: {
      /** OCR: text in images and on scanned pages is recognized for the search, if the server has a program for it. */
      search_ocr: z.boolean().default(false),
    },
    administered: {
      search_ocr: {
        label: { zh: '识别图片中的文字', en: 'Read words in pictures' },
        note: {
          zh: '扫描件和图片里的文字也能被搜索到。识别在后台进行，占用处理器。',
          en: 'Scanned pages and pictures are found by the words in them. They are read in the background, which takes processors.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
    },
  },
})
