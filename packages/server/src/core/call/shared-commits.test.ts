// Calls of one moment in one transaction: each with its own checks and its own outcome.
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { contentsOf } from '../../../test/contents.ts'
import { openWorld, type World } from '../../../test/harness.ts'
import { Pauses } from '../../../test/pauses.ts'

/** Counts the transactions that created the items with these names. */
async function transactionsOf(world: World, pattern: string): Promise<{ items: number; transactions: number }> {
  const { rows } = await sql<{ items: number; transactions: number }>`
    select count(*)::int as items, count(distinct xmin::text)::int as transactions
    from item where name like ${pattern}`.execute(world.app.db)
  return rows[0] ?? { items: 0, transactions: 0 }
}

/** Starts uploads that wait behind one that is about to commit. Resolves when all of them are staged. */
async function behindOne(world: World, pauses: Pauses, begin: () => readonly Promise<unknown>[]) {
  const first = await world.person('first')
  const stop = pauses.hold('commit uploadRaw')
  const leading = first.uploadWire(first.library, 'leading.txt', 'leading')
  await stop.reached
  const before = pauses.passed.filter((point) => point === 'content kept').length
  const following = begin()
  await vi.waitFor(() => {
    expect(pauses.passed.filter((point) => point === 'content kept').length - before).toBe(following.length)
  }, 10_000)
  return { stop, leading, following }
}

describe('uploads of one moment', () => {
  test('[R200] commit in one transaction, each with its own outcome, event and audit row', async () => {
    const pauses = new Pauses()
    const world = await openWorld({ pause: pauses.at })
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'open' })
    await anna.shares({ folderId }, [{ to: ben, rights: 510 }])
    await anna.upload(folderId, 'taken.txt', 'was here before')
    const { stop, leading, following } = await behindOne(world, pauses, () => [
      anna.uploadWire(folderId, 'together 1.txt', 'one'),
      ben.uploadWire(folderId, 'together 2.txt', 'two'),
      ben.uploadWire(ben.library, 'together 3.txt', 'three'),
      ben.uploadWire(anna.library, 'together 4.txt', 'not for ben'),
      anna.uploadWire(folderId, 'taken.txt', 'refused'),
      anna.uploadWire(folderId, 'TAKEN.txt', 'a version', { conflict: 'version' }),
      anna.uploadWire(4711, 'together 5.txt', 'nowhere'),
    ])
    stop.release()
    expect((await leading).code).toBe('success')
    const answers = (await Promise.all(following)) as { code: string; data: { version: number } | null }[]
    expect(answers.map(({ code }) => code)).toEqual([
      'success',
      'success',
      'success',
      'notFound',
      'alreadyExists',
      'success',
      'notFound',
    ])
    expect(answers[5]?.data?.version).toBe(2)
    expect(await transactionsOf(world, 'together %')).toEqual({ items: 3, transactions: 1 })
    const { rows } = await sql<{ name: string; actor: string; audited: string }>`
      select e.payload->>'name' as name, a.account as actor, b.account as audited
      from event e join account a on a.id = e.actor_id
      join audit d on d.call = 'uploadRaw' and d.account_id = e.actor_id and (e.payload->>'parentId')::bigint = any(d.items)
      join account b on b.id = d.account_id
      where e.payload->>'name' like 'together %' order by 1`.execute(world.app.db)
    expect(new Set(rows.map(({ name, actor, audited }) => `${name} ${actor} ${audited}`))).toEqual(
      new Set(['together 1.txt anna anna', 'together 2.txt ben ben', 'together 3.txt ben ben']),
    )
    // A refused call leaves neither a row nor an object. The six are leading, taken, its version and the three.
    expect(await contentsOf(world)).toEqual({ blobs: 6, versions: 6, objects: 6, staged: 0 })
  })

  test('[R047] [R034] a session that ended meanwhile keeps nothing, and nobody else is held responsible', async () => {
    const pauses = new Pauses()
    const world = await openWorld({ pause: pauses.at })
    const [anna, ben, carl] = [await world.person('anna'), await world.person('ben'), await world.person('carl')]
    const admin = await world.admin()
    const { stop, leading, following } = await behindOne(world, pauses, () => [
      anna.uploadWire(anna.library, 'a.txt', 'a'),
      ben.uploadWire(ben.library, 'b.txt', 'b'),
      carl.uploadWire(carl.library, 'c.txt', 'c'),
    ])
    await admin.call('setAccountState', { userId: ben.userId, state: 'frozen' })
    await carl.call('logout2', {})
    stop.release()
    const codes = (await Promise.all([leading, ...following])).map((wire) => (wire as { code: string }).code)
    expect(codes).toEqual(['success', 'success', expect.stringMatching(/^(accountFrozen|notLoggedIn)$/), 'notLoggedIn'])
    expect(await contentsOf(world)).toEqual({ blobs: 2, versions: 2, objects: 2, staged: 0 })
  })

  test('[R034] an upload right after its session ended is refused, however lately that session was seen', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    await anna.upload(anna.library, 'a.txt', 'a')
    await anna.call('logout2', {})
    expect(await anna.uploadWire(anna.library, 'b.txt', 'b')).toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect(await contentsOf(world)).toEqual({ blobs: 1, versions: 1, objects: 1, staged: 0 })
  })

  test('who would have to wait for a folder that somebody is changing holds up nobody else', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'moving' })
    let waiting: ReturnType<typeof anna.uploadWire> | undefined
    await world.app.db.transaction().execute(async (tx) => {
      await sql`select 1 from item where id = ${folderId} for update`.execute(tx)
      waiting = anna.uploadWire(folderId, 'waits.txt', 'waits')
      await anna.upload(anna.library, 'passes 1.txt', 'passes')
      await anna.upload(anna.library, 'passes 2.txt', 'passes')
    })
    expect((await waiting)?.code).toBe('success')
    expect(await transactionsOf(world, 'passes %')).toMatchObject({ items: 2 })
  })

  test('who meets a name that is being made elsewhere waits alone, and everybody else is kept', async () => {
    const pauses = new Pauses()
    const world = await openWorld({ pause: pauses.at })
    const anna = await world.person('anna')
    const stop = pauses.hold('commit folderCreate')
    const folder = anna.call('folderCreate', { parentId: anna.library, folderName: 'x.txt' })
    await stop.reached
    const waiting = anna.uploadWire(anna.library, 'x.txt', 'x')
    await anna.upload(anna.library, 'y.txt', 'y')
    stop.release()
    await folder
    expect((await waiting).code).toBe('alreadyExists')
    expect(await contentsOf(world)).toEqual({ blobs: 1, versions: 1, objects: 1, staged: 0 })
  })
})
