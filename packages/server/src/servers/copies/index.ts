// Copies between linked servers ([R123], X78).
import { features } from '@cloudoc/contract'
import { fail, mainServerId, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context, type WriteContext, whileAsked } from '../../core/call/context.ts'
import { localeOf, refusalOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { JobEnding } from '../../core/queue/endings.ts'
import { cancel, enqueue } from '../../core/queue/rows.ts'
import { type Remote, reachablePeer } from '../links/index.ts'
import { checkCopyAcross } from './check.ts'
import { noteOrigin, originOf } from './origins.ts'
import { type Copy, copyKind, readAnswers, readCopies, readRefused } from './rows.ts'
import { openSide, type SideParts } from './sides.ts'

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

/** Refuses a copy that cannot begin: by a guest (X51), within one server, or with a server that cannot be asked now. */
async function checkServers(
  db: Db,
  context: Context,
  { sourceServerId, targetServerId }: { readonly sourceServerId: number; readonly targetServerId: number },
): Promise<void> {
  if (actorOf(context).isGuest) return fail('noPermission')
  if (sourceServerId === targetServerId) return fail('interconnectedServerMissing')
  for (const serverId of [sourceServerId, targetServerId])
    if (serverId !== mainServerId) await reachablePeer(db, serverId, context.now)
}

/** The session on whose behalf the servers are asked. */
const sessionOf = (context: Context) => {
  const actor = actorOf(context)
  return {
    ...{ account_id: actor.accountId, address: context.address, strong: actor.hasFactor === true },
    device_id: actor.device?.deviceId ?? null,
  }
}

/** The handlers of copies between servers. */
export function copyHandlers(parts: SideParts) {
  return implement(features.serverCopies.calls, {
    checkServerCopy: (context, input) =>
      whileAsked(context, async (signal) => {
        const { sourceServerId, targetServerId, targetFolderId, conflict } = input
        await checkServers(context.db, context, input)
        const { sessionId } = actorOf(context)
        const { via_server } = await context.db
          .selectFrom('session')
          .select('via_server')
          .where('id', '=', sessionId)
          .executeTakeFirstOrThrow()
        const like = { ...sessionOf(context), via_server }
        const opened: Remote[] = []
        const open = async (serverId: number): Promise<Remote> => {
          const side = await openSide(parts, like, serverId, signal).catch((error: unknown) => {
            // The session at this server has not ended.
            throw refusalOf(error)?.code === 'notLoggedIn' ? new ResultError('interconnectedServerInvalid') : error
          })
          opened.push(side)
          return side
        }
        try {
          const [source, target] = [await open(sourceServerId), await open(targetServerId)]
          const wanted = { fileIds: input.sourceFileIds, folderIds: input.sourceFolderIds }
          return await checkCopyAcross(
            { source, target },
            { ...wanted, folderId: targetFolderId, conflict },
            { locale: localeOf(context.request), signal },
          )
        } finally {
          await Promise.all(opened.map((one) => one.close()))
        }
      }),

    async copyFilesAndFolders(context, input) {
      const { sourceServerId, targetServerId, sourceFileIds, sourceFolderIds, targetFolderId, conflict } = input
      const { tx, now } = context
      const { sessionId } = actorOf(context)
      await checkServers(tx, context, input)
      const { id: copyId } = await tx
        .insertInto('server_copy')
        .values({
          ...sessionOf(context),
          ...{ source_server: sourceServerId, target_server: targetServerId },
          ...{ target_folder: targetFolderId, conflict, is_move: input.isMove, created_at: now },
          via_server: sql<number | null>`(select via_server from session where id = ${sessionId})` as unknown as number,
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

    async noteFileOrigin(context, { fileId, ...origin }) {
      await noteOrigin(context, fileId, origin)
      return {}
    },

    getFileOrigin: (context, { fileId }) => originOf(context.db, fileId),

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
