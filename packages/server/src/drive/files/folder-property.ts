// What a folder says of itself ([R119]): how much is in it, and the order it is shown in.
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
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
