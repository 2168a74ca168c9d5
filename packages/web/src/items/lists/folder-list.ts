/*
 * The rows of one folder in one sort order, for one screen.
 *
 * From the first page on, the list is as long as the folder. Rows that are not loaded are holes. So 100,000 items open
 * as fast as a hundred, and a jump to the end loads one page. Visible rows are loaded by position (`ensure`). The
 * server finds the position of a named item (`locate`). A folder of one or two pages is soon loaded completely.
 *
 * A live change is merged: the item is fetched again and inserted between its neighbours, or removed. If a hole hides
 * whether the item was counted before, the list asks the server for the total. With one hole, the difference belongs to
 * it. With several holes, the rows between them may have moved, so the rows around the view are fetched again. A burst
 * of changes causes one such refetch. Rows are replaced in one step and never cleared in between, so the scroll
 * position, the selection and an open name field survive. Followers of positions (the selection of rows that are not
 * loaded) receive each change as an edit, in order.
 */
import type { ItemRecord } from '@cloudoc/contract'
import type { Missing } from '../../core/session/fan-out.ts'
import { type ItemKey, type ItemRef, isLink, keyOf } from '../item/item.ts'

export type SortKey = 'name' | 'time' | 'size' | 'type'
export interface Sorting {
  readonly sort: SortKey
  readonly order: 'asc' | 'desc'
}

/** The requested page: from a position, or around an item. */
export type PageAt = { readonly from: number } | { readonly around: ItemRef }

/** Some rows, the position of the first one, and the total number of rows. */
export interface Page {
  readonly from: number
  readonly list: readonly ItemRecord[]
  readonly total: number
}

/** The source of the rows of a list. */
export interface RowSource {
  /** Returns undefined if the item that the page should surround is not in the list. */
  page(at: PageAt, rows: number): Promise<Page | undefined>
  /** Returns some items of the list whose names contain this text, in list order. */
  search(part: string): Promise<readonly ItemRecord[]>
  /** Returns the current item, or undefined if it is not in this list for the caller. */
  item(ref: ItemRef): Promise<ItemRecord | undefined>
  /** The servers that did not give their part of the rows. */
  missing?(): readonly Missing[]
  /** The state of a list of several servers. */
  linked?(): Linked | undefined
  /** Calls a function when a server has answered later than the others. */
  onLate?(arrived: () => void): void
  /** Whether a new item certainly belongs to this list. Without this function, the source is asked. */
  holds?(item: ItemRecord): boolean
}

/** The linked servers of a list that did not answer at once, by name. */
export interface Linked {
  readonly waiting: readonly string[]
  /** Their rows stand behind all others. */
  readonly late: readonly string[]
  /** The number of all rows. */
  readonly total: number
}

/** The positions from `from` (inclusive) to `to` (exclusive). */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * A change of positions. `fill`: rows became loaded. `splice`: rows were inserted or removed at a position. `hole`: a
 * hole grew or shrank at an unknown position inside it, with the items that may have been added. Otherwise all
 * positions are new.
 */
export type Edit =
  | { readonly kind: 'fill'; readonly from: number; readonly keys: readonly ItemKey[] }
  | { readonly kind: 'splice'; readonly at: number; readonly removed: number; readonly added: number }
  | { readonly kind: 'hole'; readonly hole: Span; readonly by: number; readonly came: readonly ItemKey[] }
  | { readonly kind: 'reset'; readonly before: number }

/** The state of a list. An error next to rows means that the rows are from the last successful load. */
export interface ListState {
  readonly status: 'loading' | 'ready' | 'error'
  /** One entry per item of the folder. Undefined where a row is not loaded. */
  readonly items: readonly (ItemRecord | undefined)[]
  readonly total: number
  readonly complete: boolean
  readonly fetching: boolean
  readonly error: unknown
}

/** The number of rows of the first page, which the user waits for: more than one screen. */
const firstRows = 100
const pageRows = 200
const mostRows = 1000
/**
 * Folders up to this size are loaded completely in the background, so that features that need loaded rows work on all
 * of them.
 */
const wholeRows = 1000
/** With more changes than this at once, pages are fetched instead of single items. */
const burst = 30
/**
 * Milliseconds for which changes are collected. After a burst the interval is longer, because more changes usually
 * follow.
 */
const batchMs = 60
const batchBurstMs = 2000

/** Compares two rows in the server's order: folders first, then by the keys of the column, then by id. */
export function compareItems({ sort, order }: Sorting): (a: ItemRecord, b: ItemRecord) => number {
  const sign = order === 'asc' ? 1 : -1
  const column = columns[sort]
  return (a, b) => b.fType - a.fType || sign * (column(a, b) || (a.linkId || a.fId) - (b.linkId || b.fId))
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

const nobody: readonly Missing[] = []

/** The rows of one folder in one sort order. See the comment at the top of this file. */
export class FolderList {
  readonly #source: RowSource
  readonly #compare: (a: ItemRecord, b: ItemRecord) => number
  readonly #asSeen: boolean
  readonly #listeners = new Set<() => void>()
  readonly #followers = new Set<(edit: Edit) => void>()
  #state: ListState = { status: 'loading', items: [], total: 0, complete: false, fetching: false, error: undefined }
  /** Every row ever loaded, in its last known state. Selected items stay known after their rows are unloaded. */
  readonly #known = new Map<ItemKey, ItemRecord>()
  /** The links among the known rows. There are few. */
  readonly #links = new Map<ItemKey, ItemRecord>()
  #index: Map<ItemKey, number> | undefined
  #wanted: Span = { from: 0, to: 0 }
  #filling: Promise<void> | undefined
  /** The number of complete refetches. The result of an older refetch is discarded. */
  #generation = 0
  #touched = new Map<ItemKey, ItemRef>()
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The number of pages that are being fetched. */
  #fetches = 0
  /** What has changed meanwhile: the server may have read these pages before the change. */
  #changedMeanwhile = new Map<ItemKey, ItemRef>()
  /** The merges that wait for their items, each with the items that have changed since it asked. */
  readonly #merging = new Set<Set<ItemKey>>()
  /** The merges that are not over. */
  readonly #running = new Set<Promise<void>>()
  #inBurst = false

  /**
   * `asSeen`: loads rows only as far as the user scrolls, and reloads from the first row. For lists that are expensive
   * for the server.
   */
  constructor(source: RowSource, sorting: Sorting, { asSeen = false }: { readonly asSeen?: boolean } = {}) {
    this.#source = source
    this.#compare = compareItems(sorting)
    this.#asSeen = asSeen
    source.onLate?.(() => this.#grow())
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Subscribes to every change of positions, in order. */
  readonly follow = (follower: (edit: Edit) => void): (() => void) => {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  readonly snapshot = (): ListState => this.#state

  /** Returns the servers that did not give their part of the rows ([R344]). */
  readonly missing = (): readonly Missing[] => this.#source.missing?.() ?? nobody
  readonly linked = (): Linked | undefined => this.#source.linked?.()

  get length(): number {
    return this.#state.items.length
  }

  readonly keyAt = (index: number): ItemKey | undefined => {
    const item = this.#state.items[index]
    return item && keyOf(item)
  }

  /** Returns the position of the item. -1 if it is not loaded. */
  readonly indexOf = (key: ItemKey): number => {
    if (this.#index === undefined) {
      this.#index = new Map()
      const { items } = this.#state
      for (let at = 0; at < items.length; at++) {
        const item = items[at]
        if (item !== undefined) this.#index.set(keyOf(item), at)
      }
    }
    return this.#index.get(key) ?? -1
  }

  /** Returns the item as last loaded. Undefined if it was never loaded or is deleted. */
  readonly get = (key: ItemKey): ItemRecord | undefined => this.#known.get(key)

  /** Returns the links in this list whose target is the item. */
  linksTo({ serverId, fId, fType, linkId }: ItemRef): ItemRef[] {
    if (linkId) return []
    const target = keyOf({ serverId, fId, fType })
    return [...this.#links.values()].filter((link) => keyOf({ ...link, linkId: 0 }) === target)
  }

  /** Whether a view shows this list. */
  get watched(): boolean {
    return this.#listeners.size > 0
  }

  /** Fetches the visible rows again, or for the first time. Old rows stay until the new ones arrive. */
  async refresh(): Promise<void> {
    const generation = ++this.#generation
    const from = this.#asSeen ? 0 : Math.max(0, Math.min(this.#wanted.from, this.#state.total - pageRows))
    this.#set({ fetching: true })
    try {
      const whole = this.#state.status === 'ready' && this.#state.total <= wholeRows && !this.#asSeen
      const rows = whole ? wholeRows : this.#state.status === 'ready' ? pageRows : firstRows
      const page = await this.#page({ from: whole ? 0 : from }, rows)
      if (generation !== this.#generation || page === undefined) return
      this.#swap(page)
    } catch (error) {
      if (generation !== this.#generation) return
      this.#set({ status: this.#state.status === 'ready' ? 'ready' : 'error', fetching: false, error })
    }
  }

  /** Replaces all rows with one page and holes around it. */
  #swap({ from, list, total }: Page): void {
    const { status, total: before } = this.#state
    const items = unknownRows(Math.max(total, from + list.length))
    for (const [i, item] of list.entries()) items[from + i] = item
    if (list.length === items.length) {
      this.#known.clear()
      this.#links.clear()
    }
    this.#learn(list)
    this.#set({ status: 'ready', items, error: undefined, fetching: false })
    if (status === 'ready') this.#tell({ kind: 'reset', before })
    else this.#tell({ kind: 'fill', from, keys: list.map(keyOf) })
    if (this.#asSeen) void this.ensure(this.#wanted.from, this.#wanted.to)
    else if (this.#state.total <= wholeRows) void this.ensure(0, this.#state.total)
    if (this.linked() !== undefined) this.#grow()
  }

  /** Rows that came later stand behind all others: what is shown stays where it is. */
  #grow(): void {
    const { status, items } = this.#state
    const { total } = this.linked() ?? { total: 0 }
    const [at, added] = [items.length, total - items.length]
    this.#set({ ...(status === 'ready' && added > 0 && { items: [...items, ...unknownRows(added)] }) })
    if (status !== 'ready' || added <= 0) return
    this.#tell({ kind: 'splice', at, removed: 0, added })
    void this.ensure(this.#asSeen ? this.#wanted.from : 0, Math.min(total, at + pageRows))
  }

  /** Loads the rows at these positions, nearest first. */
  ensure(from: number, to = from + 1): Promise<void> {
    const wanted = { from: Math.max(0, from), to: Math.min(this.#state.total, to) }
    this.#wanted = wanted
    if (this.#state.status !== 'ready' || firstHole(this.#state.items, wanted) === undefined) return Promise.resolve()
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined
    })
    // The wanted positions may have changed in the meantime.
    return this.#filling.then(() =>
      this.#state.error === undefined && firstHole(this.#state.items, wanted) !== undefined && this.#wanted === wanted
        ? this.ensure(from, to)
        : undefined,
    )
  }

  async #fill(): Promise<void> {
    const generation = this.#generation
    this.#set({ fetching: true })
    try {
      for (let hole = this.#nextHole(); hole !== undefined; hole = this.#nextHole()) {
        const size = Math.max(pageRows, Math.min(mostRows, this.#wanted.to - hole.from))
        const page = await this.#page(hole, size)
        if (generation !== this.#generation || page === undefined) return
        if (!this.#put(page)) {
          this.#swap(page)
          return
        }
      }
      this.#set({ fetching: false, error: undefined })
    } catch (error) {
      if (generation === this.#generation) this.#set({ fetching: false, error })
    }
  }

  /**
   * Returns the page for the first wanted rows that are missing. Near the end of a hole, the page starts earlier to use
   * its full size.
   */
  #nextHole(): { from: number } | undefined {
    const { items } = this.#state
    const at = firstHole(items, this.#wanted)
    if (at === undefined) return undefined
    let start = at
    while (start > 0 && at - start < pageRows / 2 && items[start - 1] === undefined) start--
    return { from: start }
  }

  /**
   * Fetches a page. The total and the rows may disagree if something changed between the two queries on the server;
   * then the total is corrected.
   */
  async #page(at: PageAt, rows: number): Promise<Page | undefined> {
    this.#fetches++
    const page = await this.#source.page(at, rows).finally(() => {
      this.#fetches--
      if (this.#fetches === 0) this.#touchAgain()
    })
    if (page === undefined) return undefined
    const end = page.from + page.list.length
    return { ...page, total: page.list.length < rows ? end : Math.max(page.total, end) }
  }

  /** Fills in rows. Returns false if positions have moved since the others were loaded. */
  #put({ from, list, total }: Page): boolean {
    if (total !== this.#state.total) return false
    const items = [...this.#state.items]
    for (const [i, item] of list.entries()) {
      const at = this.indexOf(keyOf(item))
      if (at >= 0 && at !== from + i) return false
      const there = items[from + i]
      if (there !== undefined && keyOf(there) !== keyOf(item)) return false
      items[from + i] = item
    }
    // No row has moved, so entries are only added to the index.
    const index = this.#index
    for (const [i, item] of list.entries()) index?.set(keyOf(item), from + i)
    this.#learn(list)
    this.#set({ items }, index)
    this.#tell({ kind: 'fill', from, keys: list.map(keyOf) })
    return true
  }

  /** Loads all rows at these positions, or all rows. Returns whether that succeeded. */
  async loadAll(spans?: readonly Span[]): Promise<boolean> {
    if (this.#state.status !== 'ready') await this.refresh()
    for (const { from, to } of spans ?? [{ from: 0, to: this.#state.total }]) {
      while (firstHole(this.#state.items, { from, to }) !== undefined) {
        await this.ensure(from, to)
        if (this.#state.error !== undefined) return false
      }
    }
    return true
  }

  /** Returns the position of an item, loaded or not. -1 if it is not in this list. */
  async locate(ref: ItemRef): Promise<number> {
    if (this.#state.status !== 'ready') await this.refresh()
    const known = this.indexOf(keyOf(ref))
    if (known >= 0 || this.#state.complete) return known
    const generation = this.#generation
    const page = await this.#page({ around: ref }, pageRows)
    if (page !== undefined && generation === this.#generation && !this.#put(page)) {
      this.#generation++
      this.#swap(page)
    }
    return this.indexOf(keyOf(ref))
  }

  /**
   * Returns the position of the first row that matches the typed text, from `start` and then from the top. -1 if there
   * is none. Where rows are not loaded, the server is asked for names that contain the text.
   */
  async find(typed: string, start: number, matches: (item: ItemRecord, typed: string) => boolean): Promise<number> {
    const { items, complete } = this.#state
    const found = (from: number, to: number): number | undefined => {
      for (let at = from; at < to; at++) {
        const item = items[at]
        if (item !== undefined && matches(item, typed)) return at
      }
      return undefined
    }
    const here = found(start, items.length) ?? found(0, Math.min(start, items.length))
    if (here !== undefined || complete) return here ?? -1
    const hit = (await this.#source.search(typed)).find((item) => matches(item, typed))
    return hit === undefined ? -1 : this.locate(hit)
  }

  /** Resolves when all reported changes are merged into the rows. */
  async settled(): Promise<void> {
    // What changes again while it is fetched is merged in another round.
    while (this.#touched.size > 0 || this.#running.size > 0) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      if (this.#touched.size > 0) void this.#merge()
      await Promise.all(this.#running)
    }
  }

  /** Inserts a new item. If all rows are loaded, the row appears at its position at once. */
  take(item: ItemRecord): void {
    const { status, complete } = this.#state
    if (status === 'ready' && complete && this.#source.holds?.(item) === true) this.put(item)
  }

  /** Reports a change of an item that is, was or will be in this list. */
  touch(ref: ItemRef): void {
    if (this.#fetches > 0) this.#changedMeanwhile.set(keyOf(ref), ref)
    for (const overtaken of this.#merging) overtaken.add(keyOf(ref))
    if (this.#state.status === 'ready') this.#touch(ref)
  }

  /** Fetches items again that changed while pages were fetched, after these pages are shown. */
  #touchAgain(): void {
    const refs = [...this.#changedMeanwhile.values()]
    this.#changedMeanwhile.clear()
    for (const ref of refs) this.#touch(ref)
  }

  #touch(ref: ItemRef): void {
    this.#touched.set(keyOf(ref), ref)
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        void this.#merge()
      },
      this.#inBurst ? batchBurstMs : batchMs,
    )
  }

  #merge(): Promise<void> {
    const merge = this.#mergeTouched().finally(() => this.#running.delete(merge))
    this.#running.add(merge)
    return merge
  }

  async #mergeTouched(): Promise<void> {
    const refs = [...this.#touched.values()]
    this.#touched = new Map()
    // Whatever loads the rows later reads these changes too.
    if (this.#state.status !== 'ready') return
    this.#inBurst = refs.length > burst
    if (this.#inBurst) return this.refresh()
    const generation = this.#generation
    const overtaken = new Set<ItemKey>()
    this.#merging.add(overtaken)
    try {
      const found = await Promise.all(refs.map(async (ref) => ({ ref, item: await this.#source.item(ref) })))
      if (generation !== this.#generation) return
      const doubtful = found
        .filter(({ ref }) => !overtaken.has(keyOf(ref)))
        .filter(({ ref, item }) => !(item === undefined ? this.#drop(ref) : this.put(item)))
      if (doubtful.length > 0) await this.#recount(doubtful.flatMap(({ item }) => (item ? [keyOf(item)] : [])))
    } catch {
      await this.refresh()
    } finally {
      this.#merging.delete(overtaken)
    }
  }

  /** An item that was added or removed inside a hole only changes the total. */
  async #recount(came: readonly ItemKey[]): Promise<void> {
    const [hole, ...more] = holesIn(this.#state.items)
    if (hole === undefined || more.length > 0) return this.refresh()
    const generation = this.#generation
    const page = await this.#source.page({ from: 0 }, 1)
    if (generation !== this.#generation || page === undefined) return
    const by = page.total - this.#state.total
    if (by === 0 && came.length === 0) return
    if (hole.to - hole.from + by < 0) return this.refresh()
    const items = [...this.#state.items]
    if (by > 0) items.splice(hole.to, 0, ...unknownRows(by))
    if (by < 0) items.splice(hole.from, -by)
    this.#set({ items })
    this.#tell({ kind: 'hole', hole, by, came })
  }

  /**
   * Inserts or updates an item at its position. Returns false if a hole hides the position, or hides whether the item
   * was already counted.
   */
  put(item: ItemRecord): boolean {
    const key = keyOf(item)
    const holes = !this.#state.complete
    const at = this.indexOf(key)
    this.#learn([item])
    if (at >= 0) {
      const items = [...this.#state.items]
      items[at] = item
      const [before, after] = [items[at - 1], items[at + 1]]
      const stays =
        (at === 0 || (before !== undefined && this.#compare(before, item) < 0)) &&
        (at === items.length - 1 || (after !== undefined && this.#compare(item, after) < 0))
      if (stays) {
        this.#set({ items })
        return true
      }
      items.splice(at, 1)
      this.#set({ items })
      this.#tell({ kind: 'splice', at, removed: 1, added: 0 })
    }
    const items = [...this.#state.items]
    const { from, to } = placeOf(items, item, this.#compare)
    // Between two loaded neighbours the position is exact. Inside a hole only the hole is known.
    if (from === to) {
      items.splice(to, 0, item)
      this.#set({ items })
      this.#tell({ kind: 'splice', at: to, removed: 0, added: 1 })
      return at >= 0 || !holes
    }
    if (at < 0) return false
    items.splice(to, 0, undefined)
    this.#set({ items })
    this.#tell({ kind: 'hole', hole: { from, to }, by: 1, came: [key] })
    return true
  }

  /** Changes fields of a loaded row without moving it. */
  amend(ref: ItemRef, said: (item: ItemRecord) => Partial<ItemRecord>): void {
    const at = this.indexOf(keyOf(ref))
    const before = this.get(keyOf(ref))
    if (at < 0 || before === undefined) return
    const item = { ...before, ...said(before) }
    this.#learn([item])
    const items = [...this.#state.items]
    items[at] = item
    this.#set({ items })
  }

  /** Removes an item that the user has removed. What was asked for before is asked for again. */
  remove(ref: ItemRef): void {
    if (this.#fetches > 0) this.#changedMeanwhile.set(keyOf(ref), ref)
    if (this.#merging.size > 0) this.touch(ref)
    this.#drop(ref)
  }

  /** Removes an item. Returns false if it is not loaded and may have been in a hole. */
  #drop(ref: ItemRef): boolean {
    const at = this.indexOf(keyOf(ref))
    this.#known.delete(keyOf(ref))
    this.#links.delete(keyOf(ref))
    if (at < 0) return this.#state.complete
    const items = [...this.#state.items]
    items.splice(at, 1)
    this.#set({ items })
    this.#tell({ kind: 'splice', at, removed: 1, added: 0 })
    return true
  }

  #learn(items: readonly ItemRecord[]): void {
    for (const item of items) {
      this.#known.set(keyOf(item), item)
      if (isLink(item)) this.#links.set(keyOf(item), item)
    }
  }

  #tell(edit: Edit): void {
    for (const follower of this.#followers) follower(edit)
  }

  #set(change: Partial<Omit<ListState, 'total' | 'complete'>>, index?: Map<ItemKey, number>): void {
    const { items } = change
    if (items !== undefined) this.#index = index
    this.#state = {
      ...this.#state,
      ...change,
      ...(items && { total: items.length, complete: !items.includes(undefined) }),
    }
    for (const listener of this.#listeners) listener()
  }
}

const unknownRows = (count: number): (ItemRecord | undefined)[] => Array.from({ length: count }, () => undefined)

function firstHole(items: readonly (ItemRecord | undefined)[], { from, to }: Span): number | undefined {
  for (let at = from; at < Math.min(to, items.length); at++) if (items[at] === undefined) return at
  return undefined
}

/** Returns the runs of rows that are not loaded. */
export function holesIn(items: readonly unknown[]): Span[] {
  const holes: Span[] = []
  for (let from = items.indexOf(undefined); from >= 0; ) {
    let to = from
    while (to < items.length && items[to] === undefined) to++
    holes.push({ from, to })
    from = items.indexOf(undefined, to)
  }
  return holes
}

/**
 * Returns the position of the item: between the last loaded row before it and the first one after it, with the hole
 * between them.
 */
function placeOf(
  items: readonly (ItemRecord | undefined)[],
  item: ItemRecord,
  compare: (a: ItemRecord, b: ItemRecord) => number,
): Span {
  let from = 0
  let to = items.length
  while (from < to) {
    const middle = (from + to) >> 1
    let at = middle
    while (at < to && items[at] === undefined) at++
    if (at === to) {
      at = middle
      while (at >= from && items[at] === undefined) at--
      if (at < from) break
    }
    const other = items[at]
    if (other !== undefined && compare(other, item) < 0) from = at + 1
    else to = at
  }
  return { from, to }
}
