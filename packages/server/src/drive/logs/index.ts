/*
 * The log of a file or folder ([R189], [R190]): rows of the audit that name it, by the kinds that the log knows. It is read
 * where the audit is sealed (system/audit), a second behind what happens.
 *
 * Whoever sees an item learns of what changed, as pushes tell them anyway. Who looked at it, who took it, and what was done
 * to its rights and links, tells of people: that is for those who may give rights on it, and for everybody what they did
 * themselves. In the log of a folder that is asked of each item in it.
 */
import { features } from '@cloudoc/contract'
import { denial, type Facts, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import {
  type Above,
  aboveChildrenOf,
  factsBelow,
  itemColumns,
  noPeople,
  ownEntries,
  unpackEntries,
} from '../tree/index.ts'
import { sendLog } from './export.ts'
import { readLog, type Scope } from './read.ts'

/** Items in a folder whose logs are read with its own; what lies deeper than the first so many is left out. */
const itemsMost = 2000
const foldersAtOnce = 500

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
      await sendLog(context, access.row.name, scopeOfFile(access), filters)
    },
    async exportFolderLog(context, { folderId, ...filters }) {
      const { row } = context.item({ fType: 2, fId: folderId })
      await sendLog(context, row.name, await scopeOfFolder(context, folderId), filters)
    },
  })
}

const mayKnowPeople = (facts: Facts): boolean => denial(gates.viewShares, facts) === undefined

function scopeOfFile({ row, facts }: Access): Scope {
  const isWhole = mayKnowPeople(facts)
  return { itemId: row.id, whole: isWhole ? [row.id] : [], changes: isWhole ? [] : [row.id], isComplete: true }
}

type Child = ItemRow & { entries: Parameters<typeof unpackEntries>[0] }

/** A folder and what the caller may see in it, level by level; also what was deleted from it and was to be seen there. */
async function scopeOfFolder(context: Context, folderId: number): Promise<Scope> {
  const { db, now } = context
  const actor = actorOf(context)
  const folder = context.item({ fType: 2, fId: folderId })
  const [whole, changes]: [number[], number[]] = [[], []]
  const add = (id: number, facts: Facts): void => void (mayKnowPeople(facts) ? whole : changes).push(id)
  add(folderId, folder.facts)
  let looked = 0
  let level = new Map<number, Above>([[folderId, aboveChildrenOf(folder)]])
  while (level.size > 0) {
    const below = new Map<number, Above>()
    const waiting = [...level.keys()]
    while (waiting.length > 0) {
      const rows = await childrenOf(db, actor, waiting.splice(0, foldersAtOnce), itemsMost - looked + 1)
      looked += rows.length
      if (looked > itemsMost) return { itemId: folderId, whole, changes, isComplete: false }
      for (const row of rows) {
        const above = level.get(row.parent_id ?? 0)
        if (above === undefined) continue
        const { facts, ...step } = factsBelow(
          above,
          { ...row, deleted_at: null },
          unpackEntries(row.entries),
          actor,
          now,
        )
        if (denial(gates.see, facts) !== undefined) continue
        add(row.id, facts)
        if (row.f_type === 2 && row.deleted_at === null) below.set(row.id, { ...above, ...step })
      }
    }
    level = below
  }
  return { itemId: folderId, whole, changes, isComplete: true }
}

async function childrenOf(db: Db, actor: Account, folderIds: readonly number[], most: number): Promise<Child[]> {
  const { rows } = await sql<Child>`
    select ${itemColumns}, ${noPeople}, ${ownEntries(actor)} as entries
    from unnest(${[...folderIds]}::bigint[]) as folder (id)
    cross join lateral (
      select * from item where parent_id = folder.id and link_to is null and not purged offset 0) i
    limit ${most}`.execute(db)
  return rows
}
