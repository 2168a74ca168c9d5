import { readdir, readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { PDFDict, PDFDocument, PDFName, PDFRawStream, type PDFRef, StandardFonts } from '@cantoo/pdf-lib'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { few, longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { RawRequest } from '../../../test/raw-http.ts'

let world: World
let anna: Person
let ben: Person
beforeAll(async () => {
  world = await openWorld()
  anna = await world.person('anna')
  ben = await world.person('ben')
  await offer(true)
})

const offer = async (on: boolean) => (await world.admin()).call('setServerSetting', { pdf_compression: on })

const urlOf = (fileId: number, more = ''): string => `/services2/compression/downloadCompression/${fileId}${more}`

async function ask(person: Person, fileId: number, method: 'GET' | 'HEAD' = 'GET') {
  const headers = { authorization: `Bearer ${person.token}` }
  return world.app.http.inject({ method, url: urlOf(fileId), headers })
}
const codeOf = (response: { json: () => unknown }): number => (response.json() as { result: number }).result

let files = 0
/** The downloaded, compressed file. */
async function compressed(content: Uint8Array): Promise<Buffer> {
  files += 1
  const response = await ask(anna, await anna.upload(anna.library, `${files}.pdf`, content))
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-length']).toBe(String(response.rawPayload.length))
  return response.rawPayload
}

/** Four coloured quarters with photographic noise, as raw pixels. */
function pixels(width: number, height: number, channels: 1 | 3): Buffer {
  const fields = [
    [200, 60, 60],
    [60, 180, 80],
    [70, 90, 200],
    [220, 210, 90],
  ]
  const bytes = Buffer.alloc(width * height * channels)
  let seed = 7
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const field = fields[(y * 2 < height ? 0 : 2) + (x * 2 < width ? 0 : 1)] ?? []
      for (let c = 0; c < channels; c += 1, at += 1) {
        seed ^= seed << 13
        seed ^= seed >>> 17
        seed ^= seed << 5
        bytes[at] = (field[c] ?? 0) + ((seed >>> 8) % 33) - 16
      }
    }
  }
  return bytes
}

const rawOf = (width: number, height: number, channels: 1 | 3) =>
  sharp(pixels(width, height, channels), { raw: { width, height, channels } })

/** The rows in PNG form, each after its filter byte; this filter subtracts the row above. */
function filtered(bytes: Buffer, row: number): Buffer {
  const rows: Buffer[] = []
  for (let at = 0; at < bytes.length; at += row) {
    const line = Buffer.from(bytes.subarray(at, at + row))
    if (at > 0) for (let i = 0; i < row; i += 1) line[i] = (bytes[at + i] ?? 0) - (bytes[at - row + i] ?? 0)
    rows.push(Buffer.from([at > 0 ? 2 : 0]), line)
  }
  return Buffer.concat(rows)
}

interface Made {
  readonly document: PDFDocument
  readonly picture: (bytes: Uint8Array, dict: Record<string, unknown>) => PDFRef
}

/** A document of two pages with text and images. */
async function make(fill: (made: Made) => Promise<void> | void, objectStreams = true): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const font = await document.embedFont(StandardFonts.Helvetica)
  const pages = [document.addPage([595, 842]), document.addPage([400, 300])]
  for (const [i, page] of pages.entries())
    page.drawText(`Contract ${i + 1} of Cloudoc`, { x: 30, y: 30, size: 12, font })
  let pictures = 0
  await fill({
    document,
    picture(bytes, dict) {
      const { context } = document
      const usual = { Type: 'XObject', Subtype: 'Image', BitsPerComponent: 8 }
      const ref = context.register(context.stream(bytes, { ...usual, ...dict }))
      pages[pictures % 2]?.node.setXObject(PDFName.of(`P${pictures}`), ref)
      pictures += 1
      return ref
    },
  })
  return Buffer.from(await document.save({ useObjectStreams: objectStreams }))
}

const sizeOf = (Width: number, Height: number) => ({ Width, Height })
let photo: Buffer
beforeAll(async () => {
  photo = await rawOf(2400, 1800, 3).jpeg({ quality: 95 }).toBuffer()
})
const jpeg = { Filter: 'DCTDecode', ColorSpace: 'DeviceRGB', ...sizeOf(2400, 1800) }

/** What a document shows: its pages with their sizes and texts. */
async function shown(bytes: Uint8Array) {
  const document = await getDocument({ data: Uint8Array.from(bytes), verbosity: 0 }).promise
  const pages = Array.from({ length: document.numPages }, async (_, i) => {
    const page = await document.getPage(i + 1)
    const { items } = await page.getTextContent()
    return { view: page.view, text: items.map((item) => ('str' in item ? item.str : '')).join('') }
  })
  return Promise.all(pages)
}

/** The images of a document, by their names in the pages' resources. */
async function picturesOf(bytes: Uint8Array): Promise<Map<string, PDFRawStream>> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  const found = new Map<string, PDFRawStream>()
  for (const page of document.getPages()) {
    for (const [key, ref] of page.node.Resources()?.lookup(PDFName.of('XObject'), PDFDict).entries() ?? []) {
      const stream = document.context.lookup(ref)
      if (stream instanceof PDFRawStream) found.set(key.asString().slice(1), stream)
    }
  }
  return found
}

/** The average colours of an image's quarters. */
async function colours(picture: Sharp): Promise<number[]> {
  return [...(await picture.resize(2, 2, { fit: 'fill', kernel: 'mitchell' }).raw().toBuffer())]
}

describe('[R203] a compressed download', () => {
  // [R203] A PDF is downloaded with its pictures reduced, with the same pages and texts.
  test('[R203] a PDF with large pictures comes out clearly smaller, with the same pages, texts and pictures', async () => {
    const grey = pixels(2000, 1000, 1)
    const rgb = pixels(1700, 1200, 3)
    const cmyk = await rawOf(900, 900, 3).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()
    const indexed = deflateSync(pixels(400, 400, 1).map((byte) => byte & 1))
    const original = await make(({ document, picture }) => {
      const mask = document.context.register(
        document.context.stream(deflateSync(pixels(600, 600, 1)), {
          ...{
            Type: 'XObject',
            Subtype: 'Image',
            BitsPerComponent: 8,
            ColorSpace: 'DeviceGray',
            Filter: 'FlateDecode',
          },
          ...sizeOf(600, 600),
        }),
      )
      picture(photo, { ...jpeg, SMask: mask })
      picture(deflateSync(rgb), { Filter: 'FlateDecode', ColorSpace: 'DeviceRGB', ...sizeOf(1700, 1200) })
      const DecodeParms = { Predictor: 15, Colors: 1, BitsPerComponent: 8, Columns: 2000 }
      picture(deflateSync(filtered(grey, 2000)), {
        ...{ Filter: ['FlateDecode'], DecodeParms: [DecodeParms], ColorSpace: 'DeviceGray' },
        ...sizeOf(2000, 1000),
      })
      picture(cmyk, { Filter: 'DCTDecode', ColorSpace: 'DeviceCMYK', ...sizeOf(900, 900) })
      const ColorSpace = ['Indexed', 'DeviceRGB', 1, new Uint8Array([255, 0, 0, 0, 0, 255])]
      picture(indexed, { Filter: 'FlateDecode', ColorSpace, ...sizeOf(400, 400) })
    })
    const answered = await compressed(original)
    expect(answered.length).toBeLessThan(original.length / 3)
    expect(await shown(answered)).toEqual(await shown(original))
    expect((await shown(answered)).map(({ text }) => text)).toEqual(['Contract 1 of Cloudoc', 'Contract 2 of Cloudoc'])
    const [before, after] = [await picturesOf(original), await picturesOf(answered)]
    const made: [key: string, source: Sharp, width: number, height: number][] = [
      ['P0', sharp(photo), 1600, 1200],
      ['P1', sharp(rgb, { raw: { width: 1700, height: 1200, channels: 3 } }), 1600, 1129],
      ['P2', sharp(grey, { raw: { width: 2000, height: 1000, channels: 1 } }).toColourspace('b-w'), 1600, 800],
    ]
    for (const [key, source, width, height] of made) {
      const { contents = new Uint8Array(), dict } = after.get(key) ?? {}
      expect(dict?.toString(), key).toContain(`/Width ${width}`)
      expect(await sharp(contents).metadata(), key).toMatchObject({ format: 'jpeg', width, height })
      const [was, is] = [
        await colours(source),
        await colours(sharp(contents).toColourspace(key === 'P2' ? 'b-w' : 'srgb')),
      ]
      expect(is).toHaveLength(was.length)
      for (const [i, value] of was.entries()) expect(Math.abs((is[i] ?? 0) - value), `${key} ${i}`).toBeLessThan(6)
    }
    for (const key of ['P3', 'P4']) {
      expect(Buffer.from(after.get(key)?.contents ?? []).equals(before.get(key)?.contents ?? Buffer.of()), key).toBe(
        true,
      )
    }
    const masks = [before, after].map((all) => all.get('P0')?.dict.lookup(PDFName.of('SMask')) as PDFRawStream)
    expect(Buffer.from(masks[1]?.contents ?? []).equals(masks[0]?.contents ?? Buffer.of())).toBe(true)
  })

  longTest(
    '[R203] a stream whose length stands elsewhere keeps its last byte, also one that looks like the end of a line',
    async () => {
      const content = `BT /F1 12 Tf (Hello) Tj ET ${' '.repeat(20)}\r`
      const parts = [
        '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n',
        '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</P0 7 0 R>>>>/Contents 4 0 R>>endobj\n',
        `4 0 obj<</Length 5 0 R>>stream\n${content}\nendstream\nendobj\n5 0 obj ${content.length} endobj\n`,
        '7 0 obj<</Subtype/Image/Width 2400/Height 1800/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode',
        `/Length 8 0 R>>stream\n${photo.toString('latin1')}\nendstream\nendobj\n8 0 obj ${photo.length} endobj\n`,
      ]
      const answered = await compressed(Buffer.from(handmade(...parts), 'latin1'))
      expect(answered.length).toBeLessThan(photo.length / 2)
      expect(answered.toString('latin1')).toContain(`stream\n${content}\nendstream`)
      // PDF 1.4 readers may not support object streams.
      expect(answered.toString('latin1')).toMatch(/^%PDF-1\.4[^]*\ntrailer\n/)
      expect(await shown(answered)).toHaveLength(1)
    },
  )

  const asStored: [what: string, content: () => Promise<Uint8Array> | Uint8Array][] = [
    ['that cannot get smaller', () => make(() => {})],
    ['that is encrypted', () => secret((document) => document.encrypt({ userPassword: '', ownerPassword: 'x' }))],
    ['that is signed', () => secret((document) => signed(document, { ByteRange: [0, 10, 20, 30] }))],
    ['with a field to be signed', () => secret((document) => signed(document, { FT: 'Sig' }))],
    ['that was cut off', async () => (await secret(() => {}, false)).subarray(0, -8)],
    [
      'that lacks an object',
      () => secret(({ context, catalog }) => catalog.set(PDFName.of('Gone'), context.nextRef())),
    ],
    ['with a stream of another length than it says', async () => withLength(await secret(() => {}, false))],
    ['that only its name says to be one', () => Buffer.from('<html>'.repeat(1000))],
    ['without a byte', () => Buffer.of()],
  ]
  /** A document that would become much smaller. */
  const secret = (change: (document: PDFDocument) => unknown, objectStreams = true): Promise<Buffer> =>
    make(({ document, picture }) => {
      picture(photo, jpeg)
      change(document)
    }, objectStreams)
  const signed = ({ context, catalog }: PDFDocument, entries: Record<string, unknown>) =>
    catalog.set(PDFName.of('Kept'), context.register(context.obj([entries] as never)))
  const withLength = (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString('latin1').replace(`/Length ${photo.length}`, `/Length ${photo.length - 9}`), 'latin1')

  test.each(few(3, asStored))('[R203] a PDF %s comes back byte for byte', async (_what, content) => {
    const original = Buffer.from(await content())
    expect((await compressed(original)).equals(original)).toBe(true)
  })

  longTest('[R203] the bodies of these tests become smaller where nothing stands in the way', async () => {
    const original = await secret(() => {})
    expect((await compressed(original)).length).toBeLessThan(original.length / 2)
  })

  const claimed = (bytes: Buffer): Buffer => {
    const large = Buffer.from(bytes)
    const frame = large.indexOf(Buffer.from([0xff, 0xc0]))
    large.writeUInt16BE(60_000, frame + 5)
    large.writeUInt16BE(60_000, frame + 7)
    return large
  }
  const zeros = (fill = 0): Buffer => deflateSync(Buffer.alloc(300 * 1024 * 1024, fill))
  const hostile: [what: string, content: () => Promise<Uint8Array> | Uint8Array][] = [
    [
      'whose JPEG claims 60000 x 60000 pixels',
      () => make(({ picture }) => void picture(claimed(photo), { ...jpeg, ...sizeOf(60_000, 60_000) })),
    ],
    [
      'whose JPEG has 60000 x 60000 pixels and does not say so',
      () => make(({ picture }) => void picture(claimed(photo), jpeg)),
    ],
    [
      'whose pixels inflate to far more than they are',
      () =>
        make(
          ({ picture }) =>
            void picture(zeros(), { Filter: 'FlateDecode', ColorSpace: 'DeviceRGB', ...sizeOf(100, 100) }),
        ),
    ],
    [
      'whose rows are no rows',
      () =>
        make(
          ({ picture }) =>
            void picture(zeros(9), {
              Filter: 'FlateDecode',
              DecodeParms: { Predictor: 15, Colors: 3, Columns: 8000 },
              ColorSpace: 'DeviceRGB',
              ...sizeOf(8000, 8000),
            }),
        ),
    ],
    [
      'whose picture is one in another format',
      () =>
        make(
          ({ picture }) =>
            void picture(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), {
              ...jpeg,
              ...sizeOf(9, 9),
            }),
        ),
    ],
    [
      'whose objects inflate to far more than memory',
      () => {
        const bomb = zeros().toString('latin1')
        return Buffer.from(
          handmade(
            `3 0 obj<</Type/ObjStm/N 9/First 9/Filter/FlateDecode/Length ${bomb.length}>>stream\n${bomb}\nendstream endobj\n`,
          ),
          'latin1',
        )
      },
    ],
    [
      'whose table of places claims to be endless',
      () =>
        Buffer.from(
          handmade(
            `9 0 obj<<${Array.from({ length: 200 }, (_, i) => `/K${i} 0`).join('')}>>endobj\n`,
            '3 0 obj<</Type/XRef/Size 1000000000/W[1 1 1]/Length 3>>stream\nabc\nendstream endobj\n',
          ),
        ),
    ],
    [
      'whose dictionary fills the heap of its reader',
      () =>
        Buffer.from(
          handmade(
            `3 0 obj<<${Array.from({ length: 6_000_000 }, (_, i) => `/${i.toString(36)} 0`).join('')}>>endobj\n`,
          ),
        ),
    ],
    ['whose arrays lie in each other without end', () => Buffer.from(handmade(`3 0 obj ${'['.repeat(2_000_000)}`))],
  ]
  // [R203] Signed, encrypted, damaged or hostile PDFs are downloaded as stored, and the server stays available.
  test.each(few(2, hostile))('[R203] a PDF %s comes back as it is, and the server goes on', async (_what, content) => {
    const original = Buffer.from(await content())
    expect((await compressed(original)).equals(original)).toBe(true)
    expect(await readers()).toBe(0)
    expect(await anna.names(anna.library)).not.toHaveLength(0)
  })

  longTest('[R203] several at once all arrive, and other calls are answered meanwhile', async () => {
    const original = await secret(() => {})
    // One more than the number of slots. A request that waits longer than half a minute gets the file unchanged.
    const asked = 3
    let arrived = 0
    const all = Promise.all(
      Array.from({ length: asked }, async () => {
        const { length } = await compressed(original)
        arrived += 1
        return length < original.length / 2
      }),
    )
    await vi.waitFor(async () => expect(await readers()).toBeGreaterThan(0), 120_000)
    expect(await anna.names(anna.library)).not.toHaveLength(0)
    expect(arrived).toBeLessThan(asked)
    expect(await readers()).toBeLessThanOrEqual(2)
    expect(await all).toEqual(Array(asked).fill(true))
    expect(await readers()).toBe(0)
  })

  longTest('[R203] a client that goes away ends the work for it, also while it waits in line', async () => {
    // pdf-lib takes minutes for this.
    const endless = Buffer.from(handmade('1 '.repeat(20_000_000)))
    const fileId = await anna.upload(anna.library, 'endless.pdf', endless)
    const requests: RawRequest[] = []
    for (let n = 0; n < 4; n += 1) {
      const request = await RawRequest.open(anna, 'GET', urlOf(fileId), {})
      requests.push(request)
    }
    await vi.waitFor(async () => expect(await readers()).toBeGreaterThan(0), 120_000)
    for (const request of requests) request.cut()
    await vi.waitFor(async () => expect(await readers()).toBe(0), 120_000)
    const original = await secret(() => {})
    expect((await compressed(original)).length).toBeLessThan(original.length / 2)
  })

  longTest('[R146] [R203] it has the headers of a download, and is told as one', async () => {
    const original = await secret(() => {})
    const fileId = await anna.upload(anna.library, '合同 “终稿”.PDF', original)
    const [plain, smaller] = [await anna.download(fileId), await ask(anna, fileId)]
    expect(smaller.rawPayload.length).toBeLessThan(original.length / 2)
    for (const header of [
      'content-type',
      'content-disposition',
      'x-content-type-options',
      'content-security-policy',
      'cross-origin-resource-policy',
      'referrer-policy',
      'cache-control',
    ])
      expect(smaller.headers[header], header).toBe(plain.headers[header])
    expect(smaller.headers['content-type']).toBe('application/pdf')
    const head = await ask(anna, fileId, 'HEAD')
    expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([200, '', 'application/pdf'])
    const { ticket } = await anna.call('createDownloadTicket', { fileIdArray: [fileId] })
    await world.app.http.inject(urlOf(fileId, `?access_token=${ticket}`))
    const told = () =>
      sql<{ call: string }>`select call from audit where items && ${[fileId]}::bigint[] order by id`.execute(
        world.app.db,
      )
    const { rows } = await told()
    expect(rows.slice(-2)).toEqual([{ call: 'createDownloadTicket' }, { call: 'downloadServlet' }])
    await anna.download(fileId, { access_token: ticket })
    expect((await told()).rows).toEqual([...rows, { call: 'downloadServlet' }])
  })

  // [R146] Compressed download of a single PDF, with the right to download, where the server offers it.
  test('[R146] it is for who may download a PDF, where the server offers it', async () => {
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'shared' })
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    const fileId = await anna.upload(folderId, 'a.pdf', 'text')
    const other = await anna.upload(folderId, 'a.txt', 'text')
    expect((await ask(ben, fileId)).body).toBe('text')
    expect(codeOf(await ask(ben, other))).toBe(codes.noPermission.code)
    expect(codeOf(await ask(ben, folderId))).toBe(codes.notFound.code)
    expect(codeOf(await ask(ben, await anna.upload(anna.library, 'unseen.pdf', 'text')))).toBe(codes.notFound.code)
    expect((await world.app.http.inject(urlOf(fileId))).statusCode).toBe(401)
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    expect(codeOf(await ask(ben, fileId))).toBe(codes.noPermission.code)
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    await offer(false)
    expect(codeOf(await ask(ben, fileId))).toBe(codes.noPermission.code)
    await offer(true)
    expect((await ask(ben, fileId)).body).toBe('text')
  })

  longTest(
    '[R203] a ticket for the download of a file opens it, one of another file or of a preview does not',
    async () => {
      const fileId = await anna.upload(anna.library, 'ticket.pdf', 'text')
      const other = await anna.upload(anna.library, 'other.pdf', 'text')
      const by = (ticket: string, id = fileId) => world.app.http.inject(urlOf(id, `?access_token=${ticket}`))
      const { ticket } = await anna.call('createDownloadTicket', { fileIdArray: [fileId] })
      expect((await by(ticket)).body).toBe('text')
      expect(codeOf(await by(ticket, other))).toBe(codes.noPermission.code)
      const { url } = await anna.call('getDocumentPreviewURL', { fileId })
      expect(codeOf(await by(url.split('access_token=')[1] ?? ''))).toBe(codes.noPermission.code)
      expect((await by(anna.token)).body).toBe('text')
      expect((await by('forged')).statusCode).toBe(401)
    },
  )
})

/** A handwritten document: the catalogue and the pages precede these objects unless the objects include their own. */
function handmade(...objects: string[]): string {
  const own = objects.join('').startsWith('1 0 obj')
  const start = own ? '' : '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n'
  const trailer = 'xref\n0 1\n0000000000 65535 f \ntrailer<</Size 9/Root 1 0 R>>\nstartxref\n0\n%%EOF\n'
  return `%PDF-1.4\n${start}${objects.join('')}${trailer}`
}

/** Number of this server's processes that compress a PDF. */
async function readers(): Promise<number> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((pid) => /^\d+$/.test(pid))
      .map(async (pid) => {
        const [line, status] = await Promise.all([
          readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
          readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
        ])
        return line.includes('compress-pdf-process') && status.includes(`\nPPid:\t${process.pid}\n`)
      }),
  )
  return found.filter(Boolean).length
}
