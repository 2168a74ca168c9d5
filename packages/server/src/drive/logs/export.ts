// Exports the log of an item as a table, generated while it is sent.
import { LogBit } from '@cloudoc/domain'
import type { Context } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { sendTable } from '../transfer/index.ts'
import { type Filters, type LogEntry, readLog, type Scope } from './read.ts'

const rowBatch = 1000
const kinds = new Map<number, string>(Object.entries(LogBit).map(([name, bit]) => [bit, name]))

/** The names of the kinds in both languages; the client uses the same texts. */
const kindLabels: Readonly<Record<string, readonly [zh: string, en: string]>> = {
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
/** The names of the conflict resolutions in the table. */
const ways: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  overwrite: ['覆盖', 'Overwritten'],
  saveAs: ['另存', 'Saved as another file'],
}
const heads = {
  zh: ['时间', '操作人', '操作', '对象', '版本', '从', '到'],
  en: ['Time', 'Who', 'What', 'Item', 'Version', 'From', 'To'],
}

/** Sends all matching entries, newest first. */
export function sendLog(
  context: Context,
  call: 'exportFileLog' | 'exportFolderLog',
  name: string,
  scope: Scope,
  filters: Filters,
): Promise<void> {
  return sendTable(context, {
    name: `${name}.log`,
    heads: heads[localeOf(context.request)],
    pages: pagesOf(context, scope, filters),
    call,
    itemId: scope.itemId,
    detail: { types: filters.types, range: filters.range },
  })
}

async function* pagesOf(context: Context, scope: Scope, filters: Filters) {
  const locale = localeOf(context.request) === 'zh' ? 0 : 1
  let after: number | undefined
  for (;;) {
    const { list, next } = await readLog(context, scope, filters, { after, rows: rowBatch })
    yield list.map((entry) => rowOf(entry, locale))
    if (next === 0) return
    after = next
  }
}

function rowOf({ time, userName, type, fName, version, from, to }: LogEntry, locale: 0 | 1) {
  const kind = kindLabels[kinds.get(type) ?? '']?.[locale] ?? `${type}`
  const said = type === LogBit.resolveConflict ? (ways[to]?.[locale] ?? to) : to
  return [new Date(time), userName, kind, fName, version === 0 ? '' : version, from, said]
}
