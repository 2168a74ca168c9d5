// Hits are shown at their places in each kind of file; nothing of them is stored beside the text of search.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SensitiveRuleInput } from '@cloudoc/contract'
import { pdf } from '@cloudoc/devkit/demo'
import { newSensitiveRule } from '@cloudoc/domain'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { hiddenDocuments, shownDocuments, withUnknownObject } from '../../../test/hidden-documents.ts'
import { createCurrentRules } from './detect.ts'
import { hashKey } from './detector.ts'
import { idCheckDigit } from './number-patterns.ts'
import { stepRun } from './run.ts'

const id = '11010519491231002X'
const masked = '110*************2X'
let world: World
let admin: Person
let reviewer: Person
let anna: Person

beforeAll(async () => {
  world = await openWorld()
  admin = await world.admin()
  reviewer = await world.person('shen')
  anna = await world.person('anna')
  await rule(admin, reviewer)
})

const rule = (by: Person, reviews: Person, more: Partial<SensitiveRuleInput> = {}) =>
  by.call('saveSensitiveRule', {
    rule: {
      ...newSensitiveRule,
      ...{ name: '客户', patterns: [{ pattern: 'idCard', atLeast: 1 }], action: 'audit', uninspected: 'audit' },
      reviewers: [{ subjectType: 'user', subjectId: reviews.userId }],
      ...more,
    },
  })

/** What the reviewer sees of a file as soon as it waits. */
async function reviewed(fileId: number) {
  const asked = async () =>
    (await reviewer.call('getSensitiveList', { side: 'review', state: 'waiting' })).list.find(
      ({ fId }) => fId === fileId,
    )
  await expect.poll(asked, { timeout: 120_000 }).toBeDefined()
  const checkId = (await asked())?.checkId ?? 0
  return { checkId, ...(await reviewer.call('getSensitiveText', { checkId })) }
}

/** The font of the demo has no emoji. */
const portable = (text: string): Promise<Uint8Array> =>
  pdf({
    ...{ title: '资料', author: '林夏', date: '2026-01-05' },
    sections: [{ heading: '正文', paragraphs: [text.replace(/^\P{L}+/u, '')] }],
    table: { columns: ['项'], rows: [] },
  })
const shown = (name: keyof typeof shownDocuments) => shownDocuments[name] as (typeof shownDocuments)[string]
const hidden = (name: keyof typeof hiddenDocuments) => hiddenDocuments[name] as (typeof hiddenDocuments)[string]

/** A kind of file, and where its hit is. */
const places = [
  ['the cell of a sheet', 'xlsx', shown('a hidden row in xlsx').make, { kind: 'sheet', name: '表', cell: 'C3' }],
  ['the page of a PDF', 'pdf', portable, { kind: 'page', name: '1' }],
  ['the slide of a presentation', 'pptx', shown('speaker notes in pptx').make, { kind: 'slide', name: '2' }],
  ['a comment', 'docx', hidden('a comment in docx').make, { kind: 'whole', place: 'comment' }],
  ['a comment on a slide', 'pptx', hidden('a comment in pptx').make, { kind: 'slide', name: '2', place: 'comment' }],
  [
    'a comment on a cell',
    'xlsx',
    hidden('a comment on a cell in xlsx').make,
    { kind: 'sheet', name: '表', cell: 'B2', place: 'comment' },
  ],
  [
    'the cell of an embedded workbook',
    'docx',
    hidden('a workbook embedded in docx').make,
    { kind: 'sheet', name: '表', cell: 'C3', path: 'Sheet1.xlsx', place: 'embedded' },
  ],
] as const

// [R257] The reviewer sees each hit masked at its place: the cell, the page, the slide, the comment, the embedded file.
test.each(places)('[R257] a hit is marked at its place: %s', async (label, ext, make, place) => {
  const fileId = await anna.upload(anna.library, `${label}.${ext}`, await make(`😀 证件 ${id} 存档`))
  const { hits, passages, total, outcome } = await reviewed(fileId)
  expect([hits.length, total, outcome]).toEqual([1, 1, 'inspected'])
  expect(hits[0]).toMatchObject({ cell: '', path: '', place: '', ...place, masked, part: 'idCard' })
  // The mark is exactly over the masked value, in the text or in its cell.
  const marked = passages.flatMap(({ text, marks, cells }) =>
    [{ text, marks }, ...cells].flatMap((one) => one.marks.map(({ start, end }) => one.text.slice(start, end))),
  )
  expect(marked).toEqual([masked])
  const { cell: _, ...at } = place as { cell?: string }
  expect(passages.find(({ marks, cells }) => marks.length + cells.length > 0)).toMatchObject(at)
})

test('an embedded object that no reader knows is not inspected, and the reviewer is told which', async () => {
  const fileId = await anna.upload(anna.library, '对象.docx', withUnknownObject())
  const { outcome, reason, left } = await reviewed(fileId)
  expect({ outcome, reason, left }).toEqual({
    ...{ outcome: 'partly', reason: 'unknownKind' },
    left: [{ path: 'oleObject1.bin', reason: 'unknownKind' }],
  })
})

const numberOf = (first: string): string => `${first}${idCheckDigit(first).toUpperCase()}`

/** The tables with a row that contains a text. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(world.app.db)
  const found: string[] = []
  for (const { name } of rows) {
    const hits =
      await sql`select 1 from ${sql.table(name)} t where to_jsonb(t)::text ilike ${`%${text}%`} limit 1`.execute(
        world.app.db,
      )
    if (hits.rows.length > 0) found.push(name)
  }
  return found
}

// [R256] What was found is stored nowhere but in the text of search, which only those find who may read the file.
test('[R256] a value that was found is in no table but the text of search, and one that only a comment has in none', async () => {
  const [text, comment] = [numberOf('11010119900307453'), numberOf('11010519900307153')]
  const files = [
    await anna.upload(anna.library, '名单.txt', `身份证 ${text} ${id}`),
    await anna.upload(anna.library, '批注.docx', await hidden('a comment in docx').make(`${comment} ${id}`)),
  ]
  for (const fileId of files) {
    const { checkId, hits } = await reviewed(fileId)
    expect(hits.length).toBeGreaterThan(0)
    await reviewer.call('getSensitiveOriginal', { checkId, hit: 0 })
    await reviewer.call('sensitiveReject', { checkId, comments: '请改' })
  }
  await world.app.settle()
  expect(await tablesWith(text)).toEqual(['content_text'])
  expect(await tablesWith(comment)).toEqual([])
})

test('[R256] a check of the files that are there is stopped: no further file is checked', async () => {
  // Without chores: a step is made when the test makes it.
  const own = await openWorld({ elected: false })
  const [boss, shen, ben] = [await own.admin(), await own.person('shen'), await own.person('ben')]
  for (let n = 0; n < 3; n += 1) await ben.upload(ben.library, `${n}.txt`, `证件 ${id}`)
  await rule(boss, shen)
  const { db, secrets } = own.app.services
  const step = () => stepRun(db, Date.now(), createCurrentRules(), hashKey(secrets))
  const run = async () => (await boss.call('getSensitiveRecheck', {})).run
  const checks = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from sensitive_file`.execute(db)
    return rows[0]?.n
  }
  expect(await ben.refusal('startSensitiveRecheck', {})).toBe('noPermission')
  expect(await ben.refusal('stopSensitiveRecheck', {})).toBe('noPermission')
  expect(await boss.refusal('stopSensitiveRecheck', {})).toBe('notFound')
  await boss.call('startSensitiveRecheck', {})
  await boss.call('stopSensitiveRecheck', {})
  expect([await step(), await checks()]).toEqual([false, 0])
  expect(await run()).toMatchObject({ state: 'stopped', total: 3, done: 0, found: 0 })
  expect((await run())?.endTime).not.toBeNull()
  expect(await boss.refusal('stopSensitiveRecheck', {})).toBe('notFound')
  // After a stop it begins anew, and what it had queued before it was stopped again stays.
  await boss.call('startSensitiveRecheck', {})
  await step()
  expect(await run()).toMatchObject({ state: 'running', done: 3 })
  await boss.call('stopSensitiveRecheck', {})
  expect([await step(), await checks()]).toEqual([false, 3])
  expect(await run()).toMatchObject({ state: 'stopped', done: 3 })
})

test('[R256] a picture is checked again when its text is recognized', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-positions-test-'))
  const tesseract = join(folder, 'recognize.sh')
  await writeFile(
    tesseract,
    `#!/bin/sh\ncase "$1" in --list-langs) printf 'chi_sim\\neng\\n'; exit;; esac\nprintf '证件 ${id}' > "$2.txt"\n`,
  )
  await chmod(tesseract, 0o755)
  const own = await openWorld({ tesseract })
  const [boss, shen, ben] = [await own.admin(), await own.person('shen'), await own.person('ben')]
  await rule(boss, shen, { uninspected: 'note' })
  const state = (fileId: number) => async () =>
    (await ben.call('getSensitiveList', {})).list.find(({ fId }) => fId === fileId)
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer()
  const before = await ben.upload(ben.library, '前.png', picture)
  await expect
    .poll(state(before), { timeout: 120_000 })
    .toMatchObject({ state: 'clean', outcome: 'notInspected', reason: 'picture' })
  await boss.call('setServerSetting', { search_ocr: true })
  const other = await sharp({ create: { width: 41, height: 40, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer()
  const fileId = await ben.upload(ben.library, '后.png', other)
  await expect
    .poll(state(fileId), { timeout: 120_000 })
    .toMatchObject({ state: 'waiting', outcome: 'inspected', hits: [{ part: 'idCard' }] })
  await rm(folder, { recursive: true })
})
