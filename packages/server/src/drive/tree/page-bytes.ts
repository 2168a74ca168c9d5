/*
 * A page as the bytes that are sent, in segments of some rows, each compressed separately. If one row changes, the
 * other segments are reused. Otherwise two hundred rows would have to be encoded, or 140 KB copied, for each file that
 * arrives.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { Part } from '../../core/call/compress.ts'
import { envelope } from '../../core/call/encoded-answer.ts'
import { compareTexts, encodePlace, type PageRequest, placeKeys } from './list.ts'

/** Number of rows per segment; a segment of twice that size is split. */
const stretchRows = 28

const head = new Part(Buffer.from(`${envelope.before}{"from":0,"list":[`))

/** The sort order of a page. */
export type Order = Pick<PageRequest, 'sort' | 'order'>

/** The sort keys of a row. */
interface Row {
  readonly fType: 1 | 2
  readonly keys: readonly (string | number)[]
  readonly id: number
}

/** A row as JSON, with a leading comma. */
interface WrittenRow {
  readonly row: Row
  readonly bytes: Buffer
}

interface Stretch {
  readonly rows: readonly Row[]
  readonly written: Part
  /** The same without the leading comma, for the first segment of a page. */
  readonly first: Part
  /** The end offset of each row in the bytes. */
  readonly ends: readonly number[]
}

/** A page with its envelope. */
export class PageBytes {
  /** The byte parts of the response, in order. */
  readonly parts: readonly Part[]
  private readonly order: Order
  private readonly stretches: readonly Stretch[]
  /** The last row, if the folder has more rows after the page. */
  private readonly end: Row | undefined

  private constructor(order: Order, stretches: readonly Stretch[], total: number) {
    this.order = order
    this.stretches = stretches
    const isWhole = stretches.reduce((sum, { rows }) => sum + rows.length, 0) === total
    this.end = isWhole ? undefined : stretches.at(-1)?.rows.at(-1)
    const next = this.end === undefined ? null : encodePlace([this.end.fType, ...this.end.keys, this.end.id])
    const tail = Buffer.from(`],"total":${total},"next":${JSON.stringify(next)}}${envelope.after}`)
    this.parts = [head, ...stretches.map(({ written, first }, n) => (n === 0 ? first : written)), new Part(tail)]
  }

  /** Creates a page of these items, out of a total number. */
  static of(items: readonly ItemRecord[], total: number, order: Order): PageBytes {
    return new PageBytes(order, stretchesOf(items.map(writtenIn(order))), total)
  }

  /**
   * The page after some children have changed; `shown` are those of them that are still visible. Undefined if rows are
   * then missing and would have to be read from behind the page.
   */
  after(
    changed: { has(id: number): boolean },
    shown: readonly ItemRecord[],
    total: number,
    most: number,
  ): PageBytes | undefined {
    const compare = comparisonBy(this.order)
    const { end } = this
    // A changed row that sorts behind the end of the page is dropped, because unknown rows may come before it.
    let coming = shown
      .map(writtenIn(this.order))
      .filter(({ row }) => end === undefined || compare(row, end) <= 0)
      .sort((one, other) => compare(one.row, other.row))
    const stretches: Stretch[] = []
    let room = most
    for (const [n, stretch] of (this.stretches.length === 0 ? [empty] : this.stretches).entries()) {
      const next = this.stretches[n + 1]?.rows[0]
      const behind = next === undefined ? -1 : coming.findIndex(({ row }) => compare(row, next) > 0)
      const here = behind < 0 ? coming : coming.slice(0, behind)
      coming = behind < 0 ? [] : coming.slice(behind)
      const isSame = here.length === 0 && stretch.rows.length <= room && !stretch.rows.some(({ id }) => changed.has(id))
      if (isSame) {
        stretches.push(stretch)
        room -= stretch.rows.length
        continue
      }
      const rows = [...writtenOf(stretch).filter(({ row }) => !changed.has(row.id)), ...here]
        .sort((one, other) => compare(one.row, other.row))
        .slice(0, room)
      stretches.push(...stretchesOf(rows))
      room -= rows.length
    }
    return most - room === Math.min(total, most) ? new PageBytes(this.order, stretches, total) : undefined
  }
}

const nothing = new Part(Buffer.alloc(0))
const empty: Stretch = { rows: [], written: nothing, first: nothing, ends: [] }

/** Groups rows into segments. Each segment owns its bytes, so it retains no memory of removed rows. */
function stretchesOf(written: readonly WrittenRow[]): Stretch[] {
  const { length } = written
  const count = length < 2 * stretchRows ? Math.min(length, 1) : Math.floor(length / stretchRows)
  return Array.from({ length: count }, (_, n) => {
    const own = written.slice(Math.floor((length * n) / count), Math.floor((length * (n + 1)) / count))
    let end = 0
    const ends = own.map(({ bytes }) => {
      end += bytes.length
      return end
    })
    const bytes = Buffer.allocUnsafeSlow(end)
    for (const [at, one] of own.entries()) one.bytes.copy(bytes, ends[at - 1] ?? 0)
    return { rows: own.map(({ row }) => row), written: new Part(bytes), first: new Part(bytes.subarray(1)), ends }
  })
}

const writtenOf = ({ rows, written: { bytes }, ends }: Stretch): WrittenRow[] =>
  rows.map((row, n) => ({ row, bytes: bytes.subarray(ends[n - 1] ?? 0, ends[n]) }))

const writtenIn =
  ({ sort }: Order) =>
  (record: ItemRecord): WrittenRow => ({
    row: { fType: record.fType, keys: placeKeys(record, sort), id: record.fId },
    bytes: Buffer.from(`,${JSON.stringify(record)}`),
  })

/** Folders first, then by the sort columns and the id, like `orderOf` in SQL. */
function comparisonBy({ order }: Order): (one: Row, other: Row) => number {
  const sign = order === 'desc' ? -1 : 1
  return (one, other) => {
    if (one.fType !== other.fType) return other.fType - one.fType
    for (const [n, key] of one.keys.entries()) {
      const beside = other.keys[n] ?? 0
      const by =
        typeof key === 'string' && typeof beside === 'string' ? compareTexts(key, beside) : Number(key) - Number(beside)
      if (by !== 0) return sign * by
    }
    return sign * (one.id - other.id)
  }
}
