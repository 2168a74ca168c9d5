/*
 * Checks the signatures of a PDF: whether the bytes that each covers are as they were signed, by whom, and by whose
 * authority. Only the places of signatures are read from the file: their byte ranges and their contents, which must be
 * exactly the gap between them.
 */
import { createHash } from 'node:crypto'
import * as pki from 'pkijs'
import { crypto } from './engine.ts'
import { readCertificate } from './issue.ts'

/** One signature, as it was found. */
export interface CheckedSignature {
  readonly fieldName: string
  readonly subject: string
  readonly issuer: string
  readonly serialNumber: string
  readonly time: number | null
  readonly isIntact: boolean
  /** The certificate of the signer, and those that came with it, in DER. */
  readonly isTrusted: boolean
  /** What it covers ends at the end of the file. */
  readonly end: number
  readonly problem: string
}

const most = 200

/** Checks all signatures, in the order of the file. `authorities` are the certificates that are trusted, in DER. */
export async function checkSignatures(
  pdf: Buffer,
  authorities: readonly Buffer[],
): Promise<{ readonly list: CheckedSignature[]; readonly isChangedSince: boolean }> {
  const list: CheckedSignature[] = []
  for (let at = pdf.indexOf('/ByteRange'); at >= 0 && list.length < most; at = pdf.indexOf('/ByteRange', at + 10)) {
    const head = pdf.toString('latin1', at, at + 120)
    const found = /^\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/.exec(head)
    if (found === null) continue
    list.push(await checkOne(pdf, at, found.slice(1, 5).map(Number), authorities))
  }
  const covered = list.reduce((sum, { end, isIntact }) => (isIntact ? Math.max(sum, end) : sum), 0)
  const rest = pdf.subarray(covered).toString('latin1').trim()
  return { list, isChangedSince: list.length > 0 && rest !== '' }
}

/** The dictionary of the signature around a position, for what readers show of it. */
function entryOf(pdf: Buffer, at: number, pattern: RegExp): string | undefined {
  const start = Math.max(0, pdf.lastIndexOf(' obj', at))
  const end = pdf.indexOf('endobj', at)
  const around = pdf.toString('latin1', start, Math.min(at + 200, end < 0 ? at + 200 : end))
  const after = end < 0 ? '' : pdf.toString('latin1', Math.max(at, end - 4000), end)
  return (pattern.exec(around) ?? pattern.exec(after))?.[1]
}

function timeOf(text: string | undefined): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-])(\d\d)'?(\d\d)?)?/.exec(text ?? '')
  if (parts === null) return null
  const [, year, month, day, hour, minute, second, sign, offsetHour = '0', offsetMinute = '0'] = parts
  const utc = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000
  return utc - (sign === '-' ? -offset : offset)
}

async function checkOne(
  pdf: Buffer,
  at: number,
  range: readonly number[],
  authorities: readonly Buffer[],
): Promise<CheckedSignature> {
  const [start = 0, length = 0, second = 0, rest = 0] = range
  const end = second + rest
  const time = timeOf(entryOf(pdf, at, /\/M\s*\(D:([^)]*)\)/))
  const bad = (problem: string): CheckedSignature => ({
    ...{
      fieldName: '',
      subject: '',
      issuer: '',
      serialNumber: '',
      time,
      isIntact: false,
      isTrusted: false,
      end,
      problem,
    },
  })
  if (start !== 0 || length <= 0 || second <= length || end > pdf.length) return bad('range')
  const gap = pdf.toString('latin1', length, second)
  // The gap must be the contents and nothing else, or something could stand there that nobody has signed.
  if (!/^<[0-9a-fA-F\s]*>$/.test(gap) || at > length) return bad('gap')
  try {
    const der = Buffer.from(gap.slice(1, -1).replace(/\s/g, ''), 'hex')
    const signed = new pki.SignedData({ schema: pki.ContentInfo.fromBER(der).content })
    const [info] = signed.signerInfos
    const certificates = (signed.certificates ?? []).filter((one) => one instanceof pki.Certificate)
    const own = certificates.find(
      ({ issuer, serialNumber }) =>
        info?.sid instanceof pki.IssuerAndSerialNumber &&
        issuer.isEqual(info.sid.issuer) &&
        serialNumber.isEqual(info.sid.serialNumber),
    )
    if (info === undefined || own === undefined) return bad('certificate')
    const content = Buffer.concat([pdf.subarray(0, length), pdf.subarray(second, end)])
    const digest = createHash('sha256').update(content).digest()
    const attribute = info.signedAttrs?.attributes.find(({ type }) => type === '1.2.840.113549.1.9.4')
    const stated = attribute?.values[0] as { valueBlock?: { valueHexView?: Uint8Array } } | undefined
    const said = Buffer.from(stated?.valueBlock?.valueHexView ?? new Uint8Array())
    const isSame = said.equals(digest)
    const isSigned = info.signedAttrs !== undefined && (await isSignedBy(info, own))
    const ownDer = Buffer.from(own.toSchema(true).toBER())
    const { subject, issuer } = readCertificate(ownDer)
    return {
      ...{ fieldName: '', subject, issuer, time, end },
      serialNumber: Buffer.from(own.serialNumber.valueBlock.valueHexView).toString('hex'),
      isIntact: isSame && isSigned,
      isTrusted: isSigned && (await isIssuedBy(own, authorities, time)),
      problem: isSame ? (isSigned ? '' : 'signature') : 'changed',
    }
  } catch {
    return bad('unreadable')
  }
}

async function isSignedBy(info: pki.SignerInfo, own: pki.Certificate): Promise<boolean> {
  const attributes = info.signedAttrs
  if (attributes === undefined) return false
  const bytes = new Uint8Array(attributes.encodedValue)
  return crypto.verifyWithPublicKey(bytes, info.signature, own.subjectPublicKeyInfo, info.signatureAlgorithm, 'SHA-256')
}

/** Whether an authority that is trusted issued the certificate, which was valid at that time. */
async function isIssuedBy(own: pki.Certificate, authorities: readonly Buffer[], time: number | null): Promise<boolean> {
  if (time === null || time < own.notBefore.value.getTime() || time > own.notAfter.value.getTime()) return false
  for (const der of authorities) {
    const authority = pki.Certificate.fromBER(der)
    if (!authority.subject.isEqual(own.issuer)) continue
    if (await own.verify(authority, crypto)) return true
  }
  return false
}
