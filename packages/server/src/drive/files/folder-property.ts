// What a folder says of itself ([R119]): how much is in it, and the order it is shown in.
import { denial, gates } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { measureBelow } from '../quotas/index.ts'
import { walkBelow } from '../tree/index.ts'

/** Items that are counted at most: beyond, the answer says that there are more. */
const countedMost = 20_000

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
  const isComplete = await walkBelow(db, actor, folder, now, { most: countedMost }, (row) => {
    if (row.f_type === 2) folderCount += 1
    else {
      fileCount += 1
      totalSize += row.size
    }
  })
  return { folderCount, fileCount, totalSize, isComplete }
}

/** The limit of space of a folder, and what counts for it, which may be more than the actor sees. */
export async function limitsOfFolder(
  db: Db,
  { row, limits, facts }: Access,
): Promise<{ folderLimit: number; aboveLimit: number; limitUsed: number }> {
  const own = limits.find(({ folderId }) => folderId === row.id)?.most ?? 0
  const above = limits.filter(({ folderId }) => folderId !== row.id).map(({ most }) => most)
  const maySet = denial(gates.limitSpace, facts) === undefined
  return {
    folderLimit: own,
    aboveLimit: above.length === 0 ? 0 : Math.min(...above),
    limitUsed: maySet && own > 0 ? await measureBelow(db, row.id) : 0,
  }
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
