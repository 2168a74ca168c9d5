// Watermarks through the calls: who manages them, which one applies, and which files have them.
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { type CallName, calls, callsByName, placeInput, type Watermark, type WatermarkTrace } from '@cloudoc/contract'
import { codes, defaultWatermark } from '@cloudoc/domain'
import { sql } from 'kysely'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { unzipped } from '../../../test/unzip.ts'
import { traceOf } from '../../documents/index.ts'
import { markPicture } from '../../documents/marks/picture.ts'
import { forgetTraces } from './trace.ts'

const world = sharedWorld()
let admin: Person
let anna: Person
let ben: Person
let folderId: number
let pdfId: number
let docId: number
let made: number[] = []

const template = async (templateName: string, more: object = {}) => {
  const { templateId } = await admin.call('saveWatermarkTemplate', {
    templateName,
    text: `${templateName} {name}`,
    ...more,
  })
  made.push(templateId)
  return templateId
}
const overOf = async (person: Person, fileId: number) =>
  (await person.call('getDocumentPreviewURL', { fileId })).watermark?.lines

async function pdf(words: string): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const page = document.addPage([420, 600])
  page.drawText(words, { x: 40, y: 300, font: await document.embedFont(StandardFonts.Helvetica) })
  return document.save()
}
async function wordsOf(bytes: Uint8Array): Promise<string> {
  const task = getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 })
  const { items } = await (await (await task.promise).getPage(1)).getTextContent()
  await task.destroy()
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join('')
    .replaceAll(' ', '')
}
const take = (person: Person, path: string, headers: object = {}, method: 'GET' | 'HEAD' = 'GET') =>
  world.app.http.inject({ method, url: path, headers: { authorization: `Bearer ${person.token}`, ...headers } })
const markedPath = (fileId: number): string => `/services2/download/downloadWatermark/${fileId}`

beforeAll(async () => {
  admin = await world.admin()
  anna = await world.person('anna')
  ben = await world.person('ben')
  folderId = await anna.folder(anna.library, '制度')
  pdfId = await anna.upload(folderId, 'rules.pdf', await pdf('plain words'))
  docId = await anna.upload(folderId, 'notes.zip', 'no document')
  await anna.shares({ folderId }, [{ to: ben, rights: 14 }])
})
afterAll(async () => {
  await admin.call('setWatermarkRules', { watermarkRules: [] })
  for (const templateId of made) await admin.call('deleteWatermarkTemplate', { templateId })
  await admin.call('setSafeStrategy', { download_watermark: false, download_time_zone: 'Asia/Shanghai' })
  await admin.call('setServerSetting', { security_preview: false })
  made = []
})

describe('templates', () => {
  // [R279] Templates of the company are created, changed, listed for people who create links or launch a signing, and
  // deleted.
  test('[R279] [R280] are made with the usual look, changed, listed for whoever makes links, and deleted', async () => {
    const templateId = await template('内部预览')
    const all = async () => (await ben.call('getWatermarkTemplates', {})).list
    expect((await all()).find((one) => one.templateId === templateId)).toMatchObject({
      rotate: 45,
      padding: 60,
      opacity: 0.5,
      lineGap: 4,
      onPreview: true,
      isStandard: false,
    })
    const changed = { templateId, templateName: '内部', text: '{name}', rotate: 30 }
    expect(await admin.call('saveWatermarkTemplate', changed)).toMatchObject({ rotate: 30 })
    const taken = await template('别的')
    expect(await admin.wire('saveWatermarkTemplate', { ...changed, templateId: taken })).toMatchObject({
      code: 'alreadyExists',
    })
    const [standard] = await all()
    expect(standard?.isStandard).toBe(true)
    expect(await admin.wire('deleteWatermarkTemplate', { templateId: standard?.templateId ?? 0 })).toMatchObject({
      code: 'noPermission',
    })
    expect(await ben.wire('saveWatermarkTemplate', { templateName: 'x', text: 'x' })).toMatchObject({
      code: 'noPermission',
    })
  })

  // [R279] A person who administers nothing makes watermarks of their own: only they see and choose them, no rule of the
  // company names them, and a link that bears one shows it to its visitors.
  test('[R279] of one’s own are seen and chosen by their owner alone, and drawn on what their links show', async () => {
    const [carla, dirk] = [await world.person('carla'), await world.person('dirk')]
    const fileId = await carla.upload(await carla.folder(carla.library, '报价'), 'offer.pdf', await pdf('offer'))
    const input = { templateName: '对外', text: '报价 {link}' }
    const { templateId, isOwn } = await carla.call('saveOwnWatermark', input)
    expect(isOwn).toBe(true)
    const namesOf = async (person: Person) =>
      (await person.call('getWatermarkTemplates', {})).list.map(({ templateName }) => templateName)
    expect(await namesOf(carla)).toContain('对外')
    expect(await namesOf(dirk)).not.toContain('对外')
    expect(await carla.refusal('saveOwnWatermark', { ...input, templateName: ' 对外 ' })).toBe('alreadyExists')
    // Names of different people do not meet, nor do theirs and those of the company.
    await dirk.call('saveOwnWatermark', input)
    await template('对外')
    // Nobody else changes, deletes or chooses it, administrators neither.
    for (const other of [dirk, admin]) {
      expect(await other.refusal('saveOwnWatermark', { ...input, templateId, templateName: '别的' })).toBe('notFound')
      expect(await other.refusal('deleteOwnWatermark', { templateId })).toBe('notFound')
    }
    expect(await admin.refusal('saveWatermarkTemplate', { ...input, templateId })).toBe('notFound')
    expect(await admin.refusal('deleteWatermarkTemplate', { templateId })).toBe('notFound')
    const rule = { templateId, target: 'all', targetId: 0 } as const
    expect(await admin.refusal('setWatermarkRules', { watermarkRules: [rule] })).toBe('notFound')
    const dirksFile = await dirk.upload(await dirk.folder(dirk.library, '他的'), 'his.pdf', await pdf('his'))
    const terms = { rights: 12, endTime: Date.now() + 3_600_000, watermark: true, watermarkTemplateId: templateId }
    expect(await dirk.refusal('externalCreate', { ...terms, fileId: dirksFile })).toBe('notFound')
    const { externalId, linkToken } = await carla.call('externalCreate', { ...terms, fileId })
    const shown = async () => {
      const { pass } = (await visit('openVisit', { linkToken })).json<{ data: { pass: string } }>().data
      const { data } = (await visit('visitPreview', { linkToken, fileId }, pass)).json<{
        data: { watermark: { lines: string[] } | null }
      }>()
      return data.watermark?.lines
    }
    expect(await shown()).toEqual([`报价 #${externalId}`])
    await carla.call('saveOwnWatermark', { ...input, templateId, text: '改过 {link}' })
    expect(await shown()).toEqual([`改过 #${externalId}`])
    await carla.call('deleteOwnWatermark', { templateId })
    expect((await shown())?.join()).not.toContain('改过')
    // There is an end to how many there are.
    const made = async (n: number) => await carla.wire('saveOwnWatermark', { ...input, templateName: `第${n}个` })
    for (let n = 0; n < 20; n++) expect((await made(n)).result).toBe(codes.success.code)
    expect(await made(20)).toMatchObject({ code: 'badRequest' })
  })

  // [R279] Which template applies: by person before level before library before all.
  test('[R279] apply by person before level, level before library', async () => {
    const [byPerson, byLibrary] = [await template('人'), await template('库')]
    const rules = (watermarkRules: { templateId: number; target: 'user' | 'library'; targetId: number }[]) =>
      admin.call('setWatermarkRules', { watermarkRules })
    expect(await overOf(ben, pdfId)).toBeUndefined()
    const ofLibrary = { templateId: byLibrary, target: 'library', targetId: anna.library } as const
    const { list } = await rules([ofLibrary])
    expect(list).toMatchObject([{ target: 'library', targetId: anna.library }])
    expect(await overOf(ben, pdfId)).toEqual([`库 ${ben.account}`])
    await rules([ofLibrary, { templateId: byPerson, target: 'user', targetId: ben.userId }])
    expect(await overOf(ben, pdfId)).toEqual([`人 ${ben.account}`])
    expect(await overOf(anna, pdfId)).toEqual([`库 ${anna.account}`])
    expect(
      await admin.wire('setWatermarkRules', { watermarkRules: [{ ...ofLibrary, targetId: folderId }] }),
    ).toMatchObject({ code: 'notFound' })
    await rules([])
  })

  // [R279] The watermark's time is in the company's time zone, whatever the zone of the machine or the viewer.
  test('[R279] the time is that of the company, whatever zone the machine or who looks is in', async () => {
    const templateId = await template('时', { text: '{time}' })
    await admin.call('setWatermarkRules', { watermarkRules: [{ templateId, target: 'user', targetId: ben.userId }] })
    const minute = (at: number): number => Math.floor(at / 60_000)
    for (const [zone, hours] of [
      ['Pacific/Kiritimati', 14],
      ['Pacific/Midway', -11],
    ] as const) {
      await admin.call('setSafeStrategy', { download_time_zone: zone })
      const before = minute(Date.now())
      const [line = ''] = (await overOf(ben, pdfId)) ?? []
      const after = minute(Date.now())
      expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
      const said = minute(Date.parse(`${line.replace(' ', 'T')}Z`)) - hours * 60
      expect(said).toBeGreaterThanOrEqual(before)
      expect(said).toBeLessThanOrEqual(after)
    }
  })
})

describe('copies', () => {
  // [R281] A download has the watermark where required: pdf, docx, xlsx, pptx, pictures; ranges, HEAD and zips as well.
  // download_watermark off drops the one of restricted documents, not one that a rule or a link names.
  test('[R281] of a library with a watermark bear it, by ranges and at HEAD as well; what can bear none comes as it is', async () => {
    const templateId = await template('下载')
    await admin.call('setWatermarkRules', {
      watermarkRules: [{ templateId, target: 'user', targetId: ben.userId }],
    })
    const path = `/DownloadServlet?fileId=${pdfId}`
    const whole = await take(ben, path)
    expect(whole.statusCode).toBe(200)
    const words = await wordsOf(whole.rawPayload)
    expect(words).toContain('plainwords')
    expect(words).toContain(`下载${ben.account}`)
    const { length } = whole.rawPayload
    const head = await take(ben, path, {}, 'HEAD')
    expect(head.headers['content-length']).toBe(String(length))
    const rest = await take(ben, path, { range: `bytes=${length - 100}-` })
    expect(rest.statusCode).toBe(206)
    expect(rest.rawPayload.equals(whole.rawPayload.subarray(length - 100))).toBe(true)
    expect((await take(ben, `/DownloadServlet?fileId=${docId}`)).payload).toBe('no document')
    const zip = await take(ben, `/DownloadMultiFile?files=fi_${pdfId},fi_${docId}`)
    expect(zip.rawPayload.includes(whole.rawPayload)).toBe(true)
    expect(await wordsOf((await take(anna, path)).rawPayload)).not.toContain('下载')
    await admin.call('setWatermarkRules', { watermarkRules: [] })
  })

  // [R146] A restricted document is downloaded as a watermarked copy, with the right to download, where the server
  // provides copies.
  test('[R146] [R281] a restricted document is given with a watermark alone, where the server gives such', async () => {
    const fileId = await anna.upload(folderId, 'secret.pdf', await pdf('restricted words'))
    const broken = await anna.upload(folderId, 'broken.pdf', 'no pdf')
    await anna.call('setDocRestricted', { fileIdArray: [fileId, broken], restricted: true })
    expect((await take(ben, `/DownloadServlet?fileId=${fileId}`)).json()).toMatchObject({
      result: codes.restrictedDocument.code,
    })
    expect((await take(ben, markedPath(fileId))).json()).toMatchObject({ result: codes.noPermission.code })
    await admin.call('setSafeStrategy', { download_watermark: true })
    const copy = await take(ben, markedPath(fileId))
    expect(copy.headers['content-length']).toBe(String(copy.rawPayload.length))
    const words = await wordsOf(copy.rawPayload)
    expect(words).toContain('restrictedwords')
    expect(words).toContain('ben')
    expect((await take(ben, markedPath(broken))).json()).toMatchObject({ result: codes.conversionFailed.code })
    await admin.call('setSafeStrategy', { download_watermark: false })
  })

  // [R281] Several restricted files, alone or with others, are downloaded as one archive of watermarked copies; files
  // that cannot be watermarked are refused, or in a folder listed as left out.
  test('[R281] [R206] several restricted documents come as one archive of copies that bear a watermark, others as they are', async () => {
    const box = (await anna.call('folderCreate', { parentId: folderId, folderName: 'restricted box' })).folderId
    const one = await anna.upload(box, 'one.pdf', await pdf('first words'))
    const two = await anna.upload(box, 'two.pdf', await pdf('second words'))
    const plain = await anna.upload(box, 'plain.txt', 'as it is')
    const bearsNone = await anna.upload(box, 'bears none.txt', 'closed')
    const inner = (await anna.call('folderCreate', { parentId: box, folderName: 'inner' })).folderId
    await anna.upload(inner, 'three.pdf', await pdf('third words'))
    await anna.call('setDocRestricted', {
      fileIdArray: [one, two, bearsNone],
      folderIdArray: [inner],
      restricted: true,
    })
    const packed = (...items: string[]) => take(ben, `/DownloadMultiFile?files=${items.join()}`)
    const unpacked = async (...items: string[]) => unzipped((await packed(...items)).rawPayload)
    const refused = { result: codes.restrictedDocument.code }
    expect((await packed(`fi_${one}`, `fi_${plain}`)).json()).toMatchObject(refused)
    expect((await packed(`fo_${inner}`)).json()).toMatchObject(refused)
    await admin.call('setSafeStrategy', { download_watermark: true })
    const chosen = await unpacked(`fi_${one}`, `fi_${two}`, `fi_${plain}`, `fo_${inner}`)
    expect(Object.keys(chosen)).toEqual(['one.pdf', 'two.pdf', 'plain.txt', 'inner/three.pdf'])
    for (const [name, words] of Object.entries({ one: 'first', two: 'second', 'inner/three': 'third' })) {
      const copy = await wordsOf(chosen[`${name}.pdf`] ?? Buffer.of())
      expect(copy).toContain(`${words}words`)
      expect(copy).toContain(ben.account)
    }
    expect(chosen['plain.txt']?.toString()).toBe('as it is')
    // A file that does not support watermarks is not delivered: if selected by name the download is refused, in a
    // folder the file is listed as omitted.
    expect((await packed(`fi_${one}`, `fi_${bearsNone}`)).json()).toMatchObject(refused)
    const whole = await unpacked(`fo_${box}`)
    const [list = ''] = Object.keys(whole).slice(-1)
    expect(whole[list]?.toString()).toBe('\ufeffrestricted box/bears none.txt\r\n')
    expect(Object.keys(whole)).toHaveLength(5)
    // The same with a ticket; users who may change the files get them without a watermark.
    const { ticket } = await ben.call('createDownloadTicket', { fileIdArray: [one, two] })
    const byTicket = await world.app.http.inject({
      url: `/DownloadMultiFile?files=fi_${one},fi_${two}&access_token=${ticket}`,
    })
    expect(await wordsOf((await unzipped(byTicket.rawPayload))['two.pdf'] ?? Buffer.of())).toContain(ben.account)
    const own = await unzipped((await take(anna, `/DownloadMultiFile?files=fi_${one},fi_${two}`)).rawPayload)
    expect(await wordsOf(own['two.pdf'] ?? Buffer.of())).toBe('secondwords')
    await admin.call('setSafeStrategy', { download_watermark: false })
  })

  // [R281] Files downloaded together with a restricted document are watermarked too, unless the downloader may change
  // all of them; without watermarking on the server none is.
  test('[R281] one is required of all that comes together if any of it is restricted and the caller may not change all of it', async () => {
    const beside = await anna.upload(folderId, 'beside.pdf', await pdf('beside words'))
    const plain = await anna.upload(folderId, 'beside.txt', 'as it is')
    const own = await ben.folder(ben.library, 'ben keeps')
    const open = await ben.upload(own, 'open.pdf', await pdf('open words'))
    const closed = await ben.upload(own, 'closed.pdf', await pdf('closed words'))
    await ben.call('setDocRestricted', { fileIdArray: [closed], restricted: true })
    /** Which of the files have a watermark. */
    const marked = async (...ids: number[]): Promise<string[]> => {
      const zip = await take(ben, `/DownloadMultiFile?files=${ids.map((id) => `fi_${id}`).join()}`)
      const files = Object.entries(await unzipped(zip.rawPayload))
      expect(files).toHaveLength(ids.length)
      const read = files.filter(([name]) => name !== 'beside.txt')
      const words = await Promise.all(
        read.map(async ([name, bytes]) => [name, await wordsOf(bytes ?? Buffer.of())] as const),
      )
      return words.filter(([, text]) => text.includes(ben.account)).map(([name]) => name)
    }
    expect(await marked(closed, beside)).toEqual([])
    await admin.call('setSafeStrategy', { download_watermark: true })
    expect(await marked(open, beside)).toEqual([])
    expect(await marked(open, closed)).toEqual([])
    // A file that does not support watermarks is delivered unchanged if it is not restricted itself.
    expect(await marked(closed, beside, plain)).toEqual(['closed.pdf', 'beside.pdf'])
    await admin.call('setSafeStrategy', { download_watermark: false })
  })
})

const visit = (name: CallName, input: Record<string, unknown>, pass?: string) => {
  const { method, path, body } = placeInput(callsByName[name], input)
  const headers = {
    ...(pass === undefined ? {} : { 'x-link-pass': pass }),
    ...(body === undefined ? {} : { 'content-type': body.type }),
  }
  return world.app.http.inject({ method, url: path, headers, ...(body === undefined ? {} : { payload: body.text }) })
}

// [R222] Watermark and template of a link: in the preview and in downloads.
test('[R222] [R226] [R228] what is shown and taken by a link bears the watermark that the link says', async () => {
  const templateId = await template('外链', { text: '{name} {link}' })
  const { linkToken, externalId } = await anna.call('externalCreate', {
    fileId: pdfId,
    rights: 12,
    endTime: Date.now() + 3_600_000,
    watermark: true,
    watermarkTemplateId: templateId,
  })
  const { pass } = (await visit('openVisit', { linkToken })).json<{ data: { pass: string } }>().data
  const shown = (await visit('visitPreview', { linkToken, fileId: pdfId }, pass)).json<{
    data: { watermark: { lines: string[] } | null }
  }>()
  expect(shown.data.watermark?.lines).toEqual([`访客 #${externalId}`])
  const taken = await visit('visitDownload', { linkToken, fileId: pdfId }, pass)
  expect(await wordsOf(taken.rawPayload)).toContain(`访客#${externalId}`)
  await anna.call('externalModify', { externalId, watermark: false })
  const plain = await visit('visitDownload', { linkToken, fileId: pdfId }, pass)
  expect(await wordsOf(plain.rawPayload)).not.toContain('访客')
})

// [R163] With preview only, pages and pictures carry the watermark in their pixels; over text, tables and slides the
// client draws it.
test('[R163] [R166] who may only look is shown pages with the watermark in them', async () => {
  const carl = await world.person('carl')
  await anna.shares({ fileId: pdfId }, [{ to: carl, rights: 6 }])
  await admin.call('setServerSetting', { security_preview: true })
  const { url, watermark, previewKey } = await carl.call('getDocumentPreviewURL', { fileId: pdfId })
  expect(watermark?.lines[0]).toContain('carl')
  await expect
    .poll(async () => (await carl.call('getPreviewStatus', { previewKey })).state, { timeout: 120_000, interval: 50 })
    .toBe(codes.success.code)
  const marked = await world.app.http.inject({ url })
  // Without the secure view they have no watermark.
  await admin.call('setServerSetting', { security_preview: false })
  const again = await carl.call('getDocumentPreviewURL', { fileId: pdfId })
  const plain = await world.app.http.inject({ url: again.url })
  expect(marked.statusCode).toBe(200)
  expect(again.watermark).toBeNull()
  expect(marked.rawPayload.equals(plain.rawPayload)).toBe(false)
})

describe('the invisible mark', () => {
  const find = async (picture: Uint8Array) => {
    const { path } = placeInput(calls.findTrace, { fileName: '截图.png' })
    const answer = await world.app.http.inject({
      method: 'PUT',
      url: path,
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(picture),
    })
    return answer.json<{ result: number; data: { found: WatermarkTrace | null } | null }>()
  }
  const blank = (): Promise<Buffer> =>
    sharp({ create: { width: 1000, height: 700, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer()
  const shotOf = async (watermark: Watermark | null): Promise<Buffer> =>
    markPicture(await blank(), watermark ?? { ...defaultWatermark, image: '', lines: [] }, 1)

  // [R279] An invisible mark beside the watermark records who was shown which version of a file, when and from where,
  // also through a link.
  test('[R279] says who was shown which version, when and from where; one for an hour, and never a guess', async () => {
    const templateId = await template('trace')
    await admin.call('setWatermarkRules', { watermarkRules: [{ templateId, target: 'all', targetId: 0 }] })
    const shown = async (person: Person) => (await person.call('getDocumentPreviewURL', { fileId: pdfId })).watermark
    const [bens, annas, again] = [await shown(ben), await shown(anna), await shown(ben)]
    expect(bens?.trace).toMatch(/^[0-9a-f]{256}$/)
    expect(annas?.trace).not.toBe(bens?.trace)
    expect(again?.trace).toBe(bens?.trace)
    const found = await find(await shotOf(bens))
    expect(found.data?.found).toMatchObject({
      ...{ userId: ben.userId, account: ben.account, isThere: true, link: '', visitor: '' },
      ...{ fileId: pdfId, fName: 'rules.pdf', version: 1, address: '127.0.0.1' },
    })
    // Marks not issued by this installation, and pictures without one, have no viewer.
    const foreign = bens === null ? null : { ...bens, trace: traceOf('00000000a1') }
    expect((await find(await shotOf(foreign))).data).toMatchObject({ found: null })
    expect((await find(await blank())).data).toMatchObject({ found: null })
    expect(await find(Buffer.from('no picture'))).toMatchObject({ result: codes.conversionUnsupported.code })
    const { list } = await admin.call('getTraceSearches', {})
    expect(list.map((one) => one.found?.userId)).toEqual([undefined, undefined, ben.userId])
    expect(list[0]).toMatchObject({ userId: admin.userId, fileName: '截图.png' })
    expect(await ben.refusal('getTraceSearches', {})).toBe('noPermission')
  })

  test('of a visitor it says by which link they came, and who they were', async () => {
    const { linkToken, externalId } = await anna.call('externalCreate', {
      ...{ fileId: pdfId, rights: 4, endTime: Date.now() + 3_600_000, watermark: true },
    })
    const visit = async (name: CallName, input: Record<string, unknown>, pass?: string) => {
      const { method, path, body } = placeInput(callsByName[name], { linkToken, ...input })
      const headers = { 'content-type': 'application/json', ...(pass === undefined ? {} : { 'x-link-pass': pass }) }
      return world.app.http.inject({ method, url: path, headers, payload: body?.text ?? '' })
    }
    const { pass } = (await visit('openVisit', { name: '王先生' })).json<{ data: { pass: string } }>().data
    const looked = (await visit('visitPreview', { fileId: pdfId }, pass)).json<{ data: { watermark: Watermark } }>()
    const { data } = await find(await shotOf(looked.data.watermark))
    expect(data?.found).toMatchObject({ userId: anna.userId, link: `#${externalId}`, visitor: '王先生', fileId: pdfId })
  })

  test('who was shown what is known for 400 days', async () => {
    const count = async () =>
      Number(
        (await sql<{ n: number }>`select count(*)::int as n from watermark_trace`.execute(world.app.db)).rows[0]?.n,
      )
    expect(await count()).toBeGreaterThan(0)
    const day = 24 * 3_600_000
    expect(await forgetTraces(world.app.db, Date.now() + 399 * day)).toBe(false)
    expect(await forgetTraces(world.app.db, Date.now() + 401 * day)).toBe(true)
    expect(await count()).toBe(0)
  })
})
