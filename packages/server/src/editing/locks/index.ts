/*
 * Exclusive editing ([R178], decisions "Locks"). The lock is part of the file's row, so every change of the file checks
 * it under the row lock, and every view of the file shows it. It belongs to the session that took it. It lasts 30
 * minutes unless renewed. For another 30 minutes of grace it still prevents changes by others, but not requests for it;
 * then the elected process releases it.
 */
import { features } from '@cloudoc/contract'
import { fail, ItemStatusBit, LockType, LogBit, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { AccountActor } from '../../core/actor.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { recordRecent } from '../../drive/recent/index.ts'
import { commitEnded, isEditor, itemEvent, lockItem, notEdited } from '../../drive/tree/index.ts'
import { forceSharedLock, sharingNow } from '../wopi/index.ts'
import { editedFiles } from './edited.ts'
import { lockChanged } from './lock-broadcast.ts'
import { endWaiting, letFirst, waitFor, waitingBefore } from './lock-queue.ts'

export { lockChanged } from './lock-broadcast.ts'

const chunkSize = 500
const bySeveral = { zh: '多人正在共同编辑', en: 'several people edit it' }
const inAnotherSession = { zh: '你在别处正在编辑', en: 'you edit it in another session' }

/** The handlers of edit locks. */
export function lockHandlers() {
  return implement(features.locks.calls, {
    async fileEditLock(context, { fileId }) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { row } = context.item({ fType: 1, fId: fileId })
      const isOwn = isEditor(row, actor)
      const until = now + limits.editLockMs
      const { rows } = await sql<{ since: number }>`
        update item set editor_id = ${actor.accountId}, editor_session = ${actor.sessionId}, editor_until = ${until},
          editing_since = case when ${isOwn} then editing_since else ${now} end
        where id = ${fileId} and status & ${ItemStatusBit.editMulti}::int = 0
          and (${isOwn} or editor_id is null or editor_until <= ${now})
        returning editing_since as since`.execute(tx)
      const holder = row.editor_id === actor.accountId ? inAnotherSession : (row.editor ?? '')
      const since = rows[0]?.since ?? fail('fileLocked', row.editor_id === null ? bySeveral : holder)
      if (!isOwn || row.editor_session === null) await endWaiting(tx, fileId, actor.accountId)
      if (!isOwn) {
        await recordRecent(tx, actor.accountId, [fileId], 'edit', now)
        context.audit({ log: LogBit.startEdit, from: row.editor_id })
        context.event(itemEvent(row, 'edit', actor.name))
        context.event(lockChanged(row))
      }
      return {
        editorId: actor.accountId,
        editorName: actor.name,
        lockTime: since,
        expiresAt: until,
        version: row.version,
      }
    },

    async fileEditUnlock(context, { fileId }) {
      const actor = actorOf(context)
      const { row } = context.item({ fType: 1, fId: fileId })
      if (!isEditor(row, actor)) return fail('noEditLock')
      await endWaiting(context.tx, fileId, actor.accountId)
      await context.tx.updateTable('item').set(notEdited).where('id', '=', fileId).execute()
      context.event(itemEvent(row, 'edit', actor.name))
      context.event(lockChanged(row))
      return {}
    },

    async forceUnlockFiles(context, { all }, item) {
      const actor = actorOf(context)
      const { row } = context.item(item)
      if (!isEdited(row)) return fail('noEditLock')
      if (!all && row.editor_id !== actor.accountId) return fail('fileLocked')
      await endForced(context, row, actor)
      return { fId: row.id }
    },

    getEditedFiles: ({ db, now }, { from, rows }) => editedFiles(db, now, from, rows),

    async endEditing(context, { fileId }) {
      const { tx } = context
      await lockItem(tx, fileId, 'change')
      const { rows } = await sql<ItemRow>`
        select * from item where id = ${fileId} and f_type = 1 and deleted_at is null`.execute(tx)
      const row = rows[0] ?? fail('notFound')
      if (!isEdited(row)) return fail('noEditLock')
      await endForced(context, row, actorOf(context))
      context.audit({ fileId })
      return {}
    },

    async fileRequestUnlock(context, { fileId, message }) {
      const { tx, now } = context
      const { accountId, name } = actorOf(context)
      const { row } = context.item({ fType: 1, fId: fileId })
      if ((row.status & ItemStatusBit.editMulti) !== 0) return fail('fileLocked', bySeveral)
      if (row.editor_id === null) return fail('noEditLock')
      if (row.editor_id === accountId) return fail('fileLocked', inAnotherSession)
      const { tells } = await waitFor(tx, fileId, accountId, now, true)
      const asker = { userId: accountId, userName: name, ...(message !== '' && { message }) }
      const told = { serverId: 0, fileId, fileName: row.name, ...asker, applyTime: now }
      if (tells) context.event(personal('unlockApplied', [row.editor_id], told))
      return { editorId: row.editor_id, editorName: row.editor ?? '', lockTime: await lockedSince(tx, fileId) }
    },

    async getFileLock(context, { fileId }) {
      const { row } = context.item({ fType: 1, fId: fileId })
      const isAlone = row.editor_id !== null && (row.status & ItemStatusBit.editMulti) === 0
      return {
        editorId: isAlone ? (row.editor_id ?? -1) : -1,
        editorName: isAlone ? (row.editor ?? '') : '',
        lockTime: isAlone ? await lockedSince(context.db, fileId) : 0,
      }
    },

    async getEditControlVersion(context) {
      const { inner } = actorOf(context).settings
      return { version: inner.edit_control_version, address: inner.edit_control_address }
    },

    async fileEditWait(context, { fileId, wait }) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const { row } = context.item({ fType: 1, fId: fileId })
      if (!wait) await endWaiting(tx, fileId, accountId)
      if (!wait) return { before: 0 }
      const isShared = (row.status & ItemStatusBit.editMulti) !== 0
      if (!isShared && (row.editor_id === null || row.editor_id === accountId)) return fail('noEditLock')
      await waitFor(tx, fileId, accountId, now, false)
      return { before: await waitingBefore(tx, fileId, accountId) }
    },

    async answerUnlockRequest(context, { fileId, userId, approved, minutes }) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { row } = context.item({ fType: 1, fId: fileId })
      if (!isEditor(row, actor)) return fail('noEditLock')
      // A user for whom the file is reserved may still have a request of their own. Granting it to themselves would
      // make them lose it.
      if (userId === actor.accountId || !(await letFirst(tx, fileId, userId))) return fail('notFound')
      if (approved) {
        // A user for whom the file is reserved passes it on.
        await endWaiting(tx, fileId, actor.accountId)
        await tx.updateTable('item').set(notEdited).where('id', '=', fileId).execute()
        context.event(itemEvent(row, 'edit', actor.name))
        context.event(lockChanged(row))
        return {}
      }
      if (minutes === 0) await endWaiting(tx, fileId, userId)
      const by = { userId: actor.accountId, userName: actor.name }
      const told = { serverId: 0, fileId, fileName: row.name, ...by, handleTime: now }
      context.event(personal('unlockRejected', [userId], { ...told, result: 2, ...(minutes > 0 && { minutes }) }))
      return {}
    },
  })
}

const isEdited = ({ editor_id: editor, status }: ItemRow): boolean =>
  editor !== null || (status & ItemStatusBit.editMulti) !== 0

/** Ends the editing of a file by force; its editors are notified. */
async function endForced(context: WriteContext, row: ItemRow, { accountId, name }: AccountActor): Promise<void> {
  const { tx, now } = context
  const isShared = (row.status & ItemStatusBit.editMulti) !== 0
  const editors = row.editor_id === null ? await sharingNow(tx, row.id) : [row.editor_id]
  // A user for whom the file was reserved does not get it again.
  if (row.editor_id !== null) await endWaiting(tx, row.id, row.editor_id)
  if (isShared) await forceSharedLock(tx, [row.id])
  else await tx.updateTable('item').set(notEdited).where('id', '=', row.id).execute()
  context.audit({ editorId: row.editor_id })
  context.event(itemEvent(row, 'edit', name))
  if (row.editor_id !== null) context.event(lockChanged(row))
  const told = { serverId: 0, fileId: row.id, fileName: row.name, userId: accountId, userName: name, handleTime: now }
  const lockType = isShared ? LockType.multi : LockType.single
  if (editors.length > 0) context.event(personal('fileForceUnlocked', editors, { ...told, lockType }))
}

async function lockedSince(tx: Db, fileId: number): Promise<number> {
  const { editing_since: since } = await tx
    .selectFrom('item')
    .select('editing_since')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  return since ?? 0
}

/**
 * Releases one batch of locks whose time is over, and whose grace is over unless another user waits; returns how many.
 */
export async function endEditLocks({ db, commit }: Pick<Services, 'db' | 'commit'>, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<ItemRow>`
      select * from item where editor_until <= ${now}
        and (editor_until <= ${now - limits.editLockGraceMs} or id in (select item_id from edit_wait))
      order by editor_until limit ${chunkSize} for no key update skip locked`.execute(tx)
    if (rows.length === 0) return 0
    // The users with these reservations did not come.
    await sql`
      delete from edit_wait where item_id = any(${rows.map((row) => row.id)}) and kept_until <= ${now}`.execute(tx)
    await tx
      .updateTable('item')
      .set(notEdited)
      .where('id', '=', sql<number>`any(${rows.map((row) => row.id)})`)
      .execute()
    await commitEnded(commit, tx, rows, {
      ...{ call: 'editLockEnds', now },
      detailOf: (row) => ({ editorId: row.editor_id }),
      eventsOf: (row) => [lockChanged(row)],
    })
    return rows.length
  })
}
