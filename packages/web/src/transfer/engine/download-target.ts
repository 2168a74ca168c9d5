/*
 * Where the bytes of a download go until all are there ([R192]): into the file that the person chose, or, where nobody was
 * asked, into what the browser keeps of the task, in pieces, so that the next page goes on with them; from there the whole
 * is handed out in one moment (docs/adr/0089). Whatever was kept counts; what breaks off before that is fetched again.
 */
import { TransferFailure } from './states.ts'
import type { TransferStore } from './store.ts'

/** Bytes of a download that nobody chose a place for; more than that the browser does itself. */
export const maxStagedBytes = 1024 * 1024 * 1024
/** As much of it may be held where the browser keeps nothing. */
const maxMemoryBytes = 256 * 1024 * 1024
/** Bytes that are kept at a time: so much is fetched again after a page that went without a word. */
const pieceSize = 8 * 1024 * 1024

export interface Writer {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>
  /** Keeps what was written: somebody goes on with it. */
  keep(): Promise<void>
  /** Lets go of what was written since it was opened. */
  drop(): Promise<void>
  /** The last byte has been written. */
  finish(name: string): Promise<void>
}

export interface DownloadTarget {
  /** The bytes that lie there. */
  size(): Promise<number>
  /** Goes on behind so many bytes; what lies beyond them goes. */
  writeFrom(at: number): Promise<Writer>
  /** Nothing of it is wanted any more. */
  discard(): Promise<void>
}

/** Handles as the browsers know them that have any. */
interface Writable extends FileSystemFileHandle {
  queryPermission?(options: { readonly mode: 'readwrite' }): Promise<PermissionState>
  requestPermission?(options: { readonly mode: 'readwrite' }): Promise<PermissionState>
  remove?(): Promise<void>
}

/** What a browser says of its disk, as transfers know it. */
function writeFailure(error: unknown): TransferFailure {
  if (error instanceof TransferFailure) return error
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'QuotaExceededError') return new TransferFailure('diskFull')
  // After a reload the browser asks the person again, and only where the person is at it.
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

/** The file that the person chose. A browser shows what was written when the writer is closed, and not before. */
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

/** This page, for what is only read by it. */
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
  /** Gives the person the whole of it. */
  readonly saveBlob: (content: Blob, name: string) => void
}

/** What the browser keeps of the task; in memory where it keeps nothing. */
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
      // A full or locked store: for as long as this page is there it is held here.
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
