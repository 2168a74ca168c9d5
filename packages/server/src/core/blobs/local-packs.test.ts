/*
 * Packs: small contents that share files. Several stores over the same folder stand for several processes. In this file
 * every small content goes to a pack of a few pages.
 */
import { createHash, randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { keysIn } from '../../../test/contents.ts'
import { type FileOperations, systemFiles } from './file-operations.ts'
import { type Packing, usualPacking } from './local-packs.ts'
import { openLocalStore } from './local-store.ts'
import type { BlobStore } from './store.ts'

const made: string[] = []
const opened: BlobStore[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const store of opened.splice(0)) await store.close()
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true })
})

const allPacked: Packing = { after: 0, bytes: 2 * 1024 * 1024 }

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-packs-'))
  made.push(folder)
  return folder
}

async function open(folder: string, packing = allPacked, files: FileOperations = systemFiles): Promise<BlobStore> {
  const store = await openLocalStore(folder, undefined, files, { packing })
  opened.push(store)
  return store
}

async function keep(store: BlobStore, bytes: Buffer): Promise<string> {
  const staged = await store.stage(
    (async function* () {
      yield bytes
    })(),
  )
  return staged.keep()
}

const read = async (store: BlobStore, key: string) => buffer(await store.open(key))
const missing = { code: 'ENOENT' }
const packFiles = (folder: string): Promise<string[]> => readdir(join(folder, 'packs'))
const packOf = (folder: string, key: string): string => join(folder, 'packs', key.split('.')[1] ?? '')

const listed = async (store: BlobStore): Promise<string[]> => (await keysIn(store)).toSorted()

/** Contents of all sizes around the sizes of heads and pages. */
const contents = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, n) => randomBytes([0, 1, 63, 64, 3968, 4032, 4033, 10_240, 65_536][n % 9] ?? 0))

describe('small contents that come in numbers', () => {
  test('share files, and each is found by its key, by every process, whole and in part', async () => {
    const folder = await newFolder()
    const [a, b] = [await open(folder), await open(folder)]
    const bytes = contents(90)
    const before = Date.now()
    const keys = await Promise.all(bytes.map((one, n) => keep(n % 3 === 0 ? b : a, one)))
    expect((await packFiles(folder)).length).toBeLessThan(30)
    for (const [n, key] of keys.entries()) {
      const one = bytes[n] ?? Buffer.alloc(0)
      expect(key).toContain(createHash('sha256').update(one).digest('hex'))
      expect(await read(a, key)).toEqual(one)
      if (one.length > 1)
        expect(await buffer(await b.open(key, { start: 1, end: one.length - 2 }))).toEqual(one.subarray(1, -1))
    }
    expect(await listed(b)).toEqual(keys.toSorted())
    for await (const { key, size, modifiedAt } of b.list()) {
      expect(size).toBe(bytes[keys.indexOf(key)]?.length)
      expect(Math.abs(modifiedAt - before)).toBeLessThan(60_000)
    }
  })

  test('are read as earlier builds have kept them', async () => {
    const folder = await newFolder()
    await cp(join(import.meta.dirname, '../../../test/stores/2026-11-packs'), folder, { recursive: true })
    const text = await readFile(join(folder, 'contents.json'), 'utf8')
    const { kept, removed } = JSON.parse(text) as { kept: Record<string, string>; removed: string }
    const store = await open(folder)
    for (const [key, content] of Object.entries(kept)) expect((await read(store, key)).toString()).toBe(content)
    await expect(store.open(removed)).rejects.toMatchObject(missing)
    expect(await listed(store)).toEqual(Object.keys(kept).toSorted())
  })

  test('are files of their own as long as there are few of them, or no room for a pack', async () => {
    const folder = await newFolder()
    const few = await open(folder, { ...usualPacking, bytes: allPacked.bytes })
    for (let n = 0; n < 10; n++) expect(await keep(few, Buffer.from(`${n}`))).toMatch(/^[0-9a-f]{2}\//)
    expect(await packFiles(folder)).toEqual([])
    const many = async () => (await Promise.all(contents(100).map((one) => keep(few, one)))).at(-1)
    await expect.poll(many).toMatch(/^pk\//)

    const room = () => Promise.resolve({ free: 300 * 1024 * 1024, size: 1e12 })
    const narrow = await open(await newFolder(), { ...allPacked, bytes: 32 * 1024 * 1024 }, { ...systemFiles, room })
    const key = await keep(narrow, Buffer.from('x'))
    expect(key).toMatch(/^[0-9a-f]{2}\//)
    expect(await read(narrow, key)).toEqual(Buffer.from('x'))
  })

  test('are gone once they are removed, may be removed twice, and leave the others', async () => {
    const folder = await newFolder()
    const [a, b] = [await open(folder), await open(folder)]
    const bytes = contents(30)
    const keys = await Promise.all(bytes.map((one) => keep(a, one)))
    const [removed, kept] = [keys.filter((_, n) => n % 2 === 0), keys.filter((_, n) => n % 2 === 1)]
    for (const key of removed) await b.remove(key)
    for (const key of removed) {
      await a.remove(key)
      await expect(a.open(key)).rejects.toMatchObject(missing)
    }
    expect(await listed(a)).toEqual(kept.toSorted())
    for (const key of kept) expect(await read(b, key)).toEqual(bytes[keys.indexOf(key)])
  })

  test('no key leads to anything but a content', async () => {
    const folder = await newFolder()
    const store = await open(folder)
    const key = await keep(store, Buffer.from('content'))
    const [hash, id, at] = key.split('.')
    for (const other of [
      `${hash}.../../.0.0`,
      `${hash}.${id}.${at}`,
      `pk/x.${id}.${at}.7`,
      `${hash}.aaaaaaaaaaaa.74.7`,
      `${hash}.${id}.0.7`,
      `${hash}.${id}.${at}.8`,
      `${hash}.${id}.zzzzz.7`,
    ]) {
      await expect(store.open(other)).rejects.toMatchObject(missing)
      await store.remove(other)
    }
    expect(await read(store, key)).toEqual(Buffer.from('content'))
  })
})

describe('the room of packs', () => {
  /** A store whose packs are no longer being written. */
  async function written(bytes: readonly Buffer[]): Promise<{ folder: string; keys: string[]; store: BlobStore }> {
    const folder = await newFolder()
    const writer = await open(folder)
    const keys = await Promise.all(bytes.map((one) => keep(writer, one)))
    await writer.close()
    opened.length = 0
    return { folder, keys, store: await open(folder) }
  }
  const taken = async (folder: string): Promise<number> => {
    const files = await Promise.all((await packFiles(folder)).map((name) => stat(join(folder, 'packs', name))))
    return files.reduce((sum, { blocks }) => sum + blocks * 512, 0)
  }

  test('is given back when what lay there is removed, while all others stay at their keys', async () => {
    const bytes = contents(180)
    const { folder, keys, store } = await written(bytes)
    await store.giveBack?.()
    const before = await taken(folder)
    const kept = keys.filter((_, n) => n % 5 === 0)
    const removed = keys.filter((_, n) => n % 5 > 0)
    for (const key of removed) await store.remove(key)
    await store.giveBack?.()
    expect(await taken(folder)).toBeLessThan(before / 2)
    expect(await listed(store)).toEqual(kept.toSorted())
    for (const key of kept) expect(await read(store, key)).toEqual(bytes[keys.indexOf(key)])
    for (const key of removed) await expect(store.open(key)).rejects.toMatchObject(missing)
    for (const key of kept) await store.remove(key)
    await store.giveBack?.()
    expect(await packFiles(folder)).toEqual([])
    for (const key of kept) await expect(store.open(key)).rejects.toMatchObject(missing)
  })

  test('is looked for only in packs that something was removed from', async () => {
    const folder = await newFolder()
    const keys: string[] = []
    for (let n = 0; n < 3; n++) {
      const writer = await open(folder)
      keys.push(await keep(writer, Buffer.alloc(10_000, 'a')))
      await writer.close()
    }
    opened.length = 0
    const openedToRead: { path: string; reads: () => number }[] = []
    const store = await open(folder, allPacked, {
      ...systemFiles,
      async openToRead(path) {
        const file = await systemFiles.openToRead(path)
        const spy = vi.spyOn(file, 'read')
        openedToRead.push({ path, reads: () => spy.mock.calls.length })
        return file
      },
    })
    const looks = async (): Promise<string[]> => {
      openedToRead.length = 0
      await store.giveBack?.()
      return openedToRead.filter(({ reads }) => reads() > 0).map(({ path }) => path)
    }
    expect(await looks()).toHaveLength(3)
    // The packs are now copies without the unused preallocated space.
    expect(await looks()).toHaveLength(3)
    expect(await looks()).toEqual([])
    const [, second = ''] = keys
    await store.remove(second)
    expect(await looks()).toEqual([packOf(folder, second)])
    expect(await looks()).toEqual([])
  })

  test('is not taken from contents that are zeros, the last one included', async () => {
    const bytes = [...contents(60), ...Array.from({ length: 3 }, () => Buffer.alloc(60_000))]
    const { folder, keys, store } = await written(bytes)
    for (const key of keys.slice(0, 60)) await store.remove(key)
    const before = await taken(folder)
    await store.giveBack?.()
    expect(await taken(folder)).toBeLessThan(before / 2)
    for (const key of keys.slice(60)) expect(await read(store, key)).toEqual(Buffer.alloc(60_000))
  })

  test('is not taken from a content that ends where its pack does', async () => {
    const folder = await newFolder()
    // Each content with its head fills fifteen pages, and three of them fill the pack.
    const writer = await open(folder, { after: 0, bytes: 4096 + 3 * 61_440 })
    const keys: string[] = []
    for (const letter of 'abc') keys.push(await keep(writer, Buffer.alloc(61_440 - 64, letter)))
    const [first = '', second = '', last = ''] = keys
    expect(packOf(folder, last)).toBe(packOf(folder, first))
    await writer.close()
    opened.length = 0
    const store = await open(folder)
    for (const key of [first, second]) await store.remove(key)
    const before = await taken(folder)
    await store.giveBack?.()
    expect(await taken(folder)).toBeLessThan(before / 2)
    expect(await read(store, last)).toEqual(Buffer.alloc(61_440 - 64, 'c'))
  })

  test('that was laid out and not used is given back when its process has gone', async () => {
    const { folder, keys, store } = await written(contents(4))
    expect(await taken(folder)).toBeGreaterThanOrEqual(allPacked.bytes)
    await store.giveBack?.()
    expect(await taken(folder)).toBeLessThan(allPacked.bytes / 2)
    expect(await listed(store)).toEqual(keys.toSorted())
  })

  test('of a process that lives is left alone, and so is what a pack holds that cannot be read', async () => {
    const folder = await newFolder()
    const [writer, other] = [await open(folder), await open(folder)]
    const first = await keep(writer, Buffer.alloc(5000, 'a'))
    const second = await keep(writer, Buffer.alloc(5000, 'b'))
    await writer.remove(second)
    await other.giveBack?.()
    const third = await keep(writer, Buffer.alloc(5000, 'c'))
    expect(packOf(folder, third)).toBe(packOf(folder, first))
    expect(await read(other, third)).toEqual(Buffer.alloc(5000, 'c'))
    await writer.remove(third)

    // Flips one bit of a head. The content is unchanged, and must not be removed.
    await writer.close()
    opened.splice(0, 1)
    const path = packOf(folder, first)
    const pack = await readFile(path)
    const at = Number.parseInt(first.split('.')[2] ?? '', 36)
    pack[at + 3] = (pack[at + 3] ?? 0) ^ 1
    await writeFile(path, pack)
    expect(await listed(other)).toEqual([])
    await other.giveBack?.()
    expect(await taken(folder)).toBeLessThan(allPacked.bytes / 2)
    expect(await read(other, first)).toEqual(Buffer.alloc(5000, 'a'))
  })

  test.each([
    ['half empty', 8],
    ['laid out beforehand', 24],
  ])('that is %s is not written after a long sleep, when another machine may have taken it', async (_, count) => {
    const folder = await newFolder()
    const writer = await open(folder)
    const keys: string[] = []
    for (let n = 0; n < count; n++) keys.push(await keep(writer, Buffer.alloc(60_000, n)))
    // The next pack is preallocated before it is needed.
    if (count > 16) await expect.poll(() => packFiles(folder)).toHaveLength(2)
    for (const name of await packFiles(folder)) {
      const path = join(folder, 'packs', name)
      const bytes = await readFile(path)
      // The owner is on a machine whose processes are not visible from this one.
      bytes.write(`${Buffer.from('elsewhere').toString('hex')}-1-abcdef`, bytes.indexOf('\n') + 1)
      await writeFile(path, bytes)
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * 60_000 })
    const other = await open(folder)
    await other.giveBack?.()
    for (let n = 0; n < 40; n++) {
      const key = await keep(writer, Buffer.alloc(60_000, n))
      expect(await read(other, key)).toEqual(Buffer.alloc(60_000, n))
    }
    for (const [n, key] of keys.entries()) expect(await read(other, key)).toEqual(Buffer.alloc(60_000, n))
  })

  test('of a process in another container is left alone, though host and process have the same name', async () => {
    const folder = await newFolder()
    const writer = await open(folder)
    const key = await keep(writer, Buffer.from('content'))
    vi.resetModules()
    vi.doMock('node:fs/promises', async (original) => ({
      ...(await original<object>()),
      readlink: () => Promise.resolve('pid:[4026530000]'),
    }))
    const { openLocalStore: openElsewhere } = await import('./local-store.ts')
    vi.doUnmock('node:fs/promises')
    const staging = await readdir(join(folder, 'staging'))
    const elsewhere = await openElsewhere(folder)
    opened.push(elsewhere)
    await elsewhere.giveBack?.()
    expect(await readdir(join(folder, 'staging'))).toEqual(expect.arrayContaining(staging))
    const next = await keep(writer, Buffer.from('next'))
    expect(packOf(folder, next)).toBe(packOf(folder, key))
    expect(await read(elsewhere, next)).toEqual(Buffer.from('next'))
  })

  test('may be given back by two processes at once, one of which takes the other for gone', async () => {
    const bytes = contents(60)
    const { folder, keys } = await written(bytes)
    const [atWork, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late = await open(folder, allPacked, {
      ...systemFiles,
      async open(path, flags) {
        const file = await systemFiles.open(path, flags)
        if (!path.endsWith('.copy')) return file
        atWork.resolve()
        await goOn.promise
        return file
      },
    })
    // When the first process is about to rename its copy into place, the second has just started its own.
    let second: Promise<unknown> | undefined
    const early = await open(folder, allPacked, {
      ...systemFiles,
      async rename(from, to) {
        second ??= late.giveBack?.()
        await atWork.promise
        await systemFiles.rename(from, to)
      },
    })
    for (const key of keys.slice(6)) await early.remove(key)
    const areWhole = async () => {
      for (const [n, key] of keys.slice(0, 6).entries()) expect(await read(early, key)).toEqual(bytes[n])
    }
    await early.giveBack?.()
    await areWhole()
    goOn.resolve()
    await second
    await areWhole()
    expect((await packFiles(folder)).filter((name) => name.endsWith('.copy'))).toEqual([])
  })

  test('no content passes for another, whatever its bytes are', async () => {
    const folder = await newFolder()
    const store = await open(folder)
    const first = await keep(store, Buffer.from('first'))
    // What an attacker knows who has read a whole pack of another store, and a head that does not start at a page
    // boundary.
    const foreign = await newFolder()
    const elsewhere = await open(foreign)
    const pack = await readFile(packOf(foreign, await keep(elsewhere, Buffer.from('foreign'))))
    const second = await keep(store, pack.subarray(4096, 60_000))
    expect(await listed(store)).toEqual([first, second].toSorted())
    // Not even if the head before it is damaged.
    const path = packOf(folder, second)
    const bytes = await readFile(path)
    bytes.fill(1, Number.parseInt(second.split('.')[2] ?? '', 36), Number.parseInt(second.split('.')[2] ?? '', 36) + 64)
    await writeFile(path, bytes)
    expect(await listed(store)).toEqual([first])
  })
})

test('a write that fails is a failure of those whose contents it held alone, and nothing is written beside it', async () => {
  const folder = await newFolder()
  let fails = false
  const files: FileOperations = {
    ...systemFiles,
    async openSynced(path) {
      const file = await systemFiles.openSynced(path)
      return {
        sync: () => file.sync(),
        close: () => file.close(),
        write(...what) {
          if (!fails) return file.write(...what)
          fails = false
          return Promise.reject(Object.assign(new Error('broken'), { code: 'EIO' }))
        },
      }
    },
  }
  const store = await open(folder, allPacked, files)
  const first = await keep(store, Buffer.from('first'))
  fails = true
  await expect(keep(store, Buffer.from('second'))).rejects.toMatchObject({ code: 'EIO' })
  const third = await keep(store, Buffer.from('third'))
  expect(packOf(folder, third)).not.toBe(packOf(folder, first))
  expect(await read(store, first)).toEqual(Buffer.from('first'))
  expect(await read(store, third)).toEqual(Buffer.from('third'))
})
