import { execFile } from 'node:child_process'
import { readdir, readFile, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { limits } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { few, longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { purgeAll } from '../../../test/purge.ts'
import { purgeChunk } from '../../drive/recycle/index.ts'
import { foldTallies } from '../../drive/tree/tallies.ts'
import { installation } from '../../installation.ts'
import { type Finding, fsck } from './index.ts'

const runFile = promisify(execFile)

interface How {
  readonly rehash?: boolean
  readonly repair?: boolean
  /** How many milliseconds in the future the check runs. */
  readonly later?: number
}

/** The number of violations, by invariant. */
async function broken({ app }: World, { later = 0, ...how }: How = {}): Promise<Record<string, number>> {
  const findings = await fsck({ ...installation, db: app.db, blobs: app.blobs, now: () => Date.now() + later, ...how })
  return Object.fromEntries(findings.filter(({ breaks }) => breaks > 0).map(({ says, breaks }) => [says, breaks]))
}

async function examples({ app }: World, how: How = {}): Promise<string[]> {
  const findings: Finding[] = await fsck({ ...installation, db: app.db, blobs: app.blobs, ...how })
  return findings.flatMap((finding) => finding.examples)
}

/** A library with folders, versions, copies, items in the recycle bin and permanently deleted ones. */
async function furnish(person: Person): Promise<{ folderId: number; fileId: number }> {
  const { folderId } = await person.call('folderCreate', { parentId: person.library, folderName: 'folder' })
  const fileId = await person.upload(folderId, 'a.txt', 'first')
  await person.upload(folderId, 'a.txt', 'second one', { conflict: 'version' })
  for (let n = 0; n < 5; n += 1) await person.upload(person.library, `${n}.txt`, `content ${n}`)
  await person.call('fileOrFolderCopy', {
    fileIdArray: [fileId],
    folderIdArray: [folderId],
    targetFolderId: person.library,
    conflict: 'keepBoth',
  })
  const gone = await person.upload(person.library, 'gone.txt', 'gone')
  const binned = await person.upload(person.library, 'binned.txt', 'binned')
  await person.call('fileOrFolderDelete', { fileIdArray: [binned] })
  await person.call('fileOrFolderCompleteDelete', { fileIdArray: [gone] })
  await purgeAll(person.world.app.db)
  await person.shares({ folderId }, [{ to: person, rights: 2 }])
  return { folderId, fileId }
}

async function furnished() {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  return { world, anna, ...(await furnish(anna)) }
}

/** Objects on disk, by their text. */
async function objectOf(world: World, text: string): Promise<string> {
  const entries = await readdir(join(world.folder, 'blobs'), { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    if ((await readFile(path, 'utf8')) === text) return path
  }
  throw new Error(`no object holds ${text}`)
}

/** Changes rows in ways no call would, within PostgreSQL's constraints. */
async function tamper({ app }: World, ...statements: RawBuilder<unknown>[]): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const statement of statements) await statement.execute(tx)
  })
}

test('an installation in use is whole, before and after sums are folded, and while things go on', async () => {
  const { world, anna, folderId } = await furnished()
  expect(await broken(world, { rehash: true })).toEqual({})
  await foldTallies(world.app.db)
  expect(await broken(world, { rehash: true })).toEqual({})
  let going = true
  const working = (async () => {
    for (let n = 0; going; n += 1) {
      const fileId = await anna.upload(folderId, `${n}.txt`, `more ${n % 7}`)
      await anna.call('fileOrFolderMove', { fileIdArray: [fileId], targetFolderId: anna.library, conflict: 'keepBoth' })
      if (n % 2 === 0) await anna.call('fileOrFolderCompleteDelete', { fileIdArray: [fileId] })
      if (n % 5 === 0) await foldTallies(world.app.db)
      if (n % 7 === 0) await purgeChunk(world.app.db)
    }
  })()
  try {
    for (let round = 0; round < 5; round += 1) expect(await broken(world, { rehash: true, repair: true })).toEqual({})
  } finally {
    going = false
    await working
  }
  expect(await broken(world, { rehash: true })).toEqual({})
})

test('contents that are missing, short, long, or have one bit flipped are found, with their files', async () => {
  const { world, fileId } = await furnished()
  await unlink(await objectOf(world, 'second one'))
  await truncate(await objectOf(world, 'content 0'), 3)
  await writeFile(await objectOf(world, 'content 1'), 'content 1 and more')
  const flipped = await readFile(await objectOf(world, 'content 2'))
  flipped[4] = (flipped[4] ?? 0) ^ 1
  await writeFile(await objectOf(world, 'content 2'), flipped)
  expect(await broken(world)).toEqual({ 'every content is there and has its size': 3 })
  expect(await broken(world, { rehash: true })).toEqual({ 'every content is there, byte for byte': 4 })
  const told = (await examples(world, { rehash: true })).join('\n')
  for (const how of ['is missing', 'has another size', 'has other bytes']) expect(told).toContain(how)
  expect(told).toContain(`item ${fileId} version 2`)
  expect(await broken(world, { rehash: true, repair: true })).toEqual({ 'every content is there, byte for byte': 4 })
})

longTest('contents that share a file are found when they are flipped or it is gone, and nothing else is', async () => {
  const world = await openWorld({ elected: false, packing: { after: 0, bytes: 1024 * 1024 } })
  const anna = await world.person('anna')
  const { fileId } = await furnish(anna)
  expect(await broken(world, { rehash: true })).toEqual({})
  const packs = join(world.folder, 'blobs', 'packs')
  const { rows } = await sql<{ key: string; n: number }>`
    select key, (select count(*) from blob) as n from blob where sha256 = sha256('second one')`.execute(world.app.db)
  const [, id = '', at = ''] = rows[0]?.key.split('.') ?? []
  const bytes = await readFile(join(packs, id))
  // After its header of 64 bytes.
  const place = Number.parseInt(at, 36) + 64
  expect(bytes.toString('utf8', place, place + 10)).toBe('second one')
  bytes[place] = (bytes[place] ?? 0) ^ 1
  await writeFile(join(packs, id), bytes)
  expect(await broken(world)).toEqual({})
  expect(await broken(world, { rehash: true, repair: true })).toEqual({ 'every content is there, byte for byte': 1 })
  expect((await examples(world, { rehash: true })).join()).toContain(`item ${fileId} version 2`)
  await anna.upload(anna.library, 'again.txt', 'second one')
  expect(await broken(world, { rehash: true })).toEqual({})
  await unlink(join(packs, id))
  expect(await broken(world)).toEqual({ 'every content is there and has its size': rows[0]?.n })
})

longTest(
  'contents with keys that no object can have are found like missing ones, and whole again once uploaded',
  async () => {
    const { world, anna } = await furnished()
    await sql`update blob set key = '../../postgres/PG_VERSION' where sha256 = sha256('content 0')`.execute(
      world.app.db,
    )
    await sql`update blob set key = '' where sha256 = sha256('content 1')`.execute(world.app.db)
    // Their objects are unreferenced now, which is reported only when they are old.
    expect(await broken(world)).toEqual({ 'every content is there and has its size': 2 })
    const bytes = { 'every content is there, byte for byte': 2 }
    expect(await broken(world, { rehash: true })).toEqual(bytes)
    expect((await examples(world)).join('\n')).toContain('content ../../postgres/PG_VERSION is missing: item ')
    expect(await broken(world, { rehash: true, repair: true })).toEqual(bytes)
    for (const n of [0, 1]) await anna.upload(anna.library, `again ${n}.txt`, `content ${n}`)
    expect(await broken(world, { rehash: true })).toEqual({})
  },
)

test('a content that --repair found damaged is whole again once an equal one is uploaded', async () => {
  const { world, anna, fileId } = await furnished()
  await unlink(await objectOf(world, 'second one'))
  const damaged = { 'every content is there and has its size': 1 }
  expect(await broken(world)).toEqual(damaged)
  await anna.upload(anna.library, 'unnoticed.txt', 'second one')
  expect(await broken(world, { repair: true })).toEqual(damaged)
  await anna.upload(anna.library, 'again.txt', 'second one')
  expect(await broken(world, { rehash: true })).toEqual({})
  expect((await anna.download(fileId)).body).toBe('second one')
})

test('an object that nothing names is found when it is old, given to the collector by --repair, and then no finding', async () => {
  const { world } = await furnished()
  const object = await world.app.blobs.stage(
    (async function* () {
      yield Buffer.from('left behind')
    })(),
  )
  await object.keep()
  // The object of the permanently deleted file is referenced until the collector has run.
  expect(await broken(world)).toEqual({})
  const later = limits.unnamedObjectMs + 1
  const orphan = { 'every stored object belongs to a content': 1 }
  expect(await broken(world, { later })).toEqual(orphan)
  expect(await broken(world, { later, repair: true })).toEqual(orphan)
  expect(await broken(world, { later })).toEqual({})
})

const sums = [
  [
    'the bytes of each account in each library add up',
    1,
    sql`update usage_total set bytes = bytes + 7 where library_id = (select id from library where kind = 'personal' order by id desc limit 1)`,
  ],
  ['the bytes of each account in each library add up', 1, sql`insert into usage_total values (999999, 999999, 5)`],
  [
    'the bytes of each library add up',
    2,
    sql`update library_total set bytes = bytes - 7 where library_id in (0, (select id from library where kind = 'personal' order by id desc limit 1))`,
  ],
  [
    'every folder counts what is in it',
    1,
    sql`update child_total set children = children + 1 where folder_id = (select id from item where name = 'folder' and deleted_at is null order by id limit 1)`,
  ],
  [
    'every name is in the index of names as it is, or waits for it',
    1,
    sql`delete from search_queue where item_id = (select id from item where name = '3.txt')`,
  ],
  [
    'every name is in the index of names as it is, or waits for it',
    1,
    sql`insert into search_item values (999999, 999999, 1, 1, 1, 'gone', '{}')`,
  ],
  ['every file has the size of its current version', 1, sql`update item set size = size + 1 where name = '3.txt'`],
  [
    'whatever has rights of its own is known to have them',
    1,
    sql`update item set own_rules = false where name = 'folder' and own_rules`,
  ],
  [
    'whatever rights of its own may hide is known to be withheld',
    1,
    sql`update entry set rights = 1 where item_id = (select id from item where name = 'folder' and own_rules)`,
  ],
] as const

test.each(few(3, sums))(
  '%s: what breaks it is found, mended beside a writer, and stays whole',
  async (says, count, statement) => {
    const { world, anna } = await furnished()
    await foldTallies(world.app.db)
    await tamper(world, statement)
    expect(await broken(world)).toEqual({ [says]: count })
    const writing = Promise.all(Array.from({ length: 6 }, (_, n) => anna.upload(anna.library, `w${n}.txt`, `w ${n}`)))
    expect(await broken(world, { repair: true })).toEqual({ [says]: count })
    await writing
    expect(await broken(world)).toEqual({})
    await foldTallies(world.app.db)
    expect(await broken(world)).toEqual({})
  },
)

/** In the third case the folder is its own parent. All other cases have one violation. */
const structure = [
  [
    'everything is reached from the root of its library, nothing lies in a ring',
    sql`update item set parent_id = id where name = 'folder' and own_rules`,
  ],
  [
    'everything lies in a folder of its own library',
    sql`update item set parent_id = (select id from item where name = '2.txt') where name = '3.txt'`,
  ],
  [
    'everything lies in a folder of its own library',
    sql`update item set library_id = (select id from library where kind = 'company') where name = '3.txt'`,
  ],
  ['no folder holds a name twice', sql`update item set name_key = '2.txt' where name = '3.txt'`],
  [
    'every file has versions without a gap, up to its current one; nothing else has any',
    sql`delete from version where number = 1 and item_id in (select item_id from version where number = 2)`,
  ],
  [
    'every file has versions without a gap, up to its current one; nothing else has any',
    sql`update item set version = 2 where name = '3.txt'`,
  ],
  [
    'every version has the size of its content',
    sql`update version set size = size + 1 where item_id = (select id from item where name = '3.txt')`,
  ],
  [
    'every library has one root, a folder of its own at the top',
    sql`insert into library (id, kind) values (777777, 'archive')`,
  ],
  [
    'no event has a position beyond the newest one',
    sql`update event set position = 1000000 where id = (select min(id) from event)`,
  ],
] as const

test.each(few(2, structure))('%s: what breaks it is found, and is not taken for mended', async (says, statement) => {
  const { world } = await furnished()
  // A corrupt index does not enforce uniqueness.
  await sql`drop index item_name`.execute(world.app.db)
  await tamper(world, statement)
  const found = await broken(world)
  expect(found[says]).toBeGreaterThanOrEqual(1)
  expect((await broken(world, { repair: true }))[says]).toBe(found[says])
  expect((await broken(world))[says]).toBe(found[says])
})

longTest(
  'npm run fsck says what is broken by its exit code: 0 whole or mended, 1 broken, 2 not to be checked',
  async () => {
    const { world } = await furnished()
    await foldTallies(world.app.db)
    const { host, user, database } = world.database
    const run = async (...args: string[]): Promise<{ code: number; out: string }> => {
      const flags = [
        '--data',
        world.folder,
        '--database-url',
        `postgresql:///${database}?host=${encodeURIComponent(host)}&user=${user}&port=5432`,
      ]
      const main = join(import.meta.dirname, '../../main.ts')
      return runFile(process.execPath, [main, 'fsck', ...flags, ...args]).then(
        ({ stdout }) => ({ code: 0, out: stdout }),
        (error: { code: number; stdout: string; stderr: string }) => ({
          code: error.code,
          out: error.stdout + error.stderr,
        }),
      )
    }
    expect((await run('--rehash')).code).toBe(0)
    await tamper(
      world,
      sql`update usage_total set bytes = bytes + 7 where library_id = (select max(id) from library where kind = 'personal')`,
    )
    const found = await run()
    expect(found.code).toBe(1)
    expect(found.out).toMatch(
      /^BROKEN {2}the bytes of each account in each library add up: 1\n {8}library \d+ account \d+: \d+ instead of \d+$/m,
    )
    expect(await run('--repair')).toMatchObject({ code: 0, out: expect.stringMatching(/^MENDED /m) as string })
    expect((await run()).code).toBe(0)
    expect(await run('--colour')).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^unknown flag --colour/) as string,
    })
  },
)
