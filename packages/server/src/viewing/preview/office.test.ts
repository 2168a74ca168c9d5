import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Rendition, RenditionHead } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { strToU8, zipSync } from 'fflate'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person } from '../../../test/harness.ts'
import { pageCorpus } from '../../../test/page-corpus.ts'
import { wasmFolder } from '../../../test/wasm-office.ts'
import { createOffice, findOffice } from '../../core/confined/office.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-office-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A script that replaces LibreOffice. */
async function program(script: string): Promise<string> {
  const path = join(folder, `${Math.random()}.sh`)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

const sample = async (name: string) =>
  gunzipSync(await readFile(join(import.meta.dirname, '../../../test/documents', `${name}.gz`)))
const left = async () => (await readdir(tmpdir())).filter((name) => /^cloudoc-office-(?!test)/.test(name))
const xml = '<?xml version="1.0" encoding="UTF-8"?>'
const openDocument = (content: string): Buffer =>
  Buffer.from(
    zipSync({
      mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }],
      'META-INF/manifest.xml': strToU8(
        `${xml}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">` +
          '<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>' +
          '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
      ),
      'content.xml': strToU8(
        `${xml}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ` +
          'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" ' +
          'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" ' +
          'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2"><office:body>' +
          `<office:text>${content}</office:text></office:body></office:document-content>`,
      ),
    }),
  )

/** A Word document of these paragraphs. */
function wordDocument(paragraphs: string): Buffer {
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
          '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
          `<Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
      ),
      '_rels/.rels': strToU8(
        `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" ` +
          'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      ),
      'word/document.xml': strToU8(
        `${xml}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraphs}</w:body></w:document>`,
      ),
    }),
  )
}

/** A Word document with one paragraph on each page. */
const longDocument = (pages: number): Buffer =>
  wordDocument(
    Array.from(
      { length: pages },
      (_, n) => `<w:p><w:pPr>${n === 0 ? '' : '<w:pageBreakBefore/>'}</w:pPr><w:r><w:t>page ${n + 1}</w:t></w:r></w:p>`,
    ).join(''),
  )

/** The finished rendition of a file. */
async function shown(world: Awaited<ReturnType<typeof openWorld>>, person: Person, fileId: number, timeout = 120_000) {
  const { url, previewKey } = await person.call('getDocumentPreviewURL', { fileId })
  await expect
    .poll(async () => (await person.call('getPreviewStatus', { previewKey })).state, { timeout })
    .toBe(codes.success.code)
  const { rawPayload: packed } = await world.app.http.inject({ url })
  return unpacked(packed)
}

/** The body and the parts of a rendition. */
function unpacked(packed: Buffer) {
  const length = packed.readUInt32LE(0)
  const { parts } = JSON.parse(packed.toString('utf8', 4, 4 + length)) as RenditionHead
  const bytes = parts.map(({ at, size }) => packed.subarray(4 + length + at, 4 + length + at + size))
  return { body: JSON.parse(gunzipSync(bytes[0] ?? Buffer.alloc(0)).toString()) as Rendition, bytes }
}

test('a LibreOffice that ends, never starts or makes nothing leaves a document to the readers inside, and nothing behind', async () => {
  const before = await left()
  const world = await openWorld({ soffice: await program('exit 1') })
  const anna = await world.person('anna')
  const fileId = await anna.upload(await anna.folder(anna.library, 'old'), 'course.ppt', await sample('course.ppt'))
  expect((await shown(world, anna, fileId)).body.kind).toBe('slides')
  await world.app.close()

  const hanging = createOffice(await program('sleep 600'), { startMs: 200, wallMs: 60_000 })
  const content = () => Readable.from([Buffer.from('text')], { objectMode: false })
  await expect(hanging.toPdf({ content: content(), ext: 'rtf' })).rejects.toMatchObject({ code: 'ended' })
  const ending = new AbortController()
  const given = hanging.toPdf({ content: content(), ext: 'rtf' }, ending.signal)
  ending.abort(new Error('nobody waits'))
  await expect(given).rejects.toThrow('nobody waits')
  await hanging.close()

  // It reports that it is ready but never converts anything.
  const told = 'case "$*" in *--accept*) : >/tmp/OSL_PIPE_0_$(echo "$*" | sed "s/.*name=//; s/;.*//"); sleep 600;; esac'
  const idle = createOffice(await program(told), { startMs: 10_000, wallMs: 1000 })
  await expect(idle.toPdf({ content: content(), ext: 'rtf' })).rejects.toMatchObject({ code: 'ended' })
  await idle.close()
  expect(await left()).toEqual(before)
})

// [R163] Where LibreOffice is installed it makes the pages of Word, PowerPoint and OpenDocument files, which carry the
// watermark for people with preview only; it follows no links (test:full).
longTest(
  '[R163] [R166] LibreOffice makes pages, which bear the watermark of who may only look; what a document links to is not loaded',
  async () => {
    const soffice = findOffice(undefined)
    expect(soffice, 'npm run test:full installs it').toBeDefined()
    const before = await left()
    const world = await openWorld({ soffice: soffice ?? '' })
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const folderId = await anna.folder(anna.library, 'pages')
    for (const name of ['course.ppt', 'contract.doc', 'contract.rtf']) {
      const { body } = await shown(world, anna, await anna.upload(folderId, name, await sample(name)))
      expect([name, body.kind]).toEqual([name, 'pages'])
      expect(body.kind === 'pages' && body.pages.some(({ text }) => /[一-鿿]{2}/.test(text)), name).toBe(true)
    }

    const secret = join(folder, 'secret.png')
    await sharp({ create: { width: 300, height: 300, channels: 3, background: '#ff0000' } }).toFile(secret)
    const linked =
      '<text:p>before</text:p><text:p><draw:frame text:anchor-type="as-char" svg:width="8cm" svg:height="8cm"><draw:image ' +
      `xlink:href="file://${secret}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>`
    const fileId = await anna.upload(folderId, 'linked.odt', openDocument(linked))
    const { body, bytes } = await shown(world, anna, fileId)
    const page = body.kind === 'pages' ? body.pages[0] : undefined
    expect(page?.text).toContain('before')
    const { channels } = await sharp(bytes[page?.part ?? 0]).stats()
    expect(channels[1]?.mean, 'nothing red is on it').toBeGreaterThan(250)

    const words = join(folder, 'secret.txt')
    await writeFile(words, 'not for you')
    const link = `xlink:href="file://${words}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"`
    const framed = ['floating-frame', 'object', 'object-ole', 'plugin'].map(
      (kind) =>
        `<text:p><draw:frame text:anchor-type="as-char" svg:width="8cm" svg:height="8cm"><draw:${kind} ${link}/></draw:frame></text:p>`,
    )
    const included = `<text:section text:name="s"><text:section-source ${link}/><text:p>after</text:p></text:section>`
    const embedded = await anna.upload(folderId, 'embedded.odt', openDocument(framed.join('') + included))
    const seen = (await shown(world, anna, embedded)).body
    const texts = seen.kind === 'pages' ? seen.pages.map(({ text }) => text).join('\n') : ''
    expect(texts).toContain('after')
    expect(texts).not.toContain('not for you')

    const admin = await world.admin()
    await anna.shares({ fileId }, [{ to: ben, rights: 6 }])
    await admin.call('setServerSetting', { security_preview: true })
    const marked = await shown(world, ben, fileId)
    expect(marked.bytes[page?.part ?? 0]?.equals(bytes[page?.part ?? 0] ?? Buffer.alloc(0))).toBe(false)

    await world.app.close()
    expect(await left()).toEqual(before)
  },
)

// [R168] A document of 500 pages that LibreOffice draws is shown to its last page, also with the watermark of people with
// preview only (test:full).
longTest(
  '[R168] a document of 500 pages that LibreOffice draws is shown whole, also to who may only look',
  { timeout: 3_600_000 },
  async () => {
    const soffice = findOffice(undefined)
    expect(soffice, 'npm run test:full installs it').toBeDefined()
    const world = await openWorld({ soffice: soffice ?? '' })
    const [admin, anna, ben] = [await world.admin(), await world.person('anna'), await world.person('ben')]
    await admin.call('setServerSetting', { security_preview: true })
    const fileId = await anna.upload(anna.library, 'long.docx', longDocument(500))
    await anna.shares({ fileId }, [{ to: ben, rights: 6 }])
    for (const person of [anna, ben]) {
      const { body } = await shown(world, person, fileId, 1_800_000)
      const pages = body.kind === 'pages' ? body.pages.map(({ text }) => text.trim()) : []
      expect(pages).toEqual(Array.from({ length: 500 }, (_, n) => `page ${n + 1}`))
    }
    await world.app.close()
  },
)

/** A Word document of one paragraph in a face that no machine of a test has. */
const letter = (text: string): Buffer =>
  wordDocument(`<w:p><w:r><w:rPr><w:rFonts w:eastAsia="方正小标宋简体"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`)

// [R145] The installed LibreOffice and its WebAssembly build make the PDF of a document to download, its pages to print
// and to compare, and tell which faces they replaced (test:full).
for (const which of ['installed', 'WebAssembly'] as const)
  longTest(`[R145] [R188] LibreOffice (${which}) makes a PDF to download and pages to print and compare`, async () => {
    const soffice = findOffice(undefined) ?? ''
    const world = await openWorld(which === 'installed' ? { soffice } : { wasmOffice: await wasmFolder() })
    const anna = await world.person('anna')
    const fileId = await anna.upload(anna.library, '信.docx', letter('第一稿 甲方付款'))
    await expect
      .poll(async () => (await anna.call('preparePdfs', { fileIdArray: [fileId] })).list[0]?.result, {
        timeout: 240_000,
      })
      .toBe(codes.success.code)
    const { rawPayload: pdf } = await world.app.http.inject({
      url: `/services2/preview/downloadPdf/${fileId}`,
      headers: { authorization: `Bearer ${anna.token}` },
    })
    await writeFile(join(folder, 'letter.pdf'), pdf)
    const { stdout } = await promisify(execFile)('pdftotext', [join(folder, 'letter.pdf'), '-'])
    expect(stdout).toContain('甲方付款')

    await anna.upload(anna.library, '信.docx', letter('第二稿 乙方付款'), { conflict: 'version' })
    const texts = []
    for (const version of [1, 2]) {
      const ask = () => anna.call('getPagesURL', { fileId, version })
      await expect.poll(async () => (await ask()).state, { timeout: 240_000 }).toBe(codes.success.code)
      const { rawPayload: packed } = await world.app.http.inject({ url: (await ask()).url })
      const { body } = unpacked(packed)
      expect(body).toMatchObject({ kind: 'pages', replacedFaces: ['方正小标宋简体'] })
      texts.push(body.kind === 'pages' && body.pages[0]?.text)
    }
    expect(texts).toEqual([expect.stringContaining('甲方付款'), expect.stringContaining('乙方付款')])

    const chart = pageCorpus.find(({ name }) => name === 'column-chart')?.bytes() ?? new Uint8Array()
    const chartId = await anna.upload(anna.library, '图.docx', Buffer.from(chart))
    const ask = () => anna.call('getPagesURL', { fileId: chartId, version: 1 })
    await expect.poll(async () => (await ask()).state, { timeout: 240_000 }).toBe(codes.success.code)
    const { body } = unpacked((await world.app.http.inject({ url: (await ask()).url })).rawPayload)
    expect(body.kind === 'pages' && body.pages[0]?.text, 'charts are drawn').toContain('一季度')
    await world.app.close()
  })
