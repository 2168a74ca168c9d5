/*
 * Links ([R121]): a row of the tree that refers to an item by its id. Folder, name and the rights to move, rename or
 * delete it are the link's own. Access to the target is decided by the target's rights at each use, so a link grants
 * nothing. A link is never treated as a file or folder (accessToMany omits links). A link whose target is deleted or
 * hidden is broken and discloses nothing.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { denial, fail, fid, gates, ItemStatusBit, mainServerId } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { accessToMany } from './access.ts'
import { recordOf } from './records.ts'
import { type NewItem, nameColumns } from './write.ts'

/** Fills in the targets of links, as far as the actor may see them. */
export async function followLinks(
  db: Db,
  actor: Account,
  records: readonly ItemRecord[],
  now: number,
): Promise<ItemRecord[]> {
  const targets = [...new Set(records.filter((record) => record.linkId !== 0).map((record) => record.fId))]
  const found = await accessToMany(db, actor, targets, now)
  return records.map((record) => {
    if (record.linkId === 0) return record
    const access = found.get(record.fId)
    if (access?.row.f_type !== record.fType || denial(gates.see, access.facts) !== undefined) {
      return { ...record, fId: 0, fid: fid(mainServerId, 0), itemIdStr: '' }
    }
    const target = recordOf(access, actor)
    return {
      ...record,
      rights: target.rights,
      itemStatus: target.itemStatus | ItemStatusBit.shortcut,
      ownerId: target.ownerId,
      version: target.version,
      secretLevel: target.secretLevel,
      secretName: target.secretName,
      secretInfo: target.secretInfo,
      docFlag: target.docFlag,
      editorId: target.editorId,
      editorName: target.editorName,
      editorNames: target.editorNames,
      editorList: target.editorList,
    }
  })
}

/** Whether a row is a real folder; a link to a folder is not. */
export function isFolderRow(row: Pick<ItemRow, 'f_type' | 'link_to'>): boolean {
  return row.f_type === 2 && row.link_to === null
}

/** Creates a link; a taken name fails with -5 through the unique index. */
export async function insertLink(tx: Tx, item: NewItem & { readonly to: number }): Promise<number> {
  const columns = nameColumns(item.name, item.fType)
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, ext,
        created_by, created_at, modified_by, modified_at, link_to)
      values (${item.libraryId}, ${item.parentId}, ${item.fType}, ${columns.name}, ${columns.name_key},
        ${columns.name_sort}, ${columns.search_text}, ${columns.ext}, ${item.accountId},
        ${item.now}, ${item.accountId}, ${item.now}, ${item.to})
      returning id
    ), counted as (
      insert into tally (library_id, account_id, folder_id, bytes, children)
      values (${item.libraryId}, ${item.accountId}, ${item.parentId}, 0, 1)
    )
    select id from made`.execute(tx)
  return rows[0]?.id ?? fail('serverException')
}
