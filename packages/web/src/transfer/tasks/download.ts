/*
 * Downloads ([R192], docs/adr/0089). The page fetches them itself, so that they have progress, can be paused and
 * resumed, and are complete only when their last byte is written. Small downloads are staged in the browser's storage
 * and handed out as a whole. For a large download, the user chooses a target file if the browser supports that. What
 * this browser cannot store is downloaded by the browser itself, and the record of the transfer notes that.
 */

import { encryptedExt, hasRight, type NameEncoding, rights } from '@cloudoc/domain'
import { api, CallError, type OnServer, streamUrl } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { groupBy } from '../../core/page/group-by.ts'
import { sessionStore } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { type ItemRef, idArrays } from '../../items/item/item.ts'
import { isDownloadEncrypted } from '../../items/link-files/encrypted.ts'
import { maxStagedBytes } from '../engine/download-target.ts'
import { defaultUploadParams, type NewTask } from '../engine/task.ts'
import { startBrowserDownload } from './browser-download.ts'
import { transfers } from './transfers.ts'

/** The fields of an item that a download needs. */
export type Downloadable = ItemRef & {
  readonly fName?: string
  readonly fileSize?: number
  readonly docFlag?: number
  readonly rights?: number
}

/** The size in bytes from which the user chooses the target file: a staged file temporarily uses its space twice. */
const chosenFrom = 64 * 1024 * 1024

/** Downloads the items: a single file as it is, several items or a folder as a zip. */
export function download(items: readonly Downloadable[]): Promise<void> {
  const [first] = items
  if (items.length === 1 && first?.fType === 1) {
    return begin(items, streamUrl('downloadServlet', { fileId: first.fId }, first), first.fileSize)
  }
  // The same rule as on the server: some items are restricted, the user may not change all of them, and the server adds
  // watermarks ([R281]).
  const restricted = items.filter(({ docFlag = 0 }) => (docFlag & 1) !== 0).length
  const mayChangeAll = items.every(({ rights: own = 0 }) => hasRight(rights(own), 'modify'))
  const gives = sessionStore.getState().session?.setting.download_watermark === true
  if (restricted > 0 && !mayChangeAll && gives)
    toast({ text: t('drive.transfer.packedMarked', { n: restricted }), durationMs: 6000, key: 'packedMarked' })
  return beginEach(items, (some, on) => streamUrl('downloadMultiFile', { files: some.map(nameOf).join(',') }, on))
}

/** Downloads a version of a file. */
export function downloadVersion(item: Downloadable, version: number): Promise<void> {
  return begin([item], streamUrl('downloadServlet', { fileId: item.fId, version }, item), item.fileSize)
}

/** Downloads one file out of an archive. */
export function downloadEntry(
  archive: { readonly serverId: number; readonly fId: number; readonly version?: number },
  { path, size, names }: { readonly path: string; readonly size: number; readonly names?: NameEncoding | undefined },
): Promise<void> {
  const { serverId, fId: fileId, version } = archive
  const input = { fileId, path, ...(version !== undefined && { version }), ...(names !== undefined && { names }) }
  const entry = {
    serverId,
    fType: 1,
    fId: fileId,
    fName: path.slice(path.lastIndexOf('/') + 1),
    fileSize: size,
  } as const
  return begin([entry], streamUrl('downloadArchiveEntry', input, archive), size)
}

/** Downloads a PDF with reduced images ([R203]). The server determines the reduction. */
export function downloadCompressed(item: Downloadable): Promise<void> {
  return begin([item], streamUrl('downloadCompression', { fileId: item.fId }, item))
}

/** Downloads a copy of a restricted document with a watermark ([R146]). */
export function downloadMarked(item: Downloadable): Promise<void> {
  return begin([item], streamUrl('downloadWatermark', { fileId: item.fId }, item))
}

/** Exports whole folders for their owner or manager ([R128]). */
export function exportFolders(folders: readonly Downloadable[]): Promise<void> {
  return beginEach(folders, (some, on) => streamUrl('exportFolder2', { ids: some.map(({ fId }) => fId).join(',') }, on))
}

/** Starts one download for each server that holds some of the items. */
async function beginEach(
  items: readonly Downloadable[],
  addressOf: (some: readonly Downloadable[], on: OnServer) => string,
): Promise<void> {
  const groups = groupBy(items, (item) => item.serverId)
  for (const [serverId, some] of groups) await begin(some, addressOf(some, { serverId }))
}

/** Starts the download of what is at an address, as one task of these items. */
export async function begin(items: readonly Downloadable[], address: string, size = 0): Promise<void> {
  // For a link, the target is downloaded.
  const [first] = items
  const ids = idArrays(items.map(({ serverId, fType, fId }) => ({ serverId, fType, fId })))
  const source = { ...(first?.serverId && { serverId: first.serverId }), address, ...ids }
  const name = first?.fName ?? ''
  const task: NewTask = {
    description: items.length > 1 ? t('drive.transfer.files', { name, n: items.length }) : name,
    totalSize: size,
    type: 'download',
    folderId: 0,
    cloudPath: '',
    totalFileCount: 1,
    firstName: name,
    isFolder: items.length === 1 && first?.fType === 2,
    params: defaultUploadParams,
    source,
  }
  try {
    if (await isUsedUp(name, items.length, size)) return
    const isEncrypted = isDownloadEncrypted(items)
    if (isEncrypted) toast({ text: t('drive.transfer.encrypted'), durationMs: 6000, key: 'encrypted' })
    const way = size < chosenFrom ? 'staged' : await choosePlace(isEncrypted ? `${name}.${encryptedExt}` : name, size)
    if (way === undefined) return
    if (way === 'browser') {
      await startBrowserDownload(source)
      await transfers.addHandedOver(task)
    } else if (way === 'staged') await transfers.addDownload(task, name)
    else await transfers.addDownload({ ...task, localPath: way.name }, name, way)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    notifyFailure(error)
  }
}

/**
 * Whether the daily download quota is used up. The user is informed before the download starts ([R284]). The server
 * decides.
 */
async function isUsedUp(name: string, items: number, size: number): Promise<boolean> {
  const today = await api.getDownloadToday({}, { quiet: true }).catch(() => undefined)
  if (today === undefined || today.limit === 0 || today.count < today.limit) return false
  const { count, limit, until } = today
  await openWindow('cloudoc-download-limit', { count, limit, until, name, items, size })
  return true
}

type Picker = (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>

/** Asks for the target file of a large download. Undefined if the user cancels. */
async function choosePlace(
  suggestedName: string,
  size: number,
): Promise<FileSystemFileHandle | 'staged' | 'browser' | undefined> {
  const { showSaveFilePicker: pick } = window as { showSaveFilePicker?: Picker }
  const otherwise = size > maxStagedBytes ? 'browser' : 'staged'
  if (pick === undefined) return otherwise
  try {
    return await pick.call(window, { suggestedName })
  } catch (error) {
    // The file dialog was not shown, because of a policy or because the click is too long ago.
    return error instanceof DOMException && error.name === 'AbortError' ? undefined : otherwise
  }
}

/** Returns an item in the notation of the zip item list ([R202]). */
function nameOf({ fType, fId }: ItemRef): string {
  return `${fType === 1 ? 'fi' : 'fo'}_${fId}`
}
