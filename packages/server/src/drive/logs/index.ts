/*
 * The log of a file or folder ([R189], [R190]): audit rows that name it, restricted to the kinds that the log knows.
 * The log reads the sealed part of the audit (system/audit), which lags about a second behind.
 *
 * Everybody who sees an item can read its changes, which pushes disclose to them anyway. Entries about previews,
 * downloads, rights and links disclose what people did. Only users who may grant rights on the item see those;
 * everybody sees their own actions. The log of a folder applies this rule to each item in it.
 */
import { features } from '@cloudoc/contract'
import type { Facts } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { visitDescendants } from '../tree/index.ts'
import { sendLog } from './export.ts'
import { mayKnowPeople, readLog, type Scope } from './read.ts'

/**
 * Maximum number of items in a folder whose logs are read by item. For larger folders the log of the whole library is
 * read.
 */
const itemsMost = 2000

/** The call handlers of item logs. */
export function logHandlers() {
  return implement(features.logs.calls, {
    async getFileLog(context, { fileId, after, rows, ...filters }) {
      return readLog(context, scopeOfFile(context.item({ fType: 1, fId: fileId })), filters, { after, rows })
    },
    async getFolderLog(context, { folderId, after, rows, ...filters }) {
      return readLog(context, await scopeOfFolder(context, folderId), filters, { after, rows })
    },
    async exportFileLog(context, { fileId, ...filters }) {
      const access = context.item({ fType: 1, fId: fileId })
      await sendLog(context, 'exportFileLog', access.row.name, scopeOfFile(access), filters)
    },
    async exportFolderLog(context, { folderId, ...filters }) {
      const { row } = context.item({ fType: 2, fId: folderId })
      await sendLog(context, 'exportFolderLog', row.name, await scopeOfFolder(context, folderId), filters)
    },
  })
}

function scopeOfFile({ row, facts }: Access): Scope {
  const isWhole = mayKnowPeople(facts)
  return { itemId: row.id, whole: isWhole ? [row.id] : [], changes: isWhole ? [] : [row.id] }
}

/**
 * The folder and everything in it that the caller may see, level by level, including deleted items that were visible to
 * the caller there.
 */
async function scopeOfFolder(context: Context, folderId: number): Promise<Scope> {
  const { db, now } = context
  const folder = context.item({ fType: 2, fId: folderId })
  const [whole, changes]: [number[], number[]] = [[], []]
  const add = (id: number, facts: Facts): void => void (mayKnowPeople(facts) ? whole : changes).push(id)
  add(folderId, folder.facts)
  const bounds = { most: itemsMost, withDeleted: true }
  const isComplete = await visitDescendants(db, actorOf(context), folder, now, bounds, ({ id }, facts) =>
    add(id, facts),
  )
  return isComplete ? { itemId: folderId, whole, changes } : { itemId: folderId, folder }
}
