/*
 * Time stamps by RFC 3161: an authority confirms when a signature existed. Asked over HTTP before the transaction that
 * stores the signature; a token is used only if it answers exactly this question.
 */
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { Integer, OctetString } from 'asn1js'
import * as pki from 'pkijs'
import { OutboundFailure, readResponse } from '../../core/outbound-http.ts'
import { crypto } from './engine.ts'
import { readCertificate } from './issue.ts'

/** A token, in DER, with what it says. */
export interface TimeStamp {
  readonly token: Buffer
  /** Milliseconds since 1970. */
  readonly time: number
  readonly authority: string
}

/** Why there is no time stamp, for administrators. */
export class TimeStampFailure extends Error {
  override name = 'TimeStampFailure'
}

const sha256 = '2.16.840.1.101.3.4.2.1'
const timeStamping = '1.3.6.1.5.5.7.3.8'
const largestAnswer = 64 * 1024
const timeMs = 15_000

const bytesIn = (view: Uint8Array): Buffer => Buffer.from(view)

/** Asks for a time stamp of these bytes. Throws {@link TimeStampFailure}. */
export async function timeStamp(address: string, stamped: Buffer, signal: AbortSignal): Promise<TimeStamp> {
  const nonce = Buffer.concat([Buffer.of(1), randomBytes(8)])
  const digest = createHash('sha256').update(stamped).digest()
  const request = new pki.TimeStampReq({
    ...{ version: 1, certReq: true, nonce: new Integer({ valueHex: nonce }) },
    messageImprint: new pki.MessageImprint({
      hashAlgorithm: new pki.AlgorithmIdentifier({ algorithmId: sha256 }),
      hashedMessage: new OctetString({ valueHex: digest }),
    }),
  })
  const body = Buffer.from(request.toSchema().toBER())
  const answer = await ask(address, body, signal)
  return readToken(answer, { stamped, digest, nonce })
}

async function ask(address: string, body: Buffer, signal: AbortSignal): Promise<Buffer> {
  try {
    const { status, body: bytes } = await readResponse(address, {
      ...{ method: 'POST', timeMs, signal, bytes: largestAnswer, inflatedBytes: largestAnswer },
      body: Readable.from([body], { objectMode: false }),
      headers: { 'content-type': 'application/timestamp-query', 'content-length': String(body.length) },
    })
    if (status !== 200) throw new TimeStampFailure(`HTTP ${status}`)
    return bytes
  } catch (error) {
    if (error instanceof OutboundFailure) throw new TimeStampFailure(error.message, { cause: error })
    throw error
  }
}

async function readToken(
  answer: Buffer,
  asked: { readonly stamped: Buffer; readonly digest: Buffer; readonly nonce: Buffer },
): Promise<TimeStamp> {
  let response: pki.TimeStampResp
  try {
    response = pki.TimeStampResp.fromBER(new Uint8Array(answer))
  } catch {
    throw new TimeStampFailure('the answer is no time stamp')
  }
  const { status, timeStampToken: token } = response
  // 0 granted, 1 granted with changes.
  const granted: number = status.status
  if (granted > 1 || token === undefined) throw new TimeStampFailure(`refused with status ${status.status}`)
  const read = await checkToken(token, asked.stamped)
  if (read === undefined) throw new TimeStampFailure('the signature of the time stamp is not valid')
  if (!bytesIn(read.info.messageImprint.hashedMessage.valueBlock.valueHexView).equals(asked.digest))
    throw new TimeStampFailure('a time stamp of something else')
  const nonce = read.info.nonce?.valueBlock.valueHexView
  if (nonce === undefined || !bytesIn(nonce).equals(asked.nonce))
    throw new TimeStampFailure('the answer to another question')
  return { token: Buffer.from(token.toSchema().toBER()), time: read.time, authority: read.authority }
}

/** Reads a token and checks its signature, and that it stamps these bytes. */
export async function checkToken(token: pki.ContentInfo, stamped: Buffer) {
  try {
    const signed = new pki.SignedData({ schema: token.content })
    const { signatureVerified, signerCertificate } = await signed.verify(
      { signer: 0, data: new Uint8Array(stamped).buffer, checkChain: false, extendedMode: true },
      crypto,
    )
    const content = signed.encapContentInfo.eContent?.valueBlock
    const own = signerCertificate
    if (signatureVerified !== true || own === null || own === undefined || content === undefined) return undefined
    const use: unknown = own.extensions?.find(({ extnID }) => extnID === '2.5.29.37')?.parsedValue
    if (!(use instanceof pki.ExtKeyUsage) || !use.keyPurposes.includes(timeStamping)) return undefined
    const info = pki.TSTInfo.fromBER(new Uint8Array(signed.encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0)))
    const { subject } = readCertificate(Buffer.from(own.toSchema(true).toBER()))
    return { info, time: info.genTime.getTime(), authority: subject, certificates: signed.certificates ?? [] }
  } catch {
    return undefined
  }
}
