/*
 * Hashes files in a worker, piece by piece, in WebAssembly. crypto.subtle is not available on plain HTTP and does not
 * support incremental hashing.
 */
import { createSHA256 } from 'hash-wasm'

/** A request to the worker: the hash of a file, or of a nonce and some ranges of the file (ends inclusive). */
export interface HashRequest {
  readonly id: number
  readonly file: Blob
  readonly nonce?: string
  readonly ranges?: readonly { readonly start: number; readonly end: number }[]
}

/** A reply of the worker: the progress, the hash, or a read error. */
export interface HashReply {
  readonly id: number
  readonly read?: number
  readonly hash?: string
  readonly failed?: true
}

const pieceBytes = 4 * 1024 * 1024
const withdrawn = new Set<number>()

self.onmessage = ({ data }: MessageEvent<HashRequest | { readonly withdraw: number }>) => {
  if ('withdraw' in data) withdrawn.add(data.withdraw)
  else void answer(data)
}

async function answer({ id, file, nonce, ranges }: HashRequest): Promise<void> {
  const say: (reply: HashReply) => void = self.postMessage.bind(self)
  try {
    const hash = await createSHA256()
    hash.init()
    if (nonce !== undefined) hash.update(bytesOf(nonce))
    for (const { start, end } of ranges ?? [{ start: 0, end: file.size - 1 }]) {
      for (let at = start; at <= end; at += pieceBytes) {
        if (withdrawn.delete(id)) return
        const piece = await file.slice(at, Math.min(at + pieceBytes, end + 1)).arrayBuffer()
        hash.update(new Uint8Array(piece))
        say({ id, read: at + piece.byteLength })
      }
    }
    say({ id, hash: hash.digest('hex') })
  } catch {
    say({ id, failed: true })
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, n) => Number.parseInt(hex.slice(n * 2, n * 2 + 2), 16))
}
