// The order of conversions: fair by person, with the time used so far.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { emptyDocument, readConcurrency } from '../../documents/index.ts'
import { conversion } from './convert.ts'
import { placeInQueue, recordTime } from './fair-queue.ts'

/** Opens a document; returns the key of its preview. */
const open = async (person: Person, fileId: number): Promise<string> =>
  (await person.call('getDocumentPreviewURL', { fileId })).previewKey

const table = (n: number | string): string => `${n},b\n1,2\n`

/**
 * The names of the files whose conversions were begun, in order. The first ones wait where they begin: `release` lets one
 * of them go on, so that one place does the rest in their order, and `end` the others.
 */
async function recordedWorld(): Promise<{ world: World; begun: string[]; release: () => void; end: () => void }> {
  const begun: string[] = []
  const seen = new Set<string>()
  const held = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let taken = 0
  const world: World = await openWorld({
    async pause(point) {
      if (point !== 'job conversion taken') return
      const { rows } = await sql<{ name: string }>`
        select i.name from job j join version v on v.blob_id = (j.input ->> 'blobId')::bigint join item i on i.id = v.item_id
        where j.kind = 'conversion' and j.state in ('running', 'done') order by j.id`.execute(world.app.db)
      for (const { name } of rows) {
        if (!seen.has(name)) begun.push(name)
        seen.add(name)
      }
      taken += 1
      await (taken < readConcurrency ? ended.promise : held.promise)
    },
  })
  onTestFinished(() => world.app.close())
  return { world, begun, release: held.resolve, end: ended.resolve }
}

const isDone = async (person: Person, previewKey: string): Promise<void> =>
  expect
    .poll(async () => (await person.call('getPreviewStatus', { previewKey })).state, { timeout: 120_000 })
    .toBe(codes.success.code)

// [R168] Conversions are done in a fair order: the documents of other people precede the rest of somebody who opened
// many.
test('[R168] who opens one document waits for no more than what runs, however many another person opened before', async () => {
  const { world, begun, release, end } = await recordedWorld()
  const [anna, ben, cara] = [await world.person('anna'), await world.person('ben'), await world.person('cara')]
  const upload = (person: Person, name: string) => person.upload(person.library, name, table(name))
  const keys: string[] = []
  const names = Array.from({ length: readConcurrency + 4 }, (_, n) => `anna ${n}.csv`)
  for (const name of names) keys.push(await open(anna, await upload(anna, name)))
  await expect.poll(() => begun.length).toBe(readConcurrency)
  const carasKey = await open(cara, await upload(cara, 'cara.csv'))
  const bensKey = await open(ben, await upload(ben, 'ben.csv'))
  release()
  await isDone(ben, bensKey)
  await isDone(cara, carasKey)
  end()
  for (const key of keys) await isDone(anna, key)
  const [running, then] = [begun.slice(0, readConcurrency), begun.slice(readConcurrency)]
  expect(running.toSorted()).toEqual(names.slice(0, readConcurrency))
  expect(then.slice(0, 2).toSorted()).toEqual(['ben.csv', 'cara.csv'])
  expect(then.slice(2).toSorted()).toEqual(names.slice(readConcurrency))
})

// [R168] A long conversion leaves its place after its first time slice, so that it delays no short one.
test('[R168] documents that take long leave their places to those of others, and go on beside them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-slices-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const soffice = join(folder, 'soffice.sh')
  await writeFile(soffice, '#!/bin/sh\nsleep 600\n')
  await chmod(soffice, 0o755)
  const world = await openWorld({ soffice })
  onTestFinished(() => world.app.close())
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const bytes = Buffer.from(emptyDocument('docx') ?? [])
  const keys: string[] = []
  for (let n = 0; n < readConcurrency; n += 1) {
    const fileId = await anna.upload(anna.library, `${n}.docx`, Buffer.concat([bytes, Buffer.alloc(n)]))
    keys.push(await open(anna, fileId))
  }
  await isDone(ben, await open(ben, await ben.upload(ben.library, 'short.csv', table('short'))))
  const { rows } = await sql<{ kind: string; state: string }>`
    select kind, state from job where kind like '%conversion' and input ->> 'ext' = 'docx' and due is not null`.execute(
    world.app.db,
  )
  expect(rows.map(({ kind }) => kind)).toEqual(keys.map(() => 'long conversion'))
  for (const previewKey of keys)
    expect((await anna.call('getPreviewStatus', { previewKey })).state).toBe(codes.converting.code)
})

// [R168] The time that somebody has asked for and used counts: their next conversion comes after it.
test('[R168] a conversion comes after those of its person, and after what they took beyond their estimate', async () => {
  const world = await openWorld({ elected: false })
  onTestFinished(() => world.app.close())
  const { db } = world.app.services
  const now = Date.now()
  /** When a conversion of 1000 ms begins for a person, and how far it is ahead of what nobody waits for. */
  const place = async (person: string): Promise<readonly [number, number]> => {
    const { start, leadMs } = await db.transaction().execute((tx) => placeInQueue(tx, conversion, person, 1000, now))
    return [start - now, leadMs]
  }
  const lead = 3_600_000
  expect([await place('busy'), await place('busy'), await place('busy')]).toEqual([
    [0, lead - 1000],
    [1000, lead - 2000],
    [2000, lead - 3000],
  ])
  expect(await place('new')).toEqual([0, lead - 1000])
  await recordTime(db, [conversion], { person: 'new', moreMs: 60_000 }, now)
  expect(await place('new')).toEqual([61_000, lead - 62_000])
  expect(await place('busy')).toEqual([3000, lead - 4000])
})
