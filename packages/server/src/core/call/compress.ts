/*
 * Answers travel compressed to whoever accepts it: a list repeats its field names and paths in each row. Only what calls
 * answer: files are sent as they are stored.
 */
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)
/** Below that, what is saved is less than a packet. */
const worthIt = 1400

/** Whether an Accept-Encoding header allows gzip. */
function accepts(header: string | string[] | undefined): boolean {
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
    if (!accepts(request.headers['accept-encoding'])) return payload
    reply.header('content-encoding', 'gzip')
    reply.removeHeader('content-length')
    return compress(payload, { level: constants.Z_BEST_SPEED })
  })
}
