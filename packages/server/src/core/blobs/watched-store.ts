// A store of which its operator is told: how long its work takes, what fails, whether it is there.
import { setTimeout as delay } from 'node:timers/promises'
import { ResultError } from '@cloudoc/domain'
import type { BlobStore } from './store.ts'

export interface WatchedStore extends BlobStore {
  /** What of it is away now, in a word for the operator; answered within two seconds. */
  away(): Promise<'contents' | 'room for contents' | undefined>
}

/** Hears of a piece of the store's work; without a time where that was the client's as well. */
export type ObserveStore = (operation: string, milliseconds: number | undefined, failed: boolean) => void

const promptlyMs = 1500
/** How long an answer is good, however many ask. */
const goodForMs = 1000

/** What a disk or the way to it fails with; what a client breaks off is no failure of the store. */
const diskFailures = new Set<unknown>([
  'EIO',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'ESTALE',
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
])

const isStoreFailure = (error: unknown): boolean => {
  if (!(error instanceof ResultError)) return diskFailures.has((error as { code?: unknown } | null)?.code)
  // A limit that the server sets itself has no cause.
  const isFull = error.code === 'capacityNotSatisfied' && error.cause !== undefined
  return isFull || error.code === 'storageUnavailable'
}

/** Watches the work of a store. */
export function watchStore(store: BlobStore, observe: ObserveStore): WatchedStore {
  const watched = async <T>(operation: string, work: () => Promise<T>, isTimed: boolean): Promise<T> => {
    const from = performance.now()
    let failed = false
    try {
      return await work()
    } catch (error) {
      failed = isStoreFailure(error)
      throw error
    } finally {
      observe(operation, isTimed ? performance.now() - from : undefined, failed)
    }
  }
  const timed = <T>(operation: string, work: () => Promise<T>): Promise<T> => watched(operation, work, true)
  let asked: { readonly at: number; readonly answer: Promise<'contents' | 'room for contents' | undefined> } | undefined
  const inquire = async (): Promise<'room for contents' | undefined> => {
    await store.reach?.()
    const room = await store.room?.().catch(() => undefined)
    return room !== undefined && room < 0 ? 'room for contents' : undefined
  }
  // A disk that stands still lets nobody fail: neither question comes back.
  const look = (): Promise<'contents' | 'room for contents' | undefined> =>
    Promise.race([inquire().catch(() => 'contents' as const), delay(promptlyMs, 'contents' as const, { ref: false })])
  return {
    ...store,
    async stage(content) {
      const staged = await watched('stage', () => store.stage(content), false)
      return { ...staged, keep: () => timed('keep', () => staged.keep()) }
    },
    open: (key, range) => timed('open', () => store.open(key, range)),
    remove: (key) => timed('remove', () => store.remove(key)),
    writePart: (key, place, content) => watched('part', () => store.writePart(key, place, content), false),
    joinParts: (key, parts) => timed('join', () => store.joinParts(key, parts)),
    away() {
      if (asked === undefined || performance.now() - asked.at > goodForMs + promptlyMs) {
        asked = { at: performance.now(), answer: look() }
      }
      return asked.answer
    },
  }
}
