// Copies of large folders: what they cost, who waits for them, and how they are cancelled.
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { extraConnections, lockIsWaitedFor } from '../../../test/lock-waits.ts'

let world: World
let anna: Person
let ben: Person
let runs = 0

beforeAll(async () => {
  world = await openWorld({ elected: false })
  anna = await world.person('anna')
  ben = await world.person('ben')
})

const make = async (parentId: number, folderName: string): Promise<number> =>
  (await anna.call('folderCreate', { parentId, folderName })).folderId

/** Inserts the given number of files into a folder directly as rows. They share one content. */
async function fill(folderId: number, count: number): Promise<void> {
  const one = await anna.upload(folderId, 'first.bin')
  await sql`
    with made as (
      insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, ext, created_by,
        created_at, modified_by, modified_at, version, size)
      select i.library_id, i.parent_id, 1, 'f' || n || '.bin', 'f' || n || '.bin', ('f' || n || '.bin')::bytea,
        'f' || n || '.bin', 'bin', i.created_by, i.created_at, i.modified_by, i.modified_at, 1, i.size
      from item i, generate_series(2, ${count}) n where i.id = ${one}
      returning id, library_id, created_by, size
    ), versions as (
      insert into version (item_id, number, blob_id, size, created_by, created_at)
      select made.id, 1, v.blob_id, v.size, v.created_by, v.created_at from made, version v where v.item_id = ${one}
    )
    insert into tally (library_id, account_id, folder_id, bytes, children)
    select library_id, created_by, ${folderId}::bigint, sum(size), count(*) from made group by 1, 2`.execute(
    world.app.db,
  )
}

/** Number of copies in progress. */
async function copies(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_locks l join pg_class c on c.oid = l.relation
    where c.relname = 'version' and l.mode = 'RowExclusiveLock'`.execute(world.app.db)
  return rows[0]?.n ?? 0
}

/**
 * Creates a folder of two files. Its copy waits at the second file for as long as the test locks that file's content.
 */
async function heldCopy(copyId: string | undefined) {
  const source = await make(anna.library, `source ${++runs}`)
  await anna.upload(await make(source, 'a'), 'a.txt', `a ${runs}`)
  const last = await anna.upload(await make(source, 'b'), 'b.txt', `b ${runs}`)
  const target = await make(anna.library, `target ${runs}`)
  const beside = extraConnections(world)
  const hold = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const held = beside.transaction().execute(async (tx) => {
    await sql`
      select 1 from blob where id = (select blob_id from version where item_id = ${last}) for update`.execute(tx)
    taken.resolve()
    await hold.promise
  })
  await taken.promise
  const gone = new AbortController()
  const asked = fetch(`http://127.0.0.1:${await world.port()}/services2/file/operate/fileOrFolderCopy`, {
    method: 'POST',
    headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ targetFolderId: target, folderIdArray: [source], copyId }),
    signal: gone.signal,
  }).then((response) => response.json() as Promise<{ result: number; data: { result: number }[] }>)
  await lockIsWaitedFor(beside, '%insert into item%')
  const go = async (): Promise<void> => {
    hold.resolve()
    await held
  }
  return { target, asked, go, leave: () => gone.abort() }
}

// [R121] A running copy reports its progress; cancelling leaves nothing behind.
test('[R121] a copy is told of to who makes it, and called off leaves nothing', async () => {
  const copyId = 'a-copy-that-is-called-off'
  const { target, asked, go } = await heldCopy(copyId)
  await expect.poll(() => anna.call('getCopyProgress', { copyId })).toEqual({ copied: 2 })
  expect(await ben.refusal('getCopyProgress', { copyId })).toBe('notFound')
  expect(await ben.refusal('cancelCopy', { copyId })).toBe('notFound')
  await anna.call('cancelCopy', { copyId })
  await go()
  expect(await asked).toMatchObject({ result: -9, data: [{ result: -9 }] })
  expect(await anna.names(target)).toEqual([])
})

test('a copy that nobody calls off is there whole, also where it is told of', async () => {
  const copyId = 'a-copy-that-is-left-alone'
  const { target, asked, go } = await heldCopy(copyId)
  await expect.poll(() => anna.call('getCopyProgress', { copyId })).toEqual({ copied: 2 })
  await go()
  expect(await asked).toMatchObject({ result: -1 })
  expect(await anna.names(target)).toHaveLength(1)
})

test('a copy that nobody waits for any more leaves nothing', async () => {
  const { target, asked, go, leave } = await heldCopy(undefined)
  leave()
  await expect(asked).rejects.toThrow('aborted')
  await go()
  await expect.poll(copies).toBe(0)
  expect(await anna.names(target)).toEqual([])
})

longTest('100,000 files are copied while others go on', async ({ annotate }) => {
  const source = await make(anna.library, 'source')
  for (let n = 0; n < 100; n += 1) await fill(await make(source, `${n}`), 1000)
  await sql`vacuum (analyze) item, version, tally`.execute(world.app.db)
  const target = await make(anna.library, 'target')
  const copied = anna.call('fileOrFolderCopy', { targetFolderId: target, folderIdArray: [source] })
  let isOver = false
  const waits: number[] = []
  const others = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await anna.upload(target, `other ${waits.length}.txt`)
      waits.push(performance.now() - asked)
    }
  })()
  const started = performance.now()
  const [answer] = await copied
  const seconds = Math.round((performance.now() - started) / 1000)
  isOver = true
  await others
  waits.sort((a, b) => a - b)
  const [half, most] = [waits[waits.length >> 1] ?? 0, waits.at(-1) ?? 0].map(Math.round)
  await annotate(`${seconds} s; ${waits.length} uploads meanwhile, half within ${half} ms, all within ${most} ms`)
  expect(answer?.result).toBe(-1)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from item where parent_id in (select id from item where parent_id = ${answer?.fId})`.execute(
    world.app.db,
  )
  expect(rows).toEqual([{ n: 100_000 }])
})
