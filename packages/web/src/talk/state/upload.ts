// Uploads files for conversations through the transfer engine: large ones in parts, which go on after an interruption.
import { api, mainServer, requestOf } from '../../core/call/api.ts'
import { createHasher } from '../../transfer/engine/hasher.ts'
import { sendFile } from '../../transfer/engine/send-file.ts'
import { TransferFailure } from '../../transfer/engine/states.ts'
import type { TransferFile } from '../../transfer/engine/store.ts'
import type { UploadParams } from '../../transfer/engine/task.ts'
import { send, type UploadApi, withTransferFailures } from '../../transfer/engine/upload-api.ts'

/** What is known of an upload that was interrupted. */
export interface KnownUpload {
  readonly sha256?: string | undefined
  readonly uploadId?: string | undefined
}

export interface ChatUpload {
  readonly conversationId: number
  readonly content: File
  /** The server removes its metadata. */
  readonly picture: boolean
  readonly width?: number
  readonly height?: number
}

const params: UploadParams = { serverId: 0, secretLevel: 0, duration: 0, unit: 0, uploadType: 'Button' }
/** Waits between tries after the connection was lost. */
const retriesMs = [1000, 3000, 8000]
let hasher: ReturnType<typeof createHasher> | undefined

/** The calls of an upload into a conversation, as the transfer engine uses them. */
function wireTo({ conversationId, picture, width, height }: ChatUpload): UploadApi {
  const kind = { picture, ...(width !== undefined && height !== undefined && { width, height }) }
  const quiet = { quiet: true } as const
  return {
    raw: ({ fileName }, content, sending) =>
      send(requestOf('imUpload', { conversationId, fileName, ...kind }).url, content, sending),
    open: ({ fileName, fileSize, sha256 }, signal) => {
      const input = { conversationId, fileName, fileSize, ...kind, ...(sha256 !== undefined && { sha256 }) }
      return withTransferFailures(api.of(mainServer).imUploadOpen(input, { ...quiet, signal }))
    },
    part: (uploadId, partNumber, content, sending) =>
      send(requestOf('imUploadPart', { conversationId, uploadId, partNumber }).url, content, sending),
    async status(uploadId, signal) {
      const known = await withTransferFailures(
        api.of(mainServer).imUploadStatus({ conversationId, uploadId }, { ...quiet, signal }),
      )
      return { ...known, expiresAt: 0, fileSize: 0 }
    },
    async complete({ uploadId }, signal) {
      return withTransferFailures(
        api.of(mainServer).imUploadComplete({ conversationId, uploadId }, { ...quiet, signal }),
      )
    },
    abort: (uploadId) =>
      withTransferFailures(api.of(mainServer).imUploadAbort({ conversationId, uploadId }, quiet)).then(() => undefined),
    same: () => Promise.resolve(undefined),
  }
}

/**
 * Uploads a file and returns its id. What `record` was told is given again as `begun` to go on after an interruption.
 * Fails with a TransferFailure.
 */
export async function uploadToChat(
  upload: ChatUpload,
  begun: KnownUpload,
  {
    onProgress,
    signal,
    record,
  }: {
    readonly onProgress: (sent: number) => void
    readonly signal: AbortSignal
    readonly record: (known: KnownUpload) => void
  },
): Promise<number> {
  const { conversationId, content } = upload
  hasher ??= createHasher()
  let known = begun
  for (let n = 0; ; n += 1) {
    const file: TransferFile = {
      ...{ taskId: 0, index: 0, name: content.name, path: content.name, size: content.size },
      ...{ modified: content.lastModified, folderId: conversationId, folderName: '', conflict: 'refuse' },
      ...{ state: 'pending', sent: 0, sha256: known.sha256, uploadId: known.uploadId },
    }
    try {
      const { fileId } = await sendFile(file, content, params, {
        wire: wireTo(upload),
        hasher,
        signal,
        onPhase: () => undefined,
        onProgress,
        record: (fresh) => {
          known = { ...known, ...fresh }
          record(known)
          return Promise.resolve()
        },
      })
      return fileId
    } catch (error) {
      const wait = retriesMs[n]
      if (!(error instanceof TransferFailure) || error.code !== 'network' || wait === undefined) throw error
      await pause(wait, signal)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(new TransferFailure('withdrawn'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
