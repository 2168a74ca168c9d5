// One failure at a time, at the n-th of what a change is made of: statements, operations of the store, operations on files,
// requests to S3.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { vi } from 'vitest'
import { systemFiles } from '../src/core/blobs/file-operations.ts'
import { type LocalStoreOptions, openLocalStore } from '../src/core/blobs/local-store.ts'
import type { BlobStore } from '../src/core/blobs/store.ts'
import { openWorld, sharedS3, type World, type WorldOptions } from './harness.ts'
import { makeBucket, openTestStore, removeBuckets } from './s3.ts'

/** One failure that is about to happen. */
export class Fault {
  private left = 0
  fired = false
  /** Files that are open: one that nobody closes ends the process when its handle is collected. */
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

/** Whether what fails has been done all the same. */
export type When = 'before' | 'after'

const broken = (): Error => Object.assign(new Error('it failed on purpose'), { code: 'EIO' })

type Method = (...args: unknown[]) => unknown

/** Runs one operation, unless it is the one that fails. What it has opened is nobody's then. */
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

/** What is opened or staged has operations of its own. */
const holding = new Set<string | symbol>(['open', 'openSynced', 'stage', 'joinParts', 'openToRead'])

/** A walk over the store reads 256 folders, each like the other: one of so many is worth failing. */
const readsInOne = 64

/** The same methods, of which the n-th that is called rejects, before it has done anything or after. */
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
        // Folders stay open for their next sync, packs for the next contents.
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

/** Handles keep their state in themselves, so their methods are called on them. */
function failingHandle(handle: object, fault: Fault, when: When): unknown {
  return new Proxy(handle, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      // Reading is an operation of the file below; letting go never fails.
      if (typeof name !== 'string' || name === 'lent' || name === 'discard') return (method as Method).bind(target)
      // A file that cannot be closed well is closed all the same.
      const then = name === 'close' ? 'after' : when
      if (name === 'close') fault.openFiles.delete(target)
      return (...args: unknown[]) => run(fault, then, () => Reflect.apply(method, target, args) as unknown)
    },
  })
}

/**
 * Statements of a world that PostgreSQL refuses, or whose answer is lost with the connection; all, or those of one text.
 * Those of other worlds of this process, whose background goes on, are left alone.
 */
export function failStatements({ database }: World, fault: Fault, how: 'refused' | 'cut', only?: string): void {
  const inherited = Reflect.get(pg.Client.prototype, 'query') as Method
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text
    const isMeant = this.database === database.database && text !== undefined && (only ?? text) === text
    if (!isMeant || !fault.hits()) return Reflect.apply(inherited, this, args) as never
    const { callback } = first as { callback?: unknown }
    const rest = [callback, ...args.slice(1)].filter((one) => typeof one === 'function')
    if (how === 'refused') return Reflect.apply(inherited, this, ['select failed_on_purpose', ...rest]) as never
    const answer = Reflect.apply(inherited, this, args) as Promise<unknown>
    const { stream } = (this as unknown as { connection: { stream: { destroy(): void } } }).connection
    // Sent, and maybe done: nobody hears of it.
    setImmediate(() => stream.destroy())
    return answer as never
  })
}

const folders: string[] = []

/** Removes the contents of the worlds that were opened here. */
export async function removeFailing(): Promise<void> {
  await removeBuckets()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
}

/** A world on a store of its own that the opener makes. */
const openOn = (options: WorldOptions, openBlobs: NonNullable<WorldOptions['openBlobs']>): Promise<World> =>
  openWorld({ ...options, openBlobs })

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-failing-'))
  folders.push(folder)
  return folder
}

/** A folder whose files fail; small contents may share them. */
export function openOnFailingFiles(options: WorldOptions, fault: Fault, when: When, store: LocalStoreOptions = {}) {
  return openOn(options, async (pause) =>
    openLocalStore(await newFolder(), pause, failing(systemFiles, fault, when), store),
  )
}

/** A store that fails as a whole. */
export function openOnFailingStore(kind: 'a folder' | 'S3', options: WorldOptions, fault: Fault, when: When) {
  return openOn(options, async (pause) => {
    const store: BlobStore =
      kind === 'S3'
        ? await openTestStore(await sharedS3(), await makeBucket(), { pausePoint: pause })
        : await openLocalStore(await newFolder(), pause)
    return failing(store, fault, when)
  })
}

/** An S3 store whose requests get no answer, or lose it; none is tried again unless it has `patience`. */
export function openOnFailingRequests(options: WorldOptions, fault: Fault, when: When, patience: boolean) {
  return openOn(options, async (pausePoint) => {
    const sent = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((...args) => run(fault, when, () => sent(...args)))
    const more = patience ? {} : { patienceMs: 0 }
    return openTestStore(await sharedS3(), await makeBucket(), { pausePoint, ...more })
  })
}
