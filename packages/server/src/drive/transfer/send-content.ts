/*
 * Sends stored content as an HTTP response: Range and If-Range (RFC 9110), HEAD, ETag. Uploaded content never executes
 * in our origin: it is always sent as an attachment, with sniffing disabled and a sandbox without any permission in
 * case it is opened anyway.
 */
import { hash } from 'node:crypto'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { encryptedExt, splitName } from '@cloudoc/domain'
import { lookup } from 'mrmime'
import type { Contents } from '../../core/blobs/contents.ts'
import type { BlobStore, ByteRange } from '../../core/blobs/store.ts'
import type { Context } from '../../core/call/context.ts'
import type { Meter } from '../downloads/index.ts'
import { type Encryption, encryptionOfReply } from './encrypt.ts'

export interface StoredContent {
  readonly blobId: number
  readonly key: string
  readonly size: number
  readonly sha256: Buffer
  readonly name: string
  readonly modifiedAt: number
}

/** The header of a caller that reads a content from this server, also if the store could send it by itself. */
export const throughServer = 'x-through-server'

/** Headers of every response that contains uploaded content. */
export function userContentHeaders(name: string): Record<string, string> {
  return {
    'content-disposition': dispositionOf(name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
  }
}

const typeOf = (name: string): string => lookup(name) ?? 'application/octet-stream'
const dispositionOf = (name: string): string =>
  `attachment; filename="${asciiName(name)}"; filename*=UTF-8''${encodeName(name)}`
/**
 * An ASCII file name for clients that read no other, such as `curl -OJ`. Different names must stay different, so a few
 * hash digits stand for the omitted characters.
 */
function asciiName(name: string): string {
  const { base, ext } = splitName(name)
  const plain = (text: string): string => text.replace(/[^\x20-\x7e]+|["\\%]/g, '_')
  if (plain(name) === name) return name
  const kept = plain(base).replace(/^[_. ]+|[_ ]+$/g, '')
  const digits = hash('sha256', name, 'hex').slice(0, 6)
  const tail = plain(ext).replace(/_+/g, '')
  return `${kept === '' ? 'file' : kept}-${digits}${tail === '' ? '' : `.${tail}`}`
}
const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** The requested range; null if it cannot be satisfied, undefined for the whole content. */
export function rangeOf(header: string | undefined, size: number): ByteRange | null | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (match === null) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? null : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? null : { start, end }
}

/** Whether If-None-Match contains the current ETag, so nothing has to be sent. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}

/**
 * Sends the response. Resolves when it has been sent or the client has disconnected. With `direct` the client is
 * redirected to the store. `whole` ignores the requested range.
 */
export async function sendContent(
  context: Context,
  contents: Pick<Contents, 'open'>,
  content: StoredContent,
  {
    direct,
    whole = false,
    meter,
  }: { readonly direct?: BlobStore['direct']; readonly whole?: boolean; readonly meter?: Meter | undefined } = {},
): Promise<void> {
  const { request, reply } = context
  if (encryptionOfReply(context) !== undefined) return sendWholly(context, contents, content, meter)
  const etag = `"${content.sha256.toString('base64url')}"`
  const headers: Record<string, string | number> = {
    ...userContentHeaders(content.name),
    'content-type': typeOf(content.name),
    'accept-ranges': whole ? 'none' : 'bytes',
    'last-modified': new Date(content.modifiedAt).toUTCString(),
    etag,
  }
  const answer = (status: number, more: Record<string, string | number> = {}): ServerResponse => {
    reply.hijack()
    // Includes the headers already set on every reply, in particular `connection: close` of a server that is shutting
    // down.
    return reply.raw.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers, ...more })
  }
  if (isKnown(request.headers['if-none-match'], etag)) return void answer(304).end()
  const ifRange = request.headers['if-range']
  const wanted = !whole && (ifRange === undefined || ifRange === etag) ? request.headers.range : undefined
  const range = rangeOf(wanted, content.size)
  if (range === null) return void answer(416, { 'content-range': `bytes */${content.size}` }).end()
  const length = range === undefined ? content.size : range.end - range.start + 1
  const status = range === undefined ? 200 : 206
  const more = {
    'content-length': length,
    ...(range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${content.size}` }),
  }
  if (request.method === 'HEAD' || length === 0) return void answer(status, more).end()
  if (direct !== undefined && meter === undefined) {
    const location = await direct(content.key, dispositionOf(content.name))
    return void answer(302, { location, 'content-length': 0 }).end()
  }
  // Headers are sent after the object has been opened, so an unreadable object produces an error and not a broken 200.
  await meter?.begin(length, content.size)
  let sent = 0
  try {
    await using object = await contents.open(content, range)
    sent = await sendChunks(object.lent(), length, answer(status, more), request.raw.socket)
  } finally {
    await meter?.end(sent)
  }
}

/** Sends stored content complete and without ranges, because each response of it is different. */
async function sendWholly(
  context: Context,
  contents: Pick<Contents, 'open'>,
  content: StoredContent,
  meter: Meter | undefined,
): Promise<void> {
  const { name, size } = content
  if (context.request.method === 'HEAD') return void (await sendWhole(context, name, undefined))
  await meter?.begin(size, size)
  let isSent = false
  try {
    await using object = await contents.open(content)
    isSent = await sendWhole(context, name, { length: size, chunks: object.lent() })
  } finally {
    await meter?.end(isSent ? size : 0)
  }
}

/**
 * Sends content generated for this response, complete and without ranges, because it may differ at the next request.
 * Its `length` is unknown for HEAD. Returns whether all of it was sent.
 */
export async function sendWhole(context: Context, name: string, made: Made | undefined): Promise<boolean> {
  const { request, reply } = context
  const encryption = encryptionOfReply(context)
  const sent = made && encryption !== undefined ? await encryptedWith(encryption, made) : made
  reply.hijack()
  const raw = reply.raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...(encryption === undefined
      ? { ...userContentHeaders(name), 'content-type': typeOf(name) }
      : encryptedHeaders(name)),
    ...(sent === undefined ? {} : { 'content-length': sent.length }),
  })
  if (sent === undefined || sent.length === 0) {
    raw.end()
    return true
  }
  return (await sendChunks(sent.chunks, sent.length, raw, request.raw.socket)) === sent.length
}

/** The headers of an encrypted response ([R132]). */
export const encryptedHeaders = (name: string): Record<string, string> => ({
  ...userContentHeaders(`${name}.${encryptedExt}`),
  'content-type': 'application/octet-stream',
})

interface Made {
  readonly length: number
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

async function encryptedWith(encryption: Encryption, { length, chunks }: Made): Promise<Made> {
  const encrypted = await encryption.encrypt(streamOf(chunks))
  return { length: encrypted.size(length), chunks: encrypted }
}

/** A stream that takes no more from its source than is read. */
export function streamOf(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next()
        if (next.done === true) controller.close()
        // Copied, because the sources lend their buffers.
        else controller.enqueue(new Uint8Array(next.value))
      },
      async cancel() {
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * Sends each chunk before it requests the next, so a slow receiver needs no more memory than a fast one. The last chunk
 * is sent with the end of the response, and a single chunk also with its beginning. Returns how many bytes were sent.
 */
async function sendChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  length: number,
  raw: ServerResponse,
  socket: Socket,
): Promise<number> {
  let left = length
  let proceed = (): void => {}
  // A pipelined response that has not been started yet gets no other event when its connection closes.
  const onClose = (): void => proceed()
  socket.once('close', onClose)
  try {
    for await (const chunk of chunks) {
      await new Promise<void>((resolve) => {
        proceed = resolve
        left -= chunk.length
        if (socket.destroyed) resolve()
        else if (left === 0) raw.end(chunk, () => resolve())
        else raw.write(chunk, () => resolve())
      })
      if (socket.destroyed) return length - left
    }
  } catch {
    // Bytes already sent cannot be revoked. Destroying the connection signals that the response is incomplete.
    raw.destroy()
  } finally {
    socket.off('close', onClose)
  }
  return length - left
}
