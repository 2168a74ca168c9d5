// Returning a folder to a moment: what changes, what stays, undoing it, and that all of it is visible at once.
import { join } from 'node:path'
import { codes, rightsGroup } from '@cloudoc/domain'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { explain, rowsRead } from '../../../test/explain.ts'
import { few, longTest } from '../../../test/full.ts'
import { openWorld, type Person, sharedWorld, type World } from '../../../test/harness.ts'
import { ServerProcess } from '../../../test/server-process.ts'

const world = sharedWorld()
const script = join(import.meta.dirname, '../../../test/stopping-server.ts')

/** A moment after everything before and before everything after. */
function moment(): number {
  const at = Date.now()
  while (Date.now() <= at + 1);
  return at
}

/** Everything that a return restores, below a folder or in a whole library, by id. */
async function snapshot({ app }: World, libraryId: number): Promise<Record<number, unknown>> {
  const { rows } = await sql<{ id: number; state: unknown }>`
    with recursive down as (
      select i.* from item i where i.parent_id = ${libraryId} and i.deleted_at is null
      union all
      select c.* from down d join item c on c.parent_id = d.id and c.deleted_at is null
    )
    select d.id, json_build_object('parent', d.parent_id, 'name', d.name, 'key', d.name_key, 'search', d.search_text,
      'inherit', d.inherit, 'restricted', d.restricted, 'ownRules', d.own_rules,
      'content', (select encode(b.sha256, 'hex') from version v join blob b on b.id = v.blob_id
        where v.item_id = d.id and v.number = d.version),
      'entries', (select json_agg(json_build_array(subject_type, subject_id, rights, expires_at)
        order by subject_type, subject_id, rights) from entry e where e.item_id = d.id),
      'links', (select json_agg(json_build_array(l.id, l.rights, l.ends_at, l.paused_at) order by l.id)
        from external_link l where l.item_id = d.id and l.cancelled_at is null)) as state
    from down d`.execute(app.db)
  return Object.fromEntries(rows.map(({ id, state }) => [id, state]))
}

/** Waits for the end of a return. */
async function ended(person: Person, folderId: number, rollbackId: number) {
  return vi.waitFor(
    async () => {
      const { list } = await person.call('getRollbacks', { folderId })
      const one = list.find((each) => each.rollbackId === rollbackId)
      if (one === undefined || one.state === 'waiting') throw new Error('it runs')
      return one
    },
    { timeout: 120_000, interval: 20 },
  )
}

async function back(person: Person, folderId: number, at: number) {
  const { rollbackId } = await person.call('startRollback', { folderId, at })
  return ended(person, folderId, rollbackId)
}

async function undo(person: Person, folderId: number, rollbackId: number) {
  const undone = await person.call('undoRollback', { folderId, rollbackId })
  return ended(person, folderId, undone.rollbackId)
}

describe('a library returns to a moment', () => {
  test('files, names, places, rights and links are as they were, and undoing it brings everything back', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const a = await anna.folder(anna.library, 'A')
    const b = await anna.folder(a, 'B')
    const file = await anna.upload(b, 'plan.txt', 'first')
    const kept = await anna.upload(a, 'kept.txt', 'kept')
    const binned = await anna.upload(a, 'binned.txt', 'binned')
    const other = await anna.upload(a, 'other.txt', 'other')
    await anna.shares({ folderId: b }, [{ to: ben, rights: rightsGroup.edit }])
    const { externalId } = await anna.call('externalCreate', {
      fileId: kept,
      rights: 12,
      endTime: Date.now() + 3_600_000,
    })
    const before = await snapshot(world, anna.library)
    const at = moment()
    await anna.upload(b, 'plan.txt', 'second', { conflict: 'version' })
    await anna.call('renameFile', { fileId: kept, fileName: 'aaa.txt' })
    await anna.call('renameFile', { fileId: other, fileName: 'kept.txt' })
    await anna.call('fileOrFolderMove', { targetFolderId: anna.library, folderIdArray: [b] })
    await anna.call('fileOrFolderDelete', { fileIdArray: [binned] })
    await anna.shares({ folderId: b }, [])
    await anna.call('cancelExternal', { externalId })
    const fresh = await anna.folder(anna.library, 'New')
    await anna.upload(fresh, 'inside.txt')
    const changed = await snapshot(world, anna.library)

    const preview = await anna.call('previewRollback', { folderId: anna.library, at })
    expect(preview.counts).toMatchObject({
      ...{ content: 1, rename: 2, move: 1, restore: 1, remove: 1, rights: 1, link: 1, skipped: 0 },
    })
    expect(preview.list.find(({ fId }) => fId === file)).toMatchObject({ kinds: ['content'], version: 2, toVersion: 1 })

    const done = await back(anna, anna.library, at)
    expect(done).toMatchObject({ state: 'done', skipped: 0, problem: 0 })
    expect(await snapshot(world, anna.library)).toEqual(before)
    const bin = await anna.call('getRecycleList', {})
    expect(bin.list.map(({ fName }) => fName)).toEqual(['New'])

    expect(await undo(anna, anna.library, done.rollbackId)).toMatchObject({ state: 'done', skipped: 0 })
    expect(await snapshot(world, anna.library)).toEqual(changed)
    await expect(anna.refusal('undoRollback', { folderId: anna.library, rollbackId: done.rollbackId })).resolves.toBe(
      'duplicateOperation',
    )
  })

  test('only its folder: what lay in it at the moment comes back into it, what is elsewhere is not touched', async () => {
    const anna = await world.person('anna')
    const a = await anna.folder(anna.library, 'A')
    const beside = await anna.folder(anna.library, 'Beside')
    const moved = await anna.upload(a, 'moved.txt')
    const came = await anna.upload(beside, 'came.txt')
    const untouched = await anna.upload(beside, 'untouched.txt')
    const at = moment()
    await anna.call('fileOrFolderMove', { targetFolderId: beside, fileIdArray: [moved] })
    await anna.call('fileOrFolderMove', { targetFolderId: a, fileIdArray: [came] })
    await anna.call('renameFile', { fileId: untouched, fileName: 'renamed.txt' })
    await anna.call('renameFolder', { folderId: a, folderName: 'Renamed' })
    await back(anna, a, at)
    const after = await snapshot(world, anna.library)
    expect(after[moved]).toMatchObject({ parent: a })
    expect(after[came]).toMatchObject({ parent: beside })
    expect(after[untouched]).toMatchObject({ name: 'renamed.txt' })
    expect(after[a]).toMatchObject({ name: 'Renamed' })
  })

  test('what is edited stays and is named, and so does a new folder around it', async () => {
    const anna = await world.person('anna')
    const file = await anna.upload(anna.library, 'edited.txt', 'one')
    const at = moment()
    const fresh = await anna.folder(anna.library, 'New')
    await anna.call('fileOrFolderMove', { targetFolderId: fresh, fileIdArray: [file] })
    await anna.call('fileEditLock', { fileId: file })
    const done = await back(anna, anna.library, at)
    expect(done).toMatchObject({ state: 'done', changed: 0, skipped: 2 })
    const { list } = await anna.call('getRollbackChanges', {
      ...{ folderId: anna.library, rollbackId: done.rollbackId, skipped: true },
    })
    expect(Object.fromEntries(list.map(({ fId, skipped }) => [fId, skipped]))).toEqual({
      [file]: 'edited',
      [fresh]: 'holdsOther',
    })
  })

  test('a name that somebody else took outside the folder is numbered, as the preview says', async () => {
    const anna = await world.person('anna')
    const a = await anna.folder(anna.library, 'A')
    const file = await anna.upload(anna.library, 'x.txt', 'outside')
    const at = moment()
    await anna.call('fileOrFolderMove', { targetFolderId: a, fileIdArray: [file] })
    await anna.upload(anna.library, 'x.txt', 'another')
    const preview = await anna.call('previewRollback', { folderId: a, at })
    expect(preview.list).toMatchObject([{ fId: file, kinds: ['move', 'rename'], toName: 'x (2).txt' }])
    await back(anna, a, at)
    expect((await snapshot(world, anna.library))[file]).toMatchObject({ parent: anna.library, name: 'x (2).txt' })
  })

  test('undoing leaves what somebody changed since', async () => {
    const anna = await world.person('anna')
    const one = await anna.upload(anna.library, 'one.txt')
    const two = await anna.upload(anna.library, 'two.txt')
    const at = moment()
    await anna.call('renameFile', { fileId: one, fileName: 'one b.txt' })
    await anna.call('renameFile', { fileId: two, fileName: 'two b.txt' })
    const done = await back(anna, anna.library, at)
    await anna.call('renameFile', { fileId: two, fileName: 'two c.txt' })
    expect(await undo(anna, anna.library, done.rollbackId)).toMatchObject({ changed: 1, skipped: 1 })
    const after = await snapshot(world, anna.library)
    expect([after[one], after[two]]).toMatchObject([{ name: 'one b.txt' }, { name: 'two c.txt' }])
  })

  test('is for the managers of the library, and not further back than changes are recorded', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    await anna.shares({ folderId: anna.library }, [{ to: ben, rights: rightsGroup.edit }])
    const folderId = anna.library
    const at = moment()
    await expect(ben.refusal('startRollback', { folderId, at })).resolves.toBe('noPermission')
    await expect(ben.refusal('previewRollback', { folderId, at })).resolves.toBe('noPermission')
    const nobody = await world.person('nobody')
    await expect(nobody.refusal('previewRollback', { folderId, at })).resolves.toBe('notFound')
    await expect(anna.refusal('startRollback', { folderId, at: 1000 })).resolves.toBe('badRequest')
    await expect(anna.refusal('startRollback', { folderId, at: Date.now() + 60_000 })).resolves.toBe('badRequest')
  })
})

describe('a legal hold', () => {
  /** The account that places holds, and a lifted hold at the end of the work. */
  async function held(scope: { itemIdArray?: number[]; userIdArray?: number[] }, work: () => Promise<void>) {
    const admin = await world.admin()
    made += 1
    const { holdId } = await admin.call('placeHold', { name: `return ${made}`, reason: 'case', ...scope })
    await work()
    await admin.call('liftHold', { holdId, reason: 'closed' })
  }
  let made = 0
  const skips = async (anna: Person, rollbackId: number) => {
    const { list } = await anna.call('getRollbackChanges', { folderId: anna.library, rollbackId, skipped: true })
    return Object.fromEntries(list.map(({ fId, skipped }) => [fId, skipped]))
  }

  test('of a new file keeps it and the new folder around it, and its earlier contents come as versions', async () => {
    const anna = await world.person('anna')
    const old = await anna.upload(anna.library, 'old.txt', 'one')
    const at = moment()
    const fresh = await anna.folder(anna.library, 'New')
    const file = await anna.upload(fresh, 'evidence.txt')
    const beside = await anna.upload(fresh, 'beside.txt')
    await anna.upload(anna.library, 'old.txt', 'two', { conflict: 'version' })
    await anna.call('renameFile', { fileId: old, fileName: 'renamed.txt' })
    await held({ itemIdArray: [file, old] }, async () => {
      const preview = await anna.call('previewRollback', { folderId: anna.library, at })
      expect(preview.counts).toMatchObject({ content: 1, rename: 0, remove: 0 })
      const done = await back(anna, anna.library, at)
      expect(await skips(anna, done.rollbackId)).toMatchObject({ [fresh]: 'holdsOther', [old]: 'protected' })
      const after = await snapshot(world, anna.library)
      expect(after[file]).toBeDefined()
      expect(after[beside]).toBeDefined()
      expect(after[old]).toMatchObject({ name: 'renamed.txt' })
      const { list } = await anna.call('getVersionList', { fileId: old, from: 0, rows: 10 })
      expect(list.map(({ version }) => version)).toEqual([3, 2, 1])
    })
  })

  test('of an unchanged file keeps the folder that would go back to the bin with it, in a return and its undoing', async () => {
    const anna = await world.person('anna')
    const folder = await anna.folder(anna.library, 'Binned')
    const file = await anna.upload(folder, 'evidence.txt')
    await anna.call('fileOrFolderDelete', { folderIdArray: [folder] })
    const binned = moment()
    await anna.call('recycleRestore', { folderIdArray: [folder] })
    await held({ itemIdArray: [file] }, async () => {
      const done = await back(anna, anna.library, binned)
      expect(await skips(anna, done.rollbackId)).toEqual({ [folder]: 'holdsOther' })
      expect((await snapshot(world, anna.library))[file]).toBeDefined()
    })
    const there = moment()
    await anna.call('fileOrFolderDelete', { folderIdArray: [folder] })
    const returned = await back(anna, anna.library, there)
    await held({ itemIdArray: [file] }, async () => {
      const undone = await undo(anna, anna.library, returned.rollbackId)
      expect(await skips(anna, undone.rollbackId)).toEqual({ [folder]: 'holdsOther' })
      expect((await snapshot(world, anna.library))[file]).toBeDefined()
    })
  })

  test('of a person keeps what they made where it is', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    await anna.shares({ folderId: anna.library }, [{ to: ben, rights: rightsGroup.edit }])
    const a = await anna.folder(anna.library, 'A')
    const at = moment()
    const file = await ben.upload(a, 'of ben.txt')
    const other = await anna.upload(a, 'of anna.txt')
    await held({ userIdArray: [ben.userId] }, async () => {
      const done = await back(anna, anna.library, at)
      expect(await skips(anna, done.rollbackId)).toEqual({ [file]: 'protected' })
      const after = await snapshot(world, anna.library)
      expect([after[file] !== undefined, after[other] !== undefined]).toEqual([true, false])
    })
  })
})

test('earlier states carry the time of the server, not that of the database', async () => {
  const past = Date.UTC(2026, 0, 5)
  const second = await openWorld({ peer: world, now: () => past })
  const anna = (await world.person('anna')).at(second)
  const file = await anna.upload(anna.library, 'a.txt')
  await anna.call('renameFile', { fileId: file, fileName: 'b.txt' })
  const { rows } = await sql<{ at: number }>`
    select at from item_history where item_id = ${file} order by id`.execute(world.app.db)
  expect(rows).toEqual([{ at: past }])
})

describe('whatever was done', () => {
  const acts = ['upload', 'folder', 'submit', 'rename', 'move', 'delete', 'restore', 'share'] as const

  test('what the preview lists is what happens: the library is as it was, and after undoing as it was before the return', async () => {
    const ben = await world.person('ben')
    const draw = fc.record({ act: fc.constantFrom(...acts), item: fc.nat(30), target: fc.nat(30), name: fc.nat(5) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(draw, { maxLength: 10 }),
        fc.array(draw, { minLength: 1, maxLength: 14 }),
        async (first, then) => {
          const anna = await world.person('anna')
          const items: { id: number; folder: boolean }[] = [{ id: anna.library, folder: true }]
          const run = async ({
            act,
            item,
            target,
            name,
          }: {
            act: string
            item: number
            target: number
            name: number
          }) => {
            const folders = items.filter(({ folder }) => folder)
            const one = items[item % items.length] ?? fail()
            const folderId = (folders[target % folders.length] ?? fail()).id
            const ids = one.folder ? { folderIdArray: [one.id] } : { fileIdArray: [one.id] }
            if (act === 'upload') {
              const wire = await anna.uploadWire(folderId, `${name}.txt`, `${item} ${target}`)
              if (wire.result === codes.success.code)
                items.push({ id: (wire.data as { fileId: number }).fileId, folder: false })
            } else if (act === 'folder') {
              const wire = await anna.wire('folderCreate', { parentId: folderId, folderName: `${name}` })
              if (wire.code === 'success')
                items.push({ id: (wire.data as { folderId: number }).folderId, folder: true })
            } else if (act === 'submit' && !one.folder) {
              await anna.wire('setLatestVersion', { fileId: one.id, version: 1 })
              await anna.uploadWire(folderId, `${name}.txt`, `${item}${target}${name}`, { conflict: 'version' })
            } else if (act === 'rename' && one.id !== anna.library)
              await (one.folder
                ? anna.wire('renameFolder', { folderId: one.id, folderName: `${name}` })
                : anna.wire('renameFile', { fileId: one.id, fileName: `${name}.txt` }))
            else if (act === 'move') await anna.wire('fileOrFolderMove', { targetFolderId: folderId, ...ids })
            else if (act === 'delete') await anna.wire('fileOrFolderDelete', ids)
            else if (act === 'restore') await anna.wire('recycleRestore', { ...ids, conflict: 'keepBoth' } as never)
            else if (act === 'share')
              await anna.wire('setShareList', {
                folderId,
                inherit: name % 2 === 0,
                entries: [
                  {
                    subjectType: 'user',
                    subjectId: ben.userId,
                    rights: name > 2 ? rightsGroup.edit : rightsGroup.download,
                  },
                ],
                withoutMyself: true,
              } as never)
          }
          for (const each of first) await run(each)
          const before = await snapshot(world, anna.library)
          const at = moment()
          for (const each of then) await run(each)
          const changed = await snapshot(world, anna.library)
          const preview = await anna.call('previewRollback', { folderId: anna.library, at, rows: 1000 })
          const done = await back(anna, anna.library, at)
          expect(done).toMatchObject({ state: 'done', skipped: 0, changed: preview.counts.changed })
          expect(await snapshot(world, anna.library)).toEqual(before)
          const { list } = await anna.call('getRollbackChanges', {
            ...{ folderId: anna.library, rollbackId: done.rollbackId, rows: 1000 },
          })
          const listed = (all: readonly { fId: number; kinds: readonly string[] }[]) =>
            all.map(({ fId, kinds }) => `${fId} ${kinds.toSorted().join(' ')}`).toSorted()
          expect(listed(preview.list)).toEqual(listed(list))
          expect(await undo(anna, anna.library, done.rollbackId)).toMatchObject({ state: 'done', skipped: 0 })
          expect(await snapshot(world, anna.library)).toEqual(changed)
        },
      ),
      { numRuns: few(8, Array.from({ length: 100 })).length },
    )
  })
})

const fail = (): never => {
  throw new Error('nothing is there')
}

/** Many files in a library, of which each was renamed and moved after the moment. */
async function manyChanges(world: World, anna: Person, count: number): Promise<{ at: number }> {
  const { db } = world.app
  const from = await anna.folder(anna.library, 'From')
  const to = await anna.folder(anna.library, 'To')
  await sql`
    insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, created_by, created_at,
      modified_by, modified_at)
    select ${anna.library}, ${from}, 2, 'n' || n, 'n' || n, 'n' || n, 'n' || n, ${anna.userId}, ${Date.now()}, ${anna.userId},
      ${Date.now()} from generate_series(1, ${count}::int) n`.execute(db)
  await sql`insert into tally (library_id, account_id, folder_id, bytes, children)
    values (${anna.library}, ${anna.userId}, ${from}, 0, ${count})`.execute(db)
  const at = moment()
  await sql`
    update item set parent_id = ${to}, name = 'x' || name, name_key = 'x' || name_key, name_sort = 'x' || name_sort,
      search_text = 'x' || search_text where parent_id = ${from}`.execute(db)
  await sql`insert into tally (library_id, account_id, folder_id, bytes, children)
    values (${anna.library}, ${anna.userId}, ${from}, 0, ${-count}), (${anna.library}, ${anna.userId}, ${to}, 0, ${count})`.execute(
    db,
  )
  return { at }
}

/** Kills a server in the middle of a return; another one starts again. Readers see all of it or nothing. */
async function killed(count: number, point: string): Promise<void> {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  const { at } = await manyChanges(world, anna, count)
  const changed = async (): Promise<number> =>
    (
      await sql<{ n: number }>`
        select count(*)::int as n from item where library_id = ${anna.library} and name like 'xn%'`.execute(
        world.app.db,
      )
    ).rows[0]?.n ?? 0
  expect(await changed()).toBe(count)
  const server = new ServerProcess([JSON.stringify(world.database), join(world.folder, 'blobs'), point], {}, script)
  await server.ready()
  const { rollbackId } = await anna.call('startRollback', { folderId: anna.library, at })
  await server.says(/stopped/)
  expect(await changed()).toBe(count)
  server.child.kill('SIGKILL')
  await server.exited
  expect(await changed()).toBe(count)
  await sql`update job set due = 0 where kind = 'rollback.run'`.execute(world.app.db)
  const second = await openWorld({ peer: world })
  expect(await ended(anna.at(second), anna.library, rollbackId)).toMatchObject({ state: 'done', changed: count })
  expect(await changed()).toBe(0)
}

describe('a server that is killed in the middle', () => {
  test.each(few(1, ['rollback written', 'rollback placed']))(
    'at “%s” leaves nothing half, and another one does all of it',
    (point) => killed(300, point),
  )
  longTest('with 100,000 changes too', () => killed(100_000, 'rollback written'), 600_000)
})

test('the cost of a preview follows from what changed, not from what exists', async () => {
  const anna = await world.person('anna')
  await manyChanges(world, anna, 3000)
  const at = moment()
  const one = await anna.upload(anna.library, 'one.txt')
  await sql`vacuum analyze item, item_history`.execute(world.app.db)
  const { value, plans } = await explain(world, () => anna.call('previewRollback', { folderId: anna.library, at }))
  expect(value.list.map(({ fId }) => fId)).toEqual([one])
  const read = plans
    .filter(({ mode }) => mode === 'custom')
    .reduce((sum, { root }) => sum + rowsRead(root, 'item') + rowsRead(root, 'item_history'), 0)
  expect(read).toBeLessThan(300)
})
