// Injects one failure at the n-th operation of a change: SQL statements, operations of the store, file operations,
// requests to S3.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished, vi } from 'vitest'
import { systemFiles } from '../src/core/blobs/file-operations.ts'
import { type LocalStoreOptions, openLocalStore } from '../src/core/blobs/local-store.ts'
import type { BlobStore } from '../src/core/blobs/store.ts'
import { openWorld, sharedS3, type World, type WorldOptions } from './harness.ts'
import { makeBucket, openTestStore, removeBuckets } from './s3.ts'

/** One injected failure. */
export class Fault {
  private left = 0
  fired = false
  /** Open files. A handle that is garbage-collected without having been closed ends the process. */
  readonly openFiles = new Set<object>()

  arm(n: number): void {
    this.left = n
    this.fired = false
  }

  disarm(): void {
    this.left = 0
  }

  /** Whether this operation is the one that fails. */
  hits(): boolean {
    if (this.left === 0) return false
    this.left -= 1
    this.fired ||= this.left === 0
    return this.left === 0
  }
}

/** Whether the failing operation takes effect: it fails before or after its work is done. */
export type When = 'before' | 'after'

const broken = (): Error => Object.assign(new Error('it failed on purpose'), { code: 'EIO' })

type Method = (...args: unknown[]) => unknown

/** Runs one operation, or fails it. Closes what a failed operation has opened. */
async function run<T>(fault: Fault, when: When, work: () => T | Promise<T>): Promise<T> {
  const hit = fault.hits()
  if (hit && when === 'before') throw broken()
  const value = await work()
  if (!hit) return value
  if (typeof value === 'object' && value !== null && Symbol.asyncDispose in value) {
    await (value as AsyncDisposable)[Symbol.asyncDispose]()
  }
  throw broken()
}

/** Methods whose result is a handle with operations of its own. */
const holding = new Set<string | symbol>(['open', 'openSynced', 'stage', 'joinParts', 'openToRead'])

/** A scan of the store reads 256 similar folders. Only one of every 64 reads can fail. */
const readsInOne = 64

/** Wraps the methods: the n-th call rejects, before or after it has done its work. */
function failing<T extends object>(methods: T, fault: Fault, when: When): T {
  let reads = 0
  return new Proxy(methods, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function' || name === 'close') return method
      if (name === 'list') return () => failingList(method.call(target) as AsyncIterable<unknown>, fault, when)
      return async (...args: unknown[]): Promise<unknown> => {
        if (name === 'readdir' && (reads += 1) % readsInOne > 0) return Reflect.apply(method, target, args) as unknown
        const value = await run(fault, when, () => Reflect.apply(method, target, args) as unknown)
        if (!holding.has(name) || typeof value !== 'object' || value === null) return value
        // Folder handles stay open for their next sync, pack handles for the next contents.
        const isFile = 'close' in value && args[1] !== 'r' && name !== 'openSynced'
        if (isFile) fault.openFiles.add(value)
        return failingHandle(value, fault, when)
      }
    },
  })
}

async function* failingList<T>(list: AsyncIterable<T>, fault: Fault, when: When): AsyncIterable<T> {
  const hit = fault.hits()
  if (hit && when === 'before') throw broken()
  yield* list
  if (hit) throw broken()
}

/** Handles hold private state, so their methods are called on the original object. */
function failingHandle(handle: object, fault: Fault, when: When): unknown {
  return new Proxy(handle, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      // Reads are operations of the underlying file. Releasing never fails.
      if (typeof name !== 'string' || name === 'lent' || name === 'discard') return (method as Method).bind(target)
      // A file whose close fails is closed nevertheless.
      const then = name === 'close' ? 'after' : when
      if (name === 'close') fault.openFiles.delete(target)
      return (...args: unknown[]) => run(fault, then, () => Reflect.apply(method, target, args) as unknown)
    },
  })
}

/** A statement without the time that is sent with BEGIN. */
export const withoutTime = (text: string): string => text.replace(/^begin;.*/, 'begin')

/**
 * Makes statements of a world fail: PostgreSQL refuses them, or the connection breaks before the answer. Applies to all
 * statements, or to those with the text `only`. Statements of other worlds in this process, whose background work
 * continues, are not affected. Ends with the test: in the next one, the replaced method would call itself without end.
 */
export function failStatements({ database }: World, fault: Fault, how: 'refused' | 'cut', only?: string): void {
  const inherited = Reflect.get(pg.Client.prototype, 'query') as Method
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => spy.mockRestore())
  spy.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text
    const isMeant =
      this.database === database.database && text !== undefined && (only === undefined || withoutTime(text) === only)
    if (!isMeant || !fault.hits()) return Reflect.apply(inherited, this, args) as never
    const { callback } = first as { callback?: unknown }
    const rest = [callback, ...args.slice(1)].filter((one) => typeof one === 'function')
    if (how === 'refused') return Reflect.apply(inherited, this, ['select failed_on_purpose', ...rest]) as never
    const answer = Reflect.apply(inherited, this, args) as Promise<unknown>
    const { stream } = (this as unknown as { connection: { stream: { destroy(): void } } }).connection
    // The statement was sent and may have been executed; the answer is lost.
    setImmediate(() => stream.destroy())
    return answer as never
  })
}

const folders: string[] = []

/** Removes the contents of the worlds that this module opened. */
export async function removeFailing(): Promise<void> {
  await removeBuckets()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
}

/** Opens a world on a store that `openBlobs` creates. */
const openOn = (options: WorldOptions, openBlobs: NonNullable<WorldOptions['openBlobs']>): Promise<World> =>
  openWorld({ ...options, openBlobs })

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-failing-'))
  folders.push(folder)
  return folder
}

/** Opens a world on a folder store whose file operations fail. Small contents may share files (packs). */
export function openOnFailingFiles(options: WorldOptions, fault: Fault, when: When, store: LocalStoreOptions = {}) {
  return openOn(options, async (pause) =>
    openLocalStore(await newFolder(), pause, failing(systemFiles, fault, when), store),
  )
}

/** Opens a world on a store whose methods fail. */
export function openOnFailingStore(kind: 'a folder' | 'S3', options: WorldOptions, fault: Fault, when: When) {
  return openOn(options, async (pause) => {
    const store: BlobStore =
      kind === 'S3'
        ? await openTestStore(await sharedS3(), await makeBucket(), { pausePoint: pause })
        : await openLocalStore(await newFolder(), pause)
    return failing(store, fault, when)
  })
}

/**
 * Opens a world on an S3 store whose requests or answers get lost. Requests are not retried unless `patience` is set.
 */
export function openOnFailingRequests(options: WorldOptions, fault: Fault, when: When, patience: boolean) {
  return openOn(options, async (pausePoint) => {
    const sent = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((...args) => run(fault, when, () => sent(...args)))
    const more = patience ? {} : { patienceMs: 0 }
    return openTestStore(await sharedS3(), await makeBucket(), { pausePoint, ...more })
  })
}
