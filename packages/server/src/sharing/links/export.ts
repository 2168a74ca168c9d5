// Who used a link as a table, made while it is sent.
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { accountOf, type Context } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { csvCell } from '../../core/csv.ts'
import type { Db } from '../../core/db/database.ts'
import { userContentHeaders } from '../../drive/transfer/index.ts'
import type { LinkRow } from './state.ts'

const rowsAtOnce = 1000

export type Visited = 'open' | 'preview' | 'download' | 'upload' | 'edit' | 'wrongPassword' | 'wrongCode'
export interface VisitRow {
  readonly id: number
  readonly time: number
  readonly what: Visited
  readonly fName: string
  readonly visitor: string
  readonly address: string
  readonly agent: string
  readonly bytes: number
}

/** What the kinds are called in the two languages; the client has the same words. */
const words: Readonly<Record<Visited, { readonly zh: string; readonly en: string }>> = {
  open: { zh: '打开', en: 'Opened' },
  preview: { zh: '预览', en: 'Preview' },
  download: { zh: '下载', en: 'Download' },
  upload: { zh: '上传', en: 'Upload' },
  edit: { zh: '修改', en: 'Changed' },
  wrongPassword: { zh: '密码错误', en: 'Wrong password' },
  wrongCode: { zh: '验证码错误', en: 'Wrong code' },
}
const heads = {
  zh: ['时间', '做了什么', '文件', '访问者', '地址', '设备', '字节'],
  en: ['Time', 'What', 'File', 'Who', 'Address', 'Device', 'Bytes'],
}

/** Visits of a link, the latest first; of one kind, or all. */
export async function readVisits(
  db: Db,
  linkId: number,
  what: Visited | 'all',
  { rows: most, from = 0, before }: { readonly rows: number; readonly from?: number; readonly before?: number },
): Promise<VisitRow[]> {
  const { rows } = await sql<VisitRow>`
    select id, at as time, what, name as "fName", visitor, address, agent, bytes from external_visit
    where link_id = ${linkId} and ${what === 'all' ? sql`true` : sql`what = ${what}`}
      and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${most} offset ${from}`.execute(db)
  return rows
}

/** Sends all visits of a kind, the latest first; who took them along is on record. */
export async function sendVisits(context: Context, link: LinkRow, what: Visited | 'all'): Promise<void> {
  const { db, now, reply, address } = context
  await db
    .insertInto('audit')
    .values({
      at: now,
      account_id: accountOf(context).accountId,
      call: 'exportExternalVisits',
      address,
      items: [link.item_id],
      detail: JSON.stringify({ externalLink: link.id, what }),
    })
    .execute()
  const name = `${link.note === '' ? link.item_name : link.note}.visits.csv`
  reply.headers({ ...userContentHeaders(name), 'content-type': 'text/csv; charset=utf-8' }).hijack()
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  await pipeline(Readable.from(linesOf(context, link.id, what)), reply.raw)
}

async function* linesOf({ db, request }: Context, linkId: number, what: Visited | 'all'): AsyncGenerator<string> {
  const locale = localeOf(request)
  // The mark by which Excel knows UTF-8.
  yield `\ufeff${heads[locale].map(csvCell).join(',')}\r\n`
  let before: number | undefined
  for (;;) {
    const list = await readVisits(db, linkId, what, {
      rows: rowsAtOnce,
      ...(before === undefined ? {} : { before }),
    })
    const lines = list.map((one) => {
      const { time, fName, visitor, address, agent, bytes } = one
      return [new Date(time).toISOString(), words[one.what][locale], fName, visitor, address, agent, bytes]
    })
    yield lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
    before = list.at(-1)?.id
    if (list.length < rowsAtOnce) return
  }
}
