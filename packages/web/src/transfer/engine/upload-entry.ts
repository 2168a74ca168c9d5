/*
 * The entry of a file in the stored list of an upload, with the documented fields ([R197]). The engine works with
 * `TransferFile`; the store converts (X30).
 */
import { limits } from '@cloudoc/domain'
import type { FileState, TransferFile } from './transfer-file.ts'

/** The stored number of a state is its place here: an entry starts with 0. */
const states: readonly FileState[] = ['pending', 'running', 'done', 'error', 'clash', 'skipped']

type OwnFields = 'conflict' | 'sent' | 'error' | 'tried' | 'sha256' | 'uploadId' | 'fileId' | 'instant' | 'etag'

export interface UploadEntry extends Pick<TransferFile, 'taskId' | 'index' | 'folderId' | OwnFields> {
  readonly file: Pick<TransferFile, 'name' | 'path' | 'size' | 'modified'>
  readonly state: number
  readonly secretLevel: number
  readonly duration: number
  readonly unit: number
  readonly serverId: number
  readonly folderInfo: { readonly serverId: number; readonly fId: number; readonly fName: string }
  readonly progress: number
  readonly speed: number
}

export function entryOf(transferred: TransferFile): UploadEntry {
  const { name, path, size, modified, folderName, state, params, ...rest } = transferred
  const { serverId = 0, secretLevel = 0, duration = 0, unit = 0 } = params ?? {}
  const sent = state === 'done' ? size : Math.min(rest.sent, size)
  return {
    ...rest,
    file: { name, path, size, modified },
    state: states.indexOf(state),
    ...{ serverId, secretLevel, duration, unit },
    folderInfo: { serverId, fId: rest.folderId, fName: folderName },
    progress:
      state === 'done' ? limits.progressComplete : Math.floor((sent / Math.max(1, size)) * limits.progressComplete),
    speed: 0,
  }
}

/** Reads an entry; entries of older clients are stored as `TransferFile`. */
export function fileOf(entry: UploadEntry | TransferFile): TransferFile {
  if (!('file' in entry)) return entry
  const { file, state, folderInfo, serverId, secretLevel, duration, unit, progress: _, speed: __, ...rest } = entry
  const params = { serverId, secretLevel, duration, unit }
  return { ...rest, ...file, folderName: folderInfo.fName, state: states[state] ?? 'pending', params }
}
