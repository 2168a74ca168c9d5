// Exports the search results as a file, generated while it is sent.

import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../core/call/context.ts'
import { csvCell } from '../../core/csv.ts'
import type { Db } from '../../core/db/database.ts'
import { type Entry, type Filters, listAudit } from './list.ts'

const rowBatch = 2000

const columns: readonly (readonly [string, (entry: Entry) => string | number])[] = [
  ['序号 seq', ({ seq }) => seq],
  ['时间 time', ({ at }) => new Date(at).toISOString()],
  ['类别 kind', ({ kind }) => kind],
  ['动作 action', ({ call }) => call],
  ['账号 account', ({ by }) => by?.account ?? ''],
  ['姓名 name', ({ by }) => by?.accountName ?? ''],
  ['部门 department', ({ by }) => by?.groupName ?? ''],
  ['外部 outsider', ({ outsider }) => outsider ?? ''],
  ['地址 address', ({ address }) => address],
  ['结果 result', ({ refused }) => refused || 'success'],
  ['对象 items', ({ items, itemCount }) => itemsIn(items, itemCount)],
  ['涉及人员 people', ({ people, peopleCount }) => peopleIn(people, peopleCount)],
  ['详情 detail', ({ detail }) => detail],
  ['散列 hash', ({ hash }) => hash],
]

function itemsIn(items: Entry['items'], count: number): string {
  const named = items.map(({ fId, fType, fName }) => `${fType === 2 ? 'd' : 'f'}${fId} ${fName}`).join('; ')
  return count > items.length ? `${named}; … ${count}` : named
}

function peopleIn(people: Entry['people'], count: number): string {
  const named = people.map(({ account, accountName }) => `${accountName} (${account})`).join('; ')
  return count > people.length ? `${named}; … ${count}` : named
}

/** Sends every row, the newest first. */
export async function sendExport(context: Context, filters: Filters, format: 'csv' | 'json'): Promise<void> {
  const { reply } = context
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8'
  const day = new Date(context.now).toISOString().slice(0, 10)
  reply
    .type(type)
    .header('content-disposition', `attachment; filename="audit-${day}.${format === 'csv' ? 'csv' : 'jsonl'}"`)
    .header('cache-control', 'no-store')
    .hijack()
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  await pipeline(Readable.from(linesOf(context.db, filters, format)), reply.raw)
}

async function* linesOf(db: Db, filters: Filters, format: 'csv' | 'json'): AsyncGenerator<string> {
  // The BOM by which Excel recognises UTF-8.
  if (format === 'csv') yield `\ufeff${columns.map(([name]) => csvCell(name)).join(',')}\r\n`
  let last: Entry | undefined
  do {
    const page: Entry[] = await listAudit(db, filters, last, rowBatch)
    if (page.length > 0) yield page.map((entry) => lineOf(entry, format)).join('')
    last = page.length === rowBatch ? page.at(-1) : undefined
  } while (last !== undefined)
}

function lineOf(entry: Entry, format: 'csv' | 'json'): string {
  if (format === 'csv') return `${columns.map(([, of]) => csvCell(of(entry))).join(',')}\r\n`
  return `${JSON.stringify({ ...entry, detail: JSON.parse(entry.detail) as unknown })}\n`
}
