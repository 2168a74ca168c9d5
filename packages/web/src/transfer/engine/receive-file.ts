/*
 * Receives one download ([R192]). If the content is unchanged, the earlier bytes are reused (Range with If-Range).
 * Otherwise the download starts again. It is complete only when the last byte is written. Contents that the server
 * generates for each answer (a zip or a compressed PDF) have no length and cannot be resumed.
 */
import type { DownloadTarget } from './download-target.ts'
import { TransferFailure } from './states.ts'
import type { TransferFile } from './store.ts'

/** The parameters of a range request after the first bytes. */
export interface ResumePoint {
  readonly from: number
  readonly etag: string
}

/** An answer that is being read. */
export interface Incoming {
  /** The start offset: 0 if the content has changed. */
  readonly from: number
  readonly total: number | undefined
  readonly etag: string | undefined
  readonly name: string | undefined
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>
}

/** Requests a download. Fails with a TransferFailure. */
export type Fetch = (address: string, goOn: ResumePoint | undefined, signal: AbortSignal) => Promise<Incoming>

export interface ReceiveTools {
  readonly fetch: Fetch
  readonly target: DownloadTarget
  readonly signal: AbortSignal
  /** Reports the start offset and the total size, 0 if unknown. */
  readonly onBegin: (from: number, total: number) => void
  readonly onProgress: (received: number) => void
  readonly record: (known: Pick<TransferFile, 'etag'>) => Promise<void>
  /** Whether the task was removed and is not going to be resumed. */
  readonly isGone: () => boolean
}

/** Receives or resumes one download. Returns its size in bytes. */
export async function receiveFile(file: TransferFile, address: string, tools: ReceiveTools): Promise<number> {
  const { fetch, target, signal, onBegin, onProgress, record, isGone } = tools
  // The target is opened first: if it cannot be written, no request is sent.
  const there = await target.size()
  const { etag } = file
  const goOn = there > 0 && etag !== undefined ? { from: there, etag } : undefined
  const answer = await fetch(address, goOn, signal)
  if (answer.etag !== etag) await record({ etag: answer.etag })
  onBegin(answer.from, answer.total ?? 0)
  let at = answer.from
  const writer = await target.writeFrom(at)
  try {
    for await (const chunk of answer.chunks) {
      await writer.write(chunk)
      at += chunk.length
      onProgress(at)
    }
    // Fewer bytes than announced mean a lost connection, whichever side closed it.
    if (signal.aborted) throw new TransferFailure('withdrawn')
    if (answer.total !== undefined && at !== answer.total) throw new TransferFailure('network')
  } catch (error) {
    const keeps = answer.etag !== undefined && !isGone()
    await (keeps ? writer.keep() : writer.drop()).catch(() => undefined)
    throw error
  }
  await writer.finish(answer.name ?? file.name)
  return at
}
