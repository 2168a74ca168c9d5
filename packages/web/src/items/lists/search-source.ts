// The source of a search in names and contents, in the server's order, with the metadata of the search ([R241]).
import type { ItemRecord, SearchFacets, SearchHighlight, SearchQuery } from '@cloudoc/contract'
import { api, mainServer } from '../../core/call/api.ts'
import { type ItemKey, keyOf } from '../item/item.ts'
import type { RowSource } from './folder-list.ts'

/** The page size of the server. */
const pageRows = 200

/** The metadata of a search. */
export interface SearchInfo {
  readonly total: number
  /** There are more results than the total. */
  readonly isMore: boolean
  readonly took: number
  readonly facets: SearchFacets | undefined
  readonly suggestions: readonly { readonly keyword: string; readonly total: number }[]
  /** The less strict terms that were searched instead of the typed ones. */
  readonly looser: readonly string[] | undefined
  readonly highlights: ReadonlyMap<ItemKey, SearchHighlight>
  /** Some contents are not indexed yet. */
  readonly isReading: boolean
}

/** The rows of a search. Pages are sequential: all rows before a requested row are fetched first. */
export class SearchSource implements RowSource {
  readonly #query: SearchQuery
  #rows: ItemRecord[] = []
  #scrollId: string | null = null
  #info: SearchInfo | undefined

  constructor(query: SearchQuery) {
    this.#query = query
  }

  /** Returns the metadata of the search once it has arrived. */
  readonly info = (): SearchInfo | undefined => this.#info

  async page(at: Parameters<RowSource['page']>[0], rows: number): ReturnType<RowSource['page']> {
    if (!('from' in at)) return undefined
    const { from } = at
    if (from === 0 || this.#info === undefined) await this.#begin()
    while (this.#rows.length < from + rows && this.#scrollId !== null) await this.#goOn(this.#scrollId)
    return { from, list: this.#rows.slice(from, from + rows), total: this.#info?.total ?? 0 }
  }

  search = (): Promise<readonly ItemRecord[]> => Promise.resolve([])
  item = (): Promise<undefined> => Promise.resolve(undefined)

  async #begin(): Promise<void> {
    const answer = await api.of(mainServer).searchDoc({ ...this.#query, facets: true, rows: 60 }, { quiet: true })
    this.#rows = [...answer.list]
    this.#scrollId = answer.scrollId
    this.#info = {
      total: answer.total,
      isMore: answer.isMore ?? false,
      took: answer.took,
      facets: answer.facets,
      suggestions: answer.suggestions ?? [],
      looser: answer.looser,
      highlights: highlightsOf(answer),
      isReading: answer.isReading ?? false,
    }
  }

  async #goOn(scrollId: string): Promise<void> {
    const answer = await api.of(mainServer).searchDoc({ ...this.#query, scrollId, rows: pageRows }, { quiet: true })
    // Another page may have been requested in the meantime with the same id.
    if (this.#scrollId !== scrollId || this.#info === undefined) return
    this.#scrollId = answer.scrollId
    this.#rows = [...this.#rows, ...answer.list]
    this.#info = { ...this.#info, highlights: new Map([...this.#info.highlights, ...highlightsOf(answer)]) }
    // Rows that were deleted in the meantime are not counted.
    if (answer.scrollId === null) this.#info = { ...this.#info, total: this.#rows.length }
  }
}

function highlightsOf({
  list,
  highlights = [],
}: {
  readonly list: readonly ItemRecord[]
  readonly highlights?: readonly SearchHighlight[] | undefined
}): Map<ItemKey, SearchHighlight> {
  return new Map(
    list.flatMap((item, n) => {
      const said = highlights[n]
      return said === undefined ? [] : [[keyOf(item), said] as const]
    }),
  )
}
