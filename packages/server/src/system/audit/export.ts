// Exports the search results as a file, generated while it is sent.

import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { administered, callsByName, type InBothLanguages, type SettingName } from '@cloudoc/contract'
import {
  actionTitle,
  auditKindTitles,
  type DetailStyle,
  detailLines,
  type SettingChange,
  timeIn,
} from '@cloudoc/contract/audit-words'
import { type CodeName, calendarDay, codes, codeText } from '@cloudoc/domain'
import { actorOf, type Context } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { csvCell } from '../../core/csv.ts'
import type { Db } from '../../core/db/database.ts'
import { type Entry, type Filters, listAudit } from './list.ts'

const rowBatch = 2000

/** How a CSV file is written: for a person, in one language and the company's time zone. */
type Style = Pick<DetailStyle, 'locale' | 'timeZone'>

interface Column extends InBothLanguages {
  readonly of: (entry: Entry, style: Style) => string | number
}

const columns: readonly Column[] = [
  { zh: '序号', en: 'Number', of: ({ seq }) => seq },
  { zh: '时间', en: 'Time', of: ({ at }, { timeZone }) => timeIn(at, timeZone) },
  { zh: '类别', en: 'Category', of: ({ kind }, { locale }) => auditKindTitles[kind][locale] },
  { zh: '动作', en: 'Action', of: actionIn },
  { zh: '账号', en: 'Account', of: ({ by }) => by?.account ?? '' },
  { zh: '姓名', en: 'Name', of: ({ by }) => by?.accountName ?? '' },
  { zh: '部门', en: 'Department', of: ({ by }) => by?.groupName ?? '' },
  { zh: '外部', en: 'Outsider', of: ({ outsider }) => outsider ?? '' },
  { zh: '地址', en: 'Address', of: ({ address }) => address },
  { zh: '结果', en: 'Result', of: resultIn },
  { zh: '对象', en: 'Items', of: ({ items, itemCount }) => itemsIn(items, itemCount) },
  { zh: '涉及人员', en: 'People', of: ({ people, peopleCount }) => peopleIn(people, peopleCount) },
  { zh: '其他对象', en: 'Other objects', of: ({ objects }) => objects.join('; ') },
  { zh: '详情', en: 'Details', of: detailIn },
  { zh: '散列', en: 'Hash', of: ({ hash }) => hash },
]

/** The first line. The column of times names their time zone. */
function headIn({ locale, timeZone }: Style): string {
  const zone = locale === 'zh' ? `（${timeZone}）` : ` (${timeZone})`
  return columns.map((column) => csvCell(`${column[locale]}${column.en === 'Time' ? zone : ''}`)).join(',')
}

const titles: Readonly<Record<string, InBothLanguages>> = Object.fromEntries(
  Object.entries(callsByName).flatMap(([name, { title }]) => (title === undefined ? [] : [[name, title]])),
)

function actionIn({ call, detail }: Entry, { locale }: Style): string {
  const { log } = JSON.parse(detail) as { log?: unknown }
  return actionTitle(call, log, locale, titles) ?? call
}

function resultIn({ refused }: Entry, { locale }: Style): string {
  if (refused === '') return locale === 'zh' ? '成功' : 'Success'
  return refused in codes ? codeText(codes[refused as CodeName].code, locale) : refused
}

function detailIn({ detail }: Entry, style: Style): string {
  const { locale } = style
  const arrow = ({ name, before, after }: SettingChange): string | undefined => {
    if (!(name in administered)) return undefined
    const value = (one: unknown): string =>
      typeof one === 'boolean'
        ? { true: { zh: '开', en: 'on' }, false: { zh: '关', en: 'off' } }[`${one}`][locale]
        : String(one)
    return `${administered[name as SettingName].label[locale]} ${value(before)} → ${value(after)}`
  }
  const lines = detailLines(JSON.parse(detail) as Record<string, unknown>, { ...style, settingChange: arrow })
  return lines.map(({ label, value }) => `${label}${locale === 'zh' ? '：' : ': '}${value}`).join('; ')
}

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
  const style = {
    locale: localeOf(context.request),
    timeZone: actorOf(context).settings.setting.download_time_zone,
  }
  const { day } = calendarDay(context.now, style.timeZone)
  reply
    .type(type)
    .header('content-disposition', `attachment; filename="audit-${day}.${format === 'csv' ? 'csv' : 'jsonl'}"`)
    .header('cache-control', 'no-store')
    .hijack()
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  await pipeline(Readable.from(linesOf(context.db, filters, format, style)), reply.raw)
}

async function* linesOf(db: Db, filters: Filters, format: 'csv' | 'json', style: Style): AsyncGenerator<string> {
  // The BOM by which Excel recognises UTF-8.
  if (format === 'csv') yield `\ufeff${headIn(style)}\r\n`
  let last: Entry | undefined
  do {
    const page: Entry[] = await listAudit(db, filters, last, rowBatch)
    if (page.length > 0) yield page.map((entry) => lineOf(entry, format, style)).join('')
    last = page.length === rowBatch ? page.at(-1) : undefined
  } while (last !== undefined)
}

function lineOf(entry: Entry, format: 'csv' | 'json', style: Style): string {
  if (format === 'csv') return `${columns.map(({ of }) => csvCell(of(entry, style))).join(',')}\r\n`
  return `${JSON.stringify({ ...entry, detail: JSON.parse(entry.detail) as unknown })}\n`
}
