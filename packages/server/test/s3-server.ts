/*
 * A minimal S3 server that can tell a correct client from a wrong one: signatures (in headers and in URLs), body
 * hashes, ranges, multipart uploads with a minimum part size, copies, lists. It runs in its own process, so that it can
 * be killed: `node s3-server.ts <folder> <port> [<where it stops>]`. It prints the moment at which it stops on standard
 * output and does nothing more for that request. Every subfolder is a bucket. Acknowledged objects are complete in the
 * bucket's `blobs`, by key; open multipart uploads are in `blobs/multipart`. A bucket with a file `full` in it accepts
 * no more bytes.
 *
 * Written from the published description of the protocol, not from the client that it tests.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { s3Account, s3LeastPart } from './s3-account.ts'

const [root = '', port = '0', stopAt = ''] = process.argv.slice(2)
const { accessKeyId, secretAccessKey, region } = s3Account
const pageSize = 100

class Refusal extends Error {
  readonly status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

const hex = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Uint8Array | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The paths in a bucket. */
interface Bucket {
  readonly name: string
  readonly objects: string
  readonly multipart: string
  /** Incomplete data, which does not count as stored. */
  readonly arriving: string
}

async function bucketOf(name: string): Promise<Bucket> {
  const isThere = /^[\w-]+$/.test(name) && (await stat(join(root, name)).catch(() => undefined)) !== undefined
  if (!isThere) throw new Refusal(404, 'NoSuchBucket')
  const objects = join(root, name, 'blobs')
  return { name, objects, multipart: join(objects, 'multipart'), arriving: join(root, name, 'arriving') }
}

function pathOf(bucket: Bucket, key: string): string {
  if (!/^[\w-]+(\/[\w-]+)*$/.test(key) || key.startsWith('multipart/')) throw new Refusal(400, 'InvalidArgument')
  return join(bucket.objects, key)
}

/** Stops for good at the moment that the test has requested. */
async function moment(name: string): Promise<void> {
  if (name !== stopAt) return
  process.stdout.write(`stopped at ${name}\n`)
  await new Promise(() => {})
}

/** Refuses requests without a valid signature of the account. */
function authorize(request: IncomingMessage, url: URL): void {
  const inAddress = url.searchParams.has('X-Amz-Signature')
  const query = new Map(url.searchParams)
  const header = (name: string): string => String(request.headers[name] ?? '')
  const given = inAddress
    ? {
        credential: query.get('X-Amz-Credential') ?? '',
        signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
        signature: query.get('X-Amz-Signature') ?? '',
      }
    : (/^AWS4-HMAC-SHA256 Credential=(?<credential>\S+), SignedHeaders=(?<signedHeaders>\S+), Signature=(?<signature>\S+)$/.exec(
        header('authorization'),
      )?.groups ?? {})
  const { credential = '', signedHeaders = '', signature = '' } = given
  const date = (inAddress ? query.get('X-Amz-Date') : header('x-amz-date')) ?? ''
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`
  if (credential !== `${accessKeyId}/${scope}`) throw new Refusal(403, 'InvalidAccessKeyId')
  const at = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const goodForMs = inAddress ? Number(query.get('X-Amz-Expires')) * 1000 : 15 * 60_000
  if (!(Math.abs(Date.now() - at) <= goodForMs)) throw new Refusal(403, 'RequestTimeTooSkewed')
  const names = signedHeaders.split(';')
  const needed = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))
  if (!inAddress && !['host', ...needed].every((name) => names.includes(name))) throw new Refusal(403, 'AccessDenied')
  query.delete('X-Amz-Signature')
  const canonical = [
    request.method,
    url.pathname.split('/').map(decodeURIComponent).map(encoded).join('/'),
    [...query]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .toSorted()
      .join('&'),
    ...names.map((name) => `${name}:${header(name).trim()}`),
    '',
    signedHeaders,
    inAddress ? 'UNSIGNED-PAYLOAD' : header('x-amz-content-sha256'),
  ].join('\n')
  const steps = [date.slice(0, 8), region, 's3', 'aws4_request']
  const key = steps.reduce<Uint8Array | string>(hmac, `AWS4${secretAccessKey}`)
  const expected = hmac(key, ['AWS4-HMAC-SHA256', date, scope, hex(canonical)].join('\n')).toString('hex')
  const isRight = signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  if (!isRight) throw new Refusal(403, 'SignatureDoesNotMatch')
}

/** Reads the whole body and checks its signed hash; `what` names the moments during the transfer. */
async function bodyOf(request: IncomingMessage, what: string): Promise<Buffer> {
  if (request.headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength')
  const chunks: Buffer[] = []
  for await (const chunk of request) {
    chunks.push(chunk as Buffer)
    await moment(`mid ${what}`)
  }
  const body = Buffer.concat(chunks)
  if (hex(body) !== request.headers['x-amz-content-sha256']) throw new Refusal(400, 'XAmzContentSHA256Mismatch')
  return body
}

/** Writes bytes to a path atomically. */
async function place(bucket: Bucket, path: string, bytes: Uint8Array | Uint8Array[]): Promise<void> {
  const isFull = (await stat(join(root, bucket.name, 'full')).catch(() => undefined)) !== undefined
  if (isFull) throw new Refusal(507, 'XMinioStorageFull')
  const incoming = join(bucket.arriving, randomBytes(9).toString('hex'))
  await mkdir(bucket.arriving, { recursive: true })
  await writeFile(incoming, bytes)
  await mkdir(dirname(path), { recursive: true })
  await rename(incoming, path)
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
const tagOf = (body: Uint8Array): string => `"${createHash('md5').update(body).digest('hex')}"`
const numbered = (part: string): string => part.padStart(5, '0')

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new Refusal(404, 'NoSuchKey')
  return found.size
}

function rangeOf(header: string | undefined, size: number): { start: number; end: number } {
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(header ?? 'bytes=0-') ?? []
  const range = { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
  if (header !== undefined && range.start >= size) throw new Refusal(416, 'InvalidRange')
  return range
}

async function get(request: IncomingMessage, response: ServerResponse, path: string, url: URL): Promise<void> {
  const size = await sizeOf(path)
  const range = rangeOf(request.headers.range, size)
  const partial = request.headers.range !== undefined
  response.writeHead(partial ? 206 : 200, {
    'content-length': range.end - range.start + 1,
    'content-type': url.searchParams.get('response-content-type') ?? 'binary/octet-stream',
    'content-disposition': url.searchParams.get('response-content-disposition') ?? 'inline',
    ...(partial ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
  })
  if (request.method === 'HEAD' || size === 0) return void response.end()
  await moment('get')
  const half = Math.floor((range.start + range.end) / 2)
  if (stopAt === 'mid get' && half > range.start) {
    await pipeline(createReadStream(path, { start: range.start, end: half }), response, { end: false })
    await moment('mid get')
  }
  await pipeline(createReadStream(path, range), response)
}

async function copyPart(bucket: Bucket, request: IncomingMessage, to: string): Promise<string> {
  const [, name = '', ...key] = decodeURIComponent(String(request.headers['x-amz-copy-source'])).split('/')
  const source = pathOf(await bucketOf(name), key.join('/'))
  const { start, end } = rangeOf(String(request.headers['x-amz-copy-source-range']), await sizeOf(source))
  const body = (await readFile(source)).subarray(start, end + 1)
  await place(bucket, to, body)
  await moment('copied')
  return `<CopyPartResult><ETag>${xml(tagOf(body))}</ETag></CopyPartResult>`
}

async function complete(bucket: Bucket, key: string, folder: string, body: string): Promise<string> {
  const parts = [...body.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag><\/Part>/g)]
  if (parts.length === 0) throw new Refusal(400, 'MalformedXML')
  const bodies: Buffer[] = []
  for (const [n, [, number = '', tag]] of parts.entries()) {
    if (Number(number) !== n + 1) throw new Refusal(400, 'InvalidPartOrder')
    const bytes = await readFile(join(folder, numbered(number))).catch(() => undefined)
    if (bytes === undefined || tagOf(bytes) !== tag) throw new Refusal(400, 'InvalidPart')
    if (bytes.length < s3LeastPart && n < parts.length - 1) throw new Refusal(400, 'EntityTooSmall')
    bodies.push(bytes)
  }
  await moment('complete')
  await place(bucket, pathOf(bucket, key), bodies)
  await rm(folder, { recursive: true })
  await moment('completed')
  return `<CompleteMultipartUploadResult><Key>${xml(key)}</Key></CompleteMultipartUploadResult>`
}

/** The object key of an upload, taken from its id. */
const keyOf = (id: string): string => decodeURIComponent(id.split('.')[1] ?? '')

async function list({ objects, multipart }: Bucket, url: URL): Promise<string> {
  const prefix = url.searchParams.get('prefix') ?? ''
  const after = url.searchParams.get('continuation-token') ?? ''
  const entries = (await readdir(objects, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const paths = entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.startsWith(multipart))
  const keys = paths.map((path) => relative(objects, path)).toSorted()
  const found = keys.filter((key) => key.startsWith(prefix) && key > after)
  const shown = await Promise.all(
    found.slice(0, pageSize).map(async (key) => {
      const { size, mtime } = await stat(join(objects, key))
      return `<Contents><Key>${xml(key)}</Key><LastModified>${mtime.toISOString()}</LastModified><Size>${size}</Size></Contents>`
    }),
  )
  const more =
    found.length > pageSize ? `<NextContinuationToken>${xml(found[pageSize - 1] ?? '')}</NextContinuationToken>` : ''
  return `<ListBucketResult><IsTruncated>${more !== ''}</IsTruncated>${shown.join('')}${more}</ListBucketResult>`
}

async function listUploads({ multipart }: Bucket, url: URL): Promise<string> {
  const after = url.searchParams.get('upload-id-marker') ?? ''
  const ids = (await namesIn(multipart)).toSorted().filter((id) => id > after)
  const shown = await Promise.all(
    ids.slice(0, pageSize).map(async (id) => {
      const { mtime } = await stat(join(multipart, id))
      return `<Upload><Key>${keyOf(id)}</Key><UploadId>${id}</UploadId><Initiated>${mtime.toISOString()}</Initiated></Upload>`
    }),
  )
  const next = `<NextKeyMarker>k</NextKeyMarker><NextUploadIdMarker>${ids[pageSize - 1]}</NextUploadIdMarker>`
  const more = ids.length > pageSize
  return `<ListMultipartUploadsResult><IsTruncated>${more}</IsTruncated>${more ? next : ''}${shown.join('')}</ListMultipartUploadsResult>`
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://x')
  authorize(request, url)
  const [, name = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
  const bucket = await bucketOf(name)
  const key = rest.join('/')
  const query = url.searchParams
  const send = (text: string): void => void response.writeHead(200, { 'content-type': 'application/xml' }).end(text)

  if (key === '') return send(await (query.has('uploads') ? listUploads(bucket, url) : list(bucket, url)))
  const path = pathOf(bucket, key)
  if (request.method === 'GET' || request.method === 'HEAD') return get(request, response, path, url)
  if (request.method === 'POST' && query.has('uploads')) {
    const id = `${randomBytes(12).toString('hex')}.${encodeURIComponent(key)}`
    await mkdir(join(bucket.multipart, id), { recursive: true })
    await moment('begin')
    return send(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }
  const id = query.get('uploadId')
  if (id !== null) {
    if (keyOf(id) !== key || !(await namesIn(bucket.multipart)).includes(id)) throw new Refusal(404, 'NoSuchUpload')
    const folder = join(bucket.multipart, id)
    if (request.method === 'DELETE') {
      await rm(folder, { recursive: true })
      return void response.writeHead(204).end()
    }
    if (request.method === 'POST')
      return send(await complete(bucket, key, folder, (await bodyOf(request, 'complete')).toString()))
    const to = join(folder, numbered(query.get('partNumber') ?? ''))
    if (request.headers['x-amz-copy-source'] !== undefined) return send(await copyPart(bucket, request, to))
    const body = await bodyOf(request, 'part')
    await place(bucket, to, body)
    await moment('part kept')
    return void response.writeHead(200, { etag: tagOf(body) }).end()
  }
  if (request.method === 'PUT') {
    const body = await bodyOf(request, 'put')
    await place(bucket, path, body)
    await moment('put kept')
    return void response.writeHead(200, { etag: tagOf(body) }).end()
  }
  if (request.method === 'DELETE') {
    await rm(path, { force: true })
    // S3 has no empty folders.
    if (dirname(path) !== bucket.objects) await rmdir(dirname(path)).catch(() => {})
    return void response.writeHead(204).end()
  }
  throw new Refusal(405, 'MethodNotAllowed')
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    if (response.headersSent) return void response.destroy()
    const status = error instanceof Refusal ? error.status : 500
    response.writeHead(status, { connection: 'close' })
    response.end(`<Error><Code>${error instanceof Refusal ? error.message : 'InternalError'}</Code></Error>`)
  })
})
server.listen(Number(port), '127.0.0.1', () =>
  process.stdout.write(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
