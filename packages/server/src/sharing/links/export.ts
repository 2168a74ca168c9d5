// Exports the visits of a link as a table, generated while it is sent.
import type { VisitKind } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { Context } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import type { Db } from '../../core/db/database.ts'
import { sendTable } from '../../drive/transfer/index.ts'
import type { LinkRow } from './link-state.ts'

const rowBatch = 1000

export interface VisitRow {
  readonly id: number
  readonly time: number
  readonly what: VisitKind
  readonly fName: string
  readonly visitor: string
  readonly address: string
  readonly agent: string
  readonly bytes: number
}

/** The names of the kinds in the two languages; the client uses the same ones. */
const kindLabels: Readonly<Record<VisitKind, { readonly zh: string; readonly en: string }>> = {
  open: { zh: '打开', en: 'Opened' },
  preview: { zh: '预览', en: 'Preview' },
  download: { zh: '下载', en: 'Download' },
  print: { zh: '打印', en: 'Printed' },
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
  what: VisitKind | 'all',
  { rows: most, from = 0, before }: { readonly rows: number; readonly from?: number; readonly before?: number },
): Promise<VisitRow[]> {
  const { rows } = await sql<VisitRow>`
    select id, at as time, what, name as "fName", visitor, address, agent, bytes from external_visit
    where link_id = ${linkId} and ${what === 'all' ? sql`true` : sql`what = ${what}`}
      and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${most} offset ${from}`.execute(db)
  return rows
}

/** Sends all visits of a kind, the latest first. */
export function sendVisits(context: Context, link: LinkRow, what: VisitKind | 'all'): Promise<void> {
  return sendTable(context, {
    name: `${link.note === '' ? link.item_name : link.note}.visits`,
    heads: heads[localeOf(context.request)],
    pages: pagesOf(context, link.id, what),
    call: 'exportExternalVisits',
    itemId: link.item_id,
    detail: { externalLink: link.id, what },
  })
}

async function* pagesOf({ db, request }: Context, linkId: number, what: VisitKind | 'all') {
  const locale = localeOf(request)
  let before: number | undefined
  for (;;) {
    const list = await readVisits(db, linkId, what, { rows: rowBatch, ...(before === undefined ? {} : { before }) })
    yield list.map((one) => {
      const { time, fName, visitor, address, agent, bytes } = one
      return [new Date(time), kindLabels[one.what][locale], fName, visitor, address, agent, bytes]
    })
    before = list.at(-1)?.id
    if (list.length < rowBatch) return
  }
}
