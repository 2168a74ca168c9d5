// Downloads of documents as PDF, with a script in the place of LibreOffice.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { codes, LogBit } from '@cloudoc/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

let folder: string
let world: World
let anna: Person
let ben: Person
let pdf: Buffer

/** Makes the same PDF of every document; of one that contains "broken", none. */
const script = (sample: string): string => `#!/bin/sh
case "$*" in
*--accept*)
  : >/tmp/OSL_PIPE_$(id -u)_$(echo "$*" | sed "s/.*name=//; s/;.*//")
  while [ ! -e "$HOME/ended" ]; do sleep 0.02; done ;;
*)
  mkdir -p "$HOME/made"
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

test('[R145] where no LibreOffice is there, none is offered, and asking for one is answered so', async () => {
  const without = await openWorld()
  const cara = await without.person('cara')
  const fileId = await cara.upload(cara.library, 'a.docx', 'words')
  expect(JSON.parse(await cara.call('getServerSetting', { code: 'makes_pdf' }))).toBe(false)
  const { list } = await cara.call('preparePdfs', { fileIdArray: [fileId], start: true })
  expect(list).toMatchObject([{ fileId, result: codes.conversionUnsupported.code }])
  await without.app.close()
})
