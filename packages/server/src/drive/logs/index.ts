/*
 * The log of a file or folder ([R189], [R190]): rows of the audit that name it, by the kinds that the log knows. It is read
 * where the audit is sealed (system/audit), a second behind what happens.
 *
 * Whoever sees an item learns of what changed, as pushes tell them anyway. Who looked at it, who took it, and what was done
 * to its rights and links, tells of people: that is for those who may give rights on it, and for everybody what they did
 * themselves. In the log of a folder that is asked of each item in it.
 */
import { features } from '@cloudoc/contract'
import type { Facts } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { visitDescendants } from '../tree/index.ts'
import { sendLog } from './export.ts'
import { mayKnowPeople, readLog, type Scope } from './read.ts'

/** Items in a folder that are listed to read their logs with its own; with more in it, what happened in its library is read. */
const itemsMost = 2000

/** The handlers of logs. */
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

/** A folder and what the caller may see in it, level by level; also what was deleted from it and was to be seen there. */
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
