/*
 * How one download gets to the disk ([R192]): what was written before is gone on with where the content is still the same
 * (Range with If-Range), anything else begins again; it has arrived when the last byte has been written, and no earlier.
 * What the server makes anew for each answer, a zip or a smaller PDF, has neither a length nor a way to go on.
 */
import type { DownloadTarget } from './download-target.ts'
import { TransferFailure } from './states.ts'
import type { TransferFile } from './store.ts'

/** What is asked for behind the first bytes. */
export interface ResumePoint {
  readonly from: number
  readonly etag: string
}

/** An answer that is being read. */
export interface Incoming {
  /** Where it begins: 0 where the content is another one by now. */
  readonly from: number
  readonly total: number | undefined
  readonly etag: string | undefined
  readonly name: string | undefined
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>
}

/** Asks for a download; fails with a TransferFailure. */
export type Fetch = (address: string, goOn: ResumePoint | undefined, signal: AbortSignal) => Promise<Incoming>

export interface ReceiveTools {
  readonly fetch: Fetch
  readonly target: DownloadTarget
  readonly signal: AbortSignal
  /** Where it begins, and of how many bytes it is, 0 where nobody knows. */
  readonly onBegin: (from: number, total: number) => void
  readonly onProgress: (received: number) => void
  readonly record: (known: Pick<TransferFile, 'etag'>) => Promise<void>
  /** Nobody goes on with it. */
  readonly isGone: () => boolean
}

/** Receives one download or goes on with it; answers its bytes. */
export async function receiveFile(file: TransferFile, address: string, tools: ReceiveTools): Promise<number> {
  const { fetch, target, signal, onBegin, onProgress, record, isGone } = tools
  // The place first: where it may not be written nothing is asked for.
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
    // Less than was promised is a way that was lost, whoever ended it.
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
