// The log of an item as a table, made while it is sent.
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { LogBit } from '@cloudoc/domain'
import { actorOf, type Context } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { csvCell } from '../../core/csv.ts'
import { userContentHeaders } from '../transfer/index.ts'
import { type Filters, type LogEntry, readLog, type Scope } from './read.ts'

const rowsAtOnce = 1000
const kinds = new Map<number, string>(Object.entries(LogBit).map(([name, bit]) => [bit, name]))

/** What the kinds are called in the two languages; the client has the same words. */
const words: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  download: ['下载', 'Download'],
  add: ['添加', 'Add'],
  edit: ['编辑', 'Edit'],
  delete: ['删除', 'Delete'],
  restore: ['恢复', 'Restore'],
  copy: ['复制', 'Copy'],
  cut: ['移动', 'Move'],
  rename: ['重命名', 'Rename'],
  conflict: ['冲突', 'Conflict'],
  resolveConflict: ['解决冲突', 'Conflict resolved'],
  permissionChange: ['权限变更', 'Rights changed'],
  secretChange: ['密级变更', 'Secret level changed'],
  addTag: ['添加标签', 'Tag added'],
  deleteTag: ['删除标签', 'Tag removed'],
  preview: ['预览', 'Preview'],
  encrypt: ['加密', 'Encrypt'],
  startEdit: ['开始编辑', 'Editing begun'],
  createLink: ['创建外链', 'Link made'],
  modifyLink: ['修改外链', 'Link changed'],
  cancelLink: ['取消外链', 'Link cancelled'],
}
/** How conflicts end, as the table says it. */
const ways: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  overwrite: ['覆盖', 'Overwritten'],
  saveAs: ['另存', 'Saved as another file'],
}
const heads = {
  zh: ['时间', '操作人', '操作', '对象', '版本', '从', '到'],
  en: ['Time', 'Who', 'What', 'Item', 'Version', 'From', 'To'],
}

/** Sends all that is looked for, the newest first; who took it along is on record. */
export async function sendLog(context: Context, name: string, scope: Scope, filters: Filters): Promise<void> {
  const { db, now, reply, address } = context
  await db
    .insertInto('audit')
    .values({
      at: now,
      account_id: actorOf(context).accountId,
      call: 'exportItemLog',
      address,
      items: [scope.itemId],
      detail: JSON.stringify({ types: filters.types, range: filters.range }),
    })
    .execute()
  reply.headers({ ...userContentHeaders(`${name}.log.csv`), 'content-type': 'text/csv; charset=utf-8' }).hijack()
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  await pipeline(Readable.from(linesOf(context, scope, filters)), reply.raw)
}

async function* linesOf(context: Context, scope: Scope, filters: Filters): AsyncGenerator<string> {
  const locale = localeOf(context.request)
  // The mark by which Excel knows UTF-8.
  yield `\ufeff${heads[locale].map(csvCell).join(',')}\r\n`
  let after: number | undefined
  for (;;) {
    const { list, next } = await readLog(context, scope, filters, { after, rows: rowsAtOnce })
    if (list.length > 0) yield list.map((entry) => lineOf(entry, locale === 'zh' ? 0 : 1)).join('')
    if (next === 0) return
    after = next
  }
}

function lineOf({ time, userName, type, fName, version, from, to }: LogEntry, locale: 0 | 1): string {
  const kind = words[kinds.get(type) ?? '']?.[locale] ?? `${type}`
  const said = type === LogBit.resolveConflict ? (ways[to]?.[locale] ?? to) : to
  const cells = [new Date(time).toISOString(), userName, kind, fName, version === 0 ? '' : version, from, said]
  return `${cells.map(csvCell).join(',')}\r\n`
}
