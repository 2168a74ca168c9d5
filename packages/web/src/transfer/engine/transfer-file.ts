// One file of an upload, as the engine works with it.
import type { TransferError } from './states.ts'
import type { UploadParams, UploadPolicy } from './task.ts'

export type FileState = 'pending' | 'running' | 'done' | 'error' | 'clash' | 'skipped'

/** One file of an upload. It is stored as the documented entry of an upload ([R197], upload-entry.ts). */
export interface TransferFile {
  readonly taskId: number
  /** Its index in the task. */
  readonly index: number
  readonly name: string
  /** Its path as provided, by which it is found again. */
  readonly path: string
  readonly size: number
  readonly modified: number
  readonly folderId: number
  readonly folderName: string
  readonly conflict: UploadPolicy
  /** What was chosen for the upload. Default: the main server, and no level. */
  readonly params?: Pick<UploadParams, 'serverId' | 'secretLevel' | 'duration' | 'unit'> | undefined
  readonly state: FileState
  readonly sent: number
  readonly error?: TransferError | undefined
  /** It was sent before, with an unknown result. */
  readonly tried?: boolean | undefined
  readonly sha256?: string | undefined
  readonly uploadId?: string | undefined
  readonly fileId?: number | undefined
  readonly instant?: boolean | undefined
  /** For a download: the entity tag of the content of its first bytes. */
  readonly etag?: string | undefined
}
