/*
 * The target of the bytes of a download until it is complete ([R192]): the file that the user chose, or the browser's
 * storage. In storage it is written in pieces, so that the next page can resume, and the complete file is handed out at
 * once (docs/adr/0089). Only stored bytes count. Bytes that were lost before are fetched again.
 */
import { TransferFailure } from './states.ts'
import type { TransferStore } from './store.ts'

/** The maximum size of a staged download. The browser itself downloads larger ones. */
export const maxStagedBytes = 1024 * 1024 * 1024
/** The maximum size in memory if the browser cannot store anything. */
const maxMemoryBytes = 256 * 1024 * 1024
/** The size of a stored piece: at most this much is fetched again after a page that closed unexpectedly. */
const pieceSize = 8 * 1024 * 1024

export interface Writer {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>
  /** Keeps the written data for a resumption. */
  keep(): Promise<void>
  /** Discards the data written since opening. */
  drop(): Promise<void>
  /** Called after the last byte is written. */
  finish(name: string): Promise<void>
}

export interface DownloadTarget {
  /** The number of bytes in the target. */
  size(): Promise<number>
  /** Opens a writer at this offset and truncates what follows. */
  writeFrom(at: number): Promise<Writer>
  /** Deletes the target. */
  discard(): Promise<void>
}

/** The additional methods of handles in browsers that support them. */
interface Writable extends FileSystemFileHandle {
  queryPermission?(options: { readonly mode: 'readwrite' }): Promise<PermissionState>
  requestPermission?(options: { readonly mode: 'readwrite' }): Promise<PermissionState>
  remove?(): Promise<void>
}

/** Converts a disk error of the browser into a transfer error. */
function writeFailure(error: unknown): TransferFailure {
  if (error instanceof TransferFailure) return error
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'QuotaExceededError') return new TransferFailure('diskFull')
  // After a reload the browser asks for permission again, and only on a user gesture.
  if (name === 'NotAllowedError' || name === 'SecurityError') return new TransferFailure('needsHand')
  if (name === 'NoModificationAllowedError') return new TransferFailure('fileChanged')
  return new TransferFailure('unwritable')
}

async function written<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw writeFailure(error)
  }
}

/** The file that the user chose. Written data becomes visible only when the writer is closed. */
export function fileTarget(handle: Writable): DownloadTarget {
  const mayWrite = async (): Promise<boolean> => {
    const mode = { mode: 'readwrite' } as const
    if (handle.queryPermission === undefined || (await handle.queryPermission(mode)) === 'granted') return true
    return (await handle.requestPermission?.(mode)) === 'granted'
  }
  return {
    size: () =>
      written(async () => {
        if (!(await mayWrite())) throw new TransferFailure('needsHand')
        return (await handle.getFile()).size
      }),
    writeFrom: (at) =>
      written(async () => {
        if (!(await mayWrite())) throw new TransferFailure('needsHand')
        const stream = await handle.createWritable({ keepExistingData: at > 0 })
        if (at > 0) {
          await stream.truncate(at)
          await stream.seek(at)
        }
        return {
          write: (chunk) => written(() => stream.write(chunk)),
          keep: () => written(() => stream.close()),
          drop: () => written(() => stream.abort()),
          finish: () => written(() => stream.close()),
        }
      }),
    discard: async () => handle.remove?.().catch(() => undefined),
  }
}

/** A target in memory, for data that only this page reads. */
export function memoryTarget(): DownloadTarget & { readonly bytes: () => Uint8Array<ArrayBuffer> } {
  let held: Uint8Array<ArrayBuffer>[] = []
  const sizeOf = (): number => held.reduce((sum, { length }) => sum + length, 0)
  const bytes = (): Uint8Array<ArrayBuffer> => {
    const all = new Uint8Array(sizeOf())
    let at = 0
    for (const piece of held) {
      all.set(piece, at)
      at += piece.length
    }
    return all
  }
  const clear = async (): Promise<void> => {
    held = []
  }
  return {
    bytes,
    size: async () => sizeOf(),
    async writeFrom(at) {
      held = [bytes().slice(0, at)]
      return {
        write: async (chunk) => void held.push(chunk),
        keep: async () => undefined,
        drop: clear,
        finish: async () => undefined,
      }
    },
    discard: clear,
  }
}

export interface StagedTargetOptions {
  readonly store: TransferStore
  readonly taskId: number
  /** Saves the complete file for the user. */
  readonly saveBlob: (content: Blob, name: string) => void
}

/** The browser's storage of the task. In memory if the browser cannot store anything. */
export function stagedTarget({ store, taskId, saveBlob }: StagedTargetOptions): DownloadTarget {
  const held = new Map<number, Blob>()
  let heldBytes = 0
  const pieces = async (): Promise<Blob[]> => {
    const { contents } = await store.task(taskId)
    const found: Blob[] = []
    for (let n = 0; held.has(n) || contents.has(n); n += 1) {
      const piece = held.get(n) ?? (await store.content(taskId, n))
      if (piece === undefined) break
      found.push(piece)
    }
    return found
  }
  const keepPiece = async (n: number, bytes: readonly BlobPart[]): Promise<void> => {
    const file = new File([...bytes], String(n))
    try {
      await store.putContents([{ taskId, index: n, file }])
      if (await store.content(taskId, n)) return
    } catch {
      // The store is full or locked: the data stays in memory while this page is open.
    }
    heldBytes += file.size
    if (heldBytes > maxMemoryBytes) throw new TransferFailure('diskFull')
    held.set(n, file)
  }
  const clear = async (): Promise<void> => {
    held.clear()
    heldBytes = 0
    await store.dropContents(taskId).catch(() => undefined)
  }
  return {
    size: async () => (await pieces()).reduce((sum, { size }) => sum + size, 0),
    async writeFrom(at) {
      if (at === 0) await clear()
      const before = await pieces()
      let total = at
      let open: Uint8Array<ArrayBuffer>[] = []
      let openBytes = 0
      const flush = async (): Promise<void> => {
        if (openBytes === 0) return
        const bytes = open
        open = []
        openBytes = 0
        const n = before.length
        await keepPiece(n, bytes)
        before.push(held.get(n) ?? (await store.content(taskId, n)) ?? new Blob(bytes))
      }
      return {
        async write(chunk) {
          total += chunk.length
          if (total > maxStagedBytes) throw new TransferFailure('elsewhere')
          open.push(chunk)
          openBytes += chunk.length
          if (openBytes >= pieceSize) await flush()
        },
        keep: flush,
        drop: clear,
        async finish(name) {
          saveBlob(new Blob([...before, ...open]), name)
          held.clear()
        },
      }
    },
    discard: clear,
  }
}
