import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import type { Rendition, RenditionHead } from '@cloudoc/contract'
import { type DemoFile, demoFiles } from '@cloudoc/devkit/demo'
import { strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { emptyDocument } from '../files/empty-documents.ts'
import { extractText, makeRendition, makeThumbnail } from './index.ts'

const samples = new Map<string, DemoFile>()
beforeAll(() => {
  for (const file of demoFiles(emptyDocument)) {
    const ext = file.name.slice(file.name.lastIndexOf('.') + 1)
    if (!samples.has(ext)) samples.set(ext, file)
  }
})

const source = (bytes: Uint8Array, ext: string) => ({
  content: Readable.from([Buffer.from(bytes)], { objectMode: false }),
  size: bytes.length,
  ext,
})
const sample = async (ext: string): Promise<Uint8Array> => (await samples.get(ext)?.bytes()) ?? new Uint8Array()

/** A rendition as the client reads it. */
function unpacked(packed: Buffer): { body: Rendition; part: (n: number) => Buffer } {
  const length = packed.readUInt32LE(0)
  const head = JSON.parse(packed.toString('utf8', 4, 4 + length)) as RenditionHead
  const part = (n: number): Buffer => {
    const { at = 0, size = 0, type } = head.parts[n] ?? {}
    const bytes = packed.subarray(4 + length + at, 4 + length + at + size)
    return type === 'json' || type === 'text' ? gunzipSync(bytes) : bytes
  }
  return { body: JSON.parse(part(0).toString()) as Rendition, part }
}
const renditionOf = async (bytes: Uint8Array, ext: string) => unpacked(await makeRendition(source(bytes, ext)))

const usual = ['docx', 'xlsx', 'pptx', 'pdf']
const all = [...usual, 'eml', 'md', 'txt', 'csv', 'html', 'json', 'xml', 'zip', 'png', 'bmp', 'gif', 'jpg', 'svg']

describe('[R163] what a document holds', () => {
  test.each(inject('full') ? all : usual)('%s: its words come with pages, sheets or slides', async (ext) => {
    const sections = await extractText(source(await sample(ext), ext))
    const kinds: Record<string, string> = { xlsx: 'sheet', csv: 'sheet', pptx: 'slide', pdf: 'page' }
    if (['png', 'bmp', 'gif', 'jpg', 'svg'].includes(ext)) return expect(sections).toEqual([])
    expect(new Set(sections.map(({ kind }) => kind))).toEqual(new Set([kinds[ext] ?? 'whole']))
    if (kinds[ext] === 'sheet' && ext === 'xlsx') expect(sections.map(({ name }) => name)).toEqual(['明细', '说明'])
    expect(sections.map(({ text }) => text).join('').length).toBeGreaterThan(20)
  })

  test('[R169] a picture of the first page is made of a document', async () => {
    const { default: sharp } = await import('sharp')
    for (const ext of inject('full') ? all.filter((one) => one !== 'zip') : ['pptx']) {
      const { width, height, format } = await sharp(await makeThumbnail(source(await sample(ext), ext))).metadata()
      expect([ext, format, Math.max(width, height) <= 480]).toEqual([ext, 'webp', true])
    }
  })

  test('GB18030 is read, and a table of text by its cells', async () => {
    const { body, part } = await renditionOf(Uint8Array.of(0xba, 0xcf, 0xcd, 0xac), 'txt')
    expect(body).toMatchObject({ kind: 'text', encoding: 'gb18030' })
    if (body.kind === 'text') expect(part(body.part).toString()).toBe('合同')
  })
})

const zipOf = (files: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))

const refusalOf = (bytes: Uint8Array, ext: string): Promise<string> =>
  makeRendition(source(bytes, ext)).then(
    () => 'made',
    (error: { code: string }) => error.code,
  )

describe('[R168] hostile and broken documents', () => {
  test('what is no such document, encrypted, or a bomb is refused by its code', async () => {
    expect(await refusalOf(strToU8('no zip at all'), 'docx')).toBe('conversionFailed')
    const ole = Buffer.alloc(2048)
    ole.writeUInt32LE(0xe011cfd0, 0)
    ole.write('EncryptedPackage', 600, 'utf16le')
    expect(await refusalOf(ole, 'xlsx')).toBe('sourceEncrypted')
    // One that says how large it gets, and one that says it is small.
    const honest = Buffer.from(zipOf({ 'word/document.xml': 'x' }))
    honest.writeUInt32LE(600 * 1024 * 1024, honest.indexOf('PK\u0001\u0002') + 24)
    expect(await refusalOf(honest, 'docx')).toBe('conversionFailed')
    const bomb = Buffer.from(zipSync({ 'word/document.xml': [new Uint8Array(8 * 1024 * 1024), { level: 1 }] }))
    bomb.writeUInt32LE(100, bomb.indexOf('PK\u0001\u0002') + 24)
    expect(await refusalOf(bomb, 'docx')).toBe('conversionFailed')
  })

  test('XML brings no entity along, and HTML nothing that runs or is fetched', async () => {
    const entity =
      '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document><w:body><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:body></w:document>'
    expect(await refusalOf(zipOf({ 'word/document.xml': entity }), 'docx')).toBe('conversionFailed')
    const html =
      '<p onclick="x()">words</p><script>run()</script><img src="https://evil.example/1.png"><iframe src="//evil.example"></iframe><a href="javascript:run()">go</a>'
    const mail = `From: a@example.com\r\nTo: b@example.com\r\nSubject: =?utf-8?B?5ZCI5ZCM?=\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`
    const { body } = await renditionOf(strToU8(mail), 'eml')
    expect(body).toMatchObject({ kind: 'mail', subject: '合同', blocked: 3 })
    expect(JSON.stringify(body)).not.toMatch(/evil|run\(|javascript|onclick/)
  })

  test('a picture of more pixels than are decoded is refused', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"><rect width="9" height="9"/></svg>'
    expect(await refusalOf(strToU8(svg), 'svg')).toBe('conversionFailed')
  })
})
