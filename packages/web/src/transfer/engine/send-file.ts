/*
 * Sends one file to the server. After an interruption at any point, a restart stores the file exactly once and
 * complete:
 *
 * - small: one request. If an earlier request may have succeeded, and the file with the taken name has exactly these bytes, it is that file.
 * - large: the hash, then an upload in parts ([R197], [R398]). The state on the server is requested first, only missing parts are sent, and completing twice creates one version. A content that the user may already read is proved instead of sent (docs/adr/0011).
 */
import type { Hasher } from './hasher.ts'
import { TransferFailure } from './states.ts'
import type { TransferFile } from './store.ts'
import type { UploadParams } from './task.ts'
import type { UploadApi } from './upload-api.ts'

/** The size in bytes from which a file is hashed and sent in parts. */
export const largeFrom = 1024 * 1024
/** The number of concurrent parts of one file. */
const partsAtOnce = 2

export type Phase = 'checking' | 'sending' | 'saving'

export interface SendTools {
  readonly wire: UploadApi
  readonly hasher: Hasher
  readonly signal: AbortSignal
  readonly onPhase: (phase: Phase) => void
  /** Reports the number of bytes that are sent or being sent. */
  readonly onProgress: (sent: number) => void
  /** Stores the known state of the file for a resumption. */
  readonly record: (known: Pick<TransferFile, 'sha256' | 'uploadId' | 'tried'>) => Promise<void>
}

export interface Arrived {
  readonly fileId: number
  readonly instant: boolean
}

/** Sends or resumes one file. Fails with a TransferFailure. */
export async function sendFile(
  file: TransferFile,
  content: File,
  params: UploadParams,
  tools: SendTools,
): Promise<Arrived> {
  return isSmall(file, params) ? sendWhole(file, content, tools) : sendParts(file, content, params, tools)
}

/** Whether a file is sent in one request. */
export function isSmall({ size, conflict }: TransferFile, { secretLevel }: UploadParams): boolean {
  return size < largeFrom && conflict === 'refuse' && secretLevel === 0
}

async function sendWhole(
  { folderId, name, modified, tried = false }: TransferFile,
  content: File,
  { wire, signal, onPhase, onProgress, record }: SendTools,
): Promise<Arrived> {
  onPhase('sending')
  void record({ tried: true })
  try {
    const input = { folderId, fileName: name, conflict: 'refuse' as const, ...diskTimeOf(modified) }
    const { fileId } = await wire.raw(input, content, { onProgress, signal })
    return { fileId, instant: false }
  } catch (error) {
    const isTaken = error instanceof TransferFailure && error.code === 'alreadyExists'
    const fileId = isTaken && tried ? await wire.same(folderId, name, content, signal) : undefined
    if (fileId === undefined) throw error
    return { fileId, instant: false }
  }
}

async function sendParts(file: TransferFile, content: File, params: UploadParams, tools: SendTools): Promise<Arrived> {
  const { wire, signal, onPhase, onProgress, record } = tools
  const sha256 = file.sha256 ?? (await hashOf(content, tools))
  if (sha256 !== file.sha256) await record({ sha256 })

  const begun = file.uploadId === undefined ? undefined : await stateOf(file.uploadId, tools)
  if (begun?.fileId !== undefined) return { fileId: begun.fileId, instant: false }
  const upload = begun ?? (await open({ file, content, params, sha256 }, tools))
  if (upload.fileId !== undefined) return { fileId: upload.fileId, instant: true }

  const { uploadId, partSize } = upload
  const count = Math.ceil(content.size / partSize)
  for (let held = new Set(upload.parts); ; held = new Set((await wire.status(uploadId, signal)).parts)) {
    onPhase('sending')
    await sendMissing({ uploadId, content, partSize, held }, tools)
    onPhase('saving')
    onProgress(content.size)
    try {
      const { fileId } = await wire.complete({ uploadId, fileName: file.name, conflict: file.conflict }, signal)
      return { fileId, instant: false }
    } catch (error) {
      if (!(error instanceof TransferFailure)) throw error
      // The server does not have a part that was assumed to be there: request the state again.
      if (error.code === 'uploadNotFinished' && count > 0) continue
      // The assembled bytes do not match the hash: the file was changed during the upload.
      if (error.code === 'uploadInterrupted') {
        await record({ uploadId: undefined, sha256: undefined })
        throw new TransferFailure('fileChanged')
      }
      throw error
    }
  }
}

/** Returns the modification time of the file on the user's disk. None if it is before 1970. */
function diskTimeOf(modified: number): { readonly lastModified?: number } {
  return modified >= 0 ? { lastModified: Math.floor(modified) } : {}
}

/** Without a worker, the file is sent without its hash. */
async function hashOf(content: File, { hasher, signal, onPhase }: SendTools): Promise<string | undefined> {
  if (content.size < largeFrom) return undefined
  onPhase('checking')
  try {
    return await hasher.hash(content, () => undefined, signal)
  } catch (error) {
    if (error instanceof TransferFailure && error.code === 'http') return undefined
    throw error
  }
}

interface StartedUpload {
  readonly uploadId: string
  readonly partSize: number
  readonly parts: readonly number[]
  readonly fileId?: number | undefined
}

/** Returns the state of an upload on the server. Undefined if the server no longer knows it. */
async function stateOf(uploadId: string, { wire, signal }: SendTools): Promise<StartedUpload | undefined> {
  try {
    return { uploadId, ...(await wire.status(uploadId, signal)) }
  } catch (error) {
    if (error instanceof TransferFailure && error.code === 'notFound') return undefined
    throw error
  }
}

interface Opened {
  readonly file: TransferFile
  readonly content: File
  readonly params: UploadParams
  readonly sha256: string | undefined
}

async function open(
  { file, content, params, sha256 }: Opened,
  { wire, hasher, signal, record }: SendTools,
): Promise<StartedUpload> {
  const { folderId, name, conflict, modified } = file
  const { secretLevel, duration, unit } = params
  const input = {
    folderId,
    fileName: name,
    fileSize: content.size,
    conflict,
    secretLevel,
    duration,
    unit,
    ...diskTimeOf(modified),
    ...(sha256 !== undefined && { sha256 }),
  }
  const { uploadId, partSize, challenge } = await wire.open(input, signal)
  // From now on the upload can be resumed.
  await record({ uploadId })
  if (challenge !== undefined) {
    const proof = await hasher.proof(content, challenge, signal)
    // The file was changed after it was hashed, so the proof does not match. The parts are sent, and the server detects
    // the change.
    const proved = await wire.open({ ...input, uploadId, proof }, signal).catch((error: unknown) => {
      if (error instanceof TransferFailure && error.code === 'uploadInterrupted') return undefined
      throw error
    })
    if (proved?.done === true) return { uploadId, partSize, parts: [], fileId: proved.fileId }
  }
  return { uploadId, partSize, parts: [] }
}

interface InParts {
  readonly uploadId: string
  readonly content: File
  readonly partSize: number
  /** The parts that the server has. */
  readonly held: ReadonlySet<number>
}

async function sendMissing(parts: InParts, { wire, signal, onProgress }: SendTools): Promise<void> {
  const { uploadId, content, partSize, held } = parts
  const sizeOf = (number: number): number => Math.min(partSize, content.size - (number - 1) * partSize)
  const numbers = Array.from({ length: Math.ceil(content.size / partSize) }, (_, n) => n + 1)
  const missing = numbers.filter((number) => !held.has(number))
  const sent = new Map(numbers.map((number) => [number, held.has(number) ? sizeOf(number) : 0]))
  const tell = (number: number, bytes: number): void => {
    sent.set(number, Math.min(bytes, sizeOf(number)))
    let sum = 0
    for (const one of sent.values()) sum += one
    onProgress(sum)
  }
  // A failure of one part aborts the others.
  const abort = new AbortController()
  const withdraw = (): void => abort.abort()
  signal.addEventListener('abort', withdraw, { once: true })
  if (signal.aborted) withdraw()
  const sender = async (): Promise<void> => {
    for (let number = missing.shift(); number !== undefined; number = missing.shift()) {
      const part = number
      const from = (part - 1) * partSize
      const onPart = (bytes: number): void => tell(part, bytes)
      const bytes = content.slice(from, from + sizeOf(part))
      await wire.part(uploadId, part, bytes, { onProgress: onPart, signal: abort.signal })
      tell(part, sizeOf(part))
    }
  }
  try {
    await Promise.all(Array.from({ length: partsAtOnce }, () => sender().catch(stopOthers)))
  } finally {
    signal.removeEventListener('abort', withdraw)
  }

  function stopOthers(error: unknown): never {
    missing.length = 0
    withdraw()
    throw error
  }
}
