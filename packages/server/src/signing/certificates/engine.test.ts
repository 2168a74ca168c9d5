import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { degrees, PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { type BaseLayout, drawStamp, makeBase, UnsuitableForSigning } from '../../documents/signing/index.ts'
import type { SigningKey } from './cades-signer.ts'
import { checkSignatures } from './check.ts'
import { type Issued, issueCertificate, makeAuthority } from './issue.ts'
import { signPdf } from './sign-pdf.ts'

const run = promisify(execFile)
const now = Date.now()
let folder = ''
let authority: Issued

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-signing-'))
  authority = await makeAuthority('青云科技有限公司', 10, now)
  await writeFile(join(folder, 'ca.der'), authority.certificate)
  await run('certutil', ['-N', '-d', `sql:${folder}`, '--empty-password'])
  await run('certutil', ['-A', '-d', `sql:${folder}`, '-n', 'ca', '-t', 'CT,C,C', '-i', join(folder, 'ca.der')])
})
afterAll(() => rm(folder, { recursive: true }))

async function pages(count: number, shape: (document: PDFDocument) => void = () => {}, objectStreams = true) {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (let n = 1; n <= count; n += 1)
    document.addPage([595, 842]).drawText(`Contract, page ${n}`, { x: 60, y: 700, size: 16, font })
  shape(document)
  return Buffer.from(await document.save({ useObjectStreams: objectStreams }))
}

async function keyOf(name: string): Promise<SigningKey> {
  const issued = await issueCertificate(authority, { name, mail: 'someone@example.com' }, now)
  return { key: issued.key, chain: [issued.certificate, authority.certificate] }
}

async function sign(bytes: Buffer, layout: BaseLayout, names: readonly string[]): Promise<Buffer> {
  let revision = { bytes, size: layout.size }
  for (const [n, name] of names.entries()) {
    const field = layout.fields[n]
    if (field === undefined) throw new Error('no field')
    const stamp = await drawStamp(field.place, { picture: undefined, lines: [name, '2026-11-28 10:00 +08:00'] })
    const key = await keyOf(name)
    const next = await signPdf(revision.bytes, {
      ...{ layout, size: revision.size, field, stamp, texts: [], at: now, signer: name, reason: '', key },
    })
    expect(next.bytes.subarray(0, revision.bytes.length).equals(revision.bytes)).toBe(true)
    revision = next
  }
  return revision.bytes
}

async function check(bytes: Buffer): Promise<{ pdfsig: string; qpdf: string }> {
  const path = join(folder, `${Math.random()}.pdf`)
  await writeFile(path, bytes)
  const said = async (command: string, args: string[]) =>
    run(command, args).then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`,
    )
  return { pdfsig: await said('pdfsig', ['-nssdir', folder, path]), qpdf: await said('qpdf', ['--check', path]) }
}

const count = (text: string, part: string): number => text.split(part).length - 1
const fields = (n: number) => ({
  fields: Array.from({ length: n }, (_, k) => ({ name: `签名${k + 1}`, kind: 'signature' as const, place: undefined })),
})
const people = ['王小明', 'Anna Müller', '𠮷田', '赵六', '钱七', '孙八', '李九', '周十', '吴一', '郑二']

describe('signatures in a PDF', () => {
  test.each([1, 3, 10])('%i signers: each signature is valid, trusted and of the type of PAdES', async (n) => {
    const { bytes, layout } = await makeBase(await pages(3), fields(n))
    const { pdfsig, qpdf } = await check(await sign(bytes, layout, people.slice(0, n)))
    expect(count(pdfsig, 'ETSI.CAdES.detached'), pdfsig).toBe(n)
    expect(count(pdfsig, 'Signature is Valid.'), pdfsig).toBe(n)
    expect(count(pdfsig, 'Certificate is Trusted.'), pdfsig).toBe(n)
    expect(qpdf).toContain('No syntax or stream encoding errors found')
  })

  test('a byte that is changed makes the signature invalid', async () => {
    const { bytes, layout } = await makeBase(await pages(1), fields(1))
    const signed = await sign(bytes, layout, ['王小明'])
    const at = signed.indexOf('/MediaBox')
    signed[at + 12] = (signed[at + 12] ?? 0) ^ 1
    const { pdfsig } = await check(signed)
    expect(pdfsig).not.toContain('Signature is Valid.')
  })

  test.each([
    ['a table', false],
    ['streams of objects', true],
  ])('a file with %s as its cross-reference', async (_, objectStreams) => {
    const { bytes, layout } = await makeBase(await pages(2, undefined, objectStreams), fields(2))
    const { pdfsig, qpdf } = await check(await sign(bytes, layout, ['甲', '乙']))
    expect(count(pdfsig, 'Signature is Valid.'), pdfsig).toBe(2)
    expect(qpdf).toContain('No syntax or stream encoding errors found')
  })

  test.each([1, 5])('a chain of %i certificates fits', async (links) => {
    const { bytes, layout } = await makeBase(await pages(1), fields(1))
    const [field] = layout.fields
    if (field === undefined) throw new Error('no field')
    const { key, chain } = await keyOf('王小明')
    const long = { key, chain: Array.from({ length: links }, (_, n) => chain[Math.min(n, 1)] ?? authority.certificate) }
    const stamp = await drawStamp(field.place, { picture: undefined, lines: ['王小明'] })
    const signed = await signPdf(bytes, {
      ...{ layout, size: layout.size, field, stamp, texts: [], at: now, signer: '王小明', reason: '', key: long },
    })
    const { pdfsig, qpdf } = await check(signed.bytes)
    expect(count(pdfsig, 'Signature is Valid.'), pdfsig).toBe(1)
    expect(qpdf).toContain('No syntax or stream encoding errors found')
  })

  test('500 pages, turned pages and a form', async () => {
    const source = await pages(500, (document) => {
      document.getPages().forEach((page, n) => page.setRotation(degrees((n % 4) * 90)))
      const box = document.getForm().createTextField('客户')
      box.addToPage(document.getPage(0), { x: 50, y: 50, width: 100, height: 20 })
    })
    const places = [496, 497, 498, 499].map((page, n) => ({
      ...{ name: `f${n}`, kind: 'signature' as const },
      place: { page, x: 100, y: 100, width: n % 2 === 0 ? 60 : 150, height: n % 2 === 0 ? 150 : 60 },
    }))
    const { bytes, layout } = await makeBase(source, { fields: places })
    expect(layout.pages).toBe(500)
    expect(layout.fields.map(({ turn }) => turn)).toEqual([270, 0, 90, 180])
    const { pdfsig, qpdf } = await check(await sign(bytes, layout, ['甲', '乙', '丙', '丁']))
    expect(count(pdfsig, 'Signature is Valid.'), pdfsig).toBe(4)
    expect(qpdf).toContain('No syntax or stream encoding errors found')
  })

  // From 100,000,000 bytes on the numbers of a byte range have one more digit.
  for (const size of [99_970_000, 100_000_001])
    longTest(
      `a file of more than ${size} bytes`,
      async () => {
        const source = await pages(1, ({ context }) => {
          context.register(context.stream(randomBytes(size)))
        })
        const { bytes, layout } = await makeBase(source, fields(2))
        const signed = await sign(bytes, layout, ['甲', '乙'])
        const { pdfsig, qpdf } = await check(signed)
        expect(count(pdfsig, 'Signature is Valid.'), pdfsig).toBe(2)
        expect(qpdf).toContain('No syntax or stream encoding errors found')
        expect(await checkSignatures(signed, [authority.certificate])).toMatchObject({
          list: [{ isComplete: true }, { isComplete: true }],
          isChangedSince: false,
        })
      },
      600_000,
    )

  test('what cannot be signed is refused with its reason', async () => {
    const { bytes, layout } = await makeBase(await pages(1), fields(1))
    const signed = await sign(bytes, layout, ['王小明'])
    const why = (pdf: Buffer) =>
      makeBase(pdf, fields(1)).then(
        () => 'made',
        (error: unknown) => (error instanceof UnsuitableForSigning ? error.why : 'other'),
      )
    expect(await why(signed)).toBe('signed')
    const locked = await PDFDocument.create()
    locked.addPage()
    locked.encrypt({ userPassword: 'secret', ownerPassword: 'owner' })
    expect(await why(Buffer.from(await locked.save()))).toBe('encrypted')
    expect(await why(Buffer.from('%PDF-1.7 nothing'))).toBe('broken')
  })
})
