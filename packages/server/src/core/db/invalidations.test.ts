// The caches of a process and their invalidation: by statements that no call of the product makes, in a process that
// receives no notifications, and at the moments at which a change could be missed.
import { type RawBuilder, sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { recordStatements } from '../../../test/explain.ts'
import { few } from '../../../test/full.ts'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'
import { slow } from '../../../test/slow.ts'
import { createStoredVersions } from '../../drive/content/index.ts'
import { chainFor, createChains } from '../../drive/tree/chains.ts'
import { createSessions } from '../../people/auth/index.ts'
import type { AccountActor } from '../actor.ts'
import { createSettings } from '../settings.ts'
import { openDatabase, withCommit } from './database.ts'
import { createInvalidations, createInvalidationsTidier, invalidateEverything } from './invalidations.ts'

afterEach(() => void vi.restoreAllMocks())

const several = sharedWorld({ elected: false })
const besideThem = sharedWorld({ peer: several, deaf: true, elected: false })
const only = sharedWorld({ elected: false, ownsDatabase: true })

/**
 * Sets up a file in a folder that a second user can also see. That user's process receives no notifications: it is
 * another process, or the only one with its clock stopped, so that it notices foreign writes only if it has another
 * reason to ask.
 */
async function furnished(isOnly = false) {
  const [world, deaf] = isOnly ? [only, only] : [several, besideThem]
  if (isOnly) vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const anna = await world.person('anna')
  const ben = (await world.person('ben')).at(deaf)
  const folderId = await anna.folder(anna.library, '看')
  const other = await anna.folder(anna.library, '别处')
  await anna.shares({ folderId }, [{ to: ben, rights: 510 }])
  // A distinct content, because one test removes its object.
  const fileId = await anna.upload(folderId, '文件.txt', `content of ${folderId} at ${isOnly ? 'one' : 'several'}`)
  return { world, deaf, anna, ben, folderId, other, fileId }
}

/** What a user receives about a folder and a file in it, and whether the file can be downloaded. */
async function seenBy(person: Person, folderId: number, fileId: number): Promise<string> {
  const [folder, file, content] = [
    await person.wire('getSubItemList3', { folderId }),
    await person.wire('getFileInfo', { fileId }),
    await person.download(fileId),
  ]
  return JSON.stringify([folder, file, content.statusCode, content.body])
}

interface Ids {
  readonly folderId: number
  readonly other: number
  readonly fileId: number
  readonly userId: number
  readonly by: number
  readonly library: number
}

/** Changes every table that cached data comes from, in each possible manner. */
const changes: Record<string, (ids: Ids) => RawBuilder<unknown>> = {
  'a row of item': ({ fileId }) => sql`update item set size = size + 1 where id = ${fileId}`,
  'a row of item that is another folder’s now': ({ fileId, other }) =>
    sql`update item set parent_id = ${other} where id = ${fileId}`,
  'the folder': ({ folderId }) => sql`update item set name = '改' where id = ${folderId}`,
  'a row of item gone': ({ fileId }) =>
    sql`with gone as (delete from version where item_id = ${fileId}) delete from item where id = ${fileId}`,
  'one more row of item': ({ folderId, library, by }) => sql`
    insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, created_by, created_at,
      modified_by, modified_at)
    values (${library}, ${folderId}, 2, 'n', 'n', 'n', 'n', ${by}, 1, ${by}, 1)`,
  'an entry changed': ({ folderId }) => sql`update entry set rights = 6 where item_id = ${folderId}`,
  'an entry gone': ({ folderId }) => sql`delete from entry where item_id = ${folderId}`,
  'an entry for another item': ({ other, folderId }) =>
    sql`update entry set item_id = ${other} where item_id = ${folderId}`,
  'one more entry, of a child': ({ fileId, userId, by }) => sql`
    with marked as (update item set own_rules = true, withholds = true where id = ${fileId})
    insert into entry (item_id, subject_type, subject_id, rights, kind, created_by, created_at)
    values (${fileId}, 'user', ${userId}, 1, 'independent', ${by}, 1)`,
  'all entries gone': () => sql`truncate entry`,
  'one more manager': ({ library, userId }) =>
    sql`insert into library_manager (library_id, account_id) values (${library}, ${userId})`,
  'the library': ({ library }) => sql`update library set kind = 'archive', owner_id = null where id = ${library}`,
  'the order of the folder': ({ folderId }) => sql`
    with one as (insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, created_by,
        created_at, modified_by, modified_at)
      select library_id, parent_id, 2, 'zz', 'zz', 'zz', 'zz', created_by, created_at, modified_by, modified_at
      from item where parent_id = ${folderId} limit 1)
    insert into folder_order (folder_id, sort, descending) values (${folderId}, 'time', true)`,
  'the session': ({ userId }) => sql`delete from session where account_id = ${userId}`,
  'the session’s end': ({ userId }) => sql`update session set expires_at = 1 where account_id = ${userId}`,
  'the state of the account': ({ userId }) => sql`update account set state = 'frozen' where id = ${userId}`,
  'the name of who made it': ({ by }) => sql`update account set name = 'Anna' where id = ${by}`,
  'the version gone': ({ fileId }) => sql`delete from version where item_id = ${fileId}`,
  'the object of a content': ({ fileId }) =>
    sql`update blob set key = 'elsewhere' where id in (select blob_id from version where item_id = ${fileId})`,
}

describe.each([
  ['at one of several processes', false],
  ['at a process that owns its database', true],
])('%s', (_, isOnly) => {
  test.each(few(5, Object.keys(changes)))(
    '%s is seen by the next request, by whatever statement it was changed',
    async (name) => {
      const { world, ben, anna, folderId, other, fileId } = await furnished(isOnly)
      const before = await seenBy(ben, folderId, fileId)
      expect(await seenBy(ben, folderId, fileId)).toBe(before)
      const { library } = anna
      await changes[name]?.({ folderId, other, fileId, userId: ben.userId, by: anna.userId, library }).execute(
        world.app.db,
      )
      const after = await seenBy(ben, folderId, fileId)
      expect(after).not.toBe(before)
      // The same as in a process with empty caches.
      const cold = await openWorld({ peer: world, deaf: true, elected: false })
      expect(after).toBe(await seenBy(ben.at(cold), folderId, fileId))
    },
  )

  test('a transaction that began early and ends late is seen when it has ended, and not before', async () => {
    const { world, ben, anna, folderId, fileId } = await furnished(isOnly)
    const before = await seenBy(ben, folderId, fileId)
    const { promise: seen, resolve: go } = Promise.withResolvers<void>()
    const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>()
    const late = world.app.db.transaction().execute(async (tx) => {
      await sql`update item set name = '晚' where id = ${fileId}`.execute(tx)
      hasWritten()
      await seen
    })
    await written
    // Many later transactions end first, and are reported.
    for (let n = 0; n < 3; n += 1) await anna.folder(anna.library, `later ${n}`)
    expect(await seenBy(ben, folderId, fileId)).toBe(before)
    go()
    await late
    expect(await seenBy(ben, folderId, fileId)).toContain('晚')
  })

  test('what a transaction wrote that was undone is not told', async () => {
    const { world, ben, folderId, fileId } = await furnished(isOnly)
    const before = await seenBy(ben, folderId, fileId)
    const undone = world.app.db.transaction().execute(async (tx) => {
      await sql`update item set name = '撤' where id = ${fileId}`.execute(tx)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await seenBy(ben, folderId, fileId)).toBe(before)
  })
})

test('a process that owns its database asks once it has written, and in a second for what others wrote', async () => {
  const { world, anna, ben, folderId, other, fileId } = await furnished(true)
  const asks = async (): Promise<number> => {
    const { statements } = await recordStatements(() => ben.call('getSubItemList3', { folderId }))
    return statements.filter(({ text }) => /from invalidated_since/.test(text)).length
  }
  const { db } = world.app
  await ben.call('getSubItemList3', { folderId })
  expect([await asks(), await asks()]).toEqual([0, 0])

  // Reads and rollbacks are no reason to ask. Every write is, however it is sent.
  await db.transaction().execute((tx) => sql`select 1 from item where id = ${fileId} for update`.execute(tx))
  const undone = db.transaction().execute(async (tx) => {
    await sql`update item set size = 0 where id = ${fileId}`.execute(tx)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await asks()).toBe(0)
  const writes: (() => Promise<unknown>)[] = [
    () => sql`update item set size = size where id = ${fileId}`.execute(db),
    () => sql`with one as (delete from entry where item_id = 0) select 1`.execute(db),
    () => db.transaction().execute((tx) => sql`update item set size = size where id = ${fileId}`.execute(tx)),
    () => db.transaction().execute((tx) => sql`update item set size = size where id = 0 ${withCommit}`.execute(tx)),
    () => sql`update no_such_table set size = 0`.execute(db).catch(() => {}),
    () => anna.folder(other, '新'),
  ]
  for (const [n, write] of writes.entries()) {
    await write()
    expect([n, await asks(), await asks()]).toEqual([n, 1, 0])
  }

  const outside = openDatabase(world.database, 1)
  await sql`update item set name = '外' where id = ${fileId}`.execute(outside.db)
  await outside.close()
  expect(await asks()).toBe(0)
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000)
  expect(await asks()).toBe(1)
  expect(await ben.names(folderId)).toEqual(['外'])
})

test('what is being committed is not put together with what was read before it', async () => {
  const world = await openWorld({ elected: false })
  const invalidations = createInvalidations(world.app.db, { writes: { sent: 7, answered: 7 } })
  await invalidations.catchUp()
  const readAt = invalidations.readAt()
  expect(invalidations.areOfOneMoment(readAt)).toBe(false)
  await invalidations.catchUp()
  expect(invalidations.areOfOneMoment(readAt)).toBe(true)
  const writing = createInvalidations(world.app.db, { writes: { sent: 8, answered: 7 } })
  await writing.catchUp()
  const readMeanwhile = writing.readAt()
  await writing.catchUp()
  expect(writing.areOfOneMoment(readMeanwhile)).toBe(false)
})

test('a page, what is above it and the session are kept: only what has changed is asked', async () => {
  const { ben, folderId, fileId } = await furnished()
  await seenBy(ben, folderId, fileId)
  const page = await recordStatements(() => ben.call('getSubItemList3', { folderId }))
  expect(page.statements.map(({ text }) => /from invalidated_since/.test(text))).toEqual([true])
  const content = await recordStatements(() => ben.download(fileId))
  // The download is audited beside the answer, in a batch for those of one moment ([R190]).
  const asked = content.statements.filter(({ text }) => !text.includes('insert into audit'))
  expect(asked.map(({ text }) => /from invalidated_since/.test(text))).toEqual([true])
})

test('limits of downloads and templates of watermarks are kept until one of them changes, whoever wrote it', async () => {
  const { world, ben, fileId } = await furnished()
  const tables = /from (download_limit|watermark_template)\b/
  const asked = async (): Promise<(string | undefined)[]> => {
    const { statements } = await recordStatements(() => ben.download(fileId))
    return statements.flatMap(({ text }) => tables.exec(text)?.[1] ?? [])
  }
  const isRefused = async (): Promise<boolean> => (await ben.download(fileId)).statusCode !== 200
  await ben.download(fileId)
  expect(await asked()).toEqual([])
  const { db } = world.app
  const changes = [
    sql`insert into download_limit (account_id, per_day) values (${ben.userId}, 1)`,
    sql`update download_limit set per_day = 2`,
    sql`delete from download_limit`,
    sql`update watermark_template set opacity = 0.4`,
    sql`insert into watermark_rule (template_id, level) select id, 3 from watermark_template limit 1`,
    sql`delete from watermark_rule`,
    sql`truncate download_limit`,
  ]
  for (const [n, change] of changes.entries()) {
    await change.execute(db)
    expect([n, await asked(), await asked()]).toEqual([n, ['download_limit', 'watermark_template'], []])
  }
  await sql`insert into download_limit (account_id, per_day) values (${ben.userId}, 1)`.execute(db)
  expect([await isRefused(), await isRefused()]).toEqual([true, true])
  await sql`delete from download_limit`.execute(db)
  expect(await isRefused()).toBe(false)
})

test('requests of one moment ask together', async () => {
  const { ben, folderId } = await furnished()
  await ben.call('getSubItemList3', { folderId })
  const { statements } = await recordStatements(() =>
    Promise.all(Array.from({ length: 50 }, () => ben.call('getSubItemList3', { folderId }))),
  )
  expect(statements.length).toBeLessThan(5)
})

test('more changes than are told one by one are seen as well', async () => {
  const { world, ben, anna, folderId, other, fileId } = await furnished()
  const before = await seenBy(ben, folderId, fileId)
  await sql`
    insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, created_by, created_at,
      modified_by, modified_at)
    select ${anna.library}, ${other}, 2, n, n, n, n, ${anna.userId}, 1, ${anna.userId}, 1
    from (select 'n' || n::text as n from generate_series(1, 3000) n) many`.execute(world.app.db)
  await sql`update item set modified_at = 2 where parent_id = ${other}`.execute(world.app.db)
  await sql`update item set modified_at = 2 where id = ${fileId}`.execute(world.app.db)
  expect(await seenBy(ben, folderId, fileId)).not.toBe(before)
})

test('a session that is revoked while it is being read is not kept', async () => {
  const { world, ben } = await furnished()
  const { db, hold } = slow(world.app.db)
  const invalidations = createInvalidations(world.app.db)
  const sessions = createSessions(db, createSettings(world.app.db), invalidations)
  await invalidations.catchUp()
  const held = hold()
  const reading = sessions.byToken(ben.token, Date.now())
  const release = await held
  await sql`delete from session where account_id = ${ben.userId}`.execute(world.app.db)
  await invalidations.catchUp()
  release()
  // The session was valid when it was checked.
  await expect(reading).resolves.toMatchObject({ accountId: ben.userId })
  await expect(sessions.byToken(ben.token, Date.now())).rejects.toMatchObject({ code: 'notLoggedIn' })
})

test('a content that is changed while it is being read is not kept', async () => {
  const { world, fileId } = await furnished()
  const { db, hold } = slow(world.app.db)
  const invalidations = createInvalidations(world.app.db)
  const storedVersion = createStoredVersions(db, invalidations)
  await invalidations.catchUp()
  const held = hold()
  const reading = storedVersion(fileId, 1)
  const release = await held
  await sql`update version set created_at = 7 where item_id = ${fileId}`.execute(world.app.db)
  await invalidations.catchUp()
  release()
  expect((await reading)?.modifiedAt).not.toBe(7)
  expect((await storedVersion(fileId, 1))?.modifiedAt).toBe(7)
})

test('half of what was changed is not seen: what was read apart is put together only where it was true at once', async () => {
  const { world, anna, ben, folderId, other, fileId } = await furnished()
  const { db } = world.app
  const invalidations = createInvalidations(db)
  const sessions = createSessions(db, createSettings(db), invalidations)
  const actor: AccountActor = await sessions.byToken(ben.token, Date.now())
  const chains = createChains(db, invalidations)
  const names = async (id: number): Promise<string[]> => {
    const kept = chains.cached(id)
    const chain = kept === undefined ? await chains.read(actor, id) : chainFor(actor, kept)
    return chain.map(({ name }) => name)
  }
  const sibling = await anna.upload(folderId, '旁.txt', 'x')
  expect((await names(fileId)).slice(1)).toEqual(['看', '文件.txt'])
  // The folder is removed from the cache, the file is not.
  await anna.call('renameFolder', { folderId, folderName: '二' })
  await invalidations.catchUp()
  // This process has caught up. Then the file moves away, and after that the folder is renamed.
  await anna.call('fileOrFolderMove', { targetFolderId: other, fileIdArray: [fileId] })
  await anna.call('renameFolder', { folderId, folderName: '三' })
  expect((await names(sibling)).slice(1)).toEqual(['三', '旁.txt'])
  // The file was never in a folder of that name.
  expect((await names(fileId)).slice(1)).toEqual(['别处', '文件.txt'])
})

test('who has not asked for long lets go of everything, before what was written down is tidied away', async () => {
  const { world, fileId } = await furnished()
  const { db } = world.app
  const invalidations = createInvalidations(db, { longestMs: 0 })
  const storedVersion = createStoredVersions(db, invalidations)
  const tidy = createInvalidationsTidier(db, { lifeMs: 0 })
  const count = async () =>
    Number((await sql<{ n: number }>`select count(*) as n from invalidated`.execute(db)).rows[0]?.n)
  await invalidations.catchUp()
  expect((await storedVersion(fileId, 1))?.modifiedAt).not.toBe(7)
  await sql`update version set created_at = 7 where item_id = ${fileId}`.execute(db)
  expect(await count()).toBeGreaterThan(0)
  // Running transactions of other databases of the cluster keep later entries from being removed.
  const left = async () => {
    await tidy()
    return count()
  }
  await expect.poll(left, { timeout: 120_000 }).toBe(0)
  await invalidations.catchUp()
  expect((await storedVersion(fileId, 1))?.modifiedAt).toBe(7)
})

test('what a transaction wrote that ended late stays as long as any, and what another database wrote goes', async () => {
  const { world, fileId } = await furnished()
  const { db } = world.app
  const tidy = createInvalidationsTidier(db, { lifeMs: 1 })
  const { promise: tidied, resolve: go } = Promise.withResolvers<void>()
  const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>()
  const long = db.transaction().execute(async (tx) => {
    await sql`update item set size = 9 where id = ${fileId}`.execute(tx)
    hasWritten()
    await tidied
  })
  await written
  await sql`insert into invalidated (transaction, kind, id) values ('99999999', 3, 1)`.execute(db)
  await invalidateEverything(db)
  await tidy()
  go()
  await long
  await sql`select pg_sleep(0.01)`.execute(db)
  await tidy()
  const { rows } = await sql<{ kind: number; id: number }>`select kind, id from invalidated order by kind`.execute(db)
  expect(rows).toContainEqual({ kind: 3, id: fileId })
  expect(rows).not.toContainEqual({ kind: 3, id: 1 })
})
