// What the parser of HTTP refuses, before there is a request that anything could be said of.
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { codeMessage, codes } from '@cloudoc/domain'

/** By the codes of Node's parser; all else is 400. */
const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/**
 * Answers bytes that are no HTTP, such as an address with letters that are not percent-encoded, and ends the connection.
 * Who asks, and in which language, stands in headers that nobody has read.
 */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  // Where Node notes whom a connection is answering. What follows a whole request must not be taken for its answer, nor
  // for bytes of that.
  const { _httpMessage: answering } = socket as { _httpMessage?: ServerResponse | null }
  const isAnothers = answering?.headersSent === true || answering?.req.complete === true
  if (error.code === 'ECONNRESET' || !socket.writable || isAnothers) return void socket.destroy()
  const status = statuses[error.code ?? ''] ?? 400
  const envelope = { result: codes.badRequest.code, data: null, msg: codeMessage('badRequest', 'zh') }
  const body = Buffer.from(JSON.stringify(envelope))
  const type = 'content-type: application/json; charset=utf-8'
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${type}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
  )
  socket.write(body)
  socket.destroySoon()
}
