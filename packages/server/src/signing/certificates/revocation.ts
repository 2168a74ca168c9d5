/*
 * What issuers say about certificates at the time of a signature: answers of OCSP, or lists of revoked certificates. It
 * is embedded in the signed file, so that readers can check the signature when the issuer answers no more. Fetched over
 * HTTP before the transaction; what cannot be fetched is left out, and a certificate that is revoked does not sign.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import * as pki from 'pkijs'
import { readResponse } from '../../core/outbound-http.ts'
import { crypto } from './engine.ts'

/** What is embedded, in DER. */
export interface RevocationData {
  readonly certificates: readonly Buffer[]
  readonly ocsps: readonly Buffer[]
  readonly crls: readonly Buffer[]
  /** Whether there is an answer for each certificate below the root. */
  readonly isComplete: boolean
}

/** A certificate was revoked by its issuer. */
export class RevokedCertificate extends Error {
  override name = 'RevokedCertificate'
}

const timeMs = 8000
const largestAnswer = 64 * 1024
const largestList = 4 * 1024 * 1024
const oids = { access: '1.3.6.1.5.5.7.1.1', ocsp: '1.3.6.1.5.5.7.48.1', lists: '2.5.29.31' } as const

type Certificate = pki.Certificate

const isSelfSigned = ({ issuer, subject }: Certificate): boolean => issuer.isEqual(subject)
const derOf = (certificate: Certificate): Buffer => Buffer.from(certificate.toSchema(true).toBER())
const isHttp = (address: string): boolean => /^https?:\/\//i.test(address)

function addressOf(name: pki.GeneralName): string[] {
  return name.type === 6 && typeof name.value === 'string' && isHttp(name.value) ? [name.value] : []
}

/** Where a certificate says that OCSP answers. */
function ocspAddresses({ extensions = [] }: Certificate): string[] {
  const found: unknown = extensions.find(({ extnID }) => extnID === oids.access)?.parsedValue
  if (!(found instanceof pki.InfoAccess)) return []
  return found.accessDescriptions
    .filter(({ accessMethod }) => accessMethod === oids.ocsp)
    .flatMap(({ accessLocation }) => addressOf(accessLocation))
}

/** Where a certificate says that the list of its issuer lies. */
function listAddresses({ extensions = [] }: Certificate): string[] {
  const found: unknown = extensions.find(({ extnID }) => extnID === oids.lists)?.parsedValue
  if (!(found instanceof pki.CRLDistributionPoints)) return []
  return found.distributionPoints.flatMap(({ distributionPoint }) =>
    Array.isArray(distributionPoint) ? distributionPoint.flatMap(addressOf) : [],
  )
}

async function fetched(address: string, signal: AbortSignal, body?: Buffer): Promise<Buffer | undefined> {
  const most = body === undefined ? largestList : largestAnswer
  const sent =
    body === undefined
      ? {}
      : {
          method: 'POST',
          body: Readable.from([body], { objectMode: false }),
          headers: { 'content-type': 'application/ocsp-request', 'content-length': String(body.length) },
        }
  try {
    const answer = await readResponse(address, { timeMs, signal, bytes: most, inflatedBytes: most, ...sent })
    return answer.status === 200 ? answer.body : undefined
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** The answer of OCSP, if it is about this certificate and by its issuer. */
async function askedOcsp(own: Certificate, issuer: Certificate, at: number, signal: AbortSignal) {
  for (const address of ocspAddresses(own)) {
    const request = new pki.OCSPRequest()
    await request.createForCertificate(own, { hashAlgorithm: 'SHA-1', issuerCertificate: issuer }, crypto)
    const answer = await fetched(address, signal, Buffer.from(request.toSchema(true).toBER()))
    if (answer === undefined) continue
    const state = await readOcsp(answer, own, issuer, at)
    if (state === 'revoked') throw new RevokedCertificate(own.serialNumber.valueBlock.toString())
    if (state === 'good') return answer
  }
  return undefined
}

async function readOcsp(
  answer: Buffer,
  own: Certificate,
  issuer: Certificate,
  at: number,
): Promise<'good' | 'revoked' | undefined> {
  try {
    const response = pki.OCSPResponse.fromBER(new Uint8Array(answer))
    if (response.responseBytes === undefined) return undefined
    const basic = pki.BasicOCSPResponse.fromBER(response.responseBytes.response.valueBlock.valueHexView)
    const { isForCertificate, status } = await basic.getCertificateStatus(own, issuer, crypto)
    if (!isForCertificate || !(await basic.verify({ trustedCerts: [issuer] }, crypto))) return undefined
    const isNew = basic.tbsResponseData.responses.every(
      ({ thisUpdate, nextUpdate }) =>
        thisUpdate.getTime() <= at + 10 * 60_000 &&
        (nextUpdate === undefined || nextUpdate.getTime() > at - 10 * 60_000),
    )
    if (!isNew) return undefined
    return status === 0 ? 'good' : status === 1 ? 'revoked' : undefined
  } catch {
    return undefined
  }
}

/** The list of revoked certificates, if it is by the issuer. */
async function askedList(own: Certificate, issuer: Certificate, at: number, signal: AbortSignal) {
  for (const address of listAddresses(own)) {
    const answer = await fetched(address, signal)
    if (answer === undefined) continue
    try {
      const list = pki.CertificateRevocationList.fromBER(new Uint8Array(answer))
      if (!list.issuer.isEqual(issuer.subject)) continue
      if (!(await list.verify({ issuerCertificate: issuer }, crypto))) continue
      if (list.nextUpdate !== undefined && list.nextUpdate.value.getTime() < at) continue
      if (list.isCertificateRevoked(own)) throw new RevokedCertificate(own.serialNumber.valueBlock.toString())
      return answer
    } catch (error) {
      if (error instanceof RevokedCertificate) throw error
    }
  }
  return undefined
}

/**
 * Asks about each certificate of a chain that is not self-signed. Undefined where none says where to ask. Throws
 * {@link RevokedCertificate}.
 */
export async function revocationOf(
  chain: readonly Buffer[],
  at: number,
  signal: AbortSignal,
  publicUrl?: string,
): Promise<RevocationData | undefined> {
  const certificates = chain.map((der) => pki.Certificate.fromBER(new Uint8Array(der)))
  const [ocsps, crls] = [[] as Buffer[], [] as Buffer[]]
  let missing = 0
  for (const [n, own] of certificates.entries()) {
    const issuer = certificates[n + 1]
    if (isSelfSigned(own)) continue
    // What this installation issued is compared in the transaction, which is later than any list.
    if (publicUrl !== undefined && listAddresses(own).some((address) => address.startsWith(`${publicUrl}/`))) {
      missing += 1
      continue
    }
    if (issuer === undefined || !own.issuer.isEqual(issuer.subject)) {
      missing += 1
      continue
    }
    const answer = await askedOcsp(own, issuer, at, signal)
    if (answer !== undefined) {
      ocsps.push(answer)
      continue
    }
    const list = await askedList(own, issuer, at, signal)
    if (list === undefined) missing += 1
    else crls.push(list)
  }
  if (ocsps.length + crls.length === 0) return undefined
  const known = new Map(certificates.map(derOf).map((der) => [createHash('sha256').update(der).digest('hex'), der]))
  return { certificates: [...known.values()], ocsps, crls, isComplete: missing === 0 }
}
