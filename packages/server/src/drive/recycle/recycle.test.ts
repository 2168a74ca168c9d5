// The recycle bin: what it shows to whom, what is restored where, and what permanent deletion leaves behind.
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { explain, planNodes, recordStatements, rowsRead } from '../../../test/explain.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { purgeAll } from '../../../test/purge.ts'
import { foldTallies } from '../tree/tallies.ts'
import { purgeChunk } from './purge.ts'

const day = 24 * 60 * 60_000
const signing = 2097152
const readOnlyFolder = 268435456
let clock = Date.UTC(2026, 10, 20, 12)
let world: World
let anna: Person
let ben: Person
let boss: Person
/** A department library in which Anna and Ben have all rights and Boss is the manager. */
let library: number
let folderId: number
let runs = 0

beforeAll(async () => {
  world = await openWorld({ now: () => clock, elected: false })
  const { groupId, library: root } = await world.group('项目部')
  library = root
  anna = await world.person('anna', { groupId })
  ben = await world.person('ben', { groupId })
  boss = await world.person('boss')
  await world.app.db.insertInto('library_manager').values({ library_id: library, account_id: boss.userId }).execute()
})

beforeEach(async () => {
  runs += 1
  const admin = await world.admin()
  await admin.call('recycleClean', {})
  for (const person of [anna, ben, boss]) await person.call('recycleClean', {})
  await purgeAll(world.app.db)
  folderId = await anna.folder(library, `夹 ${runs}`)
})

const binOf = async (person: Person, timeRange = 4): Promise<string[]> =>
  (await person.call('getRecycleList', { timeRange })).list.map((item) => item.fName)
const resultOf = async (answers: Promise<{ result: number; fId?: number | undefined; name: string }[]>) => {
  const [answer] = await answers
  return answer?.result
}

// [R243] The recycle bin by time range.
describe('[R243] what the bin shows', () => {
  test('everybody sees what they deleted, managers all of their library, others nothing', async () => {
    const one = await anna.upload(folderId, 'anna.txt')
    const two = await anna.upload(folderId, 'ben.txt')
    await anna.call('fileOrFolderDelete', { fileIdArray: [one] })
    await ben.call('fileOrFolderDelete', { fileIdArray: [two] })
    expect(await binOf(anna)).toEqual(['anna.txt'])
    expect(await binOf(ben)).toEqual(['ben.txt'])
    expect((await binOf(boss)).sort()).toEqual(['anna.txt', 'ben.txt'])
    expect(await binOf(await world.person(`nobody${runs}`))).toEqual([])
    for (const call of ['recycleRestore', 'fileOrFolderCompleteDelete'] as const)
      expect(await ben.refusal(call, { fileIdArray: [one] }), call).toBe('notFound')
    const [row] = (await anna.call('getRecycleList', {})).list
    expect(row).toMatchObject({
      fId: one,
      fType: 1,
      extName: 'txt',
      fileSize: 8,
      deleterName: 'anna',
      deleteTime: clock,
      parentFolderId: folderId,
      pathString: `项目部/夹 ${runs}`,
      itemIdStr: `s0f${one}`,
    })
  })

  test('time ranges: today, seven days, thirty days, all', async () => {
    const ages = [0, 2, 20, 200]
    const now = clock
    for (const age of ages) {
      clock = now - age * day
      const fileId = await anna.upload(folderId, `${age}.txt`)
      await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
      clock = now
    }
    expect(await binOf(anna, 1)).toEqual(['0.txt'])
    expect(await binOf(anna, 2)).toEqual(['0.txt', '2.txt'])
    expect(await binOf(anna, 3)).toEqual(['0.txt', '2.txt', '20.txt'])
    expect(await binOf(anna, 4)).toEqual(['0.txt', '2.txt', '20.txt', '200.txt'])
    expect(await anna.refusal('getRecycleList', { timeRange: 5 })).toBe('badRequest')
  })

  test('pages by position tell each item once, with the exact total', async () => {
    const made = await anna.call('createFolderByPathList', {
      folderId,
      pathList: Array.from({ length: 25 }, (_, i) => `${i}`),
    })
    for (const { folderId: id } of made) {
      clock += 1
      await anna.call('fileOrFolderDelete', { folderIdArray: [id] })
    }
    const names: string[] = []
    for (let from = 0; from < 25; from += 10) {
      const page = await anna.call('getRecycleList', { from, rows: 10 })
      expect(page.total).toBe(25)
      names.push(...page.list.map((item) => item.fName))
    }
    expect(names).toEqual(Array.from({ length: 25 }, (_, i) => `${24 - i}`))
  })

  test('the place is not told where the person may not see it any more', async () => {
    const inner = await anna.folder(folderId, '机密')
    const fileId = await ben.upload(inner, 'x.txt')
    await ben.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    await boss.shares({ folderId: inner }, [{ to: ben, rights: 1 }])
    await boss.shares({ folderId: inner }, [{ to: boss, rights: 2 }], { inherit: false })
    expect(await binOf(ben)).toEqual([])
    await boss.shares({ fileId }, [{ to: ben, rights: 510 }]).catch(() => {})
    await sql`insert into entry (item_id, subject_type, subject_id, rights, kind, created_by, created_at)
      values (${fileId}, 'user', ${ben.userId}, 510, 'independent', ${boss.userId}, 0)`.execute(world.app.db)
    await sql`update item set own_rules = true where id = ${fileId}`.execute(world.app.db)
    const { list } = await ben.call('getRecycleList', {})
    expect(list).toMatchObject([{ fName: 'x.txt', pathString: '', parentFolderId: 0 }])
  })
})

// [R244] Restoring, also to another folder, without overwriting.
describe('[R244] what comes back', () => {
  test('an item deleted before its folder stays deleted when the folder comes back, and can be restored then', async () => {
    const fileId = await anna.upload(folderId, 'early.txt')
    await anna.upload(folderId, 'late.txt')
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    await anna.call('fileOrFolderDelete', { folderIdArray: [folderId] })
    expect((await binOf(anna)).sort()).toEqual(['early.txt', `夹 ${runs}`].sort())
    expect(await anna.refusal('recycleRestore', { fileIdArray: [fileId] })).toBe('notFound')
    await anna.call('recycleRestore', { folderIdArray: [folderId] })
    expect(await anna.names(folderId)).toEqual(['late.txt'])
    await anna.call('recycleRestore', { fileIdArray: [fileId] })
    expect(await anna.names(folderId)).toEqual(['early.txt', 'late.txt'])
  })

  test('what was deleted before its folder goes for good with it only where that is said', async () => {
    const inner = await anna.folder(folderId, 'inner')
    const early = await anna.upload(inner, 'early.txt')
    await anna.call('fileOrFolderDelete', { fileIdArray: [early] })
    await anna.call('fileOrFolderDelete', { folderIdArray: [inner] })
    const outer = { folderIdArray: [folderId] }
    expect(await resultOf(anna.call('fileOrFolderCompleteDelete', outer))).toBe(codes.holdsDeleted.code)
    await anna.call('fileOrFolderDelete', outer)
    expect(await resultOf(anna.call('fileOrFolderCompleteDelete', outer))).toBe(codes.holdsDeleted.code)
    expect((await binOf(anna)).sort()).toEqual(['early.txt', 'inner', `夹 ${runs}`].sort())
    // An item that is already permanently deleted does not block the others.
    await anna.call('fileOrFolderCompleteDelete', { fileIdArray: [early] })
    expect(await resultOf(anna.call('fileOrFolderCompleteDelete', { folderIdArray: [inner] }))).toBe(-1)
    expect(await resultOf(anna.call('fileOrFolderCompleteDelete', outer))).toBe(-1)
    expect(await binOf(anna)).toEqual([])

    folderId = await anna.folder(library, `夹 ${runs} neu`)
    const other = await anna.upload(folderId, 'other.txt')
    await anna.call('fileOrFolderDelete', { fileIdArray: [other] })
    const all = { folderIdArray: [folderId], withDeleted: true }
    expect(await resultOf(anna.call('fileOrFolderCompleteDelete', all))).toBe(-1)
    expect(await binOf(anna)).toEqual([])
  })

  test('what was in a folder that is gone is restored into another one', async () => {
    const inner = await anna.folder(folderId, 'gone')
    const fileId = await anna.upload(inner, 'x.txt', 'content')
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    await anna.call('fileOrFolderDelete', { folderIdArray: [inner] })
    const [missing] = await anna.call('recycleRestore', { fileIdArray: [fileId] })
    expect(missing).toMatchObject({ result: -3, name: 'x.txt' })
    await anna.call('recycleRestore', { targetFolderId: folderId, fileIdArray: [fileId] })
    expect(await anna.names(folderId)).toEqual(['x.txt'])
    expect((await anna.download(fileId)).body).toBe('content')
  })

  test('a taken name is refused with -5, numbered or left, and never overwrites', async () => {
    const fileId = await anna.upload(folderId, 'x.txt', 'old')
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    const other = await anna.upload(folderId, 'X.TXT', 'new')
    expect(await resultOf(anna.call('recycleRestore', { fileIdArray: [fileId] }))).toBe(-5)
    expect(await resultOf(anna.call('recycleRestore', { fileIdArray: [fileId], conflict: 'skip' }))).toBe(-1)
    expect(await binOf(anna)).toEqual(['x.txt'])
    const [answer] = await anna.call('recycleRestore', { fileIdArray: [fileId], conflict: 'keepBoth' })
    expect(answer).toMatchObject({ result: -1, name: 'x (2).txt', fId: fileId })
    expect([(await anna.download(fileId)).body, (await anna.download(other)).body]).toEqual(['old', 'new'])
  })

  test('back to where it was, or elsewhere, only with the right to put things there', async () => {
    const inner = await anna.folder(folderId, 'closed')
    const fileId = await ben.upload(inner, 'x.txt')
    await ben.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    await boss.shares({ folderId: inner }, [], { inherit: true })
    await sql`insert into entry (item_id, subject_type, subject_id, rights, kind, created_by, created_at)
      values (${inner}, 'user', ${ben.userId}, ${2 + 128}, 'independent', ${boss.userId}, 0)`.execute(world.app.db)
    await sql`update item set own_rules = true, inherit = false where id = ${inner}`.execute(world.app.db)
    expect(await resultOf(ben.call('recycleRestore', { fileIdArray: [fileId] }))).toBe(-4)
    expect(await resultOf(ben.call('recycleRestore', { targetFolderId: inner, fileIdArray: [fileId] }))).toBe(-4)
    expect(await resultOf(ben.call('recycleRestore', { targetFolderId: ben.library, fileIdArray: [fileId] }))).toBe(-4)
    expect(await resultOf(ben.call('recycleRestore', { targetFolderId: folderId, fileIdArray: [fileId] }))).toBe(-1)
  })

  test('a folder cannot come back into one that is moved into it at the same moment', async () => {
    const x = await anna.folder(folderId, 'x')
    const y = await anna.folder(x, 'y')
    const p = await anna.folder(folderId, 'p')
    await anna.call('fileOrFolderDelete', { folderIdArray: [x] })
    await anna.call('recycleRestore', { targetFolderId: p, folderIdArray: [x] })
    expect(await resultOf(anna.call('fileOrFolderMove', { targetFolderId: y, folderIdArray: [p] }))).toBe(-7)
  })
})

// [R155] Cut, copy, delete and rename take their rights and states.
describe('[R155] what may not go away with its folder', () => {
  test.each([
    ['a document being signed', signing, 1, -40],
    ['a read-only folder', readOnlyFolder, 2, -75],
  ] as const)('%s keeps the folders above it from being moved and deleted', async (_what, status, fType, code) => {
    const inner = await anna.folder(folderId, 'inner')
    const target = await anna.folder(library, `target ${runs}`)
    const id = fType === 1 ? await anna.upload(inner, 'x.txt') : await anna.folder(inner, 'x')
    await world.app.db.updateTable('item').set({ status }).where('id', '=', id).execute()
    for (const item of [folderId, inner]) {
      expect(await resultOf(anna.call('fileOrFolderDelete', { folderIdArray: [item] }))).toBe(code)
      expect(await resultOf(anna.call('fileOrFolderCompleteDelete', { folderIdArray: [item] }))).toBe(code)
      expect(await resultOf(anna.call('fileOrFolderMove', { targetFolderId: target, folderIdArray: [item] }))).toBe(
        code,
      )
    }
    await anna.call('renameFolder', { folderId, folderName: `renamed ${runs}` })
    const beside = await anna.folder(folderId, 'beside')
    expect(await resultOf(anna.call('fileOrFolderDelete', { folderIdArray: [beside] }))).toBe(-1)
    expect(await resultOf(boss.call('fileOrFolderMove', { targetFolderId: target, folderIdArray: [inner] }))).toBe(
      fType === 1 ? code : -1,
    )
  })
})

// [R122] Permanent deletion; content deleted earlier from within the folder is removed only where the question says so.
// [R246] Permanent deletion from the bin, in chunks in the background.
describe('[R122] [R246] complete deletion', () => {
  test('takes effect at once, and the job removes rows, versions and entries in chunks and gives the space back', async () => {
    const { db } = world.app
    const pathList = Array.from({ length: 1200 }, (_, i) => `${i % 30}/${i}`)
    const made = await anna.call('createFolderByPathList', { folderId, pathList })
    const sizes = async (): Promise<number> => {
      const { rows } = await sql<{ bytes: number }>`select coalesce(sum(bytes), 0)::bigint as bytes from (
        select bytes from usage_total where library_id = ${library} union all
        select bytes from tally where library_id = ${library}) t`.execute(db)
      return rows[0]?.bytes ?? 0
    }
    const before = await sizes()
    const fileId = await anna.upload(made[7]?.folderId ?? 0, 'x.txt', 'first version')
    await anna.upload(made[7]?.folderId ?? 0, 'x.txt', 'second', { conflict: 'version' })
    await boss.shares({ fileId }, [{ to: ben, rights: 6 }])
    const early = await anna.upload(folderId, 'early.txt', 'deleted before')
    await anna.call('fileOrFolderDelete', { fileIdArray: [early] })
    expect(await sizes()).toBe(before + 13 + 6 + 14)
    const { blob_id } = await db
      .selectFrom('version')
      .select('blob_id')
      .where('item_id', '=', fileId)
      .executeTakeFirstOrThrow()

    await anna.call('fileOrFolderCompleteDelete', { folderIdArray: [folderId], withDeleted: true })
    expect(await anna.refusal('getFileInfo', { fileId })).toBe('notFound')
    expect(await anna.refusal('recycleRestore', { folderIdArray: [folderId] })).toBe('notFound')
    expect(await binOf(anna)).toEqual([])
    expect(await anna.names(library)).not.toContain(`夹 ${runs}`)

    let rounds = 0
    for (let most = 0; ; rounds += 1) {
      const removed = await purgeChunk(db)
      most = Math.max(most, removed)
      expect(most).toBeLessThanOrEqual(1000)
      if (removed === 0) break
    }
    expect(rounds).toBeGreaterThan(2)
    const left = async (table: 'item' | 'version' | 'entry', column: string): Promise<number> => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} = any(${[folderId, fileId, early, ...made.map((m) => m.folderId)]})`.execute(
        db,
      )
      return rows[0]?.n ?? -1
    }
    expect([await left('item', 'id'), await left('version', 'item_id'), await left('entry', 'item_id')]).toEqual([
      0, 0, 0,
    ])
    expect(await db.selectFrom('version').select('item_id').where('blob_id', '=', blob_id).execute()).toEqual([])
    expect(await sizes()).toBe(before)
    await foldTallies(db)
    expect(await sizes()).toBe(before)
  })

  test('a person without the right to delete, or a guest, cannot', async () => {
    const entries = [
      { to: anna, rights: 510 },
      { to: ben, rights: 6 },
    ]
    await boss.shares({ folderId }, entries, { inherit: false })
    const fileId = await anna.upload(folderId, 'x.txt')
    expect(await resultOf(ben.call('fileOrFolderCompleteDelete', { fileIdArray: [fileId] }))).toBe(-4)
    const guest = async (is: boolean): Promise<void> => {
      const until = is ? Date.now() + 3_600_000 : 0
      await sql`update account set visitor_until = ${until} where id = ${anna.userId}`.execute(world.app.db)
      await sql`update session set guest = ${is} where account_id = ${anna.userId}`.execute(world.app.db)
    }
    await guest(true)
    expect(await resultOf(anna.call('fileOrFolderCompleteDelete', { fileIdArray: [fileId] }))).toBe(-4)
    await guest(false)
  })

  // [R245] Emptying the bin removes what it lists.
  test('[R245] cleaning up removes what the caller’s list shows and nothing else', async () => {
    const one = await anna.upload(folderId, 'anna.txt')
    const two = await anna.upload(folderId, 'ben.txt')
    const three = await anna.upload(folderId, 'kept.txt')
    await anna.call('fileOrFolderDelete', { fileIdArray: [one] })
    await ben.call('fileOrFolderDelete', { fileIdArray: [two] })
    expect(await anna.call('recycleClean', {})).toEqual({ count: 1, kept: 0 })
    expect([await binOf(anna), await binOf(ben), await anna.names(folderId)]).toEqual([[], ['ben.txt'], ['kept.txt']])
    expect(await boss.call('recycleClean', {})).toEqual({ count: 1, kept: 0 })
    expect(await binOf(ben)).toEqual([])
    expect((await anna.call('getFileInfo', { fileId: three })).fName).toBe('kept.txt')
  })
})

test('[R155] deleting, moving, renaming and restoring a folder sends as many statements as for an empty one', async () => {
  const full = await anna.folder(folderId, 'full')
  await anna.call('createFolderByPathList', {
    folderId: full,
    pathList: Array.from({ length: 1000 }, (_, i) => `${i % 50}/${i}`),
  })
  const empty = await anna.folder(folderId, 'empty')
  const target = await anna.folder(folderId, 'target')
  const cost = async (id: number): Promise<number[]> => {
    const counts: number[] = []
    const works: (() => Promise<unknown>)[] = [
      () => anna.call('renameFolder', { folderId: id, folderName: `renamed ${id}` }),
      () => anna.call('fileOrFolderMove', { targetFolderId: target, folderIdArray: [id] }),
      () => anna.call('fileOrFolderDelete', { folderIdArray: [id] }),
      () => anna.call('recycleRestore', { folderIdArray: [id] }),
      () => anna.call('fileOrFolderCompleteDelete', { folderIdArray: [id] }),
    ]
    for (const work of works) {
      const { statements } = await recordStatements(work)
      counts.push(statements.filter(({ text }) => /\b(item|tally)\b/.test(text)).length)
    }
    return counts
  }
  expect(await cost(full)).toEqual(await cost(empty))
})

test('[R155] moving, deleting and restoring a folder read no row of the thousands of files in it', async () => {
  const full = await anna.folder(folderId, 'full')
  const target = await anna.folder(folderId, 'target')
  await sql`insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text,
      created_by, created_at, modified_by, modified_at)
    select ${library}, ${full}, 1, 'bulk ' || n, 'bulk ' || n, '', '', ${anna.userId}, n, ${anna.userId}, n
    from generate_series(1, 5000) n`.execute(world.app.db)
  await sql`vacuum analyze item`.execute(world.app.db)
  const ids = { folderIdArray: [full] }
  const works: (() => Promise<unknown>)[] = [
    () => anna.call('fileOrFolderMove', { targetFolderId: target, ...ids }),
    () => anna.call('fileOrFolderDelete', ids),
    () => anna.call('recycleRestore', ids),
  ]
  for (const work of works) {
    const { plans } = await explain(world, work)
    for (const { root, text, mode } of plans) expect(rowsRead(root, 'item'), `${mode} ${text}`).toBeLessThan(50)
  }
})

test('[R243] the bin is read from its two indexes, not from all items', async () => {
  const { db } = world.app
  await sql`insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text,
      created_by, created_at, modified_by, modified_at)
    select ${library}, ${folderId}, 2, 'bulk ' || n, 'bulk ' || n, '', '', ${anna.userId}, n, ${anna.userId}, n
    from generate_series(1, 6000) n`.execute(db)
  await sql`vacuum analyze item`.execute(db)
  const fileId = await anna.upload(folderId, 'x.txt')
  await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
  for (const person of [anna, boss]) {
    const { value, plans } = await explain(world, () => person.call('getRecycleList', {}))
    expect(value.list.map((item) => item.fId)).toEqual([fileId])
    for (const { root, text } of plans) {
      const scans = planNodes(root).filter(
        (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'item',
      )
      expect(scans, text).toEqual([])
    }
  }
})

// A move that is committed while the folder is being purged: the file belongs to its new folder, so it must stay.
test('what is moved out of a folder while the folder is purged stays where it was moved to', async () => {
  const { db } = world.app
  const from = await anna.folder(folderId, '旧')
  const to = await anna.folder(folderId, '新')
  const fileId = await anna.upload(from, '甲.txt', '甲')
  const moved = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const moving = db.transaction().execute(async (tx) => {
    await sql`update item set parent_id = ${to} where id = ${fileId}`.execute(tx)
    moved.resolve()
    await mayCommit.promise
  })
  await moved.promise
  await sql`update item set purged = true where id = ${from}`.execute(db)
  let isDone = false
  const purging = purgeChunk(db).finally(() => (isDone = true))
  // The chunk has ended, or waits for the row that is being moved.
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`.execute(db)
      return isDone || (rows[0]?.n ?? 0) > 0
    })
    .toBe(true)
  mayCommit.resolve()
  await Promise.all([moving, purging])
  await purgeAll(db)
  expect((await anna.download(fileId)).body).toBe('甲')
})
