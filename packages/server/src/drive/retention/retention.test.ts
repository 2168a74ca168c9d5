// Retention rules: what the preview lists is what is removed.
import { OperateType } from '@cloudoc/domain'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { runDueRule } from './run.ts'

const dayMs = 24 * 60 * 60_000
const now = Date.UTC(2026, 10, 1)
let world: World
let admin: Person
let anna: Person
beforeAll(async () => {
  world = await openWorld({ elected: false, now: () => now })
  admin = await world.admin()
  anna = await world.person('anna', { secretLevel: 3 })
})

const exts = ['txt', 'zip', 'png']
/** A file: in which of the folders, of which kind, level and age, and what became of it. */
const someFile = fc.record({
  folder: fc.integer({ min: 0, max: 2 }),
  ext: fc.constantFrom(...exts),
  level: fc.integer({ min: 0, max: 2 }),
  days: fc.integer({ min: 0, max: 40 }),
  state: fc.constantFrom('live', 'live', 'binned', 'edited', 'together', 'held'),
})
const someTerms = fc.record({
  place: fc.constantFrom(...([0, 1, 'library'] as const)),
  exts: fc.subarray(exts),
  levelFrom: fc.integer({ min: 0, max: 1 }),
  levelTo: fc.integer({ min: 1, max: 2 }),
  days: fc.integer({ min: 1, max: 40 }),
  forGood: fc.boolean(),
})

let made = 0
test('what the preview of a retention rule lists is exactly what its run removes', async () => {
  const { db } = world.app
  const live = async () =>
    new Set(
      (
        await sql<{ id: number }>`
          select id from item where f_type = 1 and not purged and deleted_at is null`.execute(db)
      ).rows.map(({ id }) => id),
    )
  const inBins = async () =>
    new Set(
      (
        await sql<{ id: number }>`
          select id from item where f_type = 1 and not purged and deleted_at is not null`.execute(db)
      ).rows.map(({ id }) => id),
    )
  await fc.assert(
    fc.asyncProperty(fc.array(someFile, { minLength: 4, maxLength: 8 }), someTerms, async (files, terms) => {
      made += 1
      const top = await anna.folder(anna.library, `轮 ${made}`)
      const below = await anna.folder(top, '下级')
      const beside = await anna.folder(anna.library, `旁 ${made}`)
      const folders = [top, below, beside]
      const heldIds: number[] = []
      const editedIds: number[] = []
      for (const [n, { folder, ext, level, days, state }] of files.entries()) {
        const id = await anna.upload(folders[folder] ?? top, `${n}.${ext}`)
        await sql`update item set modified_at = ${now - days * dayMs}, secret_level = ${level} where id = ${id}`.execute(
          db,
        )
        if (state === 'binned') await anna.call('fileOrFolderDelete', { fileIdArray: [id] })
        if (state === 'edited') await anna.call('fileEditLock', { fileId: id })
        if (state === 'together')
          await sql`insert into shared_edit (item_id, lock_id, since, until) values (${id}, 'x', ${now}, ${now + dayMs})`.execute(
            db,
          )
        if (state === 'edited' || state === 'together') editedIds.push(id)
        if (state === 'held') heldIds.push(id)
      }
      const hold = { name: `轮 ${made}`, reason: '核查', itemIdArray: heldIds }
      const holdId = heldIds.length === 0 ? 0 : (await admin.call('placeHold', hold)).holdId
      const { place, ...rest } = terms
      const input = { ...rest, placeId: place === 0 ? 0 : place === 1 ? top : anna.library }
      const preview = await admin.call('previewRetention', input)
      expect(preview.list).toHaveLength(preview.count)

      const [liveBefore, binBefore] = [await live(), await inBins()]
      const { ruleId } = await admin.call('saveRetentionRule', { ...input, name: `轮 ${made}` })
      await admin.call('runRetentionRule', { ruleId })
      while (await runDueRule({ ...world.app.services, now: () => now }));
      const [liveAfter, binAfter] = [await live(), await inBins()]
      const removed = terms.forGood
        ? [...liveBefore, ...binBefore].filter((id) => !liveAfter.has(id) && !binAfter.has(id))
        : [...liveBefore].filter((id) => !liveAfter.has(id))
      expect(removed.toSorted((a, b) => a - b)).toEqual(
        preview.list.map(({ fileId }) => fileId).toSorted((a, b) => a - b),
      )
      // What moved into a bin is all that was removed otherwise.
      if (!terms.forGood) expect(binAfter.size).toBe(binBefore.size + removed.length)
      expect([...heldIds, ...editedIds].filter((id) => !liveAfter.has(id))).toEqual([])
      const { list } = await admin.call('getRetentionRules', {})
      const rule = list.find((one) => one.ruleId === ruleId)
      expect(rule).toMatchObject({ lastCount: preview.count, lastBytes: preview.bytes, lastRun: now })
      await admin.call('removeRetentionRule', { ruleId })
      if (holdId !== 0) await admin.call('liftHold', { holdId, reason: '结案' })
    }),
    { numRuns: 12 },
  )
}, 60_000)

test('a rule runs once a day, tells open lists, writes the log, and is for system administrators alone', async () => {
  const folderId = await anna.folder(anna.library, '过程稿')
  const fileId = await anna.upload(folderId, 'a.txt')
  const terms = { placeId: folderId, days: 30 }
  expect(await anna.refusal('saveRetentionRule', { name: '过程稿', ...terms })).toBe('noPermission')
  const { ruleId } = await admin.call('saveRetentionRule', { name: '过程稿', ...terms })
  expect(await admin.refusal('saveRetentionRule', { name: '过程稿', ...terms })).toBe('alreadyExists')
  expect(await admin.refusal('previewRetention', { ...terms, placeId: 987_654_321 })).toBe('notFound')
  const run = async (at: number) => {
    while (await runDueRule({ ...world.app.services, now: () => at }));
  }
  await run(now)
  expect((await admin.call('getRetentionRules', {})).list[0]).toMatchObject({ lastRun: 0, nextRun: now + dayMs })
  const later = now + 31 * dayMs
  await run(later)
  expect((await admin.call('getRetentionRules', {})).list[0]).toMatchObject({ ruleId, lastCount: 1, lastRun: later })
  const { rows: events } = await sql<{ kind: string; type: number }>`
    select kind, (payload ->> 'operateType')::int as type from event
    where item_id = ${fileId} order by id desc limit 1`.execute(world.app.db)
  expect(events).toEqual([{ kind: 'item', type: OperateType.delete }])
  const { rows } = await sql<{ detail: { count: number } }>`
    select detail from audit where call = 'retentionRun' and ${fileId} = any(items)`.execute(world.app.db)
  expect(rows.map(({ detail }) => detail.count)).toEqual([1])
})
