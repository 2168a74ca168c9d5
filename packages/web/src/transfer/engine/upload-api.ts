// The calls of an upload. Bytes are sent by XMLHttpRequest, because fetch reports no upload progress.
import type { Answer, Envelope, features, Input } from '@cloudoc/contract'
import { codeOf, codes } from '@cloudoc/domain'
import { api, CallError, mainServer, rawRequestHeaders, streamUrl } from '../../core/call/api.ts'
import { renewSession } from '../../core/session/session.ts'
import { TransferFailure } from './states.ts'

type Calls = typeof features.transfer.calls
type Open = Input<Calls['uploadOpen']>

export interface Sending {
  readonly onProgress: (sent: number) => void
  readonly signal: AbortSignal
}

/** The calls that sending a file needs. Each one fails with a TransferFailure. */
export interface UploadApi {
  raw(input: Input<Calls['uploadRaw']>, content: Blob, sending: Sending): Promise<{ fileId: number }>
  open(input: Open, signal: AbortSignal): Promise<Answer<Calls['uploadOpen']>>
  part(uploadId: string, partNumber: number, content: Blob, sending: Sending): Promise<void>
  status(uploadId: string, signal: AbortSignal): Promise<Answer<Calls['uploadStatus']>>
  complete(input: Input<Calls['uploadComplete']>, signal: AbortSignal): Promise<{ fileId: number }>
  abort(uploadId: string): Promise<void>
  /** Returns the id of the file with that name if it has exactly this content. */
  same(folderId: number, name: string, content: Blob, signal: AbortSignal): Promise<number | undefined>
}

/** Milliseconds without progress after which an upload request counts as lost. */
const stalledMs = 60_000
/** Status codes of a proxy whose server is unavailable. */
const away: readonly number[] = [502, 503, 504]

/** Converts the errors of calls into transfer errors. */
export async function withTransferFailures<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    throw new TransferFailure(error.code === 'http' && away.includes(error.number) ? 'network' : error.code)
  }
}

interface Sent {
  readonly status: number
  readonly envelope: Envelope<unknown> | undefined
}

function put(url: string, content: Blob, { onProgress, signal }: Sending): Promise<Sent> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new TransferFailure('withdrawn'))
    const request = new XMLHttpRequest()
    let stalled: ReturnType<typeof setTimeout> | undefined
    const abort = (): void => request.abort()
    const moves = (): void => {
      clearTimeout(stalled)
      stalled = setTimeout(abort, stalledMs)
    }
    const end = (): void => {
      clearTimeout(stalled)
      signal.removeEventListener('abort', abort)
    }
    const lost = async (): Promise<void> => {
      end()
      reject(new TransferFailure((await isReadable(content)) ? 'network' : 'fileChanged'))
    }
    request.open('PUT', url)
    for (const [header, value] of Object.entries(rawRequestHeaders())) request.setRequestHeader(header, value)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded }) => {
      moves()
      onProgress(loaded)
    }
    request.onload = () => {
      end()
      // A server that is shutting down sends its own error body.
      const answer = request.response as Partial<Envelope<unknown>> | null
      const isOurs = typeof answer?.result === 'number'
      resolve({ status: request.status, envelope: isOurs ? (answer as Envelope<unknown>) : undefined })
    }
    request.onerror = () => void lost()
    request.onabort = () => {
      end()
      reject(new TransferFailure(signal.aborted ? 'withdrawn' : 'network'))
    }
    signal.addEventListener('abort', abort, { once: true })
    moves()
    request.send(content)
  })
}

/**
 * Whether a file can still be read. A file that was changed or deleted on disk cannot; the browser reports this as a
 * network error.
 */
async function isReadable(content: Blob): Promise<boolean> {
  try {
    await content.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}

/** Sends a content and returns the answer. */
export async function send<T>(url: string, content: Blob, sending: Sending): Promise<T> {
  for (;;) {
    const { status, envelope } = await put(url, content, sending)
    const result = envelope?.result
    if (result === codes.success.code) return envelope?.data as T
    if (result === codes.notLoggedIn.code || status === 401 || status === 266) {
      if (await renewSession()) continue
      throw new TransferFailure('notLoggedIn')
    }
    if (envelope === undefined) throw new TransferFailure(away.includes(status) ? 'network' : 'http')
    throw new TransferFailure(codeOf(envelope.result) ?? 'unknown', envelope.msg)
  }
}

const quiet = { quiet: true } as const

/** The production implementation of the calls. */
export const uploadApi: UploadApi = {
  raw: ({ folderId, fileName, conflict = 'refuse', lastModified }, content, sending) => {
    const query = new URLSearchParams({ folderId: String(folderId), fileName, conflict })
    if (lastModified !== undefined) query.set('lastModified', String(lastModified))
    return send(`/services2/upload/raw?${query}`, content, sending)
  },
  open: (input, signal) => withTransferFailures(api.of(mainServer).uploadOpen(input, { ...quiet, signal })),
  part: (uploadId, partNumber, content, sending) =>
    send(`/services2/upload/part/${uploadId}/${partNumber}`, content, sending),
  status: (uploadId, signal) => withTransferFailures(api.uploadStatus({ uploadId }, { ...quiet, signal })),
  complete: (input, signal) => withTransferFailures(api.uploadComplete(input, { ...quiet, signal })),
  abort: async (uploadId) => void (await withTransferFailures(api.uploadAbort({ uploadId }, quiet))),
  async same(folderId, name, content, signal) {
    const options = { ...quiet, signal }
    const [found] = await withTransferFailures(
      api.of(mainServer).checkFileExist({ folderId, fileNames: [name] }, options),
    )
    if (found === undefined || found.fType !== 1 || found.fileSize !== content.size) return undefined
    try {
      const { ticket } = await api.of(mainServer).createDownloadTicket({ fileIdArray: [found.fId] }, options)
      const answer = await fetch(streamUrl('downloadServlet', { fileId: found.fId }, mainServer, ticket), { signal })
      if (!answer.ok) return undefined
      const [theirs, ours] = await Promise.all([answer.arrayBuffer(), content.arrayBuffer()])
      return isSame(new Uint8Array(theirs), new Uint8Array(ours)) ? found.fId : undefined
    } catch (error) {
      // If the user may not read the existing file, the name counts as taken.
      if (error instanceof CallError && error.code !== 'network' && error.code !== 'timeout') return undefined
      throw new TransferFailure(signal.aborted ? 'withdrawn' : 'network')
    }
  },
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, n) => byte === b[n])
}
