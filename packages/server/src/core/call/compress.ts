/*
 * Answers travel compressed to whoever accepts it: a list repeats its field names and paths in each row. Only what calls
 * answer: files are sent as they are stored.
 */
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const gzipped = promisify(gzip)
/** Below that, what is saved is less than a packet. */
export const worthIt = 1400

/** A list repeats itself so much that more effort would save little. */
export function compress(answer: string | Buffer): Promise<Buffer> {
  return gzipped(answer, { level: constants.Z_BEST_SPEED })
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
