/*
 * The rows of one folder as one screen shows them, in one order.
 *
 * The server answers pages by keyset: each page names where the next begins. The first page is small so that a folder
 * shows at once, later ones are large and are fetched when a row near the loaded end is asked for; a jump to the end of
 * 10,000 rows costs ten calls. The list knows `total` from the first page, so the scroll bar is right from the start.
 *
 * A live change is merged: the one item is fetched again and put where it belongs, or taken out. Past the loaded end it
 * only counts, since its page will bring it. A burst of changes refetches what is loaded, in the background, and swaps
 * it in one step: rows are never emptied to be filled again, so scroll, selection and an open name field survive.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type ItemKey, type ItemRef, keyOf } from '../item.ts'

export type SortKey = 'name' | 'time' | 'size' | 'type'
export interface Sorting {
  readonly sort: SortKey
  readonly order: 'asc' | 'desc'
}

/** Where a list gets its rows. */
export interface ListSource {
  page(after: string | undefined, rows: number): Promise<{ list: ItemRecord[]; total: number; next: string | null }>
  /** The item as it is now, or undefined when it is not in this list for the caller. */
  item(ref: ItemRef): Promise<ItemRecord | undefined>
}

/** What a list shows. An error beside rows means that they are as old as the last success. */
export interface ListState {
  readonly status: 'loading' | 'ready' | 'error'
  readonly items: readonly ItemRecord[]
  readonly total: number
  readonly complete: boolean
  readonly fetching: boolean
  readonly error: unknown
}

const firstRows = 200
const pageRows = 1000
/** More changes than this at once are cheaper to fetch as pages than one by one. */
const burst = 30
/** Changes of this many milliseconds are gathered; after a burst of longer, since more of them will follow. */
const gatherMs = 60
const gatherBurstMs = 2000

/** Compares two rows in the server's order: folders first, then by the column's keys, then by id. */
export function compareItems({ sort, order }: Sorting): (a: ItemRecord, b: ItemRecord) => number {
  const sign = order === 'asc' ? 1 : -1
  const column = columns[sort]
  return (a, b) => b.fType - a.fType || sign * (column(a, b) || a.fId - b.fId)
}

const columns: Readonly<Record<SortKey, (a: ItemRecord, b: ItemRecord) => number>> = {
  name: (a, b) => byText(a.nameSort, b.nameSort),
  time: (a, b) => a.modifyTime - b.modifyTime,
  size: (a, b) => a.fileSize - b.fileSize,
  type: (a, b) => byText(a.extName, b.extName) || byText(a.nameSort, b.nameSort),
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** One folder's rows in one order; see the head of this file. */
export class FolderList {
  readonly #source: ListSource
  readonly #compare: (a: ItemRecord, b: ItemRecord) => number
  readonly #listeners = new Set<() => void>()
  #state: ListState = { status: 'loading', items: [], total: 0, complete: false, fetching: false, error: undefined }
  #index: Map<ItemKey, number> | undefined
  #next: string | null = null
  #filling: Promise<void> | undefined
  #wanted = 0
  /** Counts whole refetches: what an older one brings is dropped. */
  #generation = 0
  #touched = new Map<ItemKey, ItemRef>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #inBurst = false

  constructor(source: ListSource, sorting: Sorting) {
    this.#source = source
    this.#compare = compareItems(sorting)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): ListState => this.#state

  get length(): number {
    return this.#state.items.length
  }

  readonly keyAt = (index: number): ItemKey | undefined => {
    const item = this.#state.items[index]
    return item && keyOf(item)
  }

  readonly indexOf = (key: ItemKey): number => {
    this.#index ??= new Map(this.#state.items.map((item, index) => [keyOf(item), index]))
    return this.#index.get(key) ?? -1
  }

  readonly get = (key: ItemKey): ItemRecord | undefined => this.#state.items[this.indexOf(key)]

  /** Whether somebody shows this list. */
  get watched(): boolean {
    return this.#listeners.size > 0
  }

  /** Fetches what is shown again, or for the first time; old rows stay until the new ones are there. */
  async refresh(): Promise<void> {
    const generation = ++this.#generation
    const enough = Math.max(firstRows, this.#state.items.length)
    this.#set({ fetching: true })
    try {
      const items: ItemRecord[] = []
      let page = await this.#source.page(undefined, enough > firstRows ? pageRows : firstRows)
      items.push(...page.list)
      while (page.next !== null && items.length < enough && generation === this.#generation) {
        page = await this.#source.page(page.next, pageRows)
        items.push(...page.list)
      }
      if (generation !== this.#generation) return
      this.#next = page.next
      this.#set({
        status: 'ready',
        items: unique(items),
        total: page.next === null ? items.length : Math.max(page.total, items.length),
        complete: page.next === null,
        fetching: false,
        error: undefined,
      })
    } catch (error) {
      if (generation !== this.#generation) return
      this.#set({ status: this.#state.status === 'ready' ? 'ready' : 'error', fetching: false, error })
    }
  }

  /** Makes sure that the row at this position is loaded; positions past the end mean all. */
  ensure(index: number): Promise<void> {
    if (this.#state.status !== 'ready' || this.#state.complete || index < this.#state.items.length) {
      return this.#filling ?? Promise.resolve()
    }
    this.#wanted = Math.max(this.#wanted, index + 1)
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined
      this.#wanted = 0
    })
    return this.#filling
  }

  /** Loads every row and answers whether that worked. */
  async loadAll(): Promise<boolean> {
    if (this.#state.status !== 'ready') await this.refresh()
    await this.ensure(Number.MAX_SAFE_INTEGER)
    return this.#state.complete
  }

  async #fill(): Promise<void> {
    const generation = this.#generation
    this.#set({ fetching: true })
    try {
      while (this.#next !== null && this.#state.items.length < this.#wanted) {
        const page = await this.#source.page(this.#next, pageRows)
        if (generation !== this.#generation) return
        this.#next = page.next
        const items = unique([...this.#state.items, ...page.list])
        const complete = page.next === null
        this.#set({ items, total: complete ? items.length : Math.max(page.total, items.length), complete })
      }
      this.#set({ fetching: false, error: undefined })
    } catch (error) {
      if (generation === this.#generation) this.#set({ fetching: false, error })
    }
  }

  /** Comes when the changes told of so far are in the rows. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#touched.size > 0) await this.#merge()
  }

  /** Something happened to an item that is, was or will be in this list. */
  touch(ref: ItemRef): void {
    if (this.#state.status !== 'ready') return
    this.#touched.set(keyOf(ref), ref)
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        void this.#merge()
      },
      this.#inBurst ? gatherBurstMs : gatherMs,
    )
  }

  async #merge(): Promise<void> {
    const refs = [...this.#touched.values()]
    this.#touched = new Map()
    this.#inBurst = refs.length > burst
    if (this.#inBurst) return this.refresh()
    const generation = this.#generation
    try {
      const found = await Promise.all(refs.map(async (ref) => ({ ref, item: await this.#source.item(ref) })))
      if (generation !== this.#generation) return
      const known = found.map(({ ref, item }) => (item === undefined ? this.remove(ref) : this.put(item)))
      if (known.includes(false)) await this.#recount(generation)
    } catch {
      await this.refresh()
    }
  }

  /** What happened beyond the loaded end shows in the count alone. */
  async #recount(generation: number): Promise<void> {
    const { total } = await this.#source.page(undefined, 1)
    if (generation === this.#generation) this.#set({ total: Math.max(total, this.#state.items.length) })
  }

  /** Puts an item where it belongs, new or changed; false when that is beyond the loaded end. */
  put(item: ItemRecord): boolean {
    const at = this.indexOf(keyOf(item))
    const items = [...this.#state.items]
    if (at >= 0) items.splice(at, 1)
    const position = lowerBound(items, item, this.#compare)
    const beyond = position === items.length && !this.#state.complete
    if (!beyond) items.splice(position, 0, item)
    if (beyond && at < 0) return false
    this.#set({ items, total: this.#state.total + (at >= 0 ? 0 : 1) })
    return true
  }

  /** Takes an item out; false when it is not loaded and may have been beyond the loaded end. */
  remove(ref: ItemRef): boolean {
    const at = this.indexOf(keyOf(ref))
    if (at < 0) return this.#state.complete
    const items = [...this.#state.items]
    items.splice(at, 1)
    this.#set({ items, total: this.#state.total - 1 })
    return true
  }

  #set(change: Partial<ListState>): void {
    if (change.items !== undefined) this.#index = undefined
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** Rows that two pages both brought, because something moved between them, stay once. */
function unique(items: ItemRecord[]): ItemRecord[] {
  const seen = new Set<ItemKey>()
  return items.filter((item) => {
    const key = keyOf(item)
    return !seen.has(key) && seen.add(key)
  })
}

function lowerBound(items: readonly ItemRecord[], item: ItemRecord, compare: (a: ItemRecord, b: ItemRecord) => number) {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = items[middle]
    if (other !== undefined && compare(other, item) < 0) low = middle + 1
    else high = middle
  }
  return low
}
