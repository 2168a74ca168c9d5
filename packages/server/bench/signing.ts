/*
 * Signing a PDF of 100 pages in three places, as the server does it: the stamps are drawn, and each signature is an
 * incremental update. The baseline is `@signpdf` alone, which signs the same files with their places prepared.
 */
import { SignPdf } from '@signpdf/signpdf'
import { appendSignature, drawStamp, endOf, makeBase } from '../src/documents/signing/index.ts'
import { CadesSigner, issueCertificate, makeAuthority, signPdf } from '../src/signing/certificates/index.ts'
import { longPdf } from '../test/long-pdf.ts'
import { compare, type Measured } from './measure.ts'

const pages = 100
const places = 3
/** The server may take half as long again as the library. */
const bar = 1 / 1.5

export async function signingTime(runs: number): Promise<Measured[]> {
  const now = Date.now()
  const authority = await makeAuthority('测速公司', 10, now)
  const issued = await issueCertificate(authority, { name: '王小明', mail: '' }, now)
  const key = { key: issued.key, chain: [issued.certificate, authority.certificate] }
  const fields = Array.from({ length: places }, (_, n) => ({
    ...{ name: `f${n}`, kind: 'signature' as const },
    place: { page: 1 + n * 40, x: 60, y: 80, width: 150, height: 60 },
  }))
  const { bytes, layout } = await makeBase(Buffer.from(await longPdf(pages)), { fields })
  const lines = ['王小明', '2026-11-29 10:00 +08:00']
  const about = { texts: [], at: now, signer: '王小明', reason: '' }
  // The files of the baseline: the places are there, and only the signature is missing.
  const prepared: Buffer[] = []
  let before = { bytes, size: layout.size }
  for (const field of layout.fields) {
    const stamp = await drawStamp(field.place, { picture: undefined, lines })
    const made = { field, stamp, ...about, reserved: 40_000 }
    prepared.push(appendSignature(before.bytes, layout, endOf(before.bytes, before.size), made).bytes)
    before = await signPdf(before.bytes, { layout, size: before.size, field, stamp, ...about, key })
  }
  const perSecond = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now()
    await work()
    return 1000 / (performance.now() - begun)
  }
  const what = `signatures of a PDF of ${pages} pages in ${places} places, ${(bytes.length / 1e6).toFixed(1)} MB`
  const one = await compare(
    { what, bar, unit: 'files/s' },
    runs,
    () =>
      perSecond(async () => {
        for (const file of prepared) await new SignPdf().sign(Buffer.from(file), new CadesSigner(key))
      }),
    () =>
      perSecond(async () => {
        let next = { bytes, size: layout.size }
        for (const field of layout.fields) {
          const stamp = await drawStamp(field.place, { picture: undefined, lines })
          next = await signPdf(next.bytes, { layout, size: next.size, field, stamp, ...about, key })
        }
      }),
  )
  return [one]
}
