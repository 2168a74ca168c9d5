// A store with monitoring for the operator: durations, failures and availability.
import { setTimeout as delay } from 'node:timers/promises'
import { ResultError } from '@cloudoc/domain'
import type { Log } from '../log.ts'
import type { BlobStore } from './store.ts'

export interface WatchedStore extends BlobStore {
  /** What is unavailable now, as a short text for the operator. Resolves within two seconds. */
  away(): Promise<'contents' | 'room for contents' | undefined>
}

/** Reports one operation of the store. The time is undefined if it also depends on the client. */
export type ObserveStore = (operation: string, milliseconds: number | undefined, failed: boolean) => void

const promptlyMs = 1500
/** How long an availability result is cached. */
const goodForMs = 1000

/** Error codes of a disk or of the connection to it. An abort by the client is not a failure of the store. */
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

/**
 * A failure of the disk as callers get it: -402, as of every other store, and the log has the reason. A full disk keeps
 * its own code.
 */
function failureOf(error: unknown, operation: string, log: Log): unknown {
  if (error instanceof ResultError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return error
  log.warn({ operation, code, reason: message }, 'the store of contents failed')
  return Object.assign(new ResultError('storageUnavailable'), { cause: error })
}

/** Adds monitoring to a store, and gives the failures of a disk their code. */
export function watchStore(store: BlobStore, observe: ObserveStore, log: Log): WatchedStore {
  const watched = async <T>(operation: string, work: () => Promise<T>, isTimed: boolean): Promise<T> => {
    const from = performance.now()
    let failed = false
    try {
      return await work()
    } catch (error) {
      failed = isStoreFailure(error)
      throw failed ? failureOf(error, operation, log) : error
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
  // Operations on a hanging disk do not fail: neither probe returns.
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
