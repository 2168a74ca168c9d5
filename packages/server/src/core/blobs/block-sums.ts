/*
 * Sums by which a part of a content can be checked without the rest: the first 8 bytes of the AES-GMAC of each block, one
 * after another (ADR 80). A content of one block has none; it is checked by its hash.
 *
 * The key is no secret and nothing is authenticated: GMAC is what Node computes fastest of all that tells blocks apart, in
 * a quarter of the time of a crc32.
 */
import { type CipherGCM, createCipheriv } from 'node:crypto'

export const blockSize = 256 * 1024
const sumSize = 8
/** Sums are kept in pieces of so many bytes of a content: reading a part of a large one takes few of them. */
export const pieceSize = 1024 * 1024 * 1024
const pieceSums = (pieceSize / blockSize) * sumSize

const [key, nonce] = [Buffer.alloc(16), Buffer.alloc(12)]
const beginSum = (): CipherGCM => createCipheriv('aes-128-gcm', key, nonce)
const endSum = (sum: CipherGCM): Buffer => {
  sum.final()
  return sum.getAuthTag().subarray(0, sumSize)
}

/** Sums what comes of a content. */
export interface BlockSums {
  add(bytes: Uint8Array): void
  /** The sums of what has come; nothing is added after. */
  end(): Buffer
}

export function createBlockSums(): BlockSums {
  let sums = Buffer.alloc(0)
  let blocks = 0
  let sum = beginSum()
  /** Bytes of the block that is being summed. */
  let held = 0
  const keep = (): void => {
    if (blocks * sumSize === sums.length) sums = Buffer.concat([sums], Math.max(1024, sums.length * 2))
    sums.set(endSum(sum), blocks * sumSize)
    blocks += 1
    sum = beginSum()
    held = 0
  }
  return {
    add(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const taken = bytes.subarray(from, from + blockSize - held)
        sum.setAAD(taken)
        held += taken.length
        from += taken.length
        if (held === blockSize) keep()
      }
    },
    end() {
      if (held > 0) keep()
      return blocks > 1 ? sums.subarray(0, blocks * sumSize) : Buffer.alloc(0)
    },
  }
}

/** The sums of a content that is here whole. */
export function sumsOf(bytes: Uint8Array): Buffer {
  const sums = createBlockSums()
  if (bytes.length > blockSize) sums.add(bytes)
  return sums.end()
}

/** Cuts the sums of a content into those of its pieces. */
export function piecesOf(sums: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(sums.length / pieceSums) }, (_, n) =>
    sums.subarray(n * pieceSums, (n + 1) * pieceSums),
  )
}

/** Whether a block that begins there is the one that was summed, by the sums of its piece. */
export function isBlock(block: Uint8Array, at: number, piece: Buffer): boolean {
  const place = ((at % pieceSize) / blockSize) * sumSize
  return endSum(beginSum().setAAD(block)).equals(piece.subarray(place, place + sumSize))
}
