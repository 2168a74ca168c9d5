/*
 * Copies share content: a copied file is a new item whose first version references the same blob. A folder is copied
 * level by level in batches, limited to what the copier may see and copy. Rights, marks and old versions are not
 * copied.
 */
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, ItemRow, Library } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { BatchItemData } from '../../core/call/implement.ts'
import { planAnew, type Tx } from '../../core/db/database.ts'
import { checkCopy, checkFile, lockSpace, type Space } from '../quotas/index.ts'
import {
  type Above,
  aboveChildrenOf,
  checkDepth,
  checkStillThere,
  factsBelow,
  inheritedBy,
  insertFolder,
  isFolderRow,
  itemColumns,
  itemEvent,
  type NameConflict,
  nameColumns,
  newlyStored,
  noPeople,
  ownEntries,
  unpackEntries,
  withName,
} from '../tree/index.ts'
import { checkControlled, isLeaving } from './controlled.ts'
import type { CopyReporter } from './copy-reporter.ts'
import { placeLink } from './links.ts'

/** How many items one statement copies. */
const chunkSize = 1000

/** Copies an item into a folder. */
export async function copyItem(
  context: WriteContext,
  source: Access,
  target: Access,
  conflict: NameConflict,
  told: CopyReporter,
): Promise<BatchItemData> {
  const { tx, now } = context
  const actor = actorOf(context)
  const { row } = source
  if (row.link_to !== null) return placeLink(context, source, target, conflict, 'copy')
  if (target.row.id === row.id || target.path.some((link) => link.id === row.id)) return fail('moveIntoSubfolder')
  checkControlled(source, target)
  checkDepth(target.path.length + 1)
  const space = await lockSpace(tx, actor, target, now)
  const place = { parentId: target.row.id, name: row.name, fType: row.f_type }
  const copy = await withName(tx, place, conflict, async (name) => {
    const made = {
      libraryId: target.library.id,
      parentId: target.row.id,
      name,
      accountId: actor.accountId,
      now,
    }
    if (row.f_type === 2) return { id: await insertFolder(tx, made), name }
    checkCopy(target.library, row.size)
    await space.take(row.size)
    const id = await copyFile(tx, row, made)
    return { id, name }
  })
  if (copy === undefined) return {}
  await checkStillThere(tx, row)
  if (row.f_type === 2) {
    const top = { above: aboveChildrenOf(source), from: row.id, to: copy.id }
    const copied = (more: number): void => told.report(context, more)
    await copyBelow(tx, actor, top, {
      ...{ library: target.library, depth: target.path.length + 2, now, space, copied },
      isControlled: target.facts.downloadByApplication,
    })
  }
  await told.ends(context)
  const made: ItemRow = {
    ...row,
    mail_id: null,
    id: copy.id,
    library_id: target.library.id,
    created_by: actor.accountId,
  }
  context.event(
    itemEvent(made, 'copy', actor.name, {
      parentId: target.row.id,
      name: copy.name,
      version: row.f_type === 2 ? 0 : 1,
    }),
  )
  const { fName: name, ...stored } = newlyStored(copy.name, target.row.id, made.f_type === 2 ? 0 : 1, now)
  return { fId: copy.id, name, ...stored }
}

/**
 * Copies a version of a file into a new file with the given name or a free variant of it. Versions with malware are
 * refused.
 */
export async function copyVersion(
  context: WriteContext,
  source: Access,
  version: { readonly number: number; readonly size: number; readonly diskTime: number | null },
  { target, name: wanted }: { readonly target: Access; readonly name: string },
) {
  const { tx, now } = context
  const actor = actorOf(context)
  checkControlled(source, target)
  checkDepth(target.path.length + 1)
  checkFile(actor, target.library, { name: wanted, size: version.size })
  const row = { ...source.row, version: version.number, size: version.size, disk_time: version.diskTime }
  const space = await lockSpace(tx, actor, target, now)
  await space.take(row.size)
  const place = { parentId: target.row.id, name: wanted, fType: 1 as const }
  const made = await withName(tx, place, 'keepBoth', async (name) => {
    const at = { libraryId: target.library.id, parentId: target.row.id, name, accountId: actor.accountId, now }
    return { id: await copyFile(tx, row, at), name }
  })
  const { id, name } = made ?? fail('serverException')
  const copied: ItemRow = { ...row, mail_id: null, id, library_id: target.library.id, created_by: actor.accountId }
  context.event(itemEvent(copied, 'copy', actor.name, { parentId: target.row.id, name, version: 1 }))
  context.audit({ version: version.number })
  return { fileId: id, ...newlyStored(name, target.row.id, 1, now) }
}

interface NewPlace {
  readonly libraryId: number
  readonly parentId: number
  readonly name: string
  readonly accountId: number
  readonly now: number
}

async function copyFile(tx: Tx, source: ItemRow, made: NewPlace): Promise<number> {
  const columns = nameColumns(made.name, 1)
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, ext,
        created_by, created_at, modified_by, modified_at, version, size, doc_flag, secret_level, secret_until,
        disk_time)
      values (${made.libraryId}, ${made.parentId}, 1, ${columns.name}, ${columns.name_key}, ${columns.name_sort},
        ${columns.search_text}, ${columns.ext}, ${made.accountId}, ${made.now},
        ${made.accountId}, ${made.now}, 1, ${source.size}, ${source.doc_flag}, ${source.secret_level},
        ${source.secret_until}, ${source.disk_time})
      returning id
    ), first as (
      insert into version (item_id, number, blob_id, size, created_by, created_at, disk_time)
      select made.id, 1, v.blob_id, v.size, ${made.accountId}, ${made.now}, v.disk_time
      from made, version v where v.item_id = ${source.id} and v.number = ${source.version}
    ), counted as (
      insert into tally (library_id, account_id, folder_id, bytes, children)
      values (${made.libraryId}, ${made.accountId}, ${made.parentId}, ${source.size}, 1)
    )
    select id from made`.execute(tx)
  return rows[0]?.id ?? fail('serverException')
}

interface Level {
  readonly above: Above
  readonly from: number
  readonly to: number
}

type Child = ItemRow & { entries: Parameters<typeof unpackEntries>[0] }

async function copyBelow(
  tx: Tx,
  actor: Account,
  top: Level,
  place: {
    library: Library
    depth: number
    now: number
    space: Space
    copied: (more: number) => void
    /** Downloads from the target need an application. */
    isControlled: boolean
  },
): Promise<void> {
  const { library, now, space } = place
  await planAnew(tx)
  let levels = [top]
  for (let depth = place.depth; levels.length > 0; depth += 1) {
    const below: Level[] = []
    for (const level of levels) {
      let after = 0
      while (true) {
        const { rows } = await sql<Child>`
          select ${itemColumns}, ${noPeople}, ${ownEntries(actor)} as entries
          from item i where i.parent_id = ${level.from} and i.deleted_at is null and i.id > ${after}
          order by i.id limit ${chunkSize}`.execute(tx)
        const last = rows.at(-1)
        if (last === undefined) break
        after = last.id
        const wanted = rows.flatMap((row) => {
          const step = factsBelow(level.above, row, unpackEntries(row.entries), actor, now)
          const stays = !isLeaving(step.facts, place.isControlled)
          return stays && denial(gates.copy, step.facts) === undefined ? [{ row, step }] : []
        })
        if (wanted.length > 0) checkDepth(depth)
        const ids = wanted.map(({ row }) => row.id)
        // Space is taken before the copy is written. If the sources have grown meanwhile, the difference is taken
        // afterwards.
        const expected = wanted.reduce((sum, { row }) => sum + row.size, 0)
        await space.take(expected)
        const copies = await copyChunk(tx, ids, level, library.id, actor.accountId, now)
        for (const { size } of copies.values()) checkCopy(library, size)
        const copied = [...copies.values()].reduce((sum, { size }) => sum + size, 0)
        if (copied > expected) await space.take(copied - expected)
        place.copied(copies.size)
        for (const { row, step } of wanted) {
          const to = copies.get(row.id)?.copy
          if (!isFolderRow(row) || to === undefined) continue
          const above: Above = { ...level.above, ...inheritedBy(step) }
          below.push({ above, from: row.id, to })
        }
      }
    }
    levels = below
  }
}

/**
 * Copies siblings under one new parent. Returns the new id and size in bytes of each. The results are matched by their
 * unique names.
 */
async function copyChunk(
  tx: Tx,
  ids: readonly number[],
  { from, to }: Level,
  libraryId: number,
  accountId: number,
  now: number,
): Promise<Map<number, { copy: number; size: number }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ source: number; copy: number; size: number }>`
    with source as (select * from item where id = any(${ids}) and parent_id = ${from} and deleted_at is null),
    made as (
      insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, ext,
        created_by, created_at, modified_by, modified_at, version, size, doc_flag, secret_level, secret_until, link_to,
        disk_time, uninspected_by)
      select ${libraryId}, ${to}, f_type, name, name_key, name_sort, search_text, ext,
        ${accountId}::bigint, ${now}::bigint, ${accountId}::bigint, ${now}::bigint,
        case when f_type = 1 and link_to is null then 1 else 0 end, size, doc_flag, secret_level, secret_until, link_to,
        disk_time, case when uninspected_by is not null then ${accountId}::bigint end
      from source
      returning id, name_key, size
    ), versions as (
      insert into version (item_id, number, blob_id, size, created_by, created_at, disk_time, uninspected)
      select made.id, 1, v.blob_id, v.size, ${accountId}::bigint, ${now}::bigint, v.disk_time, v.uninspected
      from made join source s using (name_key) join version v on v.item_id = s.id and v.number = s.version
    ), counted as (
      insert into tally (library_id, account_id, folder_id, bytes, children)
      select ${libraryId}::bigint, ${accountId}::bigint, ${to}::bigint, coalesce(sum(size), 0), count(*) from made
    )
    select s.id as source, made.id as copy, made.size from made join source s using (name_key)`.execute(tx)
  return new Map(rows.map((row) => [row.source, row]))
}
