// Downloads of documents as PDF, with a script in the place of LibreOffice.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Rendition, RenditionHead } from '@cloudoc/contract'
import { codes, LogBit } from '@cloudoc/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

let folder: string
let world: World
let anna: Person
let ben: Person
let pdf: Buffer

/** Makes the same PDF of every document; of one that contains "broken", none. One that contains "killed" kills it once. */
const script = (sample: string): string => `#!/bin/sh
case "$*" in
*--accept*)
  : >/tmp/OSL_PIPE_$(id -u)_$(echo "$*" | sed "s/.*name=//; s/;.*//")
  while [ ! -e "$HOME/ended" ]; do
    [ -e "$HOME/kill" ] && kill -9 $$
    sleep 0.02
  done ;;
*)
  mkdir -p "$HOME/made"
  if grep -q killed "$HOME"/document.* && [ ! -e ${sample}.once ]; then
    : >${sample}.once
    : >"$HOME/kill"
    exit
  fi
  grep -q broken "$HOME"/document.* || cp ${sample} "$HOME/made/document.pdf"
  : >"$HOME/ended" ;;
esac
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-pdf-test-'))
  const made = await PDFDocument.create()
  made.addPage([300, 200])
  pdf = Buffer.from(await made.save())
  await writeFile(join(folder, 'sample.pdf'), pdf)
  const soffice = join(folder, 'soffice.sh')
  await writeFile(soffice, script(join(folder, 'sample.pdf')))
  await chmod(soffice, 0o755)
  world = await openWorld({ soffice })
  ;[anna, ben] = [await world.person('anna'), await world.person('ben')]
})
afterAll(() => rm(folder, { recursive: true }))

const get = (person: Person, fileId: number, headers: Record<string, string> = {}) =>
  world.app.http.inject({
    url: `/services2/preview/downloadPdf/${fileId}`,
    headers: { authorization: `Bearer ${person.token}`, ...headers },
  })

/** The results of a batch once none of it is being made any more. */
async function prepared(person: Person, fileIdArray: number[]): Promise<[number, number][]> {
  let start = true
  let list: { fileId: number; result: number }[] = []
  await expect
    .poll(
      async () => {
        ;({ list } = await person.call('preparePdfs', { fileIdArray, start }))
        start = false
        return list.some(({ result }) => result === codes.converting.code)
      },
      { timeout: 30_000 },
    )
    .toBe(false)
  return list.map(({ fileId, result }) => [fileId, result])
}

// [R145] Documents, sheets and presentations are downloaded as PDF by whoever may download them, where LibreOffice is
// there; each of a batch is answered by itself.
test('[R145] a PDF is made by a job and downloaded under the name of its document; a batch answers for each', async () => {
  const fileId = await anna.upload(anna.library, '合同 v1.2.docx', 'words')
  const broken = await anna.upload(anna.library, '坏.pptx', 'broken')
  const hidden = await ben.upload(ben.library, '别人的.xlsx', 'words')
  expect((await get(anna, fileId)).json()).toMatchObject({ result: codes.converting.code })
  expect(JSON.parse(await anna.call('getServerSetting', { code: 'makes_pdf' }))).toBe(true)
  expect(await prepared(anna, [fileId, broken, hidden])).toEqual([
    [fileId, codes.success.code],
    [broken, codes.conversionFailed.code],
    [hidden, codes.notFound.code],
  ])
  const got = await get(anna, fileId)
  expect([got.statusCode, got.rawPayload.equals(pdf), got.headers['content-type']]).toEqual([
    200,
    true,
    'application/pdf',
  ])
  expect(decodeURIComponent(String(got.headers['content-disposition']))).toContain("UTF-8''合同 v1.2.pdf")
  expect((await get(anna, broken)).json()).toMatchObject({ result: codes.conversionFailed.code })
  expect((await get(anna, hidden)).json()).toMatchObject({ result: codes.notFound.code })
  // What has failed is tried again by whoever asks anew, not by whoever waits.
  expect((await anna.call('preparePdfs', { fileIdArray: [broken] })).list[0]?.result).toBe(codes.conversionFailed.code)
  expect((await anna.call('preparePdfs', { fileIdArray: [broken], start: true })).list[0]?.result).toBe(
    codes.converting.code,
  )
  // A new content has a PDF of its own.
  await anna.upload(anna.library, '合同 v1.2.docx', 'other words', { conflict: 'version' })
  expect((await get(anna, fileId)).json()).toMatchObject({ result: codes.converting.code })
})

test('[R145] [R205] [R280] a PDF is a download: it takes the right, bears the watermark, is encrypted and recorded', async () => {
  const fileId = await anna.upload(anna.library, '计划.xls', 'words of a sheet')
  await anna.shares({ fileId }, [{ to: ben, rights: 6 }])
  expect(await ben.refusal('preparePdfs', { fileIdArray: [fileId] })).toBe('noPermission')
  expect((await get(ben, fileId)).json()).toMatchObject({ result: codes.noPermission.code })
  await anna.shares({ fileId }, [{ to: ben, rights: 14 }])
  expect(await prepared(ben, [fileId])).toEqual([[fileId, codes.success.code]])
  expect((await get(ben, fileId)).rawPayload.equals(pdf)).toBe(true)
  await expect.poll(async () => (await anna.call('getFileLog', { fileId, types: LogBit.download })).list.length).toBe(1)

  const admin = await world.admin()
  const mark = { templateName: '下载', text: '{name}' }
  const { templateId } = await admin.call('saveWatermarkTemplate', mark)
  await admin.call('setWatermarkRules', { watermarkRules: [{ templateId, target: 'user', targetId: ben.userId }] })
  const marked = (await get(ben, fileId)).rawPayload
  expect([marked.subarray(0, 5).toString(), marked.equals(pdf)]).toEqual(['%PDF-', false])
  await admin.call('setWatermarkRules', { watermarkRules: [] })
  await admin.call('setServerSetting', { encryption_download: true })
  const encrypted = await get(ben, fileId, { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' })
  expect(encrypted.rawPayload.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(String(encrypted.headers['content-disposition'])).toContain('.pdf.')
  await admin.call('setServerSetting', { encryption_download: false })
})

/** The pages of a version, once they are made; or the code of the reason why there are none. */
async function pagesOf(person: Person, fileId: number, version = 1) {
  const ask = () => person.call('getPagesURL', { fileId, version })
  await expect.poll(async () => (await ask()).state, { timeout: 30_000 }).not.toBe(codes.converting.code)
  const { url, state } = await ask()
  if (state !== codes.success.code) return { state }
  const { rawPayload: packed } = await world.app.http.inject({ url })
  return { state, body: bodyOf(packed), picture: partsOf(packed)[1] }
}

function partsOf(packed: Buffer): Buffer[] {
  const length = packed.readUInt32LE(0)
  const { parts } = JSON.parse(packed.toString('utf8', 4, 4 + length)) as RenditionHead
  return parts.map(({ at, size }) => packed.subarray(4 + length + at, 4 + length + at + size))
}
const bodyOf = (packed: Buffer): Rendition =>
  JSON.parse(gunzipSync(partsOf(packed)[0] ?? Buffer.alloc(0)).toString()) as Rendition

// [R188] Pages of a version are made by LibreOffice for printing and comparing, whatever its preview shows; for people
// with preview only they carry the watermark.
test('[R188] [R163] pages of office documents and PDFs are made for printing and comparing', async () => {
  const fileId = await anna.upload(anna.library, '表.xlsx', 'words of a sheet')
  const pdfId = await anna.upload(anna.library, '页.pdf', pdf)
  const text = await anna.upload(anna.library, '文.txt', 'words')
  for (const id of [fileId, pdfId]) {
    const { body } = await pagesOf(anna, id)
    expect(body).toMatchObject({ kind: 'pages', of: 1, pages: [{ width: 400, height: 267 }] })
  }
  expect(await anna.refusal('getPagesURL', { fileId: text, version: 1 })).toBe('conversionUnsupported')
  expect(await ben.refusal('getPagesURL', { fileId, version: 1 })).toBe('notFound')
  const broken = await anna.upload(anna.library, '坏的.docx', 'broken')
  expect(await pagesOf(anna, broken)).toEqual({ state: codes.conversionFailed.code })

  await anna.shares({ fileId }, [{ to: ben, rights: 6 }])
  const admin = await world.admin()
  const { templateId } = await admin.call('saveWatermarkTemplate', { templateName: '预览', text: '{name}' })
  await admin.call('setWatermarkRules', { watermarkRules: [{ templateId, target: 'user', targetId: ben.userId }] })
  const [own, marked] = [await pagesOf(anna, fileId), await pagesOf(ben, fileId)]
  expect(marked.picture?.length).toBeGreaterThan(0)
  expect(marked.picture?.equals(own.picture ?? Buffer.alloc(0))).toBe(false)
  await admin.call('setWatermarkRules', { watermarkRules: [] })
})

// [R168] A conversion that is killed is made again once.
test('[R168] a document whose conversion is killed is shown by the pages of the second one', async () => {
  const fileId = await anna.upload(anna.library, '旧.doc', 'killed')
  const { previewKey, url } = await anna.call('getDocumentPreviewURL', { fileId })
  await expect
    .poll(async () => (await anna.call('getPreviewStatus', { previewKey })).state, { timeout: 30_000 })
    .toBe(codes.success.code)
  const { rawPayload: packed } = await world.app.http.inject({ url })
  expect(bodyOf(packed)).toMatchObject({ kind: 'pages', of: 1 })
})

// Administrators switch LibreOffice off; documents are then shown by the readers of the server.
test('[R145] [R163] while LibreOffice is switched off, no PDF is offered and previews are made without it', async () => {
  const admin = await world.admin()
  expect((await admin.call('getOverview', {})).health.pages).toMatchObject({ engine: 'installed', isOn: true })
  await admin.call('setServerSetting', { page_engine: false })
  try {
    const fileId = await anna.upload(anna.library, '关闭.rtf', '{\\rtf1 switched off}')
    expect(JSON.parse(await anna.call('getServerSetting', { code: 'makes_pdf' }))).toBe(false)
    expect(await prepared(anna, [fileId])).toEqual([[fileId, codes.conversionUnsupported.code]])
    expect(await anna.refusal('getPagesURL', { fileId, version: 1 })).toBe('conversionUnsupported')
    const { url, previewKey } = await anna.call('getDocumentPreviewURL', { fileId })
    await expect
      .poll(async () => (await anna.call('getPreviewStatus', { previewKey })).state, { timeout: 30_000 })
      .toBe(codes.success.code)
    const { rawPayload } = await world.app.http.inject({ url })
    expect(bodyOf(rawPayload).kind).toBe('flow')
    expect((await admin.call('getOverview', {})).health.pages).toMatchObject({ engine: 'installed', isOn: false })
  } finally {
    await admin.call('setServerSetting', { page_engine: true })
  }
})

test('[R145] where no LibreOffice is there, none is offered, and asking for one is answered so', async () => {
  const without = await openWorld()
  const cara = await without.person('cara')
  const fileId = await cara.upload(cara.library, 'a.docx', 'words')
  expect(JSON.parse(await cara.call('getServerSetting', { code: 'makes_pdf' }))).toBe(false)
  const { list } = await cara.call('preparePdfs', { fileIdArray: [fileId], start: true })
  expect(list).toMatchObject([{ fileId, result: codes.conversionUnsupported.code }])
  expect(await cara.refusal('getPagesURL', { fileId, version: 1 })).toBe('conversionUnsupported')
  await without.app.close()
})
