/*
 * Files that the user has marked as available offline: kept whole with their version, never deleted to make room, and
 * renewed when the server is back and has a later version. The server decides whether a file may be kept; what it does
 * not permit any more is deleted by the offline cache (viewing/offline), which checks all copies.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { create } from 'zustand'
import { api, mainServer } from '../../core/call/api.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { sessionStore } from '../../core/session/session.ts'
import {
  forgetOfflineCopies,
  maxOfflineCopies,
  type OfflineFile,
  offlineFiles,
  storeOfflineCopy,
  updateOfflineFile,
} from '../../core/storage/offline-copies.ts'
import { preferencesStore } from '../../core/storage/preferences.ts'

/** The largest file that is kept. */
export const largestMarked = 100 * 1024 ** 2
/** Of the files that may be kept, some are left for those that were only opened. */
const mostMarked = maxOfflineCopies / 2

export type Marked = Pick<ItemRecord, 'serverId' | 'fId' | 'fName' | 'fileSize'>
/** Why a file was not kept. */
export type KeepRefusal = 'forbidden' | 'tooLarge' | 'tooMany' | 'noRoom'

/** A file that was marked on this device, and is not there any more. */
export interface LostCopy {
  readonly fileId: number
  readonly name: string
  readonly fileSize: number
}

interface MarkedState {
  /** The marked copies, last opened first. */
  readonly files: readonly OfflineFile[]
  /** The current versions that the server told last, where they are later than the copy. */
  readonly outdated: ReadonlySet<number>
  /** What the browser has removed, by the list that the server has of this device. */
  readonly lost: readonly LostCopy[]
  /** Whether the browser has promised not to remove what is kept; undefined until it was asked. */
  readonly isPersistent: boolean | undefined
}

export const markedStore = create<MarkedState>(() => ({
  files: [],
  outdated: new Set(),
  lost: [],
  isPersistent: undefined,
}))

/** Asks the browser not to remove what is kept. It may ask the user, so it is asked once something is to be kept. */
export async function askPersistence(): Promise<void> {
  // Undefined outside secure contexts, in spite of its declared type.
  const storage = navigator.storage as StorageManager | undefined
  const isPersistent = await storage?.persist().catch(() => undefined)
  markedStore.setState({ isPersistent })
}

/** Reads which of the files that were marked on this device are gone. */
export async function readLost(): Promise<void> {
  const account = accountId()
  if (account === undefined) return
  const { list } = await api.getOfflineMarks({}, { quiet: true, probe: true })
  await readMarked()
  const has = new Set(markedStore.getState().files.map(({ fileId }) => fileId))
  if (accountId() === account) markedStore.setState({ lost: list.filter(({ fileId }) => !has.has(fileId)) })
}

/** Tells the server which files this device keeps. A copy that it does not know of is a copy all the same. */
const tellServer = (fileId: number, marked: boolean): Promise<unknown> =>
  api
    .of(mainServer)
    .setOfflineMark({ fileId, marked }, { quiet: true })
    .catch(() => undefined)

/** Takes a file that is gone off the list. */
export async function forgetLost(fileId: number): Promise<void> {
  await tellServer(fileId, false)
  markedStore.setState(({ lost }) => ({ lost: lost.filter((one) => one.fileId !== fileId) }))
}

const accountId = (): number | undefined => sessionStore.getState().session?.account.accountId

/** Reads the list of marked copies again. */
export async function readMarked(): Promise<void> {
  const account = accountId()
  if (account === undefined) return
  const files = await offlineFiles(account)
  if (accountId() === account) markedStore.setState({ files: files.filter(({ marked }) => marked === true) })
}

/** Only files of the main server can be kept: copies are stored by their number there. */
export const canBeMarked = ({ serverId, fType }: Pick<ItemRecord, 'serverId' | 'fType'>): boolean =>
  serverId === mainServer.serverId && fType === 1

/** Keeps a file on this device. Returns why it was not kept. */
export async function keepOffline(file: Marked): Promise<KeepRefusal | undefined> {
  if (file.fileSize > largestMarked) return 'tooLarge'
  await readMarked()
  const { files } = markedStore.getState()
  if (files.length >= mostMarked && !files.some(({ fileId }) => fileId === file.fId)) return 'tooMany'
  const refusal = await fetchCopy(file)
  await readMarked()
  if (refusal !== undefined) return refusal
  await Promise.all([tellServer(file.fId, true), askPersistence()])
  markedStore.setState(({ lost }) => ({ lost: lost.filter(({ fileId }) => fileId !== file.fId) }))
  return undefined
}

async function fetchCopy({ fId: fileId, fName: name, fileSize }: Marked): Promise<KeepRefusal | undefined> {
  const account = accountId()
  if (account === undefined) return 'forbidden'
  const { keep, form, previewKey, url } = await api.of(mainServer).getDocumentPreviewURL({ fileId })
  if (!keep || form === 'office') return 'forbidden'
  const response = await fetch(url)
  if (!response.ok || Number(response.headers.get('content-length')) > largestMarked) {
    await response.body?.cancel()
    return response.ok ? 'tooLarge' : 'forbidden'
  }
  const content = await response.arrayBuffer()
  if (accountId() !== account) return 'forbidden'
  const now = Date.now()
  const version = Number(previewKey.split('-')[1])
  const type = response.headers.get('content-type') ?? ''
  const times = { keptAt: now, seenAt: now, allowedAt: now }
  const kept = { fileId, version, name, fileSize, form, type, size: content.byteLength, ...times, marked: true }
  await storeOfflineCopy(account, kept, content, preferencesStore.getState().offlineBytes)
  const stored = (await offlineFiles(account)).find((one) => one.fileId === fileId)
  return stored?.version === version && stored.marked === true ? undefined : 'noRoom'
}

/** Ends that a file is kept. */
export async function dropOffline(fileId: number): Promise<void> {
  const account = accountId()
  if (account !== undefined) await forgetOfflineCopies(account, [fileId])
  await Promise.all([readMarked(), tellServer(fileId, false)])
}

/** Asks the server for the current versions of the marked files, and fetches the later ones. */
async function renew(): Promise<void> {
  await readMarked()
  const account = accountId()
  const { files } = markedStore.getState()
  if (account === undefined || files.length === 0) return
  const kept = files.map(({ fileId, version }) => ({ fileId, version }))
  const { current } = await api.getKeepableFiles({ kept }, { quiet: true, probe: true })
  const versions = new Map(current.map(({ fileId, version }) => [fileId, version]))
  const later = files.filter(({ fileId, version }) => (versions.get(fileId) ?? version) > version)
  markedStore.setState({ outdated: new Set(later.map(({ fileId }) => fileId)) })
  for (const { fileId, name, fileSize } of later) {
    if ((await fetchCopy({ serverId: mainServer.serverId, fId: fileId, fName: name, fileSize })) === undefined)
      markedStore.setState(({ outdated }) => ({ outdated: new Set([...outdated].filter((id) => id !== fileId)) }))
  }
  for (const fileId of versions.keys()) await updateOfflineFile(account, fileId, { allowedAt: Date.now() })
  const ended = kept.filter(({ fileId }) => !versions.has(fileId)).map(({ fileId }) => fileId)
  if (ended.length > 0) await forgetOfflineCopies(account, ended)
  await readMarked()
}

/** Keeps the marked copies current while the user is signed in. Returns the function that stops it. */
export function followMarked(): () => void {
  const soon = (): void =>
    void renew()
      .catch(() => readMarked())
      .then(readLost)
      .catch(() => undefined)
  soon()
  return connectionStore.subscribe((now, before) => {
    if (now.reached && !before.reached) soon()
  })
}
