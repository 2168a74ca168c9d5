// Stores previewed content for reading while the server is unreachable ([R067]), as far as the server permits it.
import { CallError, mainServer, type OnServer } from '../../core/call/api.ts'
import { reachServer } from '../../core/push/connection.ts'
import { sessionStore } from '../../core/session/session.ts'
import {
  forgetOfflineCopies,
  type OfflineCopy,
  offlineFiles,
  readOfflineCopy,
  storeOfflineCopy,
  updateOfflineFile,
} from '../../core/storage/offline-copies.ts'
import { preferencesStore } from '../../core/storage/preferences.ts'
import type { PreviewAddress } from '../rendition/preview-addresses.ts'
import { accessEndedCodes } from './offline-copies.ts'

/** Larger content is not cached, because it would be downloaded a second time in full. */
const largest = 20 * 1024 ** 2

interface Shown extends OnServer {
  readonly fId: number
  readonly fName: string
  readonly fileSize: number
}

const accountId = (): number | undefined => sessionStore.getState().session?.account.accountId
const versionOf = ({ previewKey }: PreviewAddress): number => Number(previewKey.split('-')[1])

const running = new Set<string>()

/**
 * Caches the previewed content once the user has stayed with it; deletes it from the cache if caching is not permitted.
 */
export async function saveOfflineCopy(
  { serverId, fId: fileId, fName: name, fileSize }: Shown,
  address: PreviewAddress,
): Promise<void> {
  const account = accountId()
  const { form, previewKey, url } = address
  // Copies are stored by the number of their file on the main server.
  if (account === undefined || serverId !== mainServer.serverId || running.has(previewKey)) return
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
    // Marked copies are renewed by what keeps them.
    if (known?.marked) return
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
    // It is cached at another time.
  } finally {
    running.delete(previewKey)
  }
}

/**
 * Returns the cached content of a file whose content could not be loaded, if the server is unreachable. If the server
 * refused it, it is deleted from the cache.
 */
export async function offlineCopyInstead(
  { serverId, fId }: Pick<Shown, 'serverId' | 'fId'>,
  error: unknown,
): Promise<OfflineCopy | undefined> {
  const account = accountId()
  if (account === undefined || serverId !== mainServer.serverId) return undefined
  if (error instanceof CallError && accessEndedCodes.includes(error.code)) {
    await forgetOfflineCopies(account, [fId])
    return undefined
  }
  const kept = await readOfflineCopy(account, fId)
  return kept === undefined || (await reachServer()) ? undefined : kept
}
