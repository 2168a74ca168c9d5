/*
 * Checks the signatures of a PDF: whether the bytes that each covers are as they were signed, by whom, and by whose
 * authority. Only the places of signatures are read from the file: their byte ranges and their contents, which must be
 * exactly the gap between them.
 */
import { createHash } from 'node:crypto'
import type { SignatureCheck } from '@cloudoc/contract'
import * as pki from 'pkijs'
import { onlySignedAfter } from '../../documents/signing/index.ts'
import { crypto } from './engine.ts'
import { readCertificate } from './issue.ts'
import { checkToken } from './time-stamp.ts'

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
  /** The authority that is trusted here, above the signer; empty without one. */
  readonly trustedBy: string
  /** The time stamp of the signature, if it has a valid one. */
  readonly stamp: { readonly time: number; readonly authority: string } | null
  /** Where what it covers ends. */
  readonly end: number
  /** Nothing follows what it covers but later signatures and evidence. */
  readonly isComplete: boolean
  readonly problem: SignatureCheck['problem']
}

const most = 200
const mostAround = 200_000

/** Checks all signatures, in the order of the file. `authorities` are the certificates that are trusted, in DER. */
export async function checkSignatures(
  pdf: Buffer,
  authorities: readonly Buffer[],
): Promise<{ readonly list: CheckedSignature[]; readonly isChangedSince: boolean }> {
  const list: CheckedSignature[] = []
  for (const at of placesOf(pdf, '/ByteRange')) {
    const head = pdf.toString('latin1', at, at + 120)
    const found = /^\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/.exec(head)
    if (found !== null) list.push(await checkOne(pdf, at, found.slice(1, 5).map(Number), authorities))
    else if (isSignature(objectAround(pdf, at))) list.push(without('range'))
  }
  // Signatures that do not say what they cover: a reader may show them as signatures all the same.
  for (const at of placesOf(pdf, '/SubFilter')) {
    const around = objectAround(pdf, at)
    if (isSignature(around) && !around.includes('/ByteRange')) list.push(without('range'))
  }
  const signedEnds = new Set(list.filter(({ isIntact }) => isIntact).map(({ end }) => end))
  const isUnchanged = onlySignedAfter(pdf, signedEnds)
  const complete = list.map((one) => ({ ...one, isComplete: one.isIntact && isUnchanged(one.end) }))
  return { list: complete, isChangedSince: complete.some(({ isComplete }) => !isComplete) }
}

/** Where a name stands in the file. */
function placesOf(pdf: Buffer, name: string): readonly number[] {
  const places: number[] = []
  for (let at = pdf.indexOf(name); at >= 0 && places.length < most; at = pdf.indexOf(name, at + name.length))
    places.push(at)
  return places
}

/** The object around a position. */
function objectAround(pdf: Buffer, at: number): string {
  const start = pdf.lastIndexOf(' obj', at)
  const end = pdf.indexOf('endobj', at)
  const bounds = [Math.max(0, start, at - mostAround), Math.min(end < 0 ? pdf.length : end, at + mostAround)] as const
  return pdf.toString('latin1', ...bounds)
}

/** Whether the dictionary of a signature stands there, not a text about one. */
const isSignature = (around: string): boolean => /\/SubFilter\s*\/(?:adbe|ETSI)\./i.test(around)

/** A signature of which nothing is known. */
const without = (problem: SignatureCheck['problem']): CheckedSignature => ({
  ...{ fieldName: '', subject: '', issuer: '', serialNumber: '', time: null, isIntact: false },
  ...{ isTrusted: false, trustedBy: '', stamp: null, end: 0, isComplete: false, problem },
})

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
  const bad = (problem: SignatureCheck['problem']): CheckedSignature => ({ ...without(problem), time, end })
  if (start !== 0 || length <= 0 || second <= length || end > pdf.length) return bad('range')
  const gap = pdf.toString('latin1', length, second)
  // The gap must be the contents of this very dictionary and nothing else, or something could stand there that nobody
  // has signed.
  const isOwn = at > pdf.lastIndexOf(' obj', length) && at < pdf.indexOf('endobj', second)
  const isContents = /\/Contents\s*$/.test(pdf.toString('latin1', Math.max(0, length - 64), length))
  if (!isOwn || !isContents || !/^<[0-9a-fA-F\s]*>$/.test(gap)) return bad('gap')
  try {
    const der = Buffer.from(gap.slice(1, -1).replace(/\s/g, ''), 'hex')
    const signed = new pki.SignedData({ schema: pki.ContentInfo.fromBER(der).content })
    const [info] = signed.signerInfos
    const certificates = (signed.certificates ?? []).filter((one) => one instanceof pki.Certificate)
    const own = certificates.find((one) => info !== undefined && isSignerOf(info, one))
    if (info === undefined || own === undefined) return bad('certificate')
    const content = Buffer.concat([pdf.subarray(0, length), pdf.subarray(second, end)])
    const hash = hashes[info.digestAlgorithm.algorithmId]
    if (hash === undefined) return bad('algorithm')
    const digest = createHash(hash).update(content).digest()
    const attribute = info.signedAttrs?.attributes.find(({ type }) => type === '1.2.840.113549.1.9.4')
    const stated = attribute?.values[0] as { valueBlock?: { valueHexView?: Uint8Array } } | undefined
    const said = Buffer.from(stated?.valueBlock?.valueHexView ?? new Uint8Array())
    const isSame = said.equals(digest)
    const isSigned = info.signedAttrs !== undefined && (await isSignedBy(info, own, hash))
    const ownDer = Buffer.from(own.toSchema(true).toBER())
    const { subject, issuer } = readCertificate(ownDer)
    const stamp = await stampOf(info)
    const trustedBy = await trustedAbove(own, certificates, authorities, time)
    return {
      ...{ fieldName: '', subject, issuer, time, end, isComplete: false },
      serialNumber: Buffer.from(own.serialNumber.valueBlock.valueHexView).toString('hex'),
      isIntact: isSame && isSigned,
      ...{ isTrusted: isSigned && trustedBy !== '', trustedBy: isSigned ? trustedBy : '', stamp },
      problem: isSame ? (isSigned ? '' : 'signature') : 'changed',
    }
  } catch {
    return bad('unreadable')
  }
}

const hashes: Readonly<Record<string, 'sha256' | 'sha384' | 'sha512' | 'sha1'>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '1.3.14.3.2.26': 'sha1',
}

/** Whether a certificate is the one that a signature names, by its issuer and number or by the identifier of its key. */
function isSignerOf({ sid }: pki.SignerInfo, { issuer, serialNumber, extensions = [] }: pki.Certificate): boolean {
  if (sid instanceof pki.IssuerAndSerialNumber)
    return issuer.isEqual(sid.issuer) && serialNumber.isEqual(sid.serialNumber)
  const wanted = (sid as { valueBlock?: { valueHexView?: Uint8Array } } | undefined)?.valueBlock?.valueHexView
  const own = extensions.find(({ extnID }) => extnID === '2.5.29.14')?.parsedValue as
    | { valueBlock?: { valueHexView?: Uint8Array } }
    | undefined
  const found = own?.valueBlock?.valueHexView
  return wanted !== undefined && found !== undefined && Buffer.from(found).equals(Buffer.from(wanted))
}

/** The time stamp of a signature. */
async function stampOf(info: pki.SignerInfo): Promise<CheckedSignature['stamp']> {
  const attribute = info.unsignedAttrs?.attributes.find(({ type }) => type === '1.2.840.113549.1.9.16.2.14')
  if (attribute === undefined) return null
  try {
    const token = new pki.ContentInfo({ schema: attribute.values[0] })
    const signature = Buffer.from(info.signature.valueBlock.valueHexView)
    const read = await checkToken(token, signature)
    return read === undefined ? null : { time: read.time, authority: read.authority }
  } catch {
    return null
  }
}

const webHashes = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' } as const

async function isSignedBy(info: pki.SignerInfo, own: pki.Certificate, hash: keyof typeof webHashes): Promise<boolean> {
  const attributes = info.signedAttrs
  if (attributes === undefined) return false
  const bytes = new Uint8Array(attributes.encodedValue)
  return crypto.verifyWithPublicKey(
    bytes,
    info.signature,
    own.subjectPublicKeyInfo,
    info.signatureAlgorithm,
    webHashes[hash],
  )
}

/**
 * The authority that is trusted and stands above a certificate: itself, its issuer, or one further up by certificates that
 * came with the signature. Each must have been valid at the time of the signature.
 */
async function trustedAbove(
  own: pki.Certificate,
  others: readonly pki.Certificate[],
  authorities: readonly Buffer[],
  time: number | null,
): Promise<string> {
  const isValid = ({ notBefore, notAfter }: pki.Certificate): boolean =>
    time !== null && time >= notBefore.value.getTime() && time <= notAfter.value.getTime()
  const anchors = authorities.map((der) => ({ der, certificate: pki.Certificate.fromBER(der) }))
  let below = own
  for (let step = 0; step < 8 && isValid(below); step += 1) {
    const bytes = Buffer.from(below.toSchema(true).toBER())
    const same = anchors.find(({ der }) => der.equals(bytes))
    if (same !== undefined) return readCertificate(same.der).subject
    for (const { der, certificate } of anchors)
      if (await isIssuedBy(below, certificate)) return readCertificate(der).subject
    let above: pki.Certificate | undefined
    for (const one of others) if (one !== below && isAuthority(one) && (await isIssuedBy(below, one))) above ??= one
    if (above === undefined) return ''
    below = above
  }
  return ''
}

async function isIssuedBy(certificate: pki.Certificate, issuer: pki.Certificate): Promise<boolean> {
  return issuer.subject.isEqual(certificate.issuer) && certificate.verify(issuer, crypto).catch(() => false)
}

function isAuthority({ extensions = [] }: pki.Certificate): boolean {
  const constraints: unknown = extensions.find(({ extnID }) => extnID === '2.5.29.19')?.parsedValue
  return constraints instanceof pki.BasicConstraints && constraints.cA
}
