/*
 * tus 1.0 (https://tus.io/protocols/resumable-upload) on top of uploads in parts: creation, creation-with-upload,
 * checksum, expiration and termination. Every request is handled like the call it corresponds to, with its session,
 * gates and codes. An error is reported both by the tus status and by the envelope.
 *
 * The folder is given in the metadata: `folderId`, beside `filename` and optionally `lastModified`, `conflict`,
 * `secretLevel`, `duration`, `unit` and `sha256`. Received bytes are stored in pieces of at most one part, each
 * acknowledged when it is durable. After an interrupted PATCH, HEAD therefore returns the exact progress. The last byte
 * creates the file; `cloudoc-file-id` returns its id. If that was refused, or a crash happened in between, HEAD tries
 * again, because a client considers an upload with all its bytes finished.
 */
import { createHash, type Hash } from 'node:crypto'
import { type Call, features } from '@cloudoc/contract'
import { type CodeName, fail, limits, ResultError, secretUntil } from '@cloudoc/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { readRaw } from '../../core/call/bodies.ts'
import { actorOf, type StagedContext } from '../../core/call/context.ts'
import { parseInput } from '../../core/call/input.ts'
import { authorityOf, type Perform } from '../../core/call/operation.ts'
import type { StoredFile } from '../content/index.ts'
import { type Attempt, contiguousPrefix, findUpload, type Upload, type Uploads } from './uploads.ts'

const path = '/services2/upload/tus'
const version = '1.0.0'
const algorithms = ['sha256', 'sha1']
const contentType = 'application/offset+octet-stream'
const abilities = {
  'tus-version': version,
  'tus-extension': 'creation,creation-with-upload,checksum,expiration,termination',
  'tus-checksum-algorithm': algorithms.join(','),
  'tus-max-size': limits.largestFile,
}
/** Maximum number of pieces of an upload: as many as its parts, plus those from interrupted and short requests. */
const piecesMost = 2 * limits.partsMost

/** The tus status of each refusal; any other is 422. */
const statuses: Partial<Record<CodeName, number>> = {
  badRequest: 400,
  notLoggedIn: 401,
  noPermission: 403,
  typeRestricted: 403,
  secretLevel: 403,
  passwordChangeRequired: 403,
  notFound: 404,
  // The offset of the request differs from the end of the stored bytes.
  duplicateOperation: 409,
  uploadSizeExceeded: 413,
  fileSizeExceeded: 413,
  folderSizeExceeded: 413,
  userSizeExceeded: 413,
  colleagueSizeExceeded: 413,
  capacityExceeded: 413,
  sendingTooOften: 429,
  uploadInterrupted: 460,
  serverException: 500,
  capacityNotSatisfied: 507,
}

/** The progress of an upload. */
interface Progress {
  readonly upload: Upload
  readonly offset: number
  /** The file, once it has been stored. */
  readonly stored: StoredFile | undefined
}

interface TusParts {
  readonly uploads: Uploads
  readonly perform: Perform
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Registers the tus routes. */
export function serveTus(app: FastifyInstance, { uploads, perform }: TusParts): void {
  /** Performs a request with the authorization of the call it corresponds to, and responds in terms of tus. */
  const standingFor =
    <I extends z.ZodObject, T>(
      name: string,
      call: Call<I>,
      fieldsOf: (request: FastifyRequest) => Record<string, unknown>,
      work: (context: StagedContext, input: z.output<I>) => Promise<T>,
      answer: (reply: FastifyReply, done: T) => FastifyReply,
    ): Answer =>
    async (request, reply) => {
      reply.header('tus-resumable', version).header('cache-control', 'no-store')
      if (request.headers['tus-resumable'] !== version) return reply.status(412).header('tus-version', version).send()
      const performed = await perform({
        operation: { ...authorityOf(name, call), kind: 'staged', run: work },
        request,
        reply,
        incoming: async () => ({ input: parseInput(call.input, fieldsOf(request)) }),
      })
      if ('isCut' in performed) return reply
      if ('data' in performed) return answer(reply, performed.data).send()
      return reply
        .status(statuses[performed.code] ?? 422)
        .send(request.method === 'HEAD' ? undefined : performed.envelope)
    }

  /** The progress of an upload; it stores the file as soon as all bytes have arrived. */
  const progress = async (context: StagedContext, upload: Upload, offset: number): Promise<Progress> => ({
    upload,
    offset,
    stored: offset === upload.size ? await uploads.complete(context, upload.id) : undefined,
  })

  const create = standingFor(
    'tusCreate',
    features.transfer.calls.uploadOpen,
    openingOf,
    async (context, { folderId, fileName, fileSize, conflict, secretLevel, duration, unit, lastModified, sha256 }) => {
      const upload = await uploads.open(context, {
        folderId,
        name: fileName,
        size: fileSize,
        conflict,
        secretLevel,
        secretUntil: secretUntil(context.now, duration, unit),
        diskTime: lastModified,
        sha256,
        metadata: String(context.request.headers['upload-metadata']),
      })
      return progress(context, upload, bringsBytes(context.request) ? await append(context, uploads, upload, 0) : 0)
    },
    (reply, done) => sendProgress(reply.status(201).header('location', `${path}/${done.upload.id}`), done),
  )

  const state = standingFor(
    'tusHead',
    features.transfer.calls.uploadComplete,
    idOf,
    async (context, { uploadId }) => {
      const upload = await activeUpload(context, uploadId)
      return progress(context, upload, (await contiguousPrefix(context.db, upload)).offset)
    },
    (reply, done) => {
      const { size, metadata } = done.upload
      if (metadata !== null) reply.header('upload-metadata', metadata)
      return sendProgress(reply.status(200).header('upload-length', size), done)
    },
  )

  const patch = standingFor(
    'tusPatch',
    features.transfer.calls.uploadComplete,
    idOf,
    async (context, { uploadId }) => {
      const from = wholeNumber(context.request.headers['upload-offset'])
      if (from === undefined) return fail('badRequest', 'upload-offset')
      if (!bringsBytes(context.request)) return fail('badRequest', 'content-type')
      const upload = await activeUpload(context, uploadId)
      try {
        return await progress(context, upload, await append(context, uploads, upload, from))
      } catch (error) {
        if (!(error instanceof ResultError && error.code === 'notFound')) throw error
        // Another request has delivered the last bytes meanwhile, so this one has nothing to add.
        const { file_id: fileId } = await activeUpload(context, uploadId)
        return fail(fileId === null ? 'notFound' : 'duplicateOperation')
      }
    },
    (reply, done) => sendProgress(reply.status(204), done),
  )

  const terminate = standingFor(
    'tusTerminate',
    features.transfer.calls.uploadAbort,
    idOf,
    async (context, { uploadId }) => {
      await activeUpload(context, uploadId)
      await uploads.abort(context, uploadId)
    },
    (reply) => reply.status(204),
  )

  const methods: Readonly<Record<string, Answer>> = { PATCH: patch, DELETE: terminate, HEAD: state }
  // X-HTTP-Method-Override, for clients that cannot send other methods.
  const overridden: Answer = async (request, reply) => {
    const method = methods[String(request.headers['x-http-method-override']).toUpperCase()]
    return method === undefined ? reply.status(404).send() : method(request, reply)
  }
  const describe: Answer = async (_request, reply) =>
    reply.status(204).header('tus-resumable', version).headers(abilities).send()

  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, parsed) => parsed(null, body))
    const bodyLimit = Number.MAX_SAFE_INTEGER
    for (const url of [path, `${path}/:uploadId`]) scope.route({ method: 'OPTIONS', url, handler: describe })
    scope.route({ method: 'POST', url: path, bodyLimit, handler: create })
    const one = { ...methods, POST: overridden }
    for (const [method, handler] of Object.entries(one)) {
      scope.route({ method, url: `${path}/:uploadId`, bodyLimit, handler })
    }
    done()
  })
}

function sendProgress(reply: FastifyReply, { upload, offset, stored }: Progress): FastifyReply {
  reply.header('upload-offset', offset)
  return stored === undefined
    ? reply.header('upload-expires', new Date(upload.expires_at).toUTCString())
    : reply.header('cloudoc-file-id', stored.fileId)
}

const idOf = (request: FastifyRequest): Record<string, unknown> => ({ ...(request.params as object) })

const bringsBytes = ({ headers }: FastifyRequest): boolean => headers['content-type'] === contentType

function wholeNumber(text: unknown): number | undefined {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** The fields of uploadOpen from the headers of a creation request; other metadata is ignored. */
function openingOf({ headers }: FastifyRequest): Record<string, unknown> {
  const fileSize = wholeNumber(headers['upload-length'])
  if (fileSize !== undefined && fileSize > limits.largestFile) return fail('uploadSizeExceeded')
  const fields: Record<string, unknown> = { fileSize }
  const known = {
    folderId: 'folderId',
    filename: 'fileName',
    conflict: 'conflict',
    secretLevel: 'secretLevel',
  } as const
  const more = { duration: 'duration', unit: 'unit', lastModified: 'lastModified', sha256: 'sha256' } as const
  const names = new Map<string, string>(Object.entries({ ...known, ...more }))
  const metadata = String(headers['upload-metadata'] ?? '')
  // It is returned unchanged, so it must be a valid header value.
  if (!/^[\x20-\x7e]*$/.test(metadata)) return fail('badRequest', 'upload-metadata')
  for (const pair of metadata.split(',')) {
    const [key = '', value = ''] = pair.trim().split(' ')
    const field = names.get(key)
    if (field !== undefined) fields[field] = Buffer.from(value, 'base64').toString()
  }
  return fields
}

/** The caller's own upload; refused if it was cancelled or has expired. */
async function activeUpload(context: StagedContext, uploadId: string): Promise<Upload> {
  const upload = await findUpload(context.db, actorOf(context).accountId, uploadId)
  // An upload started by the calls has its own parts.
  if (upload.metadata === null) return fail('notFound')
  return upload.ended_at !== null && upload.file_id === null ? fail('notFound') : upload
}

/** Appends the bytes of a request to an upload. Returns the new end offset. */
async function append(context: StagedContext, uploads: Uploads, upload: Upload, from: number): Promise<number> {
  const { headers, raw } = context.request
  const { id, size, part_size: partSize } = upload
  const { offset, next, contested } = await contiguousPrefix(context.db, upload)
  if (from !== offset) return fail('duplicateOperation', 'upload-offset')
  if (offset + (wholeNumber(headers['content-length']) ?? 0) > size) return fail('badRequest', 'upload-length')
  const check = checksumOf(headers['upload-checksum'])
  const body = new Pieces(readRaw(raw), check?.hash)
  const unchecked: Attempt[] = []
  let at = offset
  let mayBeAlone = !contested
  for (let number = next; await body.hasMore(); number += 1) {
    if (at === size) return fail('badRequest', 'upload-length')
    if (number > piecesMost) return fail('badRequest', 'too many pieces')
    const most = Math.min(partSize, size - at)
    const { claim, alone } = await uploads.claim(context.db, id, number, at)
    mayBeAlone &&= alone
    const place = { number, start: at, claim, alone: mayBeAlone }
    const part = await uploads.write(context.db, id, { ...place, most }, body.take(most), () => {})
    // A piece counts at once, unless the request contains a checksum of all of it.
    if (check === undefined) await uploads.name(context, id, [{ ...place, part }], true)
    else unchecked.push({ ...place, part })
    at += part.size
  }
  if (check !== undefined) {
    if (body.isBroken || !check.hash.digest().equals(check.expected)) {
      await uploads.drop(context.db, id, unchecked)
      return fail('uploadInterrupted', 'upload-checksum')
    }
    await uploads.name(context, id, unchecked, true)
  }
  return body.isBroken ? fail('uploadInterrupted') : at
}

/** Parses `algorithm base64`; undefined without a checksum header. */
function checksumOf(header: string | string[] | undefined): { hash: Hash; expected: Buffer } | undefined {
  if (header === undefined) return undefined
  const [algorithm = '', value = ''] = String(header).split(' ')
  if (!algorithms.includes(algorithm)) return fail('badRequest', 'upload-checksum')
  return { hash: createHash(algorithm), expected: Buffer.from(value, 'base64') }
}

/** Reads a body in pieces. An interrupted body ends at the interruption, which is reported. */
class Pieces {
  isBroken = false
  private readonly chunks: AsyncIterator<Uint8Array, undefined>
  private readonly hash: Hash | undefined
  private rest: Uint8Array = new Uint8Array(0)

  constructor(body: AsyncIterable<Uint8Array>, hash: Hash | undefined) {
    this.chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
    this.hash = hash
  }

  /** Whether bytes are left; waits for the next ones. */
  async hasMore(): Promise<boolean> {
    while (this.rest.length === 0 && !this.isBroken) {
      try {
        const next = await this.chunks.next()
        if (next.done === true) return false
        this.rest = next.value
        this.hash?.update(next.value)
      } catch {
        this.isBroken = true
      }
    }
    return this.rest.length > 0
  }

  /** Yields the next bytes, up to a maximum. */
  async *take(most: number): AsyncIterable<Uint8Array> {
    for (let left = most; left > 0 && (await this.hasMore()); ) {
      const chunk = this.rest.subarray(0, left)
      this.rest = this.rest.subarray(chunk.length)
      left -= chunk.length
      yield chunk
    }
  }
}
