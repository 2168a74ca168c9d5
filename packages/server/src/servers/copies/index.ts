// Copies between linked servers ([R123], X78).
import { features } from '@cloudoc/contract'
import { fail, mainServerId } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { JobEnding } from '../../core/queue/endings.ts'
import { cancel, enqueue } from '../../core/queue/rows.ts'
import { reachablePeer } from '../links/index.ts'
import { type Copy, copyKind, readAnswers, readCopies, readRefused } from './rows.ts'

/** A copy of the caller, locked. */
async function lockCopy(context: WriteContext, copyId: number): Promise<Copy> {
  const copy = await context.tx
    .selectFrom('server_copy')
    .selectAll()
    .where('id', '=', copyId)
    .where('account_id', '=', actorOf(context).accountId)
    .forUpdate()
    .executeTakeFirst()
  return copy ?? fail('notFound')
}

/** A copy whose job an administrator cancels is cancelled. Its owner can start it again. */
export const copyEnding: JobEnding<{ copyId: number }> = {
  kind: copyKind,
  async cancelled({ tx, now }, { copyId }) {
    await tx
      .updateTable('server_copy')
      .set({ state: 'cancelled', ended_at: now, waiting_for: null, waiting_code: '' })
      .where('id', '=', copyId)
      .where('state', '=', 'running')
      .execute()
  },
}

/** The handlers of copies between servers. */
export function copyHandlers() {
  return implement(features.serverCopies.calls, {
    async copyFilesAndFolders(context, input) {
      const { sourceServerId, targetServerId, sourceFileIds, sourceFolderIds, targetFolderId, conflict } = input
      const { tx, now } = context
      const actor = actorOf(context)
      // Visitors do not copy (X51).
      if (actor.isGuest) return fail('noPermission')
      if (sourceServerId === targetServerId) return fail('interconnectedServerMissing')
      for (const serverId of [sourceServerId, targetServerId])
        if (serverId !== mainServerId) await reachablePeer(tx, serverId, now)
      const { id: copyId } = await tx
        .insertInto('server_copy')
        .values({
          ...{ account_id: actor.accountId, source_server: sourceServerId, target_server: targetServerId },
          ...{ target_folder: targetFolderId, conflict, is_move: input.isMove, created_at: now },
          ...{ address: context.address, strong: actor.hasFactor === true },
          device_id: actor.device?.deviceId ?? null,
          via_server: sql<
            number | null
          >`(select via_server from session where id = ${actor.sessionId})` as unknown as number,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const wanted = [
        ...[...new Set(sourceFolderIds)].map((source_id) => ({ f_type: 2 as const, source_id })),
        ...[...new Set(sourceFileIds)].map((source_id) => ({ f_type: 1 as const, source_id })),
      ].map((one) => ({ ...one, copy_id: copyId, parent_id: null }))
      const batch = 1000
      for (let at = 0; at < wanted.length; at += batch)
        await tx
          .insertInto('server_copy_item')
          .values(wanted.slice(at, at + batch))
          .execute()
      await enqueue(context, copyKind, { copyId })
      context.audit({ serverId: sourceServerId === mainServerId ? targetServerId : sourceServerId })
      return { copyId }
    },

    async getServerCopies(context) {
      return { list: await readCopies(context.db, actorOf(context).accountId) }
    },

    async getServerCopy(context, { copyId }) {
      const { db } = context
      const [copy] = await readCopies(db, actorOf(context).accountId, copyId)
      if (copy === undefined) return fail('notFound')
      const locale = localeOf(context.request)
      const [items, refused] = await Promise.all([readAnswers(db, copyId, locale), readRefused(db, copyId, locale)])
      return { copy, items, refused }
    },

    async cancelServerCopy(context, { copyId }) {
      const copy = await lockCopy(context, copyId)
      if (copy.state !== 'running') return fail('duplicateOperation')
      await context.tx
        .updateTable('server_copy')
        .set({ state: 'cancelled', ended_at: context.now, waiting_for: null, waiting_code: '' })
        .where('id', '=', copyId)
        .execute()
      await cancel(context, copyKind, copyKind.key({ copyId }))
      return {}
    },

    async resumeServerCopy(context, { copyId }) {
      const copy = await lockCopy(context, copyId)
      const [seen] = await readCopies(context.tx, copy.account_id, copyId)
      if (seen?.state === 'running' || (seen?.state === 'done' && seen.refused === 0)) return fail('duplicateOperation')
      const actor = actorOf(context)
      await context.tx
        .updateTable('server_copy_item')
        .set({
          state: sql`case when removal <> '' or target_id is not null and f_type = 1 then 'done' else 'waiting' end`,
          code: '',
          tries: 0,
        })
        .where('copy_id', '=', copyId)
        .where('code', '<>', '')
        .execute()
      await context.tx
        .updateTable('server_copy')
        .set({
          ...{ state: 'running', code: '', ended_at: null, waiting_for: null, waiting_code: '' },
          ...{ address: context.address, strong: actor.hasFactor === true },
          device_id: actor.device?.deviceId ?? null,
        })
        .where('id', '=', copyId)
        .execute()
      await enqueue(context, copyKind, { copyId }, { retryFailed: true })
      return {}
    },
  })
}
