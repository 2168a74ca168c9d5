/*
 * Answers travel compressed to whoever accepts it: a list repeats its field names and paths in each row. Only what calls
 * answer: files are sent as they are stored.
 */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const gzipped = promisify(gzip)
const inBlocks = promisify(deflateRaw)
/** Below that, what is saved is less than a packet. */
export const worthIt = 1400

/** A list repeats itself so much that more effort would save little. */
export function compress(answer: string): Promise<Buffer> {
  return gzipped(answer, { level: constants.Z_BEST_SPEED })
}

/** Bytes that several answers are made of, compressed once for all of them. */
export class Part {
  readonly bytes: Buffer
  private compressed: Promise<Buffer> | undefined

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Blocks of DEFLATE that refer to nothing before them, end with a whole byte, and are not the last (RFC 1951). */
  deflated(): Promise<Buffer> {
    this.compressed ??= inBlocks(this.bytes, { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_FULL_FLUSH })
    return this.compressed
  }
}

/** How many bytes parts have together, uncompressed. */
export const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { bytes }) => sum + bytes.length, 0)

const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff])
const lastBlock = Buffer.from([3, 0])

/** Parts one after the other, as one member of gzip (RFC 1952). */
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

/** Compresses the answers of a server. */
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
