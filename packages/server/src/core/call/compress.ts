/*
 * Compresses answers for clients that accept it: a list repeats its field names and paths in each row. Applies only to
 * answers of calls. Files are sent as they are stored.
 */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const gzipped = promisify(gzip)
const inBlocks = promisify(deflateRaw)
/** Below this size, compression saves less than a packet. */
export const worthIt = 1400

/** A list is so repetitive that a higher compression level would save little. */
export function compress(answer: string): Promise<Buffer> {
  return gzipped(answer, { level: constants.Z_BEST_SPEED })
}

/** Bytes shared by several answers, compressed once for all of them. */
export class Part {
  readonly bytes: Buffer
  private compressed: Promise<Buffer> | undefined

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** DEFLATE blocks that refer to nothing before them, end at a byte boundary, and are not the last (RFC 1951). */
  deflated(): Promise<Buffer> {
    this.compressed ??= inBlocks(this.bytes, { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_FULL_FLUSH })
    return this.compressed
  }
}

/** The total uncompressed bytes of the parts. */
export const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { bytes }) => sum + bytes.length, 0)

const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff])
const lastBlock = Buffer.from([3, 0])

/** Concatenates parts to one gzip member (RFC 1952). */
export async function gzipOf(parts: readonly Part[]): Promise<Buffer> {
  const blocks = await Promise.all(parts.map((part) => part.deflated()))
  const tail = Buffer.alloc(8)
  const checksum = parts.reduce((sum, { bytes }) => crc32(bytes, sum), 0)
  tail.writeUInt32LE(checksum, 0)
  tail.writeUInt32LE(lengthOf(parts) % 2 ** 32, 4)
  return Buffer.concat([gzipHead, ...blocks, lastBlock, tail])
}

/** Whether an Accept-Encoding header allows gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((each) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(each))
}

/** Registers compression for the answers of a server. */
export function compressAnswers(http: FastifyInstance): void {
  http.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < worthIt || reply.hasHeader('content-encoding')) return payload
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload
    reply.header('vary', 'accept-encoding')
    if (!acceptsGzip(request.headers['accept-encoding'])) return payload
    reply.header('content-encoding', 'gzip')
    reply.removeHeader('content-length')
    return compress(payload)
  })
}
