// The page side of the hash worker. The worker is loaded on first use.
import type { HashReply, HashRequest } from './hash-worker.ts'
import HashWorker from './hash-worker.ts?worker'
import { TransferFailure } from './states.ts'

/** Hashes files without blocking the page. */
export interface Hasher {
  /**
   * Returns the hex sha256 of a file. Fails with `fileChanged` if the file cannot be read, with `http` if there is no
   * worker.
   */
  hash(file: Blob, onRead: (bytes: number) => void, signal: AbortSignal): Promise<string>
  /** Returns the answer to a challenge: hex sha256 of the nonce and the ranges. */
  proof(file: Blob, challenge: Challenge, signal: AbortSignal): Promise<string>
}

export interface Challenge {
  readonly nonce: string
  readonly ranges: readonly { readonly start: number; readonly end: number }[]
}

/** Creates a hasher with one worker. */
export function createHasher(start: () => Worker = () => new HashWorker()): Hasher {
  let worker: Worker | undefined
  let last = 0
  const open = new Map<number, (reply: HashReply | 'noWorker') => void>()

  const begin = (): Worker => {
    const begun = start()
    begun.onmessage = ({ data }: MessageEvent<HashReply>) => open.get(data.id)?.(data)
    // If the worker cannot be loaded, all pending requests fail and the next request starts a new worker.
    begun.onerror = () => {
      worker = undefined
      for (const reply of open.values()) reply('noWorker')
    }
    return begun
  }

  const ask = (
    request: Omit<HashRequest, 'id'>,
    onRead: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<string> =>
    new Promise((resolve, reject) => {
      const id = ++last
      worker ??= begin()
      const asked = worker
      const withdraw = (): void => {
        open.delete(id)
        asked.postMessage({ withdraw: id }, [])
        reject(new TransferFailure('withdrawn'))
      }
      if (signal.aborted) return reject(new TransferFailure('withdrawn'))
      signal.addEventListener('abort', withdraw, { once: true })
      open.set(id, (reply) => {
        if (reply !== 'noWorker' && reply.read !== undefined) return onRead(reply.read)
        open.delete(id)
        signal.removeEventListener('abort', withdraw)
        if (reply === 'noWorker') reject(new TransferFailure('http'))
        else if (reply.hash === undefined) reject(new TransferFailure('fileChanged'))
        else resolve(reply.hash)
      })
      asked.postMessage({ ...request, id } satisfies HashRequest, [])
    })

  return {
    hash: (file, onRead, signal) => ask({ file }, onRead, signal),
    proof: (file, { nonce, ranges }, signal) => ask({ file, nonce, ranges }, () => undefined, signal),
  }
}
