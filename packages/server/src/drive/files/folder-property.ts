// The properties of a folder ([R119]): the size of its contents and its sort order.
import { denial, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { measureBelow } from '../quotas/index.ts'
import { accessToMany } from '../tree/index.ts'

/** Maximum number of items counted. Beyond that the answer is marked as incomplete. */
const countedMost = 2_000_000
const evaluationBatch = 500

export interface FolderContent {
  readonly folderCount: number
  readonly fileCount: number
  readonly totalSize: number
  readonly isComplete: boolean
}

/**
 * Counts what the actor may see below a folder; links are not counted. Rights are evaluated only for items with their
 * own rules. Everything below such an item, down to the next one with own rules, inherits its visibility and is counted
 * without evaluation.
 */
export async function contentOfFolder(db: Db, actor: Account, folder: Access, now: number): Promise<FolderContent> {
  const content = { folderCount: 0, fileCount: 0, totalSize: 0, isComplete: true }
  let left = countedMost
  let folders: readonly Access[] = [folder]
  while (folders.length > 0) {
    const counted = await countPlain(db, actor, folders, left)
    content.folderCount += counted.folders
    content.fileCount += counted.files
    content.totalSize += counted.size
    left -= counted.looked
    if (left < 0) return { ...content, isComplete: false }
    const next: Access[] = []
    for (let at = 0; at < counted.apart.length; at += evaluationBatch) {
      const ids = counted.apart.slice(at, at + evaluationBatch)
      for (const access of (await accessToMany(db, actor, ids, now)).values()) {
        if (denial(gates.see, access.facts) !== undefined) continue
        if (access.row.f_type === 2) {
          content.folderCount += 1
          next.push(access)
        } else {
          content.fileCount += 1
          content.totalSize += access.row.size
        }
      }
    }
    folders = next
  }
  return content
}

/** Counts the items below the folders that have no rules of their own. Returns the ids of those that have. */
async function countPlain(db: Db, actor: Account, folders: readonly Access[], most: number) {
  // In a restricted folder, users who do not manage it see only what they created.
  const onlyOwn = folders.map(({ restricted, facts }) => restricted && !facts.actor.isManager)
  const { rows } = await sql<{ looked: number; folders: number; files: number; size: number; apart: number[] }>`
    with recursive below as (
      select c.id, c.f_type, c.size, c.own_rules as apart, f.only_own
      from unnest(${folders.map(({ row }) => row.id)}::bigint[], ${onlyOwn}::boolean[]) f (id, only_own)
      cross join lateral (select * from item where parent_id = f.id and link_to is null and deleted_at is null offset 0) c
      where c.own_rules or not f.only_own or c.created_by = ${actor.accountId}
      union all
      select c.id, c.f_type, c.size, c.own_rules, b.only_own
      from below b
      cross join lateral (
        select * from item where parent_id = b.id and b.f_type = 2 and not b.apart
          and link_to is null and deleted_at is null offset 0) c
      where c.own_rules or not b.only_own or c.created_by = ${actor.accountId}
    )
    select count(*)::int as looked, count(*) filter (where f_type = 2 and not apart)::int as folders,
      count(*) filter (where f_type = 1 and not apart)::int as files,
      coalesce(sum(size) filter (where f_type = 1 and not apart), 0)::bigint as size,
      coalesce(to_json(array_agg(id) filter (where apart)), '[]') as apart
    from (select * from below limit ${most + 1}) b`.execute(db)
  return rows[0] ?? { looked: 0, folders: 0, files: 0, size: 0, apart: [] }
}

/** The space limit of a folder and the bytes counted towards it. Those may include items the actor cannot see. */
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

/** The default sort order of a folder. */
export async function orderOf(db: Db, folderId: number): Promise<FolderOrder> {
  const row = await db
    .selectFrom('folder_order')
    .select(['sort', 'descending'])
    .where('folder_id', '=', folderId)
    .executeTakeFirst()
  return { sort: row?.sort ?? 'name', order: row?.descending === true ? 'desc' : 'asc' }
}
