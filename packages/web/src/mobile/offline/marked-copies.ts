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

type Marked = Pick<ItemRecord, 'serverId' | 'fId' | 'fName' | 'fileSize'>
/** Why a file was not kept. */
export type KeepRefusal = 'forbidden' | 'tooLarge' | 'tooMany' | 'noRoom'

interface MarkedState {
  /** The marked copies, last opened first. */
  readonly files: readonly OfflineFile[]
  /** The current versions that the server told last, where they are later than the copy. */
  readonly outdated: ReadonlySet<number>
}

export const markedStore = create<MarkedState>(() => ({ files: [], outdated: new Set() }))

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
  return refusal
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
  await readMarked()
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
  const soon = (): void => void renew().catch(() => readMarked())
  soon()
  return connectionStore.subscribe((now, before) => {
    if (now.reached && !before.reached) soon()
  })
}
