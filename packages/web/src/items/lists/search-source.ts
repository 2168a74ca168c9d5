// The source of a search in names and contents, in the server's order, with the metadata of the search ([R241]).
import type { ItemRecord, SearchFacets, SearchHighlight, SearchQuery } from '@cloudoc/contract'
import { api, mainServer, type OnServer } from '../../core/call/api.ts'
import { askedServers, fanOutOptions, type Missing, missingOf } from '../../core/session/fan-out.ts'
import { linkedServer } from '../../core/session/linked-servers.ts'
import { type ItemKey, keyOf } from '../item/item.ts'
import type { Linked, RowSource } from './folder-list.ts'

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

/** The search on one server. Pages are sequential: all rows before a requested row are fetched first. */
class ServerSearch {
  readonly #query: SearchQuery
  readonly on: OnServer
  rows: ItemRecord[] = []
  info: SearchInfo | undefined
  #scrollId: string | null = null

  constructor(query: SearchQuery, on: OnServer) {
    this.#query = query
    this.on = on
  }

  get isOver(): boolean {
    return this.#scrollId === null
  }

  #ask(more: object) {
    const options = this.on.serverId === mainServer.serverId ? { quiet: true } : fanOutOptions
    return api.of(this.on).searchDoc({ ...this.#query, ...more }, options)
  }

  async begin(): Promise<void> {
    const answer = await this.#ask({ facets: true, rows: 60 })
    this.rows = [...answer.list]
    this.#scrollId = answer.scrollId
    this.info = {
      total: answer.scrollId === null ? answer.list.length : answer.total,
      isMore: answer.isMore ?? false,
      took: answer.took,
      facets: answer.facets,
      suggestions: answer.suggestions ?? [],
      looser: answer.looser,
      highlights: highlightsOf(answer),
      isReading: answer.isReading ?? false,
    }
  }

  async goOn(): Promise<void> {
    const scrollId = this.#scrollId
    if (scrollId === null) return
    const answer = await this.#ask({ scrollId, rows: pageRows })
    // Another page may have been requested in the meantime with the same id.
    if (this.#scrollId !== scrollId || this.info === undefined) return
    this.#scrollId = answer.scrollId
    this.rows = [...this.rows, ...answer.list]
    this.info = { ...this.info, highlights: new Map([...this.info.highlights, ...highlightsOf(answer)]) }
    // Rows that were deleted in the meantime are not counted.
    if (answer.scrollId === null) this.info = { ...this.info, total: this.rows.length }
  }

  /** The server failed: what it has given remains. */
  end(): void {
    this.#scrollId = null
    if (this.info !== undefined) this.info = { ...this.info, total: this.rows.length }
  }
}

/**
 * The rows of a search on every server at which the user is signed in: those of the server of the page at once, then
 * those of each linked one in the order in which they answer ([R344]). A linked server that fails, or takes longer than
 * ten seconds, is left out and named.
 */
export class SearchSource implements RowSource {
  readonly #query: SearchQuery
  #parts: readonly ServerSearch[] = []
  #waiting: readonly ServerSearch[] = []
  #missing: readonly Missing[] = []
  /** Nothing was found until another server answered: its rows are the first ones. */
  #hasMore = false
  #arrived = (): void => undefined

  constructor(query: SearchQuery) {
    this.#query = query
  }

  /** Returns the metadata of the search once it has arrived. */
  readonly info = (): SearchInfo | undefined => {
    const [main, ...others] = this.#parts.flatMap(({ info }) => info ?? [])
    return main === undefined || others.length === 0 ? main : others.reduce(together, main)
  }

  readonly missing = (): readonly Missing[] => this.#missing
  // The rows of each server are together: none of them come out of their order.
  readonly linked = (): Linked => ({
    waiting: this.#waiting.map(({ on }) => linkedServer(on.serverId)?.serverName ?? ''),
    late: [],
    total: this.info()?.total ?? 0,
  })
  readonly onLate = (arrived: () => void): void => {
    this.#arrived = arrived
  }

  async page(at: Parameters<RowSource['page']>[0], rows: number): ReturnType<RowSource['page']> {
    if (!('from' in at)) return undefined
    const { from } = at
    const isNew = this.#parts.length === 0 || (from === 0 && !this.#hasMore)
    this.#hasMore = false
    if (isNew) await this.#begin()
    let before = 0
    // Another server may answer meanwhile, and is then the last one.
    for (let n = 0; n < this.#parts.length; n += 1) {
      const part = this.#parts[n]
      if (part === undefined) break
      while (before + part.rows.length < from + rows && !part.isOver) await this.#try(part, () => part.goOn())
      before += part.rows.length
      if (!part.isOver) break
    }
    const all = this.#rows()
    return { from, list: all.slice(from, from + rows), total: this.info()?.total ?? 0 }
  }

  search = (): Promise<readonly ItemRecord[]> => Promise.resolve([])
  item = (): Promise<undefined> => Promise.resolve(undefined)

  /** The rows up to the first one that is not fetched. */
  #rows(): readonly ItemRecord[] {
    const last = this.#parts.findIndex(({ isOver }) => !isOver)
    return (last < 0 ? this.#parts : this.#parts.slice(0, last + 1)).flatMap(({ rows }) => rows)
  }

  async #begin(): Promise<void> {
    const { folderId, tagId } = this.#query
    // Folders and tags are those of the server of the page.
    const isOfOne = folderId !== undefined || tagId !== undefined
    const servers = isOfOne ? [mainServer.serverId] : askedServers()
    const parts = servers.map((serverId) => new ServerSearch(this.#query, { serverId }))
    const isFirst = this.#parts.length === 0
    ;[this.#missing, this.#waiting] = [[], parts]
    const [main, ...others] = parts.map((part) => this.#try(part, () => part.begin()))
    const isThere = main?.then(
      () => true,
      () => false,
    )
    const linked = others.map(async (answer, n) => {
      await answer
      const part = parts[n + 1]
      // Another reading may have begun.
      if (!(await isThere) || part === undefined || !this.#waiting.includes(part)) return
      this.#waiting = this.#waiting.filter((one) => one !== part)
      if (!isFirst) return
      this.#hasMore ||= this.#rows().length === 0
      this.#parts = [...this.#parts, part]
      this.#arrived()
    })
    await main
    this.#waiting = this.#waiting.slice(1)
    if (isFirst) this.#parts = parts.slice(0, 1)
    else {
      await Promise.all(linked)
      this.#parts = parts
    }
  }

  async #try(part: ServerSearch, ask: () => Promise<void>): Promise<void> {
    const { serverId } = part.on
    try {
      await ask()
    } catch (error) {
      if (serverId === mainServer.serverId) throw error
      this.#missing = [...this.#missing, missingOf(serverId, error)]
      part.end()
    }
  }
}

const countedTogether = ['scopes', 'docTypes', 'days', 'sizes'] as const

/** The metadata of a search on two servers. Tags and folders are those of the first one. */
function together(one: SearchInfo, other: SearchInfo): SearchInfo {
  const facets =
    one.facets &&
    countedTogether.reduce((sum, name) => ({ ...sum, [name]: added(sum[name], other.facets?.[name] ?? []) }), {
      ...one.facets,
      isMore: one.facets.isMore || other.facets?.isMore === true,
    })
  return {
    ...one,
    total: one.total + other.total,
    isMore: one.isMore || other.isMore,
    took: Math.max(one.took, other.took),
    facets,
    highlights: new Map([...one.highlights, ...other.highlights]),
    isReading: one.isReading || other.isReading,
  }
}

type Counts = SearchFacets['scopes']

function added(one: Counts, other: Counts): Counts {
  const sum = new Map(one.map(({ value, total }) => [value, total]))
  for (const { value, total } of other) sum.set(value, (sum.get(value) ?? 0) + total)
  return [...sum].map(([value, total]) => ({ value, total }))
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
