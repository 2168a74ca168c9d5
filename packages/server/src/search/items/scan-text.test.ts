// OCR: text in pictures and on scanned pages.
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { createOcr, findTesseract } from '../../core/confined/ocr.ts'
import { indexAllNames } from './index.ts'
import { backfillScans } from './scan-text.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-scans-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A script that replaces the OCR program, claims Chinese support and runs for each picture. */
async function program(script: string, languages = 'chi_sim\neng'): Promise<string> {
  const path = join(folder, `${Math.random()}.sh`)
  await writeFile(path, `#!/bin/sh\ncase "$1" in --list-langs) printf '${languages}\\n'; exit;; esac\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

const left = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('cloudoc-ocr-'))

/** A picture with the given text. */
const drawn = (words: string, format: 'png' | 'jpeg') =>
  sharp({ create: { width: 1000, height: 240, channels: 3, background: '#ffffff' } })
    .composite([
      {
        input: Buffer.from(
          `<svg width="1000" height="240"><text x="40" y="150" font-size="64" font-family="Noto Sans CJK SC">${words}</text></svg>`,
        ),
      },
    ])
    .toFormat(format)
    .toBuffer()

/** A PDF with one page of text and one scanned page. */
function pdfOf(words: string, picture: Buffer): Buffer {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  const at = (): number => chunks.reduce((sum, { length }) => sum + length, 0)
  const add = (head: string, stream?: Buffer): void => {
    offsets.push(at())
    chunks.push(Buffer.from(`${offsets.length} 0 obj\n${head}\n`))
    if (stream !== undefined) chunks.push(Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n'))
    chunks.push(Buffer.from('endobj\n'))
  }
  const text = Buffer.from(`BT /F1 18 Tf 40 150 Td (${words}) Tj ET`)
  const paint = Buffer.from('q 500 0 0 120 0 40 cm /P Do Q')
  const page = (contents: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 200] /Contents ${contents} 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /P 8 0 R >> >> >>`
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add('<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>')
  add(page(6))
  add(page(7))
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  add(`<< /Length ${text.length} >>`, text)
  add(`<< /Length ${paint.length} >>`, paint)
  add(
    `<< /Type /XObject /Subtype /Image /Width 1000 /Height 240 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${picture.length} >>`,
    picture,
  )
  const start = at()
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = offsets.length + 1
  chunks.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${lines}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(chunks)
}

/** Waits until the text of everything saved is extracted and indexed. */
async function read(world: World): Promise<void> {
  await world.app.settle()
  await indexAllNames(world.app.db)
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select 1 from job where kind like 'words of %' and due is not null`.execute(
        world.app.db,
      )
      expect(rows).toEqual([])
    },
    { timeout: 120_000, interval: 20 },
  )
}

const found = async (who: Person, keyword: string): Promise<string[]> =>
  (await who.call('searchDoc', { keyword, scope: 'content' })).list.map(({ fName }) => fName).sort()

// [R241] Text in pictures and scanned pages is found where the setting is on and Tesseract is installed, also in
// existing files, with the right to read them.
test('[R241] what is only drawn is found where the setting is on, also what was there before, by who may read it; a page keeps its own words', async () => {
  const tesseract = await program(`printf '季 度 预 算 already approved' > "$2.txt"`)
  const before = await left()
  const world = await openWorld({ tesseract })
  const [admin, anna, ben] = [await world.admin(), await world.person('anna'), await world.person('ben')]
  expect(await admin.call('getOcrStatus', {})).toEqual({ installed: true, waiting: 0 })
  const folderId = await anna.folder(anna.library, '扫描')
  await anna.upload(folderId, 'old.png', await drawn('any', 'png'))
  await anna.upload(folderId, 'old.pdf', pdfOf('Minutes of the meeting in May', await drawn('any', 'jpeg')))
  await read(world)
  expect(await found(anna, '季度预算')).toEqual([])
  expect(await found(anna, 'minutes')).toEqual(['old.pdf'])

  await admin.call('setServerSetting', { search_ocr: true })
  await anna.upload(folderId, 'new.jpg', await drawn('other', 'jpeg'))
  await read(world)
  // Existing content waits for the scan, which also continues by itself.
  expect(await found(anna, '季度预算')).toContain('new.jpg')
  while (await backfillScans(world.app.db, Date.now(), true));
  await read(world)
  expect(await found(anna, '季度预算')).toEqual(['new.jpg', 'old.pdf', 'old.png'])
  expect(await found(anna, 'minutes')).toEqual(['old.pdf'])
  const { list, highlights } = await anna.call('searchDoc', { keyword: 'approved', scope: 'content' })
  const pdf = list.find(({ fName }) => fName === 'old.pdf')
  expect(highlights?.find(({ itemIdStr }) => itemIdStr === pdf?.itemIdStr)?.passage).toMatchObject({
    kind: 'page',
    name: '2',
  })

  expect(await found(ben, '季度预算')).toEqual([])
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.preview }])
  expect(await found(ben, '季度预算')).toHaveLength(3)
  expect(await left()).toEqual(before)

  await admin.call('setServerSetting', { search_ocr: false })
  await anna.upload(folderId, 'later.png', await drawn('later', 'png'))
  await read(world)
  expect(await found(anna, '季度预算')).toHaveLength(3)
  expect(await anna.refusal('getOcrStatus', {})).toBe('noPermission')
})

test('a program that hangs, ends or makes nothing leaves a content without its words and nothing behind; one without Chinese is none', async () => {
  const before = await left()
  expect(createOcr(await program('exit 0', 'eng'))).toBeUndefined()
  expect(createOcr(join(folder, 'not there'))).toBeUndefined()
  const picture = await drawn('any', 'png')
  for (const script of ['sleep 600', 'exit 1', 'exit 0'])
    await expect(createOcr(await program(script), 300)?.textOf(picture)).rejects.toMatchObject({ code: 'ended' })
  const ending = new AbortController()
  const asked = createOcr(await program('sleep 600'))?.textOf(picture, ending.signal)
  ending.abort(new Error('nobody waits'))
  await expect(asked).rejects.toThrow('nobody waits')
  expect(await left()).toEqual(before)

  const world = await openWorld({ tesseract: await program('exit 1') })
  await (await world.admin()).call('setServerSetting', { search_ocr: true })
  const anna = await world.person('anna')
  const folderId = await anna.folder(anna.library, '扫描')
  await anna.upload(folderId, 'broken.png', Buffer.from('no picture at all'))
  await anna.upload(folderId, 'scan.pdf', pdfOf('Minutes of the meeting in May', await drawn('any', 'jpeg')))
  await read(world)
  expect(await found(anna, 'minutes')).toEqual(['scan.pdf'])
})

longTest('[R241] Tesseract reads Chinese in pictures and on scanned pages', async () => {
  const tesseract = findTesseract(undefined)
  expect(tesseract, 'npm run test:full installs it').toBeDefined()
  const world = await openWorld({ tesseract: tesseract ?? '' })
  const [admin, anna] = [await world.admin(), await world.person('anna')]
  expect(await admin.call('getOcrStatus', {})).toMatchObject({ installed: true })
  await admin.call('setServerSetting', { search_ocr: true })
  const folderId = await anna.folder(anna.library, '扫描')
  await anna.upload(folderId, '照片.png', await drawn('季度预算已经通过评审', 'png'))
  await anna.upload(folderId, '扫描.pdf', pdfOf('Minutes of the meeting', await drawn('蓝海项目付款周期', 'jpeg')))
  await read(world)
  expect(await found(anna, '预算已经通过')).toEqual(['照片.png'])
  expect(await found(anna, '项目付款')).toEqual(['扫描.pdf'])
})
