// Limits on file type, size and space, for every path by which content enters the drive.
import { join } from 'node:path'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contentsOf } from '../../../test/contents.ts'
import { recordStatements } from '../../../test/explain.ts'
import { few } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { purgeAll } from '../../../test/purge.ts'
import { RawRequest } from '../../../test/raw-http.ts'
import { systemFiles } from '../../core/blobs/file-operations.ts'
import { openLocalStore } from '../../core/blobs/local-store.ts'
import { foldTallies } from '../tree/tallies.ts'

let world: World
let beside: World
let admin: Person
let anna: Person
let ben: Person
/** A department library in which both users have all rights. */
let shared: number
let runs = 0

beforeAll(async () => {
  world = await openWorld({ elected: false, partBytes: 40 })
  beside = await openWorld({ elected: false, partBytes: 40, peer: world })
  admin = await world.admin()
})

beforeEach(async () => {
  runs += 1
  const { groupId, library } = await world.group(`部门 ${runs}`)
  shared = library
  anna = await world.person(`anna${runs}`, { groupId })
  ben = await world.person(`ben${runs}`, { groupId })
  await limit({})
})

/** Sets the limits for all users; omitted ones are unlimited. */
function limit(given: {
  user_space?: number
  server_space?: number
  workspace_count?: number
  upload_max_size?: number
  upload_types_allowed?: string[]
  upload_types_denied?: string[]
}) {
  const sizes = { user_space: 0, server_space: 0, upload_max_size: 0, workspace_count: 0 }
  return admin.call('setServerSetting', { ...sizes, upload_types_allowed: [], upload_types_denied: [], ...given })
}

type Way = (who: Person, folderId: number, name: string, bytes: Buffer) => Promise<string | undefined>

async function parts(who: Person, folderId: number, fileName: string, bytes: Buffer) {
  const opened = await who.wire('uploadOpen', { folderId, fileName, fileSize: bytes.length })
  if (opened.code !== 'success') return opened.code
  const { uploadId } = opened.data as { uploadId: string }
  await sendParts(who, uploadId, bytes)
  return (await who.wire('uploadComplete', { uploadId })).code
}

async function sendParts(who: Person, uploadId: string, bytes: Buffer): Promise<void> {
  for (let n = 1; (n - 1) * 40 < bytes.length; n += 1) {
    expect((await who.uploadPart(uploadId, n, bytes.subarray((n - 1) * 40, n * 40))).code).toBe('success')
  }
}

/** The calls that upload content. */
const sent: Readonly<Record<string, Way>> = {
  uploadRaw: async (who, folderId, name, bytes) => (await who.uploadWire(folderId, name, bytes)).code,
  uploadFile: async (who, folderId, fileName, content) =>
    (await who.uploadForm({ folderId, fileName }, { content })).code,
  parts,
  version: async (who, folderId, name, bytes) => {
    if (!(await who.names(folderId)).includes(name)) await who.upload(folderId, name, '')
    return (await who.uploadWire(folderId, name, bytes, { conflict: 'version' })).code
  },
}

/** The calls that take content from elsewhere in the drive. */
const brought: Readonly<Record<string, Way>> = {
  copy: async (who, folderId, name, bytes) => copied(who, folderId, name, bytes, 'fileOrFolderCopy'),
  'move across libraries': async (who, folderId, name, bytes) => copied(who, folderId, name, bytes, 'fileOrFolderMove'),
  'copy of a folder': async (who, folderId, name, bytes) => {
    const source = await sourceOf(who)
    const inner = await admin.folder(source, name)
    await admin.upload(inner, 'a.bin', bytes.subarray(0, bytes.length - 3))
    await admin.upload(inner, 'b.bin', bytes.subarray(bytes.length - 3))
    return (await who.wire('fileOrFolderCopy', { targetFolderId: folderId, folderIdArray: [inner] })).code
  },
}

async function copied(
  who: Person,
  folderId: number,
  name: string,
  bytes: Buffer,
  call: 'fileOrFolderCopy' | 'fileOrFolderMove',
) {
  const fileId = await admin.upload(await sourceOf(who), name, bytes)
  return (await who.wire(call, { targetFolderId: folderId, fileIdArray: [fileId] })).code
}

/** A folder of the administrator's from which a user may copy. */
async function sourceOf(who: Person): Promise<number> {
  const folderId = await admin.folder(admin.library, `quelle ${Math.random()}`)
  await admin.shares({ folderId }, [{ to: who, rights: 1022 }])
  return folderId
}

const used = async (who: Person): Promise<number> => (await who.call('getUseSpaceSizeInfo', {})).used

describe('[R207] the kind of file', () => {
  const kinds: [Parameters<typeof limit>[0], string[], string[]][] = [
    [{ upload_types_denied: ['exe', ''] }, ['a.exe', 'A.EXE', 'noextension'], ['a.txt', 'a.exe.txt']],
    [{ upload_types_allowed: ['txt', 'docx'] }, ['a.exe', 'a.txt.exe', 'noextension'], ['a.txt', 'b.DOCX']],
    [{ upload_types_allowed: ['txt'], upload_types_denied: ['exe'] }, ['a.exe'], ['a.txt']],
  ]

  test.each(few(3, [...Object.keys(sent), 'fileCreate', 'renameFile']))(
    '%s refuses what may not come in with -20',
    async (way) => {
      for (const [given, refused, taken] of kinds) {
        const put = async (name: string): Promise<string | undefined> => {
          const { folderId } = await anna.call('folderCreate', { parentId: shared, folderName: `${Math.random()}` })
          if (way === 'fileCreate') return (await anna.wire('fileCreate', { folderId, fileName: name })).code
          if (way === 'renameFile') {
            await limit({})
            const fileId = await anna.upload(folderId, 'old.zip')
            await limit(given)
            return (await anna.wire('renameFile', { fileId, fileName: name })).code
          }
          await limit({})
          if (way === 'version') await anna.upload(folderId, name, 'old')
          await limit(given)
          return sent[way]?.(anna, folderId, name, Buffer.from('x'))
        }
        await limit(given)
        for (const name of refused) expect(await put(name), name).toBe('typeRestricted')
        if (way !== 'fileCreate') for (const name of taken) expect(await put(name), name).toBe('success')
      }
    },
  )

  test('what is here already is copied, restored and named anew under its own kind', async () => {
    const fileId = await anna.upload(shared, 'old.exe')
    await limit({ upload_types_denied: ['exe'] })
    await anna.call('renameFile', { fileId, fileName: 'new.exe' })
    await anna.call('fileOrFolderCopy', { targetFolderId: anna.library, fileIdArray: [fileId] })
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect((await anna.wire('recycleRestore', { fileIdArray: [fileId] })).code).toBe('success')
    expect([await anna.names(shared), await anna.names(anna.library)]).toEqual([['new.exe'], ['new.exe']])
  })
})

describe('[R207] the size of one file', () => {
  test.each(few(2, Object.keys(sent)))('%s refuses more than an upload may have with -11, at the byte', async (way) => {
    await limit({ upload_max_size: 100 })
    expect(await sent[way]?.(anna, shared, 'a.bin', Buffer.alloc(101))).toBe('uploadSizeExceeded')
    expect(await sent[way]?.(anna, shared, 'b.bin', Buffer.alloc(100))).toBe('success')
  })

  test.each(few(3, Object.keys({ ...sent, ...brought })))(
    '%s refuses more than a library’s files may have with -22',
    async (way) => {
      await admin.call('changeLibrary', { libraryId: shared, quota: 0, fileLimit: 100 })
      const put = { ...sent, ...brought }[way]
      const surplus = way === 'copy of a folder' ? 104 : 101
      expect(await put?.(anna, shared, 'a.bin', Buffer.alloc(surplus))).toBe('fileSizeExceeded')
      expect(await put?.(anna, shared, 'b.bin', Buffer.alloc(surplus - 1))).toBe('success')
      expect(await put?.(anna, anna.library, 'c.bin', Buffer.alloc(surplus))).toBe('success')
    },
  )

  test.each([
    ['uploadSizeExceeded', () => limit({ upload_max_size: 1_000_000 })],
    ['fileSizeExceeded', () => admin.call('changeLibrary', { libraryId: shared, quota: 0, fileLimit: 1_000_000 })],
    ['folderSizeExceeded', () => admin.call('changeLibrary', { libraryId: shared, quota: 1_000_000 })],
    ['userSizeExceeded', () => limit({ user_space: 1_000_000 })],
  ] as const)(
    'too large a body is refused with %s by its length, and without one as soon as it is',
    async (code, set) => {
      await set()
      const before = await contentsOf(world)
      const path = `/services2/upload/raw?folderId=${shared}&fileName=a.bin`
      const announced = await RawRequest.open(anna, 'PUT', path, { 'content-length': 3_000_000 })
      expect((await announced.answer()).result).toBe(codes[code].code)
      announced.cut()
      const silent = await RawRequest.open(anna, 'PUT', path, { 'transfer-encoding': 'chunked' })
      for (let n = 0; n < 5; n += 1) silent.write(`493e0\r\n${'x'.repeat(300_000)}\r\n`)
      expect((await silent.answer()).result).toBe(codes[code].code)
      silent.cut()
      await vi.waitFor(async () => expect(await contentsOf(world)).toEqual(before), 120_000)
    },
  )
})

describe('[R207] [R288] space', () => {
  let deep = 0
  const scopes = {
    'an account': {
      code: 'userSizeExceeded',
      set: (quota: number) => admin.call('modifyAccount', { userId: anna.userId, quota }),
      into: () => shared,
    },
    'every account': {
      code: 'userSizeExceeded',
      set: (quota: number) => limit({ user_space: quota }),
      into: () => shared,
    },
    'one’s own library': {
      code: 'userSizeExceeded',
      set: (quota: number) => admin.call('changeLibrary', { libraryId: anna.library, quota }),
      into: () => anna.library,
    },
    'a colleague’s library': {
      code: 'colleagueSizeExceeded',
      set: async (quota: number) => {
        await ben.shares({ folderId: ben.library }, [{ to: anna, rights: 510 }])
        await admin.call('changeLibrary', { libraryId: ben.library, quota })
      },
      into: () => ben.library,
    },
    'a shared library': {
      code: 'folderSizeExceeded',
      set: (quota: number) => admin.call('changeLibrary', { libraryId: shared, quota }),
      into: () => shared,
    },
    'a folder': {
      code: 'folderSizeExceeded',
      set: async (limit: number) => {
        const top = await anna.folder(anna.library, '限额')
        deep = await anna.folder(top, '里面')
        await anna.call('setFolderLimit', { folderId: top, limit })
        // As if every transaction that started before the limit was set had ended.
        await world.app.db.updateTable('folder_space').set({ unsettled_until: 0 }).execute()
      },
      into: () => deep,
    },
    'the installation': {
      code: 'capacityExceeded',
      set: async (quota: number) => {
        await foldTallies(world.app.db)
        const { bytes } = await world.app.db
          .selectFrom('library_total')
          .select('bytes')
          .where('library_id', '=', 0)
          .executeTakeFirstOrThrow()
        await limit({ server_space: bytes + quota })
      },
      into: () => shared,
    },
  } as const

  // [R207] Limits of format, size and space hold to the byte for every way of uploading, each with its code; the number
  // of shared libraries (-10) is limited by a setting.
  test.each(few(2, Object.keys(scopes) as (keyof typeof scopes)[]))(
    '[R207] of many uploads at once by two processes exactly those pass that %s has room for',
    async (scope) => {
      const { code, set, into } = scopes[scope]
      await set(1000)
      const ways = Object.entries(sent)
      const people = [anna, anna.at(beside)]
      const results = await Promise.all(
        Array.from({ length: 24 }, (_, n) => {
          const [, put] = ways[n % ways.length] ?? ['', parts]
          return put(people[n % 2] ?? anna, into(), `${n}.bin`, Buffer.alloc(130, n))
        }),
      )
      expect(results.filter((each) => each === 'success')).toHaveLength(7)
      expect(results.filter((each) => each === code)).toHaveLength(17)
      expect(await used(anna)).toBe(7 * 130)
      // Exact to the byte, also after the sums have been folded.
      await foldTallies(world.app.db)
      expect((await anna.uploadWire(into(), 'more.bin', Buffer.alloc(91))).code).toBe(code)
      expect((await anna.uploadWire(into(), 'rest.bin', Buffer.alloc(90))).code).toBe('success')
      expect((await anna.uploadWire(into(), 'one.bin', 'x')).code).toBe(code)
      expect((await anna.uploadWire(into(), 'nothing.bin', '')).code).toBe('success')
    },
  )

  test.each(few(2, Object.keys(brought)))('%s takes space like an upload', async (way) => {
    await admin.call('changeLibrary', { libraryId: shared, quota: 250 })
    const put = brought[way]
    expect(await put?.(anna, shared, '1.bin', Buffer.alloc(100))).toBe('success')
    expect(await put?.(anna, shared, '2.bin', Buffer.alloc(151))).toBe('folderSizeExceeded')
    expect(await put?.(anna, shared, '3.bin', Buffer.alloc(150))).toBe('success')
    expect(await anna.names(shared)).toHaveLength(2)
  })

  test.each(few(2, Object.keys(brought)))('[R119] %s takes space of a folder above like an upload', async (way) => {
    const top = await anna.folder(anna.library, '限额')
    const inner = await anna.folder(top, '里面')
    await anna.call('setFolderLimit', { folderId: top, limit: 250 })
    const put = brought[way]
    expect(await put?.(anna, inner, '1.bin', Buffer.alloc(100))).toBe('success')
    expect(await put?.(anna, inner, '2.bin', Buffer.alloc(151))).toBe('folderSizeExceeded')
    expect(await put?.(anna, inner, '3.bin', Buffer.alloc(150))).toBe('success')
    expect(await anna.names(inner)).toHaveLength(2)
  })

  // [R119] A folder limit holds exactly, at any depth and for every way of adding content (-23); managers of the
  // library set it in the window of properties.
  test('[R119] what moves below a folder takes of its limit, what moves inside takes nothing, and what leaves gives it back', async () => {
    const top = await anna.folder(anna.library, '限额')
    const inner = await anna.folder(top, '里面')
    await anna.call('setFolderLimit', { folderId: top, limit: 100 })
    const one = await anna.upload(inner, '一.bin', Buffer.alloc(60))
    const beside = await anna.folder(anna.library, '外面')
    const other = await anna.upload(beside, '二.bin', Buffer.alloc(30))
    await anna.upload(beside, '二.bin', Buffer.alloc(20), { conflict: 'version' })
    const move = async (targetFolderId: number, item: object) =>
      (await anna.wire('fileOrFolderMove', { targetFolderId, ...item })).code
    // All versions of the files are moved and count.
    expect(await move(inner, { folderIdArray: [beside] })).toBe('folderSizeExceeded')
    expect(await move(top, { fileIdArray: [one] })).toBe('success')
    expect((await anna.uploadWire(top, '满.bin', Buffer.alloc(41))).code).toBe('folderSizeExceeded')
    await anna.call('setFolderLimit', { folderId: top, limit: 110 })
    expect(await move(inner, { folderIdArray: [beside] })).toBe('success')
    await world.app.db.updateTable('folder_space').set({ unsettled_until: 0 }).execute()
    expect((await anna.uploadWire(beside, '一.bin', 'x')).code).toBe('folderSizeExceeded')
    expect(await move(anna.library, { fileIdArray: [one] })).toBe('success')
    expect((await anna.uploadWire(beside, '三.bin', Buffer.alloc(60))).code).toBe('success')
    // Restoring from the recycle bin counts like any other addition.
    await anna.call('fileOrFolderDelete', { fileIdArray: [one] })
    const back = { fileIdArray: [one], targetFolderId: top }
    expect((await anna.wire('recycleRestore', back)).code).toBe('folderSizeExceeded')
    await anna.call('fileOrFolderCompleteDelete', { folderIdArray: [beside] })
    expect((await anna.wire('recycleRestore', back)).code).toBe('success')
    expect(other).toBeGreaterThan(0)
  })

  test('[R119] a folder says its limit; whoever manages the library sets it, takes it away, and sees what counts', async () => {
    const top = await anna.folder(anna.library, '限额')
    const inner = await anna.folder(top, '里面')
    await anna.shares({ folderId: top }, [{ to: ben, rights: 510 }])
    const fileId = await anna.upload(inner, '一.bin', Buffer.alloc(60))
    expect(await anna.call('setFolderLimit', { folderId: top, limit: 40 })).toEqual({ used: 60 })
    const of = async (who: Person, folderId: number) => {
      const { folder, folderLimit, aboveLimit, limitUsed } = await who.call('getFolderProperty', { folderId })
      return [folderLimit, aboveLimit, limitUsed, folder.itemStatus & 128]
    }
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect(await of(anna, top)).toEqual([40, 0, 60, 128])
    expect(await of(ben, top)).toEqual([40, 0, 0, 128])
    expect(await of(ben, inner)).toEqual([0, 40, 0, 0])
    // Existing items are not affected, and a write that adds nothing is never refused.
    expect((await ben.uploadWire(inner, 'x.bin', 'x')).code).toBe('folderSizeExceeded')
    expect((await ben.uploadWire(inner, '空.bin', '')).code).toBe('success')
    expect(await ben.refusal('setFolderLimit', { folderId: top, limit: 0 })).toBe('noPermission')
    expect(await anna.refusal('setFolderLimit', { folderId: anna.library, limit: 1 })).toBe('noPermission')
    await anna.call('setFolderLimit', { folderId: top, limit: 0 })
    expect(await of(anna, top)).toEqual([0, 0, 0, 0])
    expect((await ben.uploadWire(inner, 'x.bin', 'x')).code).toBe('success')
  })

  test('copies at once stop at the byte', async () => {
    const source = await sourceOf(anna)
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, n) => admin.upload(source, `${n}.bin`, Buffer.alloc(30))),
    )
    await admin.call('modifyAccount', { userId: anna.userId, quota: 100 })
    const both = [anna, anna.at(beside)]
    const answers = await Promise.all(
      [ids.slice(0, 5), ids.slice(5)].map((fileIdArray, n) =>
        (both[n] ?? anna).wire('fileOrFolderCopy', { targetFolderId: shared, fileIdArray }),
      ),
    )
    const results = answers.flatMap(({ data }) => (data as { result: number }[]).map(({ result }) => result))
    expect(results.filter((result) => result === codes.success.code)).toHaveLength(3)
    expect(results.filter((result) => result === codes.userSizeExceeded.code)).toHaveLength(7)
    expect(await used(anna)).toBe(90)
  })

  test('old versions and the recycle bin count until they are gone for good; restoring takes nothing', async () => {
    await admin.call('changeLibrary', { libraryId: shared, quota: 100 })
    const fileId = await anna.upload(shared, 'a.bin', Buffer.alloc(50))
    await anna.upload(shared, 'a.bin', Buffer.alloc(50), { conflict: 'version' })
    expect((await ben.uploadWire(shared, 'b.bin', 'x')).code).toBe('folderSizeExceeded')
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect((await ben.uploadWire(shared, 'b.bin', 'x')).code).toBe('folderSizeExceeded')
    expect((await anna.wire('recycleRestore', { fileIdArray: [fileId] })).code).toBe('success')
    const [made] = await anna.call('createFolderByPathList', { folderId: shared, pathList: ['甲/乙'] })
    expect(made?.folderId).toBeGreaterThan(0)
    await anna.call('fileOrFolderCompleteDelete', { fileIdArray: [fileId] })
    await purgeAll(world.app.db)
    expect((await ben.uploadWire(shared, 'b.bin', Buffer.alloc(100))).code).toBe('success')
  })

  test('an account’s own quota counts before what holds for everybody, and everybody sees their own', async () => {
    await limit({ user_space: 100 })
    expect(await anna.call('getUseSpaceSizeInfo', {})).toEqual({ used: 0, total: 100 })
    await admin.call('modifyAccount', { userId: anna.userId, quota: 200 })
    await admin.call('modifyAccount', { userId: ben.userId, quota: 0 })
    expect(await anna.call('getUseSpaceSizeInfo', {})).toEqual({ used: 0, total: 200 })
    expect(await ben.call('getUseSpaceSizeInfo', {})).toEqual({ used: 0, total: 0 })
    expect((await anna.uploadWire(shared, 'a.bin', Buffer.alloc(200))).code).toBe('success')
    expect((await ben.uploadWire(shared, 'b.bin', Buffer.alloc(300))).code).toBe('success')
    await admin.call('modifyAccount', { userId: anna.userId, quota: null })
    expect((await anna.uploadWire(shared, 'c.bin', 'x')).code).toBe('userSizeExceeded')
    expect(await admin.refusal('modifyAccount', { userId: 987_654, quota: 1 })).toBe('notFound')
    expect(await admin.refusal('changeLibrary', { libraryId: 987_654, quota: 1 })).toBe('notFound')
  })

  test('[R207] libraries that people share stop at the number with -10, also when they are made at once by two processes', async () => {
    const parents = []
    for (const n of [1, 2, 3, 4]) parents.push((await world.group(`上级 ${runs} ${n}`)).groupId)
    const { rows } = await sql<{ n: number }>`select count(*) as n from library where kind <> 'personal'`.execute(
      world.app.db,
    )
    await limit({ workspace_count: (rows[0]?.n ?? 0) + 2 })
    // All have checked, or wait to check, before any has created its library.
    const holder = new pg.Client(world.database)
    await holder.connect()
    await holder.query('begin; lock table library in share mode')
    const asked = parents.map(async (parentId, n) => {
      const wire = await admin.at(n % 2 === 0 ? world : beside).wire('createGroup', { groupName: '同时', parentId })
      return String(wire.code)
    })
    // A session that waits for a transaction rather than a table holds a lock without a database.
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await holder.query(waiting)).rowCount, { timeout: 120_000 }).toBe(4)
    await holder.query('commit')
    await holder.end()
    const codesOf = await Promise.all(asked)
    expect(codesOf.toSorted()).toEqual(['success', 'success', 'workspaceCountExceeded', 'workspaceCountExceeded'])
    // New users always get a library of their own.
    expect((await world.person(`last${runs}`)).library).toBeGreaterThan(0)
    await limit({})
    await world.group(`更多 ${runs}`)
  })

  test('a limit set below what is there lets nothing in and takes nothing away', async () => {
    const fileId = await anna.upload(shared, 'a.bin', Buffer.alloc(100, 1))
    await admin.call('changeLibrary', { libraryId: shared, quota: 10 })
    expect((await anna.uploadWire(shared, 'b.bin', 'x')).code).toBe('folderSizeExceeded')
    expect((await anna.download(fileId)).rawPayload).toEqual(Buffer.alloc(100, 1))
    await anna.call('renameFile', { fileId, fileName: 'c.bin' })
  })

  test('where nothing is limited no sum is read and no lock is taken', async () => {
    const { statements } = await recordStatements(() => anna.upload(shared, 'a.bin', 'x'))
    expect(statements.filter(({ text }) => /advisory|usage_total|library_total/.test(text))).toEqual([])
    await admin.call('changeLibrary', { libraryId: shared, quota: 10 })
    const limited = await recordStatements(() => anna.upload(shared, 'b.bin', 'x'))
    expect(limited.statements.filter(({ text }) => /advisory/.test(text))).toHaveLength(1)
  })

  test('folding counts every byte once, in each of its sums', async () => {
    await anna.upload(shared, 'a.bin', Buffer.alloc(10))
    await foldTallies(world.app.db)
    await anna.upload(shared, 'b.bin', Buffer.alloc(20))
    await anna.call('folderCreate', { parentId: shared, folderName: 'f' })
    await foldTallies(world.app.db)
    await anna.call('folderCreate', { parentId: shared, folderName: 'g' })
    await foldTallies(world.app.db)
    const { rows } = await sql<{ library: number; all: number; sum: number }>`
      select (select bytes from library_total where library_id = ${shared}) as library,
        (select bytes from library_total where library_id = 0) as all,
        (select sum(bytes) from usage_total)::bigint as sum`.execute(world.app.db)
    expect(rows[0]?.library).toBe(30)
    expect(rows[0]?.all).toBe(rows[0]?.sum)
  })
})

describe('[R288] the disk', () => {
  test('an upload for which it has no room is -83 before it is sent, and reading goes on', async () => {
    let room = 2_000_000
    const full = await openWorld({
      elected: false,
      partBytes: 40,
      peer: world,
      openBlobs: async (pause) => ({
        ...(await openLocalStore(join(world.folder, 'blobs'), pause)),
        room: () => Promise.resolve(room),
      }),
    })
    const there = anna.at(full)
    const fileId = await there.upload(shared, 'a.bin', 'kept on the disk')
    const file = { folderId: shared, fileName: 'b.bin' }
    expect(await there.refusal('uploadOpen', { ...file, fileSize: 2_000_001 })).toBe('capacityNotSatisfied')
    await there.call('uploadOpen', { ...file, fileSize: 2_000_000 })
    const path = `/services2/upload/raw?folderId=${shared}&fileName=b.bin`
    const request = await RawRequest.open(there, 'PUT', path, { 'content-length': 3_000_000 })
    expect((await request.answer()).result).toBe(codes.capacityNotSatisfied.code)
    request.cut()
    expect((await there.download(fileId)).body).toBe('kept on the disk')
    // Parts that have arrived already take up space; completing the upload takes no more.
    const { uploadId } = await there.call('uploadOpen', { ...file, fileSize: 5 })
    await sendParts(there, uploadId, Buffer.from('abcde'))
    room = 0
    await there.call('uploadComplete', { uploadId })
  })

  test.each(few(1, ['ENOSPC', 'EDQUOT']))(
    'one that fills up while a content arrives is -83, and nothing is left (%s)',
    async (code) => {
      let isFull = true
      const refuse = () => Promise.reject(Object.assign(new Error('no space'), { code }))
      const full = await openWorld({
        elected: false,
        partBytes: 40,
        peer: world,
        openBlobs: (pause) =>
          openLocalStore(join(world.folder, 'blobs'), pause, {
            ...systemFiles,
            async open(path, flags) {
              const file = await systemFiles.open(path, flags)
              if (isFull && flags !== 'r') file.write = refuse
              return file
            },
            writeNew: (path, bytes) => (isFull ? refuse() : systemFiles.writeNew(path, bytes)),
          }),
      })
      const there = anna.at(full)
      const before = await contentsOf(world)
      expect((await there.uploadWire(shared, 'a.bin', 'x')).code).toBe('capacityNotSatisfied')
      const { uploadId } = await there.call('uploadOpen', { folderId: shared, fileName: 'b.bin', fileSize: 5 })
      const part = () => there.uploadPart(uploadId, 1, 'abcde')
      expect((await part()).code).toBe('capacityNotSatisfied')
      isFull = false
      expect((await part()).code).toBe('success')
      const { fileId } = await there.call('uploadComplete', { uploadId })
      expect((await there.download(fileId)).body).toBe('abcde')
      expect(await contentsOf(world)).toMatchObject({ versions: before.versions + 1, staged: before.staged })
    },
  )
})
