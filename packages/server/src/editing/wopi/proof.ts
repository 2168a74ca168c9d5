// Verifies that a request comes from the office server, which signs its token, its address and its time (WOPI proof
// keys).
import { verify } from 'node:crypto'
import type { Discovery } from './discovery.ts'

const oldestMs = 20 * 60_000
/** Ticks of 100 ns from the year 1 to 1970. */
const epochTicks = 621_355_968_000_000_000n

export interface Signed {
  readonly token: string
  /** The full requested address. */
  readonly url: string
  /** X-WOPI-TimeStamp. */
  readonly timestamp: string
  /** X-WOPI-Proof and X-WOPI-ProofOld, in base64. */
  readonly proof: string
  readonly oldProof: string
}

/** The bytes that are signed. */
export function proofBytes({ token, url, timestamp }: Pick<Signed, 'token' | 'url' | 'timestamp'>): Buffer {
  const part = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  const time = Buffer.alloc(8)
  time.writeBigInt64BE(BigInt(timestamp))
  return Buffer.concat([part(Buffer.from(token)), part(Buffer.from(url.toUpperCase())), part(time)])
}

/** Whether the time of a request is within the last 20 minutes. */
export function isInTime(timestamp: string, now: number): boolean {
  if (!/^\d{1,19}$/.test(timestamp) || BigInt(timestamp) > 3_155_378_975_999_999_999n) return false
  const at = Number((BigInt(timestamp) - epochTicks) / 10_000n)
  return Math.abs(now - at) <= oldestMs
}

/** Whether the request is signed by the newest key or the previous one, allowing for a key change on either side. */
export function isProven(signed: Signed, { current, previous }: Discovery): boolean {
  const bytes = proofBytes(signed)
  const holds = (proof: string, key: Discovery['previous']): boolean =>
    key !== undefined && proof !== '' && verify('RSA-SHA256', bytes, key, Buffer.from(proof, 'base64'))
  return holds(signed.proof, current) || holds(signed.oldProof, current) || holds(signed.proof, previous)
}
