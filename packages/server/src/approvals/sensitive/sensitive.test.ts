// Sensitive files from upload to decision: what is restricted, for whom, and what is told, logged and kept.
import { isFrame, type SensitiveRuleInput } from '@cloudoc/contract'
import { codes, hasStatus, itemStatus, newSensitiveRule, OperateType } from '@cloudoc/domain'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { idCheckDigit } from './number-patterns.ts'

const id = '11010519491231002X'
let world: World
let admin: Person
let reviewer: Person

beforeAll(async () => {
  world = await openWorld()
  admin = await world.admin()
  reviewer = await world.person('shen')
})

const idRule: Partial<SensitiveRuleInput> = { patterns: [{ pattern: 'idCard', atLeast: 1 }] }

let people = 0
const person = (name: string, more: { secretLevel?: number } = {}): Promise<Person> =>
  world.person(`${name}${++people}`, more)

/** Adds a rule whose reviewer is `reviewer`. */
async function rule(change: Partial<SensitiveRuleInput>): Promise<number> {
  const { ruleId, faults } = await admin.call('saveSensitiveRule', {
    rule: {
      ...newSensitiveRule,
      ...{ name: '客户个人信息', reviewers: [{ subjectType: 'user', subjectId: reviewer.userId }] },
      ...change,
    },
  })
  expect(faults).toEqual([])
  return ruleId
}
/** Removes all rules, so that a test has only its own. */
async function noRules(): Promise<void> {
  for (const { ruleId } of (await admin.call('getSensitiveRules', {})).list)
    await admin.call('deleteSensitiveRule', { ruleId })
}

const badge = async (person: Person, fileId: number) => (await person.call('getFileInfo', { fileId })).sensitive
const settled = (person: Person, fileId: number, wanted: number) =>
  expect.poll(() => badge(person, fileId), { timeout: 120_000 }).toBe(wanted)
const mine = async (person: Person, fId: number) =>
  (await person.call('getSensitiveList', {})).list.find((one) => one.fId === fId)
const asked = async (fId: number) =>
  (await reviewer.call('getSensitiveList', { side: 'review' })).list.find((one) => one.fId === fId)
const notices = async (person: Person, fileId: number) =>
  (await person.call('getNotices', {})).groups
    .flatMap(({ list }) => list)
    .map(
      ({ message }) => JSON.parse(message) as { fileId?: number; state?: number; fileName?: string; version?: number },
    )
    .filter((one) => one.fileId === fileId && one.state !== undefined)
    .map(({ state }) => state)
const downloads = async (person: Person, fileId: number, query: Record<string, string> = {}) => {
  const response = await person.download(fileId, query)
  return response.statusCode === 200
    ? 'success'
    : Object.entries(codes).find(([, { code }]) => code === response.json<{ result: number }>().result)?.[0]
}

// [R256] A file with sensitive content is checked after its upload, shows bits 2048 and 1024 and the badge, cannot be
// sent out (-68), and its uploader and reviewer get push 38.
// [R327] Push 38 tells the uploader of a file in which something was found.
// [R255] A checked file is approved with a comment, once.
test('[R255] [R256] [R257] [R134] [R327] an upload is checked, blocked, reviewed and released; a new value is asked about again', async () => {
  await noRules()
  await rule({ ...idRule, action: 'block' })
  const [anna, ben] = [await person('anna'), await person('ben')]
  const folderId = await anna.folder(anna.library, '走访')
  await anna.shares({ folderId }, [
    { to: ben, rights: 1022 },
    { to: reviewer, rights: 6 },
  ])
  const page = await anna.listen()
  const fileId = await anna.upload(folderId, '名单.txt', `证件 ${id}`)
  // Before its transaction ends nobody sees it unchecked.
  expect([1, 2]).toContain(await badge(ben, fileId))
  await settled(ben, fileId, 2)
  const status = itemStatus((await ben.call('getFileInfo', { fileId })).itemStatus)
  expect([hasStatus(status, 'fileAudit'), hasStatus(status, 'auditDetecting')]).toEqual([true, false])
  await page.next((frame) => isFrame(frame, 'sensitiveFile') && frame.data.fileId === fileId && frame.data.state === 1)

  // Its content is for the uploader and the reviewer only; nobody can send it out.
  expect(await downloads(ben, fileId)).toBe('sensitiveFile')
  expect(await ben.refusal('getDocumentPreviewURL', { fileId })).toBe('sensitiveFile')
  expect(await ben.refusal('fileOrFolderCopy', { fileIdArray: [fileId], targetFolderId: ben.library })).toBe(
    'sensitiveFile',
  )
  expect(await downloads(anna, fileId)).toBe('success')
  await reviewer.call('getDocumentPreviewURL', { fileId })
  const linking = { fileId, rights: 12, endTime: Date.now() + 3_600_000 }
  expect(await anna.refusal('externalCreate', linking)).toBe('sensitiveFile')
  const zip = await world.app.http.inject({
    url: `/DownloadMultiFile?files=fo_${folderId}`,
    headers: { authorization: `Bearer ${ben.token}` },
  })
  expect([zip.statusCode, zip.rawPayload.includes(id)]).toEqual([200, false])

  // Both sides have it in their lists; only the reviewer decides, and sees the hit masked in its text.
  const own = await mine(anna, fileId)
  expect(own).toMatchObject({ state: 'waiting', auditState: 1, action: 'block', isBlocked: true, outcome: 'inspected' })
  expect(own?.hits).toMatchObject([{ ruleName: '客户个人信息', part: 'idCard', values: 1, places: 1 }])
  const { checkId } = (await asked(fileId)) ?? { checkId: 0 }
  expect([await notices(anna, fileId), await notices(reviewer, fileId)]).toEqual([[1], [5]])
  expect((await reviewer.call('getSensitiveCount', {})).waiting).toBeGreaterThan(0)
  const text = await reviewer.call('getSensitiveText', { checkId })
  expect(text.hits).toMatchObject([{ part: 'idCard', masked: '110*************2X', line: 1 }])
  const [passage] = text.passages
  expect(passage?.text.slice(passage.marks[0]?.start, passage.marks[0]?.end)).toBe('110*************2X')
  expect(JSON.stringify(text)).not.toContain(id)
  expect(await reviewer.call('getSensitiveOriginal', { checkId, hit: 0 })).toEqual({ text: id })
  expect(await anna.refusal('getSensitiveText', { checkId })).toBe('noPermission')
  expect(await anna.refusal('sensitiveApprove', { checkId })).toBe('noPermission')
  expect(await ben.refusal('getSensitiveDetail', { checkId })).toBe('notFound')
  expect(await ben.refusal('sensitiveApprove', { checkId })).toBe('notFound')
  expect(await reviewer.refusal('sensitiveReject', { checkId, comments: ' ' })).toBe('badRequest')
  expect(await anna.refusal('withdrawReview', { reviewId: own?.reviewId ?? 0 })).toBe('noPermission')

  // What is decided stays decided: -67.
  await reviewer.call('sensitiveApprove', { checkId, comments: '可公开' })
  expect(await reviewer.refusal('sensitiveApprove', { checkId })).toBe('alreadyHandled')
  expect([await badge(ben, fileId), await downloads(ben, fileId)]).toEqual([0, 'success'])
  await expect.poll(() => notices(anna, fileId)).toEqual([2])
  expect(await mine(anna, fileId)).toMatchObject({ state: 'approved', comments: '可公开', decidedBy: reviewer.account })
  const { externalId } = await anna.call('externalCreate', linking)
  expect(externalId).toBeGreaterThan(0)

  // The same value in a new version, or under a new name, is released already. Another value is asked about.
  await anna.upload(folderId, '名单.txt', `更新 ${id}`, { conflict: 'version' })
  await settled(ben, fileId, 0)
  expect(await mine(anna, fileId)).toMatchObject({ version: 2, state: 'approved' })
  await anna.call('renameFile', { fileId, fileName: '名单二.txt' })
  await anna.upload(folderId, '名单二.txt', `三 ${id}`, { conflict: 'version' })
  await settled(ben, fileId, 0)
  const other = `11010119900307013${idCheckDigit('11010119900307013')}`
  await anna.upload(folderId, '名单二.txt', `${id} ${other}`, { conflict: 'version' })
  await settled(ben, fileId, 2)
  expect(await mine(anna, fileId)).toMatchObject({ version: 4, state: 'waiting' })
  // The old versions that were released are served, this one is not, whatever becomes the current version.
  expect(await downloads(ben, fileId, { version: '1' })).toBe('sensitiveFile')
  await anna.upload(folderId, '名单二.txt', '空', { conflict: 'version' })
  await settled(ben, fileId, 0)
  expect(await downloads(ben, fileId, { version: '3' })).toBe('success')
  expect(await downloads(anna, fileId, { version: '4' })).toBe('sensitiveFile')
  expect(await anna.refusal('setLatestVersion', { fileId, version: 4 })).toBe('sensitiveFile')
})

// [R255] Checked files are searched by name and state with the counts of each state, disapproved with a comment, and
// deleted.
test('[R255] [R257] [R256] a file that is not released stays restricted until a clean version comes; one that is deleted is in the bin', async () => {
  await noRules()
  await rule({ words: ['投标底价'], action: 'audit' })
  const [anna, ben] = [await person('anna'), await person('ben')]
  const folderId = await anna.folder(anna.library, '投标')
  await anna.shares({ folderId }, [{ to: ben, rights: 1022 }])
  const [first, second] = [
    await anna.upload(folderId, 'a.txt', '投标底价 12'),
    await anna.upload(folderId, 'b.txt', '投标底价 13'),
  ]
  await settled(anna, first, 2)
  await settled(anna, second, 2)
  // Reviewed, not blocked: it is used inside, and not sent out.
  expect(await downloads(ben, first)).toBe('success')
  expect(await ben.refusal('externalCreate', { fileId: first, rights: 12, endTime: Date.now() + 3_600_000 })).toBe(
    'sensitiveFile',
  )
  const [one, two] = [await asked(first), await asked(second)]
  await reviewer.call('sensitiveReject', { checkId: one?.checkId ?? 0, comments: '请删掉底价' })
  expect(await mine(anna, first)).toMatchObject({ state: 'disapproved', auditState: 3, comments: '请删掉底价' })
  expect(await badge(anna, first)).toBe(2)
  await reviewer.call('sensitiveDelete', { checkId: two?.checkId ?? 0, comments: '重复' })
  expect(await anna.refusal('getFileInfo', { fileId: second })).toBe('notFound')
  expect((await anna.call('getRecycleList', { timeRange: 4 })).list.map(({ fName }) => fName)).toContain('b.txt')
  expect(await mine(anna, second)).toMatchObject({ state: 'deleted', auditState: 4 })
  expect([await notices(anna, first), await notices(anna, second)]).toEqual([[3], [4]])

  await anna.upload(folderId, 'a.txt', '没有价格', { conflict: 'version' })
  await settled(anna, first, 0)
  await anna.call('externalCreate', { fileId: first, rights: 12, endTime: Date.now() + 3_600_000 })
  expect(
    (await anna.call('getSensitiveList', { state: 'replaced' })).list.map(({ fId, version }) => [fId, version]),
  ).toContainEqual([first, 1])
  const found = await anna.call('getSensitiveList', { keyword: 'b.txt' })
  expect([found.list.map(({ fId }) => fId), found.counts.deleted]).toEqual([[second], 1])
})

test('[R256] a release can be taken back; a link made before the hit stops in the same moment', async () => {
  await noRules()
  const anna = await person('anna')
  const fileId = await anna.upload(anna.library, '报价.txt', 'HX-RD-1234')
  const { linkToken } = await anna.call('externalCreate', { fileId, rights: 12, endTime: Date.now() + 3_600_000 })
  const state = async () => {
    const wire = await world.wire('getVisitedLink', { linkToken })
    return wire.code === 'success' ? (wire.data as { state: string }).state : wire.code
  }
  expect(await state()).toBe('open')
  await rule({ expressions: ['HX-(RD|MK)-[0-9]{4}'], action: 'block' })
  // Rules apply to new versions; to what is there on demand.
  expect(await badge(anna, fileId)).toBe(0)
  await admin.call('startSensitiveRecheck', {})
  expect(await admin.refusal('startSensitiveRecheck', {})).toBe('duplicateOperation')
  await settled(anna, fileId, 2)
  expect(await state()).not.toBe('open')
  const { checkId } = (await asked(fileId)) ?? { checkId: 0 }
  await reviewer.call('sensitiveApprove', { checkId })
  expect(await state()).toBe('open')
  await reviewer.call('sensitiveRevoke', { checkId })
  expect([await badge(anna, fileId), await state()]).not.toContain('open')
  await expect
    .poll(async () => (await admin.call('getSensitiveRecheck', {})).run?.state, { timeout: 120_000 })
    .toBe('done')
})

test('a rule notes, raises the level, and applies to names, kinds, libraries and levels; the strictest action wins', async () => {
  await noRules()
  const [anna, ben] = [await person('anna', { secretLevel: 3 }), await person('ben')]
  await rule({ name: '代号', words: ['海豚计划'], action: 'note', raiseTo: 2, libraryIds: [], personal: true })
  await rule({ name: '密钥', names: ['*.pem'], action: 'audit' })
  await rule({ name: '安装包', types: ['apk'], action: 'audit' })
  await rule({ name: '别处', words: ['海豚计划'], action: 'block', exceptIds: [anna.library] })
  const [noted, named, typed] = [
    await anna.upload(anna.library, '计划.txt', '海豚计划'),
    await anna.upload(anna.library, 'server.pem', 'x'),
    await anna.upload(anna.library, 'a.apk', 'x'),
  ]
  await expect.poll(async () => (await mine(anna, noted))?.state, { timeout: 120_000 }).toBe('noted')
  await settled(anna, named, 2)
  await settled(anna, typed, 2)
  expect((await anna.call('getFileInfo', { fileId: noted })).secretLevel).toBe(2)
  expect((await mine(anna, named))?.hits).toMatchObject([{ part: 'name', label: '*.pem' }])
  const elsewhere = await ben.upload(ben.library, '计划.txt', '海豚计划')
  await settled(ben, elsewhere, 2)
  expect(await mine(ben, elsewhere)).toMatchObject({ action: 'block', isBlocked: true })
})

test('what cannot be inspected is neither clean nor in progress for ever: it has a reason, and the rule says what follows', async () => {
  await noRules()
  await rule({ ...idRule, uninspected: 'audit' })
  const anna = await person('anna')
  const broken = await anna.upload(anna.library, '坏.docx', 'no document')
  const unknown = await anna.upload(anna.library, 'x.bin', 'binary')
  const picture = await anna.upload(anna.library, 'x.png', 'no picture')
  for (const [fileId, reason] of [
    [broken, 'damaged'],
    [unknown, 'unknownKind'],
    [picture, 'picture'],
  ] as const) {
    await settled(anna, fileId, 2)
    expect(await mine(anna, fileId)).toMatchObject({ state: 'waiting', outcome: 'notInspected', reason })
  }
  expect((await anna.call('getSensitiveList', { state: 'uninspected' })).total).toBeGreaterThanOrEqual(3)
  expect((await admin.call('getSensitiveRules', {})).uninspected).toBeGreaterThanOrEqual(3)
  const packed = zipSync({ '内/表.txt': strToU8(`证件 ${id}`), 'x.bin': strToU8('x') })
  const zip = await anna.upload(anna.library, 'a.zip', packed)
  await settled(anna, zip, 2)
  const { checkId } = (await asked(zip)) ?? { checkId: 0 }
  const text = await reviewer.call('getSensitiveText', { checkId })
  expect(text).toMatchObject({ outcome: 'partly', left: [{ path: 'x.bin', reason: 'unknownKind' }] })
  expect(text.hits[0]).toMatchObject({ path: '内/表.txt', part: 'idCard' })
})

// [R191] The log of the sensitive audit has its counts, pages, times and an export.
// [R255] The audit log has its counts.
test('[R255] [R191] the log names who decided and who looked, holds no value, is counted, filtered by time and exported', async () => {
  await noRules()
  await rule({ ...idRule, action: 'audit' })
  const canary = '110101199003074530'
  const anna = await person('anna')
  const from = Date.now()
  const fileId = await anna.upload(anna.library, '客户.txt', `身份证 ${id} ${canary}`)
  await settled(anna, fileId, 2)
  const { checkId } = (await asked(fileId)) ?? { checkId: 0 }
  await reviewer.call('getSensitiveText', { checkId })
  await reviewer.call('getSensitiveOriginal', { checkId, hit: 0 })
  await reviewer.call('sensitiveApprove', { checkId, comments: '公开样例' })
  const log = await reviewer.call('getSensitiveLog', { start: from })
  const own = log.list.filter((one) => one.fId === fileId)
  expect(own.map(({ what, userName }) => [what, userName])).toEqual([
    ['approved', reviewer.account],
    ['revealed', reviewer.account],
    ['viewed', reviewer.account],
    ['hit', ''],
  ])
  expect(own[0]?.comments).toBe('公开样例')
  expect([log.all, log.counts.revealed]).toEqual([false, 1])
  expect((await reviewer.call('getSensitiveLog', { start: from, what: 'approved' })).total).toBe(1)
  expect((await reviewer.call('getSensitiveLog', { end: from })).list.filter((one) => one.fId === fileId)).toEqual([])
  expect((await anna.call('getSensitiveLog', {})).list).toEqual([])
  expect((await admin.call('getSensitiveLog', {})).all).toBe(true)
  const table = await world.app.http.inject({
    url: `/services2/sensitive/exportLog?start=${from}`,
    headers: { authorization: `Bearer ${reviewer.token}` },
  })
  expect([table.statusCode, table.body.split('\r\n').length]).toEqual([200, own.length + 2])
  // The value is in no store beside the text itself.
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from sensitive_log l where to_jsonb(l)::text like ${`%${id}%`})::int
      + (select count(*) from sensitive_result r where to_jsonb(r)::text like ${`%${id}%`})::int
      + (select count(*) from sensitive_file f where to_jsonb(f)::text like ${`%${id}%`})::int
      + (select count(*) from event e where e.payload::text like ${`%${id}%`})::int
      + (select count(*) from audit a where a.detail::text like ${`%${id}%`})::int as n`.execute(world.app.db)
  expect([rows[0]?.n, table.body.includes(id)]).toEqual([0, false])
})

test('a rule is tried on a text and on a file before it is saved, and faults are named', async () => {
  await noRules()
  const rule = { ...newSensitiveRule, name: 'x', ...idRule }
  const tried = await admin.call('trySensitiveRule', { rule, text: `好 ${id} 坏 110105194912310021` })
  expect(tried).toMatchObject({
    isHit: true,
    hits: [{ part: 'idCard', start: 2, end: 20 }],
    missed: [{ pattern: 'idCard', why: 'check', expected: 'X' }],
  })
  const fileId = await admin.upload(admin.library, '试.txt', `证 ${id}`)
  expect(await admin.call('trySensitiveRuleOnFile', { rule, fileId })).toMatchObject({
    isHit: true,
    outcome: 'inspected',
  })
  const bad = await admin.call('trySensitiveRule', { rule: { ...rule, expressions: ['a(?=b)'] }, text: '' })
  expect(bad.faults).toMatchObject([{ field: 'expressions', what: 'lookaround', at: 1 }])
  expect(await admin.call('saveSensitiveRule', { rule: { ...rule, expressions: ['a(?=b)'] } })).toMatchObject({
    ruleId: 0,
  })
  const anna = await person('anna')
  expect(await anna.refusal('getSensitiveRules', {})).toBe('noPermission')
  expect(await anna.refusal('trySensitiveRuleOnFile', { rule, fileId: await anna.upload(anna.library, 'a.txt') })).toBe(
    'noPermission',
  )
  expect((await admin.call('sampleSensitiveRule', { rule })).sampled).toBeGreaterThan(0)
})

test('copied folders are checked too', async () => {
  await noRules()
  const anna = await person('anna')
  const folderId = await anna.folder(anna.library, '原')
  const inner = await anna.folder(folderId, '内')
  await anna.upload(inner, '名单.txt', `证件 ${id}`)
  await rule({ ...idRule, action: 'audit' })
  const target = await anna.folder(anna.library, '新')
  await anna.call('fileOrFolderCopy', { folderIdArray: [folderId], targetFolderId: target })
  await expect
    .poll(
      async () =>
        (await anna.call('getSensitiveList', { state: 'waiting' })).list.map(({ pathString }) =>
          pathString.split('/').slice(-3),
        ),
      { timeout: 120_000 },
    )
    .toContainEqual(['新', '原', '内'])
  expect(OperateType.copy).toBe(6)
})

// A small upload is let in by a session that was valid a moment ago, so nothing tells its process of the rule before.
test('[R256] an upload directly after a rule was saved on another process is checked by it', async () => {
  await noRules()
  const beside = await openWorld({ peer: world, deaf: true, elected: false })
  const anna = await person('anna')
  const there = anna.at(beside)
  const first = await there.upload(anna.library, '之前.txt', `证件 ${id}`)
  await rule({ ...idRule, action: 'block' })
  const second = await there.upload(anna.library, '之后.txt', `证件 ${id}`)
  await settled(anna, second, 2)
  expect(await badge(anna, first)).toBe(0)
})
