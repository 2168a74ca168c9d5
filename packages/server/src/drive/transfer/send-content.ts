/*
 * A stored content as an HTTP answer: Range and If-Range (RFC 9110), HEAD, ETag. What people uploaded never runs in our
 * origin: it is always an attachment, never sniffed, and sandboxed without any permission if somebody opens it anyway.
 */
import { pipeline } from 'node:stream/promises'
import { lookup } from 'mrmime'
import type { BlobStore, ByteRange } from '../../core/blobs/store.ts'
import type { Context } from '../../core/call/context.ts'

export interface StoredContent {
  readonly key: string
  readonly size: number
  readonly sha256: Buffer
  readonly name: string
  readonly modifiedAt: number
}

/** Headers of every answer that carries what people uploaded. */
export function userContentHeaders(name: string): Record<string, string> {
  return {
    'content-disposition': `attachment; filename="${asciiName(name)}"; filename*=UTF-8''${encodeName(name)}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
  }
}

const asciiName = (name: string): string => name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** The range that a request asks for; null where it cannot be satisfied, undefined for the whole content. */
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

/** Writes the answer; resolves when it has been sent or the client is gone. */
export async function sendContent(context: Context, blobs: BlobStore, content: StoredContent): Promise<void> {
  const { request, reply } = context
  const etag = `"${content.sha256.toString('base64url')}"`
  const headers: Record<string, string | number> = {
    ...userContentHeaders(content.name),
    'content-type': lookup(content.name) ?? 'application/octet-stream',
    'accept-ranges': 'bytes',
    'last-modified': new Date(content.modifiedAt).toUTCString(),
    etag,
  }
  const raw = reply.raw
  if (request.headers['if-none-match'] === etag) {
    reply.hijack()
    raw.writeHead(304, headers).end()
    return
  }
  const ifRange = request.headers['if-range']
  const wanted = ifRange === undefined || ifRange === etag ? request.headers.range : undefined
  const range = rangeOf(wanted, content.size)
  reply.hijack()
  if (range === null) {
    raw.writeHead(416, { ...headers, 'content-range': `bytes */${content.size}` }).end()
    return
  }
  const length = range === undefined ? content.size : range.end - range.start + 1
  headers['content-length'] = length
  if (range !== undefined) headers['content-range'] = `bytes ${range.start}-${range.end}/${content.size}`
  const status = range === undefined ? 200 : 206
  if (request.method === 'HEAD' || length === 0) {
    raw.writeHead(status, headers).end()
    return
  }
  const bytes = blobs.open(content.key, range)
  // The headers go out with the first bytes: an object that cannot be read answers an error, not a broken 200.
  await new Promise<void>((resolve, reject) => {
    bytes.once('readable', resolve)
    bytes.once('error', reject)
  })
  raw.writeHead(status, headers)
  await pipeline(bytes, raw).catch(() => raw.destroy())
}
