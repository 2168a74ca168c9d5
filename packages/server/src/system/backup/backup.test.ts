import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { few, longTest } from '../../../test/full.ts'
import { cloneDatabase, emptyDatabase, openWorld, sharedS3, type World } from '../../../test/harness.ts'
import { purgeAll } from '../../../test/purge.ts'
import { readsOf } from '../../../test/reads.ts'
import { backUpWorld, emptyPlace, restoredWorld, restoreTo, testFolder } from '../../../test/restored.ts'
import { openTestStore } from '../../../test/s3.ts'
import { contentsLock } from '../../core/blobs/contents-lock.ts'
import { collectRows, removeDropped } from '../../drive/content/index.ts'
import { installation } from '../../installation.ts'
import { fsck } from '../fsck/index.ts'
import { openSnapshot } from './format.ts'
import { backUp, keepNewest, verify } from './index.ts'

// Each test fills an installation, and most of them another one.
vi.setConfig({ testTimeout: 120_000 })

/** An installation with data of every kind: six blobs, and `more` further ones. */
async function filledWorld(more = 5) {
  // Without the collector, which would remove purged content at an arbitrary moment of the test.
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const { groupId, library } = await world.group('法务部')
  const anna = await world.person('anna', { groupId })
  const ben = await world.person('ben')
  const { roleId } = await admin.call('createRole', { roleName: '审计' })
  await admin.call('changePeople', { userIds: [ben.userId], addRoleId: roleId })
  const company = await world.company()
  const { folderId } = await admin.call('folderCreate', { parentId: company, folderName: '合同' })
  const { folderId: secret } = await admin.call('folderCreate', { parentId: folderId, folderName: 'B 备份' })
  await admin.shares({ folderId: secret }, [{ to: { roleId }, rights: rightsGroup.edit }], { inherit: false })
  await admin.upload(secret, '季度.txt', '第一版')
  await admin.upload(secret, '季度.txt', '第二版', { conflict: 'version' })
  await anna.upload(library, 'empty.txt', '')
  await anna.upload(library, 'photo.bin', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)))
  const deleted = await anna.upload(anna.library, '删除.txt', 'bin')
  await anna.call('fileOrFolderDelete', { fileIdArray: [deleted] })
  const gone = await ben.upload(ben.library, 'gone.txt', 'purged')
  await ben.call('fileOrFolderDelete', { fileIdArray: [gone] })
  await ben.call('fileOrFolderCompleteDelete', { fileIdArray: [gone] })
  for (let n = 0; n < more; n += 1) await ben.upload(ben.library, `${n}.txt`, `text ${n}`)
  await world.app.db.updateTable('version').set({ comment: 'C:\\new\\x41\ttab\r\nline \\N \\.' }).execute()
  await world.app.settle()
  // Permanently deleted content counts until it is removed in the background.
  await purgeAll(world.app.db)
  return { world, people: [admin, anna, ben] as const, library, company, secret }
}

async function everythingOf(world: World): Promise<unknown[]> {
  const all = []
  for (const account of ['admin', 'anna', 'ben']) all.push(await readsOf(await world.signIn(account, 9)))
  return all
}

/** The message of a refusal. */
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'not refused',
    (error: Error) => `${error.name}: ${error.message}`,
  )

async function queryAt<T extends pg.QueryResultRow>({ database }: Pick<World, 'database'>, text: string) {
  const client = new pg.Client(database)
  await client.connect()
  try {
    return await client.query<T>(text)
  } finally {
    await client.end()
  }
}

describe('a restored installation', () => {
  test('answers as the backed up one did at its snapshot, whatever writers did meanwhile', async () => {
    const { world, people, company, secret } = await filledWorld()
    const [admin, anna, ben] = people
    const before = await everythingOf(world)
    const folder = await testFolder()
    const begun: string[] = []
    const { manifest } = await backUpWorld(world, folder, {
      async pause(point) {
        begun.push(point)
        await admin.upload(company, `after ${point}.txt`, `after ${point}`)
        await anna.upload(anna.library, `${point}.txt`)
        if (point !== 'snapshot taken') return
        await admin.call('renameFolder', { folderId: secret, folderName: 'renamed' })
        const { list } = await ben.call('getSubItemList3', { folderId: ben.library, rows: 100 })
        await ben.call('fileOrFolderDelete', { fileIdArray: list.map((item) => item.fId) })
        await world.person('late')
      },
    })
    expect(begun).toEqual(['snapshot taken', 'rows copied', 'contents copied'])
    expect(manifest.objects.count).toBe(11)

    const restored = await restoredWorld(folder)
    expect(await everythingOf(restored)).toEqual(before)
    expect((await restored.wire('login3', { userName: 'late', password: 'Test#2026', clientType: 6 })).code).not.toBe(
      'success',
    )
  })

  longTest('signs nobody in by what was signed in, and gives no number twice', async () => {
    const { world, people } = await filledWorld()
    const [, , ben] = people
    const folder = await testFolder()
    const purged = await ben.upload(ben.library, 'purged.txt')
    await ben.call('fileOrFolderDelete', { fileIdArray: [purged] })
    await ben.call('fileOrFolderCompleteDelete', { fileIdArray: [purged] })
    await purgeAll(world.app.db)
    await backUpWorld(world, folder)
    const restored = await restoredWorld(folder)
    expect((await restored.wire('getMyAccountInfo', {}, ben.token)).code).toBe('notLoggedIn')
    expect(await restored.app.db.selectFrom('session').select('id').execute()).toEqual([])
    const again = await restored.signIn('ben')
    expect(await again.upload(again.library, 'new.txt')).toBeGreaterThan(purged)
  })

  longTest('begins another history of events, so that clients fetch again', async () => {
    const { world } = await filledWorld()
    const folder = await testFolder()
    await backUpWorld(world, folder)
    const restored = await restoredWorld(folder)
    const secretsOf = async ({ app }: World) =>
      new Map((await app.db.selectFrom('secret').selectAll().execute()).map(({ name, value }) => [name, value]))
    const [was, is] = [await secretsOf(world), await secretsOf(restored)]
    expect([...is.keys()].sort()).toEqual([...was.keys()].sort())
    expect([...is.keys()].filter((name) => is.get(name) !== was.get(name))).toEqual(['epoch'])
  })

  test('has the indexes, constraints and triggers that it would have been made with', async () => {
    const { world } = await filledWorld()
    const folder = await testFolder()
    await backUpWorld(world, folder)
    const restored = await restoredWorld(folder)
    const schemaOf = async ({ database }: World): Promise<unknown> => {
      const client = new pg.Client(database)
      await client.connect()
      const { rows } = await client.query(`
        select pg_get_indexdef(indexrelid) as definition from pg_index join pg_class on oid = indexrelid
        where relnamespace = 'public'::regnamespace
        union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace
        union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
        order by 1`)
      await client.end()
      return rows
    }
    expect(await schemaOf(restored)).toEqual(await schemaOf(world))
  })
})

longTest(
  'a backup moves contents from a folder to an S3 store and back, whatever the keys of either',
  {
    timeout: 120_000,
  },
  async () => {
    const { world, people } = await filledWorld()
    await people[1].upload(people[1].library, 'large.bin', Buffer.alloc(300_000, 'large'))
    const before = await everythingOf(world)
    const [folder, more] = [await testFolder(), await testFolder()]
    await backUpWorld(world, folder)
    const s3 = await sharedS3()
    const place = await emptyPlace()
    const store = await openTestStore(s3, place.folder)
    await restoreTo(place, folder, { store, storeName: 's3' })
    await store.close()
    const openBlobs = () => openTestStore(s3, place.folder)
    const moved = await openWorld({ peer: place, openBlobs, elected: false })
    expect(await everythingOf(moved)).toEqual(before)
    const { copied } = await backUpWorld(moved, more)
    expect(copied.count).toBe(12)
    expect(await everythingOf(await restoredWorld(more))).toEqual(before)
  },
)

describe('a backup', () => {
  test('knows of every table whether its rows are kept or left', async () => {
    const world = await openWorld({ elected: false })
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'm')
      and relname not like 'kysely%'`.execute(world.app.db)
    expect(Object.keys(installation.tables).sort()).toEqual(rows.map(({ name }) => name).sort())
  })

  longTest('keeps what it names from the collector until it is done', async () => {
    const { world, people } = await filledWorld()
    const [, , ben] = people
    const parts = { db: world.app.db, blobs: world.app.blobs, now: Date.now, pause: () => Promise.resolve() }
    const collect = async (): Promise<number> => {
      await collectRows({ ...parts, ...installation }, 0)
      return removeDropped({ ...parts, now: () => Date.now() + 1000 * 24 * 60 * 60_000 })
    }
    await purgeAll(world.app.db)
    expect(await collect()).toBe(1)
    const before = await everythingOf(world)
    const folder = await testFolder()
    await backUpWorld(world, folder, {
      async pause(point) {
        if (point !== 'rows copied') return
        const { list } = await ben.call('getSubItemList3', { folderId: ben.library, rows: 1000 })
        await ben.call('fileOrFolderDelete', { fileIdArray: list.map((item) => item.fId) })
        await ben.call('fileOrFolderCompleteDelete', { fileIdArray: list.map((item) => item.fId) })
        await purgeAll(world.app.db)
        expect(await collect()).toBe(0)
      },
    })
    expect(await collect()).toBe(5)
    expect(await everythingOf(await restoredWorld(folder))).toEqual(before)
  })

  longTest('waits while objects are being removed, so that its snapshot names none of them', async () => {
    const world = await openWorld()
    const folder = await testFolder()
    const collector = new pg.Client(world.database)
    await collector.connect()
    await collector.query('select pg_advisory_lock($1)', [contentsLock])
    const steps: string[] = []
    const running = backUpWorld(world, folder, { pause: (point) => Promise.resolve(void steps.push(point)) })
    while (true) {
      const { rows } = await collector.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)
      if (rows.length > 0) break
    }
    expect(steps).toEqual([])
    await collector.end()
    await running
    expect(steps[0]).toBe('snapshot taken')
  })

  longTest('copies a content once, whatever was backed up into the folder before', async () => {
    const { world, people } = await filledWorld()
    const folder = await testFolder()
    const first = await backUpWorld(world, folder)
    expect(first.copied.count).toBe(11)
    await people[0].upload(people[0].library, 'more.txt', 'more')
    const second = await backUpWorld(world, folder)
    expect(second.copied).toEqual({ count: 1, bytes: 4 })
    expect((await openSnapshot(folder)).path).toBe(second.path)
    expect((await verify(first.path)).problems).toEqual([])
  })

  test.each(few(1, ['snapshot taken', 'rows copied', 'contents copied']))(
    'that breaks off at “%s” is none; the next one goes on with its contents',
    async (point) => {
      const { world } = await filledWorld()
      const folder = await testFolder()
      const breaks = (at: string) => (at === point ? Promise.reject(new Error('pulled')) : Promise.resolve())
      await expect(backUpWorld(world, folder, { pause: breaks })).rejects.toThrow('pulled')
      expect(await refusal(openSnapshot(folder))).toBe(`BackupRefused: ${folder} holds no backup`)
      const { copied } = await backUpWorld(world, folder)
      expect(copied.count).toBe(point === 'contents copied' ? 0 : 11)
      expect((await verify(folder)).problems).toEqual([])
      expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([])
    },
  )

  longTest('runs one at a time, and fails where its connection is lost', async () => {
    const { world } = await filledWorld()
    const folder = await testFolder()
    const cut = async (): Promise<void> => {
      expect(await refusal(backUpWorld(world, folder))).toContain('is running already')
      const client = new pg.Client(world.database)
      await client.connect()
      await client.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1`, [
        contentsLock,
      ])
      await client.end()
    }
    const broken = backUpWorld(world, folder, { pause: (at) => (at === 'rows copied' ? cut() : Promise.resolve()) })
    expect(await refusal(broken)).toBe('BackupRefused: The connection to the database was lost; run it again.')
    expect(await refusal(openSnapshot(folder))).toContain('holds no backup')
  })

  longTest('goes on past contents that are damaged, says which, and restores all others', async () => {
    const { world, people } = await filledWorld()
    const [, anna] = people
    const [lost, flipped] = [await anna.upload(anna.library, 'a', 'lost'), await anna.upload(anna.library, 'b', 'flip')]
    const blobs = await world.app.db.selectFrom('blob').select(['key']).where('size', '=', 4).orderBy('id').execute()
    const [first = '', second = ''] = blobs.map(({ key }) => join(world.folder, 'blobs', key))
    await rm(first)
    await writeFile(second, 'flop')
    const folder = await testFolder()
    const { manifest } = await backUpWorld(world, folder)
    expect(manifest.damaged?.count).toBe(2)
    expect((await verify(folder)).problems).toEqual([])
    const restored = await restoredWorld(folder)
    const again = await restored.signIn('anna')
    expect((await again.names(again.library)).sort()).toEqual(['a', 'b'])
    for (const fileId of [lost, flipped]) expect((await again.download(fileId)).statusCode).toBeGreaterThanOrEqual(400)
    expect((await again.call('getRecycleList', {})).list.length).toBe(1)
  })
})

describe('keeping the newest backups', () => {
  test('removes the others, and the contents that only they named', async () => {
    const { world, people } = await filledWorld()
    const [, , ben] = people
    const folder = await testFolder()
    const paths: string[] = []
    for (const name of ['one', 'two', 'three']) {
      const fileId = await ben.upload(ben.library, name)
      paths.push((await backUpWorld(world, folder)).path)
      await ben.call('fileOrFolderDelete', { fileIdArray: [fileId] })
      await ben.call('fileOrFolderCompleteDelete', { fileIdArray: [fileId] })
      await purgeAll(world.app.db)
      await collectRows(world.app.services, 0)
    }
    const contents = async (): Promise<string[]> => {
      const names = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true })
      const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      return Promise.all(files.map((file) => readFile(file, 'utf8')))
    }
    expect(await contents()).toEqual(expect.arrayContaining(['one', 'two', 'three', 'purged']))
    expect(await keepNewest(folder, 3)).toBe(0)
    expect(await keepNewest(folder, 2)).toBe(1)
    expect(await contents()).not.toContain('one')
    expect(await contents()).not.toContain('purged')
    for (const path of paths.slice(1)) expect((await verify(path)).problems).toEqual([])

    const list = join(paths[2] ?? '', 'objects.tsv')
    const text = await readFile(list)
    await writeFile(list, '')
    expect(await refusal(keepNewest(folder, 1))).toBe(`BackupBroken: ${list} is damaged: no old backup is removed`)
    expect((await verify(paths[1] ?? '')).problems).toEqual([])
    await writeFile(list, text)
    expect(await keepNewest(folder, 1)).toBe(1)
    expect(await contents()).not.toContain('two')
    expect((await verify(folder)).problems).toEqual([])
  })
})

describe('verifying', () => {
  longTest('finds a changed byte in any file, and a missing or changed content', async () => {
    const { world } = await filledWorld()
    const folder = await testFolder()
    const { path, manifest } = await backUpWorld(world, folder)
    const files = [...manifest.tables.map(({ file }) => file), manifest.objects.file]
    expect(files.length).toBeGreaterThan(15)
    for (const file of files) {
      const bytes = await readFile(join(path, file))
      await appendFile(join(path, file), ' ')
      expect((await verify(folder)).problems).toEqual([`${join(path, file)} is damaged`])
      await writeFile(join(path, file), bytes)
    }
    const names = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true })
    const [one, two] = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    await rm(one ?? '')
    await appendFile(two ?? '', 'x')
    const { problems } = await verify(folder)
    expect([...problems].sort()).toEqual([`${one} cannot be read (ENOENT)`, `${two} is damaged`].sort())
    await rm(join(path, 'manifest.json'))
    expect(await refusal(verify(folder))).toContain('holds no backup')
  })
})

describe('restoring', () => {
  longTest('refuses an installation in use, and a database of something else, and changes nothing', async () => {
    const { world } = await filledWorld()
    const folder = await testFolder()
    await backUpWorld(world, folder)
    const used = await openWorld()
    expect(await refusal(restoreTo(used, folder))).toBe(
      'BackupRefused: The installation is in use: restore into an empty one (another --data folder or database).',
    )
    expect(await (await used.admin()).names(await used.company())).toEqual([])
    const other = await emptyDatabase()
    const client = new pg.Client(other)
    await client.connect()
    await client.query('create table invoice (id int)')
    await client.end()
    const place = await emptyPlace(other)
    expect(await refusal(restoreTo(place, folder))).toBe('BackupRefused: The database holds tables of something else.')
  })

  test('refuses a backup whose rows or contents are not what was backed up', async () => {
    const { world } = await filledWorld()
    const folder = await testFolder()
    const { path } = await backUpWorld(world, folder)
    const names = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true })
    const [content] = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    const bytes = await readFile(content ?? '')
    await writeFile(content ?? '', `${bytes.toString()}x`)
    const place = await emptyPlace()
    expect(await refusal(restoreTo(place, folder))).toBe(`BackupBroken: ${content} is damaged`)
    await writeFile(content ?? '', bytes)
    await appendFile(join(path, 'tables/item.copy'), '\n')
    expect(await refusal(restoreTo(place, folder))).toBe(`BackupBroken: ${join(path, 'tables/item.copy')} is damaged`)
  })

  test('that breaks off leaves an empty database, and goes on with the contents it has', {
    timeout: 120_000,
  }, async () => {
    const { world } = await filledWorld(65)
    const before = await everythingOf(world)
    const folder = await testFolder()
    await backUpWorld(world, folder)
    const place = await emptyPlace()
    const objects = async (): Promise<number> => {
      const names = await readdir(join(place.folder, 'blobs'), { recursive: true, withFileTypes: true })
      return names.filter((entry) => entry.isFile()).length
    }
    await expect(
      restoreTo(place, folder, {
        pause: (point) => (point === 'contents brought' ? Promise.reject(new Error('pulled')) : Promise.resolve()),
      }),
    ).rejects.toThrow('pulled')
    expect(await objects()).toBe(64)
    await expect(
      restoreTo(place, folder, {
        pause: (point) => (point === 'rows brought' ? Promise.reject(new Error('pulled')) : Promise.resolve()),
      }),
    ).rejects.toThrow('pulled')
    expect(await objects()).toBe(71)
    await restoreTo(place, folder)
    expect(await objects()).toBe(71)
    expect(await everythingOf(await openWorld({ peer: place }))).toEqual(before)
  })

  longTest(
    'that broke off goes on with nothing that is not there any more, in this store or in another one',
    async () => {
      const { world } = await filledWorld()
      const before = await everythingOf(world)
      const folder = await testFolder()
      await backUpWorld(world, folder)
      const breaksAt = (point: string) => ({
        pause: (at: string) => (at === point ? Promise.reject(new Error('pulled')) : Promise.resolve()),
      })
      for (const [point, how] of [
        ['contents brought', 'emptied'],
        ['contents brought', 'another database'],
        ['rows brought', 'another store'],
        ['rows kept', 'lengthened'],
        ['seen', 'emptied'],
      ] as const) {
        const place = await emptyPlace()
        const blobs = join(place.folder, 'blobs')
        await expect(restoreTo(place, folder, breaksAt(point))).rejects.toThrow('pulled')
        if (how === 'lengthened') {
          const [first] = (await readdir(blobs, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
          await appendFile(join(first?.parentPath ?? '', first?.name ?? ''), 'more')
        } else await rm(blobs, { recursive: true })
        const next = how === 'another database' ? { ...place, database: await emptyDatabase() } : place
        await restoreTo(next, folder, how === 'another store' ? { storeName: 'another' } : {})
        const restored = await openWorld({ peer: next })
        expect(await everythingOf(restored), `${point}, ${how}`).toEqual(before)
        await restored.close()
      }
    },
  )

  longTest('reads what it brought again, and brings anew what is not the same', async () => {
    const { world } = await filledWorld()
    const folder = await testFolder()
    await backUpWorld(world, folder)
    for (const rehash of [false, true]) {
      const place = await emptyPlace()
      await restoreTo(place, folder, {
        rehash,
        async pause(point) {
          if (point !== 'rows kept') return
          const { rows } = await queryAt<{ key: string }>(place, 'select key from blob where size = 6 limit 1')
          await writeFile(join(place.folder, 'blobs', rows[0]?.key ?? ''), 'wrong!')
        },
      })
      const restored = await openWorld({ peer: place })
      const findings = await fsck({ ...installation, db: restored.app.db, blobs: restored.app.blobs, rehash: true })
      expect(findings.filter(({ breaks }) => breaks > 0)).toEqual([])
    }
  })

  longTest('refuses a store that holds contents, which may be those of another installation', async () => {
    const { world } = await filledWorld()
    const folder = await testFolder()
    await backUpWorld(world, folder)
    const place = { database: await emptyDatabase(), folder: world.folder }
    const blobs = join(world.folder, 'blobs')
    expect(await refusal(restoreTo(place, folder))).toContain(`BackupRefused: There are contents in ${blobs} already`)
    expect(
      (await queryAt(place, 'select 1 from pg_class where relnamespace = current_schema()::regnamespace')).rows,
    ).toEqual([])
  })

  test('lets no server start and no backup be made before it has ended', async () => {
    const { world } = await filledWorld()
    const folder = await testFolder()
    await backUpWorld(world, folder)
    const place = await emptyPlace()
    const { path } = await openSnapshot(folder)
    const says = `A restore has begun here and not ended: run npm run restore -- ${path} again`
    const points: string[] = []
    await restoreTo(place, folder, {
      async pause(point) {
        points.push(point)
        expect(await refusal(openWorld({ peer: place }))).toContain(`UnsafeDatabase: ${says}`)
      },
    })
    expect([...new Set(points)]).toEqual(['begun', 'contents brought', 'rows brought', 'rows kept', 'seen'])
    await (await openWorld({ peer: place })).close()

    const broken = await emptyPlace()
    await expect(restoreTo(broken, folder, { pause: () => Promise.reject(new Error('pulled')) })).rejects.toThrow()
    const store = world.app.blobs
    const made = backUp({
      ...installation,
      target: broken.database,
      store,
      folder: await testFolder(),
      product: 'test',
    })
    expect(await refusal(made)).toContain(`BackupRefused: ${says}`)
  })

  longTest('gives way to a server that was starting on the empty database when it began', async () => {
    const { world } = await filledWorld()
    const folder = await testFolder()
    await backUpWorld(world, folder)
    const place = await emptyPlace(await cloneDatabase())
    const refused = await refusal(
      restoreTo(place, folder, {
        async pause(point) {
          if (point !== 'begun') return
          await queryAt(
            place,
            `with company as (insert into org_group (name, name_key, name_sort, search_text) values ('', '', '', '') returning id)
             insert into account (account, account_key, name, name_sort, search_text, password_hash, group_id, created_at)
             select '', '', '', '', '', '', id, 0 from company`,
          )
        },
      }),
    )
    expect(refused).toContain('BackupRefused: The installation is in use')
    expect((await queryAt(place, `select to_regclass('restoring') is null as free`)).rows).toEqual([{ free: true }])
  })
})
