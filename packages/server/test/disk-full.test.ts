/*
 * A full disk: requests that need space get a clear code, reads continue, and service resumes without a restart once
 * there is space. As root this uses small real disks; otherwise a database that reports a full disk.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { systemFiles } from '../src/core/blobs/file-operations.ts'
import { openLocalStore } from '../src/core/blobs/local-store.ts'
import { findEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'
import { longTest } from './full.ts'
import { openWorld, Person, password, requestFor } from './harness.ts'
import { ServerProcess } from './server-process.ts'

const megabyte = 1024 * 1024

test('a database that has no room answers -83 for what is new, reads go on, and it goes on when there is room', async () => {
  const world = await openWorld()
  const anna = await world.person('anna')
  const fileId = await anna.upload(anna.library, 'kept.txt', 'kept')
  await sql`
    create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(world.app.db)
  await sql`create trigger full_disk before insert on item for each row execute function full_disk()`.execute(
    world.app.db,
  )
  expect((await anna.uploadWire(anna.library, 'new.txt', 'new')).code).toBe('capacityNotSatisfied')
  expect(await anna.refusal('folderCreate', { parentId: anna.library, folderName: 'new' })).toBe('capacityNotSatisfied')
  expect(await anna.names(anna.library)).toEqual(['kept.txt'])
  expect((await anna.download(fileId)).body).toBe('kept')
  await sql`drop trigger full_disk on item`.execute(world.app.db)
  await anna.upload(anna.library, 'new.txt', 'new')
  expect(await anna.names(anna.library)).toEqual(['kept.txt', 'new.txt'])
})

test('what is left of the disk for the database is not given to uploads, however small they are', async () => {
  const world = await openWorld()
  const anna = await world.person('anna')
  const fileId = await anna.upload(anna.library, 'kept.txt', 'kept')
  const gigabyte = 1024 * 1024 * 1024
  let free = 200 * megabyte
  const full = await openWorld({
    peer: world,
    openBlobs: (pause) => {
      const room = () => Promise.resolve({ free, size: 500 * gigabyte })
      return openLocalStore(join(world.folder, 'blobs'), pause, { ...systemFiles, room })
    },
  })
  const there = new Person(full, anna.account, anna.userId, anna.token, anna.library)
  expect((await there.uploadWire(anna.library, 'new.txt', 'x')).code).toBe('capacityNotSatisfied')
  expect((await there.download(fileId)).body).toBe('kept')
  await there.call('fileOrFolderDelete', { fileIdArray: [fileId] })
  free = 300 * megabyte
  await expect.poll(async () => (await there.uploadWire(anna.library, 'new.txt', 'x')).code).toBe('success')
})

test('a look at the disk that fails fails one upload, and not those after it', async () => {
  const world = await openWorld()
  const anna = await world.person('anna')
  let fails = false
  const looking = await openWorld({
    peer: world,
    openBlobs: (pause) => {
      const room = () => (fails ? Promise.reject(new Error('EIO')) : Promise.resolve({ free: 2 ** 40, size: 2 ** 40 }))
      return openLocalStore(join(world.folder, 'blobs'), pause, { ...systemFiles, room })
    },
  })
  const there = new Person(looking, anna.account, anna.userId, anna.token, anna.library)
  fails = true
  expect((await there.uploadWire(anna.library, 'new.txt', 'x')).code).toBe('serverException')
  fails = false
  expect((await there.uploadWire(anna.library, 'new.txt', 'x')).code).toBe('success')
})

const folder = mkdtempSync(join(tmpdir(), 'cloudoc-full-'))
const mounted: string[] = []
const started: ServerProcess[] = []

afterAll(async () => {
  for (const server of started) {
    server.child.kill('SIGTERM')
    await server.exited
  }
  for (const path of mounted) execFileSync('umount', [path])
  rmSync(folder, { recursive: true, force: true })
})

/** Mounts a separate disk; undefined where this process may not mount. */
function mountDisk(name: string, megabytes: number): string | undefined {
  const path = join(folder, name)
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  mounted.push(path)
  return path
}

const free = (path: string): number => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

/** Fills a disk except for `left` bytes; `release` frees the space again. */
function fill(path: string, left = 0): { release: () => void } {
  const filler = join(path, 'filler')
  const file = openSync(filler, 'w')
  try {
    while (free(path) > left) writeSync(file, Buffer.alloc(Math.min(free(path) - left, megabyte)))
  } catch (error) {
    // Another process used the last bytes first.
    if ((error as { code?: unknown }).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return { release: () => rmSync(filler) }
}

const main = mountDisk('data', 200)
const own = main ?? ''

/** Starts a server on the disks that are filled later, with helpers for its calls. */
async function serve(data: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const server = new ServerProcess(['--data', data, '--port', '0', '--scrub-days', '0', ...args], env)
  started.push(server)
  const origin = await server.ready()
  const ask = async (name: Parameters<typeof requestFor>[0], input: Record<string, unknown>, token?: string) => {
    const { method, url, headers, payload } = requestFor(name, input, token)
    const response = await fetch(`${origin}${url}`, {
      method: method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(typeof payload === 'string' ? { body: payload } : {}),
    })
    return (await response.json()) as { result: number; data: unknown }
  }
  const login = await ask('login3', { userName: 'admin', password, clientType: 6 })
  const { accessToken: token } = login.data as { accessToken: string }
  const roots = await ask('getRootFolderSetting', {}, token)
  const { list } = roots.data as { list: { fId: number; kind: string }[] }
  const folderId = list.find((one) => one.kind === 'company')?.fId ?? 0
  const authorization = `Bearer ${token}`
  return {
    server,
    async put(fileName: string, bytes: Buffer<ArrayBuffer>): Promise<{ result: number; data: { fileId: number } }> {
      const query = new URLSearchParams({ folderId: String(folderId), fileName }).toString()
      const request = { method: 'PUT', headers: { authorization }, body: bytes }
      const response = await fetch(`${origin}/services2/upload/raw?${query}`, request)
      return (await response.json()) as { result: number; data: { fileId: number } }
    },
    async get(fileId: number): Promise<Buffer> {
      const response = await fetch(`${origin}/DownloadServlet?fileId=${fileId}`, { headers: { authorization } })
      return Buffer.from(await response.arrayBuffer())
    },
    async names(): Promise<string[]> {
      const answer = await ask('getSubItemList3', { folderId }, token)
      return (answer.data as { list: { fName: string }[] }).list.map((item) => item.fName)
    },
  }
}

// Without the right to mount there is no small disk to fill. The tests above and those of quotas then cover the
// behaviour.
describe.runIf(main !== undefined)('on a real disk', { timeout: 180_000 }, () => {
  const bytes = Buffer.alloc(megabyte, 7)

  test('contents and database on one: uploads stop before the database has to, and reads go on to the last byte', async () => {
    const there = await serve(own)
    const { data } = await there.put('kept.bin', bytes)
    const most = fill(own, 8 * megabyte)
    // The result of the space check is cached for a moment; until it expires, small uploads still succeed.
    let sent = 0
    const refused = async () => {
      sent += 1
      expect((await there.put(`small ${sent}.txt`, Buffer.from('x'))).result).toBe(codes.capacityNotSatisfied.code)
    }
    await vi.waitFor(refused, { timeout: 120_000 })
    const names = await there.names()
    expect(names).toHaveLength(sent)
    expect((await there.put('large.bin', bytes)).result).toBe(codes.capacityNotSatisfied.code)
    expect(free(own)).toBeGreaterThan(4 * megabyte)
    most.release()
    const all = fill(own)
    expect(free(own)).toBeLessThan(megabyte)
    expect((await there.get(data.fileId)).equals(bytes)).toBe(true)
    expect(await there.names()).toEqual(names)
    all.release()
    await vi.waitFor(async () => expect((await there.put('after.bin', bytes)).result).toBe(codes.success.code), {
      timeout: 120_000,
    })
    expect(await there.names()).toEqual(['after.bin', ...names])
  })

  longTest('a PostgreSQL that ends for want of room is back by itself when there is some', async () => {
    const second = mountDisk('second', 200) ?? ''
    const there = await serve(second)
    const { data } = await there.put('kept.bin', bytes)
    const target = await findEmbeddedPostgres(join(second, 'postgres'))
    const all = fill(second)
    const client = new pg.Client(target)
    client.on('error', () => {})
    await client.connect()
    // Each statement uses a new WAL segment. When no more fits, PostgreSQL stops.
    await expect(
      (async () => {
        for (let n = 0; n < 30; n += 1)
          await client.query("select pg_logical_emit_message(false, 'x', repeat('x', 10000000)), pg_switch_wal()")
      })(),
    ).rejects.toThrow()
    await client.end().catch(() => {})
    await there.server.says(/PostgreSQL did not start/)
    all.release()
    await vi.waitFor(async () => expect((await there.put('after.bin', bytes)).result).toBe(codes.success.code), {
      timeout: 120_000,
    })
    expect((await there.get(data.fileId)).equals(bytes)).toBe(true)
    expect(await there.names()).toEqual(['after.bin', 'kept.bin'])
  })

  longTest('the folder for temporary files is not needed', async () => {
    const temporary = mountDisk('temporary', 1) ?? ''
    fill(temporary)
    const there = await serve(join(folder, 'third'), [], { TMPDIR: temporary })
    const { data } = await there.put('kept.bin', bytes)
    expect((await there.get(data.fileId)).equals(bytes)).toBe(true)
  })
})
