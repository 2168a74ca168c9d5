/*
 * A page as the bytes that it travels as, with the place of each row in them. A page of which one row has changed is copied
 * but for that row: as texts, two hundred rows would be put together, encoded and thrown away for each file that arrives.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { envelope } from '../../core/call/written.ts'
import { compareTexts, encodePlace, type PageRequest, placeKeys } from './list.ts'

const comma = 0x2c
const head = Buffer.from(`${envelope.before}{"from":0,"list":[`)

/** The order of a page. */
export type Order = Pick<PageRequest, 'sort' | 'order'>

/** A row by what it is placed by. */
interface Row {
  readonly fType: 1 | 2
  readonly keys: readonly (string | number)[]
  readonly id: number
}

/** A row as it is written. */
interface WrittenRow {
  readonly row: Row
  readonly bytes: Buffer
}

/** Rows as another page has them, one after the other: up to the second, which is not among them. */
interface Run {
  readonly from: number
  readonly to: number
}

/** A page, with all that stands around its rows. */
export class PageBytes {
  readonly answer: Buffer
  private readonly order: Order
  private readonly rows: readonly Row[]
  /** Where each row begins, and where it ends. */
  private readonly starts: Uint32Array
  private readonly ends: Uint32Array
  /** Nothing follows it. */
  private readonly isLast: boolean

  private constructor(order: Order, parts: readonly (WrittenRow | Run)[], total: number, before?: PageBytes) {
    this.order = order
    this.rows = parts.flatMap((part) => ('row' in part ? part.row : (before?.rows.slice(part.from, part.to) ?? [])))
    this.isLast = this.rows.length === total
    this.starts = new Uint32Array(this.rows.length)
    this.ends = new Uint32Array(this.rows.length)
    const last = this.rows.at(-1)
    const next = this.isLast || last === undefined ? null : encodePlace([last.fType, ...last.keys, last.id])
    const tail = Buffer.from(`],"total":${total},"next":${JSON.stringify(next)}}${envelope.after}`)
    const lengths = parts.map((part) => ('row' in part ? part.bytes.length : (before?.lengthOf(part) ?? 0)))
    const commas = Math.max(0, parts.length - 1)
    this.answer = Buffer.allocUnsafeSlow(lengths.reduce((sum, each) => sum + each, head.length + commas + tail.length))
    let at = head.copy(this.answer)
    let n = 0
    for (const [place, part] of parts.entries()) {
      if (place > 0) {
        this.answer[at] = comma
        at += 1
      }
      const length = lengths[place] ?? 0
      if ('row' in part) {
        this.starts[n] = at
        this.ends[n] = at + part.bytes.copy(this.answer, at)
        n += 1
      } else if (before !== undefined) {
        const begin = before.starts[part.from] ?? 0
        before.answer.copy(this.answer, at, begin, begin + length)
        for (let row = part.from; row < part.to; row += 1, n += 1) {
          this.starts[n] = (before.starts[row] ?? 0) - begin + at
          this.ends[n] = (before.ends[row] ?? 0) - begin + at
        }
      }
      at += length
    }
    tail.copy(this.answer, at)
  }

  /** A page of these items, of so many that there are. */
  static of(items: readonly ItemRecord[], total: number, order: Order): PageBytes {
    return new PageBytes(order, items.map(writtenIn(order)), total)
  }

  /**
   * The page after some children have changed, of which these are still shown. Undefined where that does not make so many
   * rows as there must be: others have to come in from behind the page.
   */
  after(
    changed: { has(id: number): boolean },
    shown: readonly ItemRecord[],
    total: number,
    most: number,
  ): PageBytes | undefined {
    const compare = comparisonBy(this.order)
    const end = this.isLast ? undefined : this.rows.at(-1)
    // What stands behind the end of a page may stand behind others that are not here.
    const fresh = shown
      .map(writtenIn(this.order))
      .filter(({ row }) => end === undefined || compare(row, end) <= 0)
      .sort((one, other) => compare(one.row, other.row))
      .map((written) => ({ written, before: this.placeOf(written.row, compare) }))
    const parts: (WrittenRow | Run)[] = []
    let room = most
    let from = 0
    const runTo = (at: number): void => {
      const to = Math.min(at, from + room)
      if (to > from) parts.push({ from, to })
      room -= Math.max(0, to - from)
      from = at
    }
    for (let at = 0; at <= this.rows.length; at += 1) {
      for (; fresh[0]?.before === at; fresh.shift()) {
        runTo(at)
        if (room > 0) parts.push(fresh[0].written)
        room = Math.max(0, room - 1)
      }
      const row = this.rows[at]
      if (row === undefined || changed.has(row.id)) runTo(at)
      if (row !== undefined && changed.has(row.id)) from = at + 1
    }
    return most - room === Math.min(total, most) ? new PageBytes(this.order, parts, total, this) : undefined
  }

  /** Before which row one belongs. */
  private placeOf(row: Row, compare: (one: Row, other: Row) => number): number {
    let [low, high] = [0, this.rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.rows[middle]
      if (other !== undefined && compare(other, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  private lengthOf({ from, to }: Run): number {
    return (this.ends[to - 1] ?? 0) - (this.starts[from] ?? 0)
  }
}

const writtenIn =
  ({ sort }: Order) =>
  (record: ItemRecord) => ({
    row: { fType: record.fType, keys: placeKeys(record, sort), id: record.fId },
    bytes: Buffer.from(JSON.stringify(record)),
  })

/** Folders first, then by the order's columns and the id, as `orderOf` says it in SQL. */
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
