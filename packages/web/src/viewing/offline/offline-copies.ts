/*
 * The offline cache of previewed files ([R067]): deletes what is no longer permitted. The permission is checked for all cached files at once: at page
 * start, on reconnect, and when permissions or locations have changed.
 */
import type { ItemChange } from '@cloudoc/contract'
import { OperateType } from '@cloudoc/domain'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { createBatcher } from '../../core/page/batcher.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { sessionStore } from '../../core/session/session.ts'
import {
  forgetOfflineCopies,
  forgetOfflineCopiesOfOthers,
  offlineFiles,
  trimOfflineCopies,
  updateOfflineFile,
} from '../../core/storage/offline-copies.ts'
import { preferencesStore } from '../../core/storage/preferences.ts'

/** The refusals that mean that the user may no longer read the file. */
export const accessEndedCodes: readonly string[] = [
  'notFound',
  'noPermission',
  'secretLevel',
  'virusFile',
  'versionMissing',
]
/** Spreads the requests of pages that are notified of the same change. */
const spreadMs = 3000

const accountId = (): number | undefined => sessionStore.getState().session?.account.accountId

/** Asks the server which cached files are still permitted, and deletes the others. */
async function check(): Promise<void> {
  const account = accountId()
  if (account === undefined) return
  const files = await offlineFiles(account)
  if (files.length === 0) return
  const asked = files.map(({ fileId, version }) => ({ fileId, version }))
  try {
    const allowed = new Set((await api.getKeepableFiles({ kept: asked }, { quiet: true, probe: true })).fileIds)
    const allowedAt = Date.now()
    const refused = asked.flatMap(({ fileId }) => (allowed.has(fileId) ? [] : [fileId]))
    await forgetOfflineCopies(account, refused)
    for (const fileId of allowed) await updateOfflineFile(account, fileId, { allowedAt })
  } catch (error) {
    // The request is refused as a whole if none may be read any more.
    const isRefused = error instanceof CallError && accessEndedCodes.includes(error.code)
    if (isRefused)
      await forgetOfflineCopies(
        account,
        asked.map(({ fileId }) => fileId),
      )
  }
}
const checkSoon = createBatcher(check)

type Doubted = (fileId: number | undefined) => void
const shown = new Set<Doubted>()

/** Subscribes to events that may have ended the permission to view a file; undefined: any file. */
export function onAccessDoubt(doubted: Doubted): () => void {
  shown.add(doubted)
  return () => shown.delete(doubted)
}
const doubt: Doubted = (fileId) => {
  for (const doubted of shown) doubted(fileId)
}

/** Checks again, because a permission may have been revoked. */
export function recheckOfflineCopies(): void {
  doubt(undefined)
  setTimeout(checkSoon, Math.random() * spreadMs)
}

const above: readonly number[] = [
  OperateType.delete,
  OperateType.move,
  OperateType.edit,
  OperateType.rights,
  OperateType.deleteSubFolder,
]
/** Operations that do not invalidate the cached content of a file. */
const harmless: readonly number[] = [OperateType.download, OperateType.add, OperateType.copy]

/** Handles a change of an item: checks the files that it may concern. */
export function offlineCopiesChanged({
  serverId,
  fId,
  fType,
  operateType,
}: Pick<ItemChange, 'serverId' | 'fId' | 'fType' | 'operateType'>): void {
  const account = accountId()
  if (account === undefined || harmless.includes(operateType)) return
  if (serverId !== mainServer.serverId) {
    // Nothing of a linked server is kept offline. An open preview asks whether it may still be shown.
    if (fType === 1 || above.includes(operateType)) doubt(fType === 1 ? fId : undefined)
    return
  }
  if (fType === 2) {
    // A folder change concerns the files below it, and the client does not know which these are.
    if (above.includes(operateType)) recheckOfflineCopies()
    return
  }
  doubt(fId)
  if (operateType === OperateType.delete) void forgetOfflineCopies(account, [fId])
  else void offlineFiles(account).then((files) => files.some(({ fileId }) => fileId === fId) && recheckOfflineCopies())
}

/** Maintains the offline cache while the user is signed in. */
export function startOfflineCopies(account: number): () => void {
  void forgetOfflineCopiesOfOthers(account)
  recheckOfflineCopies()
  const stops = [
    connectionStore.subscribe((now, before) => {
      if (now.reached && !before.reached) recheckOfflineCopies()
    }),
    // The permissions of the user have changed, or caching was disabled.
    sessionStore.subscribe(({ session }, before) => {
      if (session !== undefined && before.session !== undefined && session !== before.session) recheckOfflineCopies()
    }),
    preferencesStore.subscribe(({ offlineBytes }, before) => {
      if (offlineBytes < before.offlineBytes) void trimOfflineCopies(account, offlineBytes)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
