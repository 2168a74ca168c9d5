/*
 * Fails the n-th statement, operation of the store, or operation on files of every change, for each n until one gets
 * through untouched: nobody is told of a success that was none, a change is done whole or not at all, and the next try
 * succeeds.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codes } from '@cloudoc/domain'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, inject, test, vi } from 'vitest'
import { type FileOperations, systemFiles } from '../src/core/blobs/file-operations.ts'
import { openLocalStore } from '../src/core/blobs/local-store.ts'
import type { BlobStore } from '../src/core/blobs/store.ts'
import { fsck } from '../src/system/fsck/index.ts'
import { openWorld, type Person, type Wire, type World, wireOf } from './harness.ts'

const full = inject('full')

/** One failure that is about to happen. */
class Fault {
  private left = 0
  fired = false

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

const broken = (): Error => Object.assign(new Error('it failed on purpose'), { code: 'EIO' })

/** The same methods, of which the n-th that is called rejects, before it has done anything or after. */
function failing<T extends object>(methods: T, fault: Fault, when: 'before' | 'after'): T {
  return new Proxy(methods, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function' || name === 'list' || name === 'close') return method
      return async (...args: unknown[]): Promise<unknown> => {
        const hit = fault.hits()
        if (hit && when === 'before') throw broken()
        const value: unknown = await Reflect.apply(method, target, args)
        if (hit) throw broken()
        // What is opened or staged has operations of its own.
        const holds = name === 'open' || name === 'stage' || name === 'joinParts' || name === 'openToRead'
        return holds && typeof value === 'object' && value !== null ? failingMethods(value, fault, when) : value
      }
    },
  })
}

/** Handles keep their state in themselves, so their methods are called on them. */
function failingMethods(handle: object, fault: Fault, when: 'before' | 'after'): unknown {
  return new Proxy(handle, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || typeof method !== 'function' || name === 'lent' || name === 'discard') {
        return typeof method === 'function' ? (method.bind(target) as unknown) : method
      }
      return async (...args: unknown[]): Promise<unknown> => {
        const hit = fault.hits()
        if (hit && when === 'before') throw broken()
        const value: unknown = await Reflect.apply(method, target, args)
        if (hit) throw broken()
        return value
      }
    },
  })
}

/** Statements that PostgreSQL refuses, or whose answer is lost with the connection; all, or those of one text. */
function failStatements(fault: Fault, how: 'refused' | 'cut', only?: string): void {
  const inherited = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text
    const isMeant = text !== undefined && (only ?? text) === text
    if (!isMeant || !fault.hits()) return Reflect.apply(inherited, this, args) as never
    const rest = args.slice(1).filter((one) => typeof one === 'function')
    if (how === 'refused') return Reflect.apply(inherited, this, ['select failed_on_purpose', ...rest]) as never
    const answer = Reflect.apply(inherited, this, args) as Promise<unknown>
    const { stream } = (this as unknown as { connection: { stream: { destroy(): void } } }).connection
    // Sent, and maybe done: nobody hears of it.
    setImmediate(() => stream.destroy())
    return answer as never
  })
}

/** What somebody sees: every living file with its content, and the names in the bin. */
async function seen(person: Person, folders: readonly number[]): Promise<string[]> {
  const lines: string[] = []
  for (const folderId of folders) {
    const { list } = await person.call('getSubItemList3', { folderId, rows: 1000 })
    for (const { fId, fName, fType } of list) {
      lines.push(`${folderId}/${fName}${fType === 1 ? `: ${(await person.download(fId)).body}` : ''}`)
    }
  }
  const { list } = await person.call('getRecycleList', {})
  return [...lines, ...list.map(({ fName }) => `bin: ${fName}`)].sort()
}

interface Stage {
  readonly person: Person
  readonly from: number
  readonly to: number
  readonly fileId: number
  readonly binnedId: number
  readonly uploadId: string
}

const part = (person: Person, uploadId: string, bytes: string): Promise<Wire> =>
  person.world.app.http
    .inject({
      method: 'PUT',
      url: `/services2/upload/part/${uploadId}/1`,
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
      payload: bytes,
    })
    .then(wireOf)

let stages = 0

/** Fresh folders with a file, one in the bin, and an upload that only has to be completed. */
async function setStage(person: Person): Promise<Stage> {
  stages += 1
  const [{ folderId: from }, { folderId: to }] = [
    await person.call('folderCreate', { parentId: person.library, folderName: `from ${stages}` }),
    await person.call('folderCreate', { parentId: person.library, folderName: `to ${stages}` }),
  ]
  const fileId = await person.upload(from, `file ${stages}.txt`, 'first')
  const binnedId = await person.upload(from, `binned ${stages}.txt`, 'binned')
  await person.call('fileOrFolderDelete', { fileIdArray: [binnedId] })
  const { uploadId } = await person.call('uploadOpen', { folderId: from, fileName: `parts ${stages}.txt`, fileSize: 5 })
  await part(person, uploadId, 'parts')
  return { person, from, to, fileId, binnedId, uploadId }
}

/** Every kind of change, as a call. */
const changes: Readonly<Record<string, (stage: Stage) => Promise<Wire>>> = {
  upload: ({ person, from }) => person.uploadWire(from, 'new.txt', 'new content'),
  'upload of a known content': ({ person, from }) => person.uploadWire(from, 'new.txt', 'first'),
  'new version': ({ person, from }) => person.uploadWire(from, `file ${stages}.txt`, 'second', { conflict: 'version' }),
  'upload beside': ({ person, from }) =>
    person.uploadWire(from, `file ${stages}.txt`, 'other', { conflict: 'keepBoth' }),
  'upload in parts': ({ person, uploadId }) => person.wire('uploadComplete', { uploadId }),
  rename: ({ person, fileId }) => person.wire('renameFile', { fileId, fileName: 'renamed.txt' }),
  move: ({ person, fileId, to }) => person.wire('fileOrFolderMove', { fileIdArray: [fileId], targetFolderId: to }),
  'move of a folder': ({ person, from, to }) =>
    person.wire('fileOrFolderMove', { folderIdArray: [from], targetFolderId: to }),
  copy: ({ person, fileId, to }) => person.wire('fileOrFolderCopy', { fileIdArray: [fileId], targetFolderId: to }),
  delete: ({ person, fileId }) => person.wire('fileOrFolderDelete', { fileIdArray: [fileId] }),
  restore: ({ person, binnedId }) => person.wire('recycleRestore', { fileIdArray: [binnedId] }),
  'complete delete': ({ person, fileId }) => person.wire('fileOrFolderCompleteDelete', { fileIdArray: [fileId] }),
}

/** The result that counts: of a batch its only item's. */
function resultOf({ result, data }: Wire): number {
  return Array.isArray(data) ? ((data as { result: number }[])[0]?.result ?? result) : result
}

async function breaks({ app }: World): Promise<string[]> {
  const findings = await fsck({ db: app.db, blobs: app.blobs })
  return findings.flatMap(({ breaks: n, says, examples }) => (n > 0 ? [`${says}: ${examples.join('; ')}`] : []))
}

const most = 200

/** Fails each operation of a change in turn; answers how many there were. */
async function failEach(person: Person, fault: Fault, change: (stage: Stage) => Promise<Wire>): Promise<number> {
  for (let n = 1; n <= most; n += 1) {
    const stage = await setStage(person)
    const folders = [stage.from, stage.to]
    const before = await seen(person, folders)
    fault.arm(n)
    const wire = await change(stage)
    fault.disarm()
    const after = await seen(person, folders)
    const isDone = JSON.stringify(after) !== JSON.stringify(before)
    const said = resultOf(wire) === -1
    // A failure may hide a success, when it hits the answer; never the other way round.
    if (said) expect(isDone, `${n}: a success that was none`).toBe(true)
    if (!fault.fired) {
      expect(said, `untouched: ${wire.msg}`).toBe(true)
      expect(await breaks(person.world)).toEqual([])
      return n - 1
    }
    if (isDone) continue
    // It can simply be done again.
    const again = await change(stage)
    expect(resultOf(again), `${n}, again: ${again.msg}`).toBe(-1)
    expect(await seen(person, folders), `${n}, again`).not.toEqual(before)
  }
  throw new Error('it never gets through')
}

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})
afterEach(() => void vi.restoreAllMocks())

/** What fails, and how the world is opened for it. */
const kinds: readonly (readonly [string, (fault: Fault) => Promise<World>])[] = [
  [
    'statement that is refused',
    async (fault) => {
      const world = await openWorld({ elected: false })
      failStatements(fault, 'refused')
      return world
    },
  ],
  [
    'statement whose connection breaks',
    async (fault) => {
      const world = await openWorld({ elected: false })
      failStatements(fault, 'cut')
      return world
    },
  ],
  ['operation on files', (fault) => openOn(fault, 'before', 'files')],
  ['operation on files, once it is done', (fault) => openOn(fault, 'after', 'files')],
  ['operation of the store', (fault) => openOn(fault, 'before', 'store')],
  ['operation of the store, once it is done', (fault) => openOn(fault, 'after', 'store')],
]

function openOn(fault: Fault, when: 'before' | 'after', what: 'files' | 'store'): Promise<World> {
  return openWorld({
    elected: false,
    async openBlobs(pause) {
      const files: FileOperations = what === 'files' ? failing(systemFiles, fault, when) : systemFiles
      const folder = await mkdtemp(join(tmpdir(), 'cloudoc-failing-'))
      folders.push(folder)
      const store: BlobStore = await openLocalStore(folder, pause, files)
      return what === 'store' ? failing(store, fault, when) : store
    },
  })
}

test.each(full ? Object.keys(changes) : ['upload', 'new version', 'move'])(
  'a transaction that cannot begin changes nothing, and says so: %s',
  async (name) => {
    const world = await openWorld({ elected: false })
    const anna = await world.person('anna')
    const change = changes[name]
    if (change === undefined) throw new Error(name)
    const fault = new Fault()
    failStatements(fault, 'refused', 'begin')
    for (let n = 1; n <= most; n += 1) {
      const stage = await setStage(anna)
      const before = await seen(anna, [stage.from, stage.to])
      fault.arm(n)
      const wire = await change(stage)
      fault.disarm()
      if (!fault.fired) {
        expect(n).toBeGreaterThan(1)
        return
      }
      expect(resultOf(wire), `${n}`).toBe(codes.serverException.code)
      expect(await seen(anna, [stage.from, stage.to]), `${n}`).toEqual(before)
      expect(resultOf(await change(stage)), `${n}, again`).toBe(codes.success.code)
    }
  },
)

describe.each(kinds)('the n-th %s', (kind, open) => {
  // Statements take part in everything, contents in uploads alone.
  const names = Object.keys(changes).filter(
    (name) => kind.startsWith('statement') || name.includes('upload') || name.includes('version'),
  )
  const at = (kinds.findIndex(([one]) => one === kind) * 5) % names.length
  const chosen = full ? names : names.slice(at, at + 1)

  test.each(chosen)('of: %s', { timeout: full ? 600_000 : 120_000 }, async (name) => {
    const fault = new Fault()
    const world = await open(fault)
    const anna = await world.person('anna')
    const change = changes[name]
    if (change === undefined) throw new Error(name)
    expect(await failEach(anna, fault, change)).toBeGreaterThan(0)
  })
})
