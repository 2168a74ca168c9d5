/*
 * The S3 store: contents in a bucket. Arrived bytes are written at once under their final key, which is random and
 * never reused. A PUT and the completion of a multipart upload are atomic, so there is nothing to rename. A failure
 * before a database row names the object leaves an unreferenced object, which the collector removes. Multipart uploads
 * that were never completed are dropped after a day.
 *
 * Contents larger than a part are uploaded by multipart while they arrive: one part is sent while the next is buffered,
 * and the hash is known at the end. Objects are stored under `objects/`, the parts of resumable uploads under
 * `uploads/{upload}/`, one object per attempt. They are joined inside the store by copying them as parts. Only those
 * smaller than S3's minimum part size are sent again. The hash of the whole still requires reading their bytes in this
 * process.
 */
import { createHash, randomBytes } from 'node:crypto'
import { ResultError } from '@cloudoc/domain'
import type { S3Config } from '../../config.ts'
import { type BlockSums, createBlockSums } from './block-sums.ts'
import { createS3Client, type S3Client, type S3Parts, S3Refusal } from './s3-client.ts'
import {
  type BlobStore,
  type ByteRange,
  NotAsStored,
  noSuchObject,
  type OpenObject,
  type Staged,
  type StoredObject,
  type StoredPart,
} from './store.ts'

const MiB = 1024 * 1024
/** An upload holds about two parts of this size in memory. */
const usualPartBytes = 8 * MiB
/** S3's minimum size of every part but the last. An upload can have 10,000 parts. */
const leastPartBytes = 5 * MiB
const mostParts = 9000
/** The part size doubles after this many parts, so that a content of unknown size can grow to the maximum of S3. */
const doubleAfter = 1000
const abandonedAfterMs = 24 * 60 * 60_000
/** Written and removed at each start. The name is fixed, so that an interrupted start leaves at most one object. */
const probe = 'probe'
/** The object that names the installation that owns the contents. */
const markName = 'installation'
/** How long the URL of a direct download is valid. */
const directSeconds = 300

const keyForm = /^objects\/[\w-]{24}$/
const uploadForm = /^[\w-]{20,60}$/
const tagForm = /^[\w-]{24}$/
const randomName = (): string => randomBytes(18).toString('base64url')

/** A bucket that cannot be written to. The message is one line for the operator. */
export class StoreUnusable extends Error {
  override name = 'StoreUnusable'

  constructor(error: unknown) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error))
    const reason = cause instanceof Error ? `it does not answer (${cause.message})` : message
    super(`BLOB_URL: the S3 store cannot be used: ${reason}`)
  }
}

export interface S3StoreParts extends S3Parts {
  /** Bytes of a part of a multipart upload. Tests use small ones. */
  readonly partBytes?: number
  /** Called at the moments after a content is durable, for tests. */
  readonly pausePoint?: (point: string) => Promise<void>
}

/** Opens a bucket. Rejects if the bucket cannot be written to. */
export async function openS3Store(config: S3Config, parts: S3StoreParts): Promise<BlobStore> {
  const { log, partBytes = usualPartBytes, pausePoint = () => Promise.resolve() } = parts
  const s3 = createS3Client(config, parts)
  const least = Math.min(leastPartBytes, partBytes)
  try {
    await s3.put(probe, new Uint8Array())
    await s3.text('DELETE', probe)
  } catch (error) {
    // The contents of a full store can still be read and removed.
    if (!(error instanceof ResultError && error.code === 'capacityNotSatisfied')) throw new StoreUnusable(error)
    log.warn('the S3 store has no room for more')
  }

  const tidy = (): void => {
    dropAbandoned(s3).catch((error: unknown) =>
      log.error({ reason: String(error) }, 'abandoned multipart uploads could not be dropped'),
    )
  }
  tidy()
  const tidying = setInterval(tidy, abandonedAfterMs).unref()

  const pathOf = (key: string): string => {
    if (!keyForm.test(key)) throw noSuchObject()
    return key
  }
  const uploadPath = (upload: string): string => {
    if (!uploadForm.test(upload)) throw new Error('no such upload')
    return `uploads/${upload}/`
  }
  const partPath = (upload: string, tag: string): string => {
    if (!tagForm.test(tag)) throw new Error('no such part')
    return `${uploadPath(upload)}${tag}`
  }

  /** Writes a stream to its end into an object. */
  const write = async (key: string, content: AsyncIterable<Uint8Array>, most: number, sums?: BlockSums) => {
    const hash = createHash('sha256')
    let size = 0
    const object = assemble(s3, key, partBytes)
    try {
      for await (const chunk of content) {
        size += chunk.length
        if (size > most) throw new Error('more bytes than there is place for')
        hash.update(chunk)
        sums?.add(chunk)
        await object.add(chunk)
      }
      await object.finish()
    } catch (error) {
      await object.abort(error)
      throw error
    }
    return { size, sha256: hash.digest() }
  }

  const remove = async (key: string): Promise<void> => void (await s3.text('DELETE', key))

  const staged = (key: string, { size, sha256, sums }: Pick<Staged, 'size' | 'sha256' | 'sums'>): Staged => ({
    size,
    sha256,
    sums,
    async keep() {
      await pausePoint('content staged')
      await pausePoint('content kept')
      return key
    },
    discard: () => remove(key).catch(() => {}),
  })

  return {
    async stage(content) {
      const key = `objects/${randomName()}`
      const sums = createBlockSums()
      const { size, sha256 } = await write(key, content, Number.MAX_SAFE_INTEGER, sums)
      return staged(key, { size, sha256, sums: sums.end() })
    },

    open: async (key, range) => openObject(s3, pathOf(key), range),
    async remove(key) {
      if (keyForm.test(key)) await remove(key)
    },
    list: () => listObjects(s3, 'objects/'),

    async writePart(upload, { most }, content): Promise<StoredPart> {
      const tag = randomName()
      return { tag, ...(await write(partPath(upload, tag), content, most)) }
    },

    async joinParts(upload, parts) {
      const size = parts.reduce((sum, part) => sum + part.size, 0)
      const key = `objects/${randomName()}`
      // Parts that are too small to be copied are sent again from this process, and so are parts that are too many.
      const smallest = Math.max(least, Math.ceil(size / mostParts))
      const object = assemble(s3, key, Math.max(partBytes, smallest))
      const hash = createHash('sha256')
      const sums = createBlockSums()
      try {
        for (const part of parts.filter((one) => one.size > 0)) {
          const path = partPath(upload, part.tag)
          // The buffered bytes must not be sent below the minimum part size: the first bytes of this part fill them up.
          const first = object.held === 0 ? 0 : Math.max(0, smallest - object.held)
          const isCopied = part.size - first >= smallest
          let at = 0
          for await (const chunk of await openObject(s3, path, { start: 0, end: part.size - 1 })) {
            hash.update(chunk)
            sums.add(chunk)
            const added = isCopied ? chunk.subarray(0, Math.max(0, first - at)) : chunk
            if (added.length > 0) await object.add(added)
            at += chunk.length
          }
          if (isCopied) await object.copy(path, { start: first, end: part.size - 1 })
        }
        await object.finish()
      } catch (error) {
        await object.abort(error)
        throw error
      }
      return staged(key, { size, sha256: hash.digest(), sums: sums.end() })
    },

    removePart: (upload, tag) => remove(partPath(upload, tag)),
    async removeParts(upload) {
      for await (const { key } of listObjects(s3, uploadPath(upload))) await remove(key)
    },

    ...(config.directUrl === undefined
      ? {}
      : {
          direct: (key: string, disposition: string) =>
            s3.presigned(
              config.directUrl ?? '',
              pathOf(key),
              {
                'response-content-disposition': disposition,
                'response-content-type': 'application/octet-stream',
                'response-cache-control': 'private, no-cache',
              },
              directSeconds,
            ),
        }),

    place: config.bucketUrl,
    reach: () => s3.reach(),
    async markedFor(mark) {
      if (mark !== undefined) await s3.put(markName, new Uint8Array(Buffer.from(mark)))
      return (await s3.size(markName)) === undefined ? undefined : (await s3.get(markName, undefined)).text()
    },

    close() {
      clearInterval(tidying)
      return Promise.resolve()
    },
  }
}

/** Builds an object: one PUT if it is small, a multipart upload from its first full part on. */
function assemble(s3: S3Client, key: string, partBytes: number) {
  let upload: string | undefined
  let count = 0
  const tags: string[] = []
  let gathered: Uint8Array[] = []
  let held = 0
  let sending = Promise.resolve()

  const take = (): Buffer<ArrayBuffer> => {
    const bytes = Buffer.concat(gathered)
    gathered = []
    held = 0
    return bytes
  }
  /** Starts sending a part once the previous one is stored. */
  const next = async (send: (query: { partNumber: string; uploadId: string }) => Promise<string>): Promise<void> => {
    upload ??= elementOf(await s3.text('POST', key, { query: { uploads: '' } }), 'UploadId')
    const query = { partNumber: String((count += 1)), uploadId: upload }
    await sending
    sending = send(query).then((tag) => void tags.push(tag))
    sending.catch(() => {})
  }
  const flush = (): Promise<void> => {
    const bytes = take()
    return next((query) => s3.put(key, bytes, query))
  }

  return {
    get held() {
      return held
    },
    async add(chunk: Uint8Array): Promise<void> {
      gathered.push(chunk)
      held += chunk.length
      if (held >= partBytes * 2 ** Math.floor(count / doubleAfter)) await flush()
    },
    /** Adds a range of another object by a copy inside the store. */
    async copy(source: string, { start, end }: ByteRange): Promise<void> {
      if (held > 0) await flush()
      const headers = { 'x-amz-copy-source': s3.sourceOf(source), 'x-amz-copy-source-range': `bytes=${start}-${end}` }
      await next(async (query) => elementOf(await s3.text('PUT', key, { query, headers, isWork: true }), 'ETag'))
    },
    async finish(): Promise<void> {
      if (upload === undefined) return void (await s3.put(key, take()))
      if (held > 0) await flush()
      await sending
      const listed = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const body = Buffer.from(`<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`)
      try {
        await s3.text('POST', key, { query: { uploadId: upload }, body, isWork: true })
      } catch (error) {
        // The upload was completed by an earlier attempt whose answer was lost.
        const isDone = error instanceof S3Refusal && error.code === 'NoSuchUpload' && (await s3.size(key)) !== undefined
        if (!isDone) throw error
      }
    },
    /** Aborts the upload. Never fails: leftovers are dropped later, also if the store is unavailable now. */
    async abort(reason: unknown): Promise<void> {
      await sending.catch(() => {})
      if (upload === undefined || (reason instanceof ResultError && reason.code === 'storageUnavailable')) return
      await s3.text('DELETE', key, { query: { uploadId: upload } }).catch(() => {})
    },
  }
}

/** Reads the bytes of an object. A lost connection is resumed at the position where it broke. */
async function openObject(s3: S3Client, key: string, range: ByteRange | undefined): Promise<OpenObject> {
  const get = (start: number, end: number | string) => s3.get(key, `bytes=${start}-${end}`)
  let response = await (range === undefined ? s3.get(key, undefined) : get(range.start, range.end))
  const start = range?.start ?? 0
  const end = start + Number(response.headers.get('content-length')) - 1
  if (range !== undefined && end !== range.end) {
    await response.body?.cancel()
    throw new NotAsStored('size')
  }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let at = start
    while (at <= end) {
      const before = at
      try {
        for await (const chunk of s3.bytesOf(response)) {
          at += chunk.length
          yield chunk
        }
      } catch (error) {
        if (at === before) throw error
      }
      if (at <= end) response = await get(at, end)
    }
  }
  return {
    [Symbol.asyncIterator]: chunks,
    lent: chunks,
    async [Symbol.asyncDispose]() {
      await response.body?.cancel().catch(() => {})
    },
  }
}

async function* listObjects(s3: S3Client, prefix: string): AsyncGenerator<StoredObject> {
  let query: Record<string, string> = { 'list-type': '2', prefix }
  while (true) {
    const page = await s3.text('GET', '', { query })
    for (const entry of elementsOf(page, 'Contents')) {
      yield {
        key: elementOf(entry, 'Key'),
        size: Number(elementOf(entry, 'Size')),
        modifiedAt: Date.parse(elementOf(entry, 'LastModified')),
      }
    }
    const token = elementsOf(page, 'NextContinuationToken')[0]
    if (token === undefined) return
    query = { ...query, 'continuation-token': token }
  }
}

/** Drops multipart uploads that were not completed within a day. */
async function dropAbandoned(s3: S3Client): Promise<void> {
  let query: Record<string, string> = { uploads: '' }
  while (true) {
    const page = await s3.text('GET', '', { query })
    for (const entry of elementsOf(page, 'Upload')) {
      if (Date.parse(elementOf(entry, 'Initiated')) > Date.now() - abandonedAfterMs) continue
      try {
        await s3.text('DELETE', elementOf(entry, 'Key'), { query: { uploadId: elementOf(entry, 'UploadId') } })
      } catch (error) {
        // Another server that cleans up at the same time dropped it first.
        if (!(error instanceof S3Refusal && error.code === 'NoSuchUpload')) throw error
      }
    }
    const [marker, id] = [elementsOf(page, 'NextKeyMarker')[0], elementsOf(page, 'NextUploadIdMarker')[0]]
    if (elementsOf(page, 'IsTruncated')[0] !== 'true' || marker === undefined || id === undefined) return
    query = { uploads: '', 'key-marker': marker, 'upload-id-marker': id }
  }
}

/**
 * The contents of all elements with a name. The answers parsed by this function have no attributes and no nested
 * elements of the same name.
 */
function elementsOf(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))
  return Array.from(found, ([, text = '']) => (text.includes('<') ? text : plain(text)))
}

function elementOf(xml: string, name: string): string {
  const [text] = elementsOf(xml, name)
  if (text === undefined) throw new Error(`the S3 store answered without ${name}`)
  return text
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#34': '"', '#39': "'" }
const plain = (text: string): string => text.replace(/&([^;]+);/g, (whole, name: string) => entities[name] ?? whole)
