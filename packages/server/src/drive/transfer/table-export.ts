// Exports a table, generated while it is sent. The export is recorded in the audit.
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CallName } from '@cloudoc/contract'
import { timeIn } from '@cloudoc/contract/audit-words'
import { actorOf, type Context } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { csvCell } from '../../core/csv.ts'
import { userContentHeaders } from './send-content.ts'

/** Moments are written in the time zone of the company. */
type Cells = readonly (string | number | Date)[]

interface Table {
  readonly name: string
  /** The first column is a moment: its head also names the time zone. */
  readonly heads: readonly string[]
  /** The rows in batches. */
  readonly pages: AsyncIterable<readonly Cells[]>
  /** The call recorded in the audit. */
  readonly call: CallName
  /** The item that it is about, if it is about one. */
  readonly itemId?: number
  readonly detail: object
}

/**
 * Sends a table as CSV in UTF-8, page by page while it is read ([R190], [R228]). The export is recorded in the audit
 * before the first byte is sent. A later failure truncates the response.
 */
export async function sendTable(context: Context, { name, heads, pages, call, itemId, detail }: Table): Promise<void> {
  const { db, now, reply, address } = context
  const { accountId, settings } = actorOf(context)
  const timeZone = settings.setting.download_time_zone
  const zone = localeOf(context.request) === 'zh' ? `（${timeZone}）` : ` (${timeZone})`
  await db
    .insertInto('audit')
    .values({
      at: now,
      account_id: accountId,
      call,
      address,
      items: itemId === undefined ? [] : [itemId],
      detail: JSON.stringify(detail),
    })
    .execute()
  reply.headers({ ...userContentHeaders(`${name}.csv`), 'content-type': 'text/csv; charset=utf-8' }).hijack()
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  const headLine = heads.map((head, at) => (at === 0 ? `${head}${zone}` : head))
  await pipeline(Readable.from(linesOf(headLine, pages, timeZone)), reply.raw)
}

async function* linesOf(
  heads: Cells,
  pages: AsyncIterable<readonly Cells[]>,
  timeZone: string,
): AsyncGenerator<string> {
  const textOf = (cell: Cells[number]) => (cell instanceof Date ? timeIn(cell.getTime(), timeZone) : cell)
  const lineOf = (cells: Cells): string => `${cells.map((cell) => csvCell(textOf(cell))).join(',')}\r\n`
  // The byte order mark by which Excel recognizes UTF-8.
  yield `\ufeff${lineOf(heads)}`
  for await (const rows of pages) yield rows.map(lineOf).join('')
}
