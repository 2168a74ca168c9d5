/*
 * A page as the bytes that it travels as, with the place of each row in them. A page of which one row has changed is copied
 * but for that row: as texts, two hundred rows would be put together, encoded and thrown away for each file that arrives.
 */
import { envelope } from '../../core/call/written.ts'

const comma = 0x2c
const head = Buffer.from(`${envelope.before}{"from":0,"list":[`)

/** A row of a page by its version: as it is written, or as another page has it. */
export type RowBytes = readonly [version: string, bytes: Buffer]

/** A page, with all that stands around its rows. */
export class PageBytes {
  readonly answer: Buffer
  private readonly places: ReadonlyMap<string, Buffer>

  private constructor(answer: Buffer, places: ReadonlyMap<string, Buffer>) {
    this.answer = answer
    this.places = places
  }

  static of(rows: readonly RowBytes[], { total, next }: { readonly total: number; readonly next: string | null }) {
    const tail = Buffer.from(`],"total":${total},"next":${JSON.stringify(next)}}${envelope.after}`)
    const between = Math.max(0, rows.length - 1)
    const length = rows.reduce((sum, [, bytes]) => sum + bytes.length, head.length + between + tail.length)
    const answer = Buffer.allocUnsafeSlow(length)
    const places = new Map<string, Buffer>()
    let at = head.copy(answer)
    for (const [n, [version, bytes]] of rows.entries()) {
      if (n > 0) {
        answer[at] = comma
        at += 1
      }
      const end = at + bytes.copy(answer, at)
      places.set(version, answer.subarray(at, end))
      at = end
    }
    tail.copy(answer, at)
    return new PageBytes(answer, places)
  }

  /** A row as it is written. */
  row(version: string): Buffer | undefined {
    return this.places.get(version)
  }
}
