// Every way of downloading, in every state of an application, on two processes that hear nothing of each other ([R251]).
import { PDFDocument } from '@cantoo/pdf-lib'
import { codes, LinkStatus } from '@cloudoc/domain'
import { beforeAll, expect, inject, test } from 'vitest'
import { zipOf } from '../../../test/corpus.ts'
import {
  applyFor,
  brokenChecks,
  byLink,
  bytesIn,
  contentSize,
  downloadWays,
  type GrantScene,
  grantScene,
  partOf,
} from '../../../test/granted-downloads.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

let clock = 0
const day = 24 * 60 * 60_000
let worlds: readonly [World, World]

beforeAll(async () => {
  const now = (): number => Date.now() + clock
  const one = await openWorld({ elected: false, now })
  worlds = [one, await openWorld({ peer: one, deaf: true, elected: false, now })]
  await (await one.admin()).call('setSafeStrategy', { operation_downloads: 100 })
})

const names = Object.keys(downloadWays)
const takeBy = (scene: GrantScene, name: string, at: World): Promise<number> =>
  downloadWays[name]?.(scene, at) ?? Promise.reject(new Error(name))

/** The bytes that each way gives from the second process. */
async function givenBy(scene: GrantScene, among: readonly string[] = names): Promise<Record<string, number>> {
  const given: Record<string, number> = {}
  for (const name of among) given[name] = await takeBy(scene, name, worlds[1])
  return given
}
const nothing = Object.fromEntries(names.map((name) => [name, 0]))
const everything = Object.fromEntries(names.map((name) => [name, contentSize]))
const usedBy = async ({ ben }: GrantScene, applicationId: number): Promise<number> =>
  Math.max(...(await ben.call('getApplyDetail', { applicationId })).items.map(({ used }) => used))

// [R251] A grant gives no more and no longer than was approved: as one file, a range, an older version, by ticket, in a
// zip, with a folder, by WebDAV and by links, in each state of the application and on each process.
test('[R251] each way gives the file while an approval is in force, and nothing in any other state', async () => {
  const scene = await grantScene(worlds[0])
  const { anna, ben } = scene
  expect(await givenBy(scene)).toEqual(nothing)
  const rejected = await applyFor(scene)
  expect(await givenBy(scene)).toEqual(nothing)
  await anna.call('applyReject', { applicationId: rejected, comment: '不行' })
  expect(await givenBy(scene)).toEqual(nothing)
  const withdrawn = await applyFor(scene)
  await ben.call('applyRevoke', { applicationId: withdrawn })
  expect(await givenBy(scene)).toEqual(nothing)
  const revoked = await applyFor(scene, { count: 50 })
  await anna.call('applyApprove', { applicationId: revoked })
  expect(await givenBy(scene)).toEqual(everything)
  expect(await usedBy(scene, revoked)).toBe(names.length)
  await anna.call('applyRevoke', { applicationId: revoked })
  expect(await givenBy(scene)).toEqual(nothing)
  const ended = await applyFor(scene, { count: 50, validDays: 1 })
  await anna.call('applyApprove', { applicationId: ended })
  expect(await givenBy(scene)).toEqual(everything)
  clock += day + 1
  expect(await givenBy(scene)).toEqual(nothing)
  clock = 0
  await anna.call('applyRevoke', { applicationId: ended })
  const usedUp = await applyFor(scene, { count: 1 })
  await anna.call('applyApprove', { applicationId: usedUp })
  expect(await takeBy(scene, 'webDav', worlds[1])).toBe(contentSize)
  expect(await givenBy(scene)).toEqual(nothing)
  const old = await applyFor(scene, { count: 50, hasVersionLimit: true })
  await anna.call('applyApprove', { applicationId: old })
  await ben.upload(scene.folderId, '合同.txt', 'Ы'.repeat(contentSize / 2), { conflict: 'version' })
  expect(await givenBy(scene)).toEqual({ ...nothing, version: contentSize })
  expect(await brokenChecks(worlds[0])).toEqual([])
})

test.each(names)('[R251] a revocation holds for the next request on another process: %s', async (name) => {
  const scene = await grantScene(worlds[0])
  const applicationId = await applyFor(scene, { count: 5 })
  await scene.anna.call('applyApprove', { applicationId })
  expect(await takeBy(scene, name, worlds[1])).toBe(contentSize)
  await scene.anna.call('applyRevoke', { applicationId })
  expect(await takeBy(scene, name, worlds[1])).toBe(0)
})

test('[R251] what is made of a file counts as one download of it: a smaller PDF, an entry of an archive', async () => {
  const scene = await grantScene(worlds[0])
  const { anna, ben, folderId } = scene
  await (await worlds[0].admin()).call('setServerSetting', { pdf_compression: true })
  const made = await PDFDocument.create()
  made.addPage()
  const pdf = await ben.upload(folderId, '图纸.pdf', await made.save())
  const archive = await ben.upload(folderId, '资料.zip', zipOf({ '说明.txt': 'entry' }))
  const ask = async (url: string): Promise<number> =>
    (await worlds[1].app.http.inject({ method: 'GET', url, headers: { authorization: `Bearer ${ben.token}` } }))
      .statusCode
  const urls = [
    `/services2/compression/downloadCompression/${pdf}`,
    `/services2/file/query/downloadArchiveEntry?fileId=${archive}&path=${encodeURIComponent('说明.txt')}`,
  ]
  for (const url of urls) expect([url, await ask(url)]).toEqual([url, 403])
  const applicationId = await applyFor(scene, { fileIdArray: [pdf, archive], folderIdArray: [] })
  await anna.call('applyApprove', { applicationId })
  for (const url of urls) expect([url, await ask(url), await ask(url)]).toEqual([url, 200, 403])
})

test('[R251] 200 downloads at once by a grant of 20 on two processes are exactly 20', async () => {
  const scene = await grantScene(worlds[0])
  const { anna, ben, fileId } = scene
  const applicationId = await applyFor(scene, { count: 20 })
  await anna.call('applyApprove', { applicationId })
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => ben.at(worlds[n % 2 === 0 ? 0 : 1]).download(fileId)),
  )
  expect(answers.filter((answer) => bytesIn(answer) === contentSize)).toHaveLength(20)
  const refused = answers.filter((answer) => bytesIn(answer) === 0)
  expect(refused).toHaveLength(180)
  expect(new Set(refused.map((one) => one.json<{ result: number }>().result))).toEqual(
    new Set([codes.downloadLimit.code]),
  )
  expect((await anna.call('getApplyDetail', { applicationId })).uses).toHaveLength(20)
  // One reaches the application from what it grants.
  expect((await ben.call('getRightsReasons', { fileId })).grants).toMatchObject([
    { applicationId, count: 20, used: 20 },
  ])
  expect((await anna.call('getApplyDetail', { applicationId })).items).toMatchObject([{ used: 0 }, { used: 20 }])
  expect(await brokenChecks(worlds[0])).toEqual([])
})

test('[R251] whatever ways are taken at once and in whatever order, no more leaves than was approved', async () => {
  const scene = await grantScene(worlds[0])
  let seed = 7
  const random = (n: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % n
  }
  const take = (): Promise<number> => {
    const at = worlds[random(2) === 0 ? 0 : 1]
    if (random(2) === 0) return partOf(scene, at, random(900), 1 + random(100))
    return takeBy(scene, names[random(names.length)] ?? '', at)
  }
  for (let round = 0; round < (inject('full') ? 12 : 4); round += 1) {
    const count = 1 + random(3)
    const applicationId = await applyFor(scene, { count })
    await scene.anna.call('applyApprove', { applicationId })
    let sent = 0
    for (let n = 0; n < count + 3; n += 1)
      for (const bytes of await Promise.all([take(), take(), take()])) sent += bytes
    expect([round, sent > 0, sent <= count * contentSize * 1.05]).toEqual([round, true, true])
    expect(await usedBy(scene, applicationId)).toBeLessThanOrEqual(count)
    await scene.anna.call('applyRevoke', { applicationId })
    expect(await givenBy(scene, ['file', 'webDav', 'link'])).toEqual({ file: 0, webDav: 0, link: 0 })
  }
  expect(await brokenChecks(worlds[0])).toEqual([])
})

// [R251] An application names its links and each download: who, when, by which way, which version.
test('[R251] an application leads to its links and to each use, by person, time, way and version', async () => {
  const scene = await grantScene(worlds[0])
  const { anna, ben, folderId } = scene
  const applicationId = await applyFor(scene, { count: 20, hasVersionLimit: false })
  await anna.call('applyApprove', { applicationId })
  const before = Date.now()
  for (const name of ['file', 'ticket', 'zip', 'webDav', 'link']) await takeBy(scene, name, worlds[0])
  await ben.upload(folderId, '合同.txt', 'Ж'.repeat(contentSize / 2), { conflict: 'version' })
  await takeBy(scene, 'linkZip', worlds[0])
  const { links, uses } = await anna.call('getApplyDetail', { applicationId })
  const [second = 0, first = 0] = links.map(({ externalId }) => externalId)
  const own = { person: ben.account, what: 'download', fName: '合同.txt', externalId: 0 }
  expect(uses).toMatchObject([
    { ...own, way: 'link', version: 2, person: '王先生', externalId: second },
    { ...own, way: 'link', version: 1, person: '王先生', externalId: first },
    ...['webDav', 'zip', 'ticket', 'file'].map((way) => ({ ...own, way, version: 1 })),
  ])
  for (const { time } of uses) expect(time).toBeGreaterThanOrEqual(before)
  expect(links).toMatchObject([
    { fName: '项目', status: LinkStatus.active, mayManage: false },
    { fName: '项目', status: LinkStatus.active, mayManage: false },
  ])
  expect((await ben.call('getApplyDetail', { applicationId })).links.map(({ mayManage }) => mayManage)).toEqual([
    true,
    true,
  ])
})

// [R251] From a link one reaches its application, and from the application every visit of the link.
test('[R251] [R254] a link leads its owner and the supervisors of links to its application, which names each visit', async () => {
  const [world] = worlds
  const scene = await grantScene(world)
  const { anna, ben, folderId, fileId, links } = scene
  const admin = await world.admin()
  await admin.call('removeOperationRule', { ruleId: scene.ruleId })
  const { ruleId } = await admin.call('setOperationRule', {
    ...{ name: '外链审批', operation: 'link', itemIds: [folderId] },
    subjects: [{ subjectType: 'user', subjectId: ben.userId }],
    rounds: [{ by: 'people', ids: [anna.userId], needs: 'one', fromLevel: 0 }],
  })
  const { list } = await ben.call('applyLink', { folderIdArray: [folderId], comment: '给客户', rights: 12 })
  const [{ externalId, applicationId } = { externalId: 0, applicationId: 0 }] = list
  const detail = (person: Person) => person.call('getApplyDetail', { applicationId })
  const link = await ben.call('getExternalInfo', { externalId })
  expect(link.applicationId).toBe(applicationId)
  expect(await detail(anna)).toMatchObject({ uses: [], links: [{ externalId, status: LinkStatus.underApproval }] })
  await anna.call('applyApprove', { applicationId })
  links.push(link.linkToken)
  for (const name of ['visitDownload', 'visitZip'] as const)
    expect(await byLink(scene, world, name, name === 'visitZip' ? { files: `fo_${folderId}` } : { fileId })).toBe(
      contentSize,
    )
  const used = { way: 'link', person: '王先生', externalId }
  await expect
    .poll(async () => (await detail(ben)).uses)
    .toMatchObject([
      { ...used, what: 'download', fName: '项目', version: 0 },
      { ...used, what: 'open' },
      { ...used, what: 'download', fName: '合同.txt', version: 1 },
      { ...used, what: 'open' },
    ])
  // Supervisors read it, without deciding or ending it; others find nothing.
  const open = (await admin.call('getAllLinks', { rows: 1000 })).list.find((one) => one.externalId === externalId)
  expect(open?.applicationId).toBe(applicationId)
  expect(await detail(admin)).toMatchObject({ may: { decide: false, withdraw: false, revoke: false } })
  expect(await admin.refusal('applyRevoke', { applicationId })).toBe('noPermission')
  const eve = await world.person('eve')
  expect(await eve.refusal('getApplyDetail', { applicationId })).toBe('notFound')
  await anna.call('applyRevoke', { applicationId })
  expect(await byLink(scene, worlds[1], 'visitDownload', { fileId })).toBe(0)
  expect(await detail(ben)).toMatchObject({ links: [{ externalId, status: LinkStatus.refused }] })
  await admin.call('removeOperationRule', { ruleId })
})
