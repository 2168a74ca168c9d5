/*
 * The recycle bin ([R122], [R243]-[R246]). It lists what the caller deleted and, for managers of a library, everything
 * deleted there, as far as the caller may see it. An item deleted before its folder stays deleted when the folder is
 * restored. Permanent deletion marks the item, which is gone from that commit on. A job then removes the rows in
 * chunks.
 */
import { features } from '@cloudoc/contract'
import { calendarDay, denial, fail, formatItemIdStr, type GateName, gates, mainServerId } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { type Db, planAnew } from '../../core/db/database.ts'
import { checkControlled } from '../files/index.ts'
import { takeMoved } from '../quotas/index.ts'
import { loadLevels } from '../rights/index.ts'
import {
  accessTo,
  accessToMany,
  checkBelow,
  checkDepth,
  checkDepthOf,
  checkStillThere,
  isFolderRow,
  isWithin,
  itemEvent,
  lockFolderMoves,
  nameColumns,
  storedItem,
  tally,
  visiblePath,
  withName,
} from '../tree/index.ts'

const day = 24 * 60 * 60 * 1000
const chunkSize = 500

/** The start of a time range of the bin ([R243]); today starts at midnight in the company's time zone. */
function rangeStart(timeRange: number, now: number, timeZone: string): number {
  if (timeRange === 1) return calendarDay(now, timeZone).from
  if (timeRange === 2) return now - 7 * day
  if (timeRange === 3) return now - 30 * day
  return 0
}

/**
 * Returns one page of the caller's bin, newest first, before rights are checked. It reads ranges of two indexes: what
 * the caller deleted, and what was deleted in each library they manage.
 */
async function binIds(db: Db, actor: Account, since: number, before: { at: number; id: number }): Promise<BinRow[]> {
  const range = sql`i.deleted_at is not null and not i.purged and i.parent_id is not null and i.deleted_at >= ${since}
    and (i.deleted_at, i.id) < (${before.at}, ${before.id})
    order by i.deleted_at desc, i.id desc limit ${chunkSize}`
  const { rows } = await sql<BinRow>`
    with managed as (
      select library_id from library_manager where account_id = ${actor.accountId}
      union select id from library where owner_id = ${actor.accountId}
    ), found as (
      (select i.id, i.deleted_at, i.deleted_by from item i where i.deleted_by = ${actor.accountId} and ${range})
      union
      select i.* from managed m cross join lateral (
        select i.id, i.deleted_at, i.deleted_by from item i where i.library_id = m.library_id and ${range}) i
    )
    select f.id, f.deleted_at as at, d.name as deleter from found f join account d on d.id = f.deleted_by
    order by f.deleted_at desc, f.id desc limit ${chunkSize}`.execute(db)
  return rows
}

interface BinRow {
  readonly id: number
  readonly at: number
  readonly deleter: string
}

/** The items of the caller's bin that pass a gate, newest first. */
async function* bin(
  db: Db,
  actor: Account,
  since: number,
  action: GateName,
  now: number,
): AsyncIterable<{ access: Access; row: BinRow }> {
  let before = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }
  while (true) {
    const rows = await binIds(db, actor, since, before)
    const found = await accessToMany(
      db,
      actor,
      rows.map((row) => row.id),
      now,
      'both',
    )
    for (const row of rows) {
      const access = found.get(row.id)
      if (access !== undefined && denial(gates[action], access.facts) === undefined) yield { access, row }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < chunkSize) return
    before = last
  }
}

/**
 * Whether a folder contains an item that the bin lists separately. Walks up from the items in the bin, not down through
 * the folder.
 */
async function containsDeleted(db: Db, row: Access['row']): Promise<boolean> {
  if (!isFolderRow(row)) return false
  const { rows } = await sql<{ holds: boolean }>`
    with recursive up as (
      select i.parent_id from item i
      where i.library_id = ${row.library_id} and i.deleted_at is not null and not i.purged and i.id <> ${row.id}
      union
      select p.parent_id from up u
      cross join lateral (select parent_id, purged from item where id = u.parent_id offset 0) p
      where u.parent_id <> ${row.id} and not p.purged
    ) select exists (select 1 from up where parent_id = ${row.id}) as holds`.execute(db)
  return rows[0]?.holds === true
}

/** The call handlers of the recycle bin. */
export function recycleHandlers() {
  return implement(features.recycle.calls, {
    async getRecycleList(context, { timeRange, from, rows }) {
      const actor = actorOf(context)
      const list = []
      let total = 0
      for await (const { access, row } of bin(
        context.db,
        actor,
        rangeStart(timeRange, context.now, actor.settings.setting.download_time_zone),
        'restore',
        context.now,
      )) {
        total += 1
        if (total <= from || list.length === rows) continue
        const shown = visiblePath(access.path)
        list.push({
          ...(access.row.link_to === null ? { fId: access.row.id } : { fId: 0, linkId: access.row.id }),
          fType: access.row.f_type,
          fName: access.row.name,
          extName: access.row.ext,
          fileSize: access.row.size,
          deleteTime: row.at,
          deleterName: row.deleter,
          pathString: shown.map((link) => link.name).join('/'),
          parentFolderId: shown.at(-1)?.id ?? 0,
          itemIdStr:
            access.row.link_to === null
              ? formatItemIdStr({ serverId: mainServerId, fType: access.row.f_type, fId: access.row.id })
              : '',
        })
      }
      return { list, total }
    },

    async recycleRestore(context, input, item) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { row, library } = context.item(item)
      if (row.deleted_at === null) return fail('notFound')
      const targetId = input.targetFolderId ?? row.parent_id ?? fail('notFound')
      const target = (await accessTo(tx, actor, { fType: 2, fId: targetId }, now)) ?? fail('notFound')
      // Restoring is an upload into the original folder: that folder must exist, and the caller may upload to it.
      const refusal = denial(gates.upload, target.facts)
      if (refusal !== undefined) return fail(refusal)
      if (target.library.id !== library.id) return fail('noPermission')
      if (targetId !== row.parent_id) checkControlled(context.item(item), target)
      checkDepth(target.path.length + 1)
      if (isFolderRow(row)) {
        if (targetId !== row.parent_id) {
          await lockFolderMoves(tx, library.id)
          if (await isWithin(tx, targetId, row.id)) return fail('moveIntoSubfolder')
        }
        await checkDepthOf(tx, target.path.length + 1, row.id)
      }
      await takeMoved(tx, context.item(item), target, now)
      const named = await withName(
        tx,
        { parentId: targetId, name: row.name, fType: row.f_type },
        input.conflict,
        async (name) => {
          await tx
            .updateTable('item')
            .set({
              deleted_at: null,
              deleted_by: null,
              parent_id: targetId,
              ...(name === row.name ? {} : nameColumns(name, row.f_type)),
            })
            .where('id', '=', row.id)
            .execute()
          return name
        },
      )
      if (named === undefined) return {}
      await checkStillThere(tx, row)
      await tally(tx, { libraryId: library.id, accountId: actor.accountId, folderId: targetId, bytes: 0, children: 1 })
      context.event(itemEvent(row, 'restore', actor.name, { parentId: targetId, name: named }))
      const { fName: name, ...stored } = storedItem(context.item(item), actor, {
        fName: named,
        parentFolderId: targetId,
      })
      return { ...(row.link_to === null ? { fId: row.id } : { linkId: row.id }), name, ...stored }
    },

    async fileOrFolderCompleteDelete(context, input, item) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { row } = context.item(item)
      await checkBelow(tx, context.item(item), actor)
      if (!input.withDeleted && (await containsDeleted(tx, row))) return fail('holdsDeleted')
      await tx
        .updateTable('item')
        .set({ purged: true, deleted_at: row.deleted_at ?? now, deleted_by: row.deleted_by ?? actor.accountId })
        .where('id', '=', row.id)
        .execute()
      if (row.deleted_at === null) {
        await tally(tx, {
          libraryId: row.library_id,
          accountId: actor.accountId,
          folderId: row.parent_id,
          bytes: 0,
          children: -1,
        })
      }
      // The rows may be removed before the event is delivered, so the event carries the rights that determine its
      // recipients.
      const level = (await loadLevels(tx, [row.id])).get(row.id)?.at(-1) ?? fail('notFound')
      const { inherit, restricted, entries } = level
      context.event(itemEvent(row, 'delete', actor.name, { before: { inherit, restricted, entries } }))
      return {}
    },

    async recycleClean(context) {
      const { tx, now } = context
      const actor = actorOf(context)
      await planAnew(tx)
      const ids: number[] = []
      for await (const { access } of bin(tx, actor, 0, 'completeDelete', now)) ids.push(access.row.id)
      // What a hold covers stays in the bin.
      const { rows } = await sql<{ id: number }>`
        update item set purged = true
        where id = any(${ids}) and deleted_at is not null and not purged and not contains_held(id)
        returning id`.execute(tx)
      const kept = ids.length - rows.length
      context.audit({ count: rows.length, ...(kept > 0 && { kept }) })
      return { count: rows.length, kept }
    },
  })
}
export { purgeChunk } from './purge.ts'
