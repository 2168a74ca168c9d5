// Answers to bytes that the HTTP parser refuses, before a request exists, and what it should refuse.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { codeMessage, codes } from '@cloudoc/domain'

/** By the error codes of Node's parser. Everything else is 400. */
const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/**
 * Answers bytes that are not valid HTTP, such as an address with letters that are not percent-encoded, and ends the
 * connection. The caller and the language are in headers that were not read.
 */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  // Node stores the response in progress of a connection in this field. An error after a complete request must not be
  // sent as the answer to that request, or inside that answer.
  const { _httpMessage: answering } = socket as { _httpMessage?: ServerResponse | null }
  const isAnothers = answering?.headersSent === true || answering?.req.complete === true
  if (error.code === 'ECONNRESET' || !socket.writable || isAnothers) return void socket.destroy()
  const status = statuses[error.code ?? ''] ?? 400
  const envelope = { result: codes.badRequest.code, data: null, msg: codeMessage('badRequest', 'zh') }
  const body = Buffer.from(JSON.stringify(envelope))
  const type = 'content-type: application/json; charset=utf-8\r\ncache-control: no-store'
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${type}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
  )
  socket.write(body)
  socket.destroySoon()
}

/** Whether a request names several hosts. Node uses the first of them. */
export function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n]?.toLowerCase() === 'host') hosts += 1
  return hosts > 1
}
