/*
 * Keeps what somebody looks at, where the server lets it be kept, to be read while it is away ([R067]); and forgets what the
 * server lets it no longer. It is asked of all of them at once: when the page begins, when the server is back, and when
 * something was told of rights or places.
 */
import type { ItemChange } from '@cloudoc/contract'
import { OperateType } from '@cloudoc/domain'
import { api, CallError } from '../../core/call/api.ts'
import { createBatcher } from '../../core/page/batcher.ts'
import { connectionStore, reachServer } from '../../core/push/connection.ts'
import { sessionStore } from '../../core/session/session.ts'
import {
  forgetOfflineCopies,
  forgetOfflineCopiesOfOthers,
  type OfflineCopy,
  offlineFiles,
  readOfflineCopy,
  storeOfflineCopy,
  trimOfflineCopies,
  updateOfflineFile,
} from '../../core/storage/offline-copies.ts'
import { preferencesStore } from '../../core/storage/preferences.ts'
import type { PreviewAddress } from '../rendition/preview-addresses.ts'

/** What is larger is not fetched a second time, whole, only to be kept. */
const largest = 20 * 1024 ** 2
/** Refusals that say that a file is not theirs to read any more. */
export const accessEndedCodes: readonly string[] = [
  'notFound',
  'noPermission',
  'secretLevel',
  'virusFile',
  'versionMissing',
]
/** Pages that were told of one change ask one after another. */
const spreadMs = 3000

interface Shown {
  readonly fId: number
  readonly fName: string
  readonly fileSize: number
}

const accountId = (): number | undefined => sessionStore.getState().session?.account.accountId
const versionOf = ({ previewKey }: PreviewAddress): number => Number(previewKey.split('-')[1])

const running = new Set<string>()

/** Keeps what shows a file, once somebody has stayed with it; one that may not be kept is forgotten. */
export async function saveOfflineCopy(
  { fId: fileId, fName: name, fileSize }: Shown,
  address: PreviewAddress,
): Promise<void> {
  const account = accountId()
  const { form, previewKey, url } = address
  if (account === undefined || running.has(previewKey)) return
  if (!address.keep || form === 'office') return forgetOfflineCopies(account, [fileId])
  const { offlineBytes } = preferencesStore.getState()
  const version = versionOf(address)
  running.add(previewKey)
  try {
    const now = Date.now()
    const known = (await offlineFiles(account)).find((file) => file.fileId === fileId)
    if (known?.version === version && known.form === form)
      return await updateOfflineFile(account, fileId, { name, seenAt: now, allowedAt: now })
    const most = Math.min(largest, offlineBytes / 4)
    if (fileSize > most) return await forgetOfflineCopies(account, [fileId])
    const response = await fetch(url)
    if (!response.ok || Number(response.headers.get('content-length')) > most) return await response.body?.cancel()
    const content = await response.arrayBuffer()
    if (content.byteLength > most || accountId() !== account) return
    const type = response.headers.get('content-type') ?? ''
    const size = content.byteLength
    const times = { keptAt: now, seenAt: now, allowedAt: now }
    await storeOfflineCopy(
      account,
      { fileId, version, name, fileSize, form, type, size, ...times },
      content,
      offlineBytes,
    )
  } catch {
    // It is read another time.
  } finally {
    running.delete(previewKey)
  }
}

/**
 * What is kept of a file whose content has not come, if that is because the server is away. What the server refuses is
 * forgotten.
 */
export async function offlineCopyInstead(
  { fId }: Pick<Shown, 'fId'>,
  error: unknown,
): Promise<OfflineCopy | undefined> {
  const account = accountId()
  if (account === undefined) return undefined
  if (error instanceof CallError && accessEndedCodes.includes(error.code)) {
    await forgetOfflineCopies(account, [fId])
    return undefined
  }
  const kept = await readOfflineCopy(account, fId)
  return kept === undefined || (await reachServer()) ? undefined : kept
}

/** Asks the server what may be kept on, and forgets the rest. */
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
    // Refused as a whole where nothing of it may be seen any more.
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

/** Hears of what may have ended the right to look at a file; undefined: at any. */
export function onAccessDoubt(doubted: Doubted): () => void {
  shown.add(doubted)
  return () => shown.delete(doubted)
}
const doubt: Doubted = (fileId) => {
  for (const doubted of shown) doubted(fileId)
}

/** Asks again, as something has been told that may have ended a right. */
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
/** What happens to a file that does not end what is kept of it. */
const harmless: readonly number[] = [OperateType.download, OperateType.add, OperateType.copy]

/** Something has changed: which files it may concern. */
export function offlineCopiesChanged({
  fId,
  fType,
  operateType,
}: Pick<ItemChange, 'fId' | 'fType' | 'operateType'>): void {
  const account = accountId()
  if (account === undefined || harmless.includes(operateType)) return
  if (fType === 2) {
    // Whatever lies below it, and nobody here knows what does.
    if (above.includes(operateType)) recheckOfflineCopies()
    return
  }
  doubt(fId)
  if (operateType === OperateType.delete) void forgetOfflineCopies(account, [fId])
  else void offlineFiles(account).then((files) => files.some(({ fileId }) => fileId === fId) && recheckOfflineCopies())
}

/** Looks after what is kept while somebody is signed in. */
export function startOfflineCopies(account: number): () => void {
  void forgetOfflineCopiesOfOthers(account)
  recheckOfflineCopies()
  const stops = [
    connectionStore.subscribe((now, before) => {
      if (now.reached && !before.reached) recheckOfflineCopies()
    }),
    // The person may do other things now, or the company keeps nothing any more.
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
