// What a folder says of itself ([R119]): how much is in it, and the order it is shown in.
import { denial, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
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

/** Items that are counted at most: beyond, the answer says that there are more. */
const countedMost = 20_000
const foldersAtOnce = 500

type Child = ItemRow & { entries: Parameters<typeof unpackEntries>[0] }

export interface FolderContent {
  readonly folderCount: number
  readonly fileCount: number
  readonly totalSize: number
  readonly isComplete: boolean
}

/** What the actor may see below a folder, at any depth; links count for nothing. */
export async function contentOfFolder(db: Db, actor: Account, folder: Access, now: number): Promise<FolderContent> {
  let folderCount = 0
  let fileCount = 0
  let totalSize = 0
  let looked = 0
  let level = new Map<number, Above>([[folder.row.id, aboveChildrenOf(folder)]])
  while (level.size > 0) {
    const below = new Map<number, Above>()
    const waiting = [...level.keys()]
    while (waiting.length > 0) {
      const rows = await childrenOf(db, actor, waiting.splice(0, foldersAtOnce), countedMost - looked + 1)
      looked += rows.length
      if (looked > countedMost) return { folderCount, fileCount, totalSize, isComplete: false }
      for (const row of rows) {
        const above = level.get(row.parent_id ?? 0)
        if (above === undefined) continue
        const step = factsBelow(above, row, unpackEntries(row.entries), actor, now)
        if (denial(gates.see, step.facts) !== undefined) continue
        if (row.f_type === 1) {
          fileCount += 1
          totalSize += row.size
        } else {
          folderCount += 1
          below.set(row.id, { ...above, inForce: step.inForce, restricted: step.restricted })
        }
      }
    }
    level = below
  }
  return { folderCount, fileCount, totalSize, isComplete: true }
}

/** The children of folders, each folder a look-up by key, which `offset 0` keeps apart. */
async function childrenOf(db: Db, actor: Account, folderIds: readonly number[], most: number): Promise<Child[]> {
  const { rows } = await sql<Child>`
    select ${itemColumns}, ${noPeople}, ${ownEntries(actor)} as entries
    from unnest(${[...folderIds]}::bigint[]) as folder (id)
    cross join lateral (
      select * from item where parent_id = folder.id and deleted_at is null and link_to is null offset 0) i
    limit ${most}`.execute(db)
  return rows
}

export interface FolderOrder {
  readonly sort: 'name' | 'time' | 'size' | 'type'
  readonly order: 'asc' | 'desc'
}

/** The order that a folder is shown in where nobody asks for another. */
export async function orderOf(db: Db, folderId: number): Promise<FolderOrder> {
  const row = await db
    .selectFrom('folder_order')
    .select(['sort', 'descending'])
    .where('folder_id', '=', folderId)
    .executeTakeFirst()
  return { sort: row?.sort ?? 'name', order: row?.descending === true ? 'desc' : 'asc' }
}
