/*
 * Signed requests (Signature Version 4) to one bucket of an S3 store. Every request in this module may be sent twice
 * without harm. Network failures and 5xx answers are therefore retried for a bounded time. After that the call fails
 * with `storageUnavailable` and the log has the reason.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ResultError } from '@cloudoc/domain'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Config } from '../../config.ts'
import type { Log } from '../log.ts'

const firstWaitMs = 50
const longestWaitMs = 2000
/**
 * An attempt is aborted if no answer starts within this time plus the time its body needs on a slow line. No caller
 * waits longer than about half a minute, whatever hangs.
 */
const usualAnswerWithinMs = 15_000
/** Timeout for operations that S3 does internally, on bytes that it has. */
const workWithinMs = 30_000
const slowestBytesPerMs = 500

export interface S3Parts {
  readonly log: Log
  /** How long a request is retried. */
  readonly patienceMs?: number
  /** How long a request may stall. */
  readonly answerWithinMs?: number
}

export interface S3Request {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** Whether S3 has to do internal work before it answers. */
  readonly isWork?: true
}

/** An error answer of the store. */
export class S3Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(what: string, status: number, code: string) {
    super(`the S3 store refused ${what}: ${status} ${code}`)
    this.status = status
    this.code = code
  }

  /** Whether the same request may succeed a little later. */
  get mayPass(): boolean {
    return this.status === 429 || (this.status >= 500 && this.status !== 501 && !this.isFull)
  }

  /** Whether the store is out of space. */
  get isFull(): boolean {
    return this.status === 507
  }
}

export type S3Client = ReturnType<typeof createS3Client>

export function createS3Client(
  config: S3Config,
  { log, patienceMs = 10_000, answerWithinMs = usualAnswerWithinMs }: S3Parts,
) {
  const bucket = new URL(config.bucketUrl)
  const signingKeys = new Map<string, ArrayBuffer>()
  const signer = (method: string, url: URL, more: { headers?: Record<string, string>; signQuery?: true }) =>
    new AwsV4Signer({
      method,
      url: url.href,
      accessKeyId: config.accessKeyId,
      secretAccessKey: config.secretAccessKey,
      region: config.region,
      service: 's3',
      cache: signingKeys,
      ...more,
    })
  const addressOf = (base: string, key: string, query: Readonly<Record<string, string>>): URL => {
    const url = new URL(key === '' ? base : `${base}/${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  /** Sends a request once. `read` takes what is needed of the answer, in bounded time. */
  const attempt = async <T>(
    method: string,
    key: string,
    { query = {}, headers = {}, body, isWork }: S3Request,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const signed = await signer(method, addressOf(config.bucketUrl, key, query), {
      headers: {
        ...headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
    }).sign()
    const stop = new AbortController()
    const withinMs = isWork === true ? workWithinMs : answerWithinMs
    const limit = setTimeout(() => stop.abort(), withinMs + (body?.length ?? 0) / slowestBytesPerMs)
    try {
      const { url, headers: signedHeaders } = signed
      const response = await fetch(url, {
        method,
        headers: signedHeaders,
        body: body ?? null,
        redirect: 'manual',
        signal: stop.signal,
      })
      if (response.ok) return await read(response)
      throw new S3Refusal(`${method} ${key}`, response.status, codeIn(await response.text()))
    } finally {
      clearTimeout(limit)
    }
  }

  /** Whether the log already has a message that the store is unavailable. It is logged once. */
  let isAway = false
  const answered = (): void => {
    if (isAway) log.info('the S3 store answers again')
    isAway = false
  }

  /** Sends a request and retries it until `read` succeeds on an answer. */
  const send = async <T>(
    method: string,
    key: string,
    request: S3Request,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const until = performance.now() + patienceMs
    for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, longestWaitMs)) {
      try {
        const answer = await attempt(method, key, request, read)
        answered()
        return answer
      } catch (error) {
        if (error instanceof S3Refusal && !error.mayPass) {
          answered()
          if (error.isFull) throw Object.assign(new ResultError('capacityNotSatisfied'), { cause: error })
          throw error
        }
        if (performance.now() + wait > until) {
          const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
          if (!isAway) log.error({ reason: String(cause), request: `${method} ${key}` }, 'the S3 store does not answer')
          isAway = true
          throw Object.assign(new ResultError('storageUnavailable'), { cause })
        }
      }
      await delay(wait)
    }
  }

  return {
    /** Returns the whole answer as text. */
    text: (method: string, key: string, request: S3Request = {}): Promise<string> =>
      send(method, key, request, async (response) => {
        const text = await response.text()
        // S3 answers a long operation with 200 before its outcome is known.
        if (/<Error>/.test(text)) throw new S3Refusal(`${method} ${key}`, 500, codeIn(text))
        return text
      }),

    /** Stores an object or a part and returns its ETag. */
    put: (key: string, body: Uint8Array<ArrayBuffer>, query: Readonly<Record<string, string>> = {}): Promise<string> =>
      send('PUT', key, { body, query, headers: { 'content-type': 'application/octet-stream' } }, async (response) => {
        await response.arrayBuffer()
        return response.headers.get('etag') ?? ''
      }),

    /** Requests an object's bytes. Resolves when the answer starts. */
    get: (key: string, range: string | undefined): Promise<Response> =>
      send('GET', key, range === undefined ? {} : { headers: { range } }, (response) => Promise.resolve(response)),

    bytesOf: (response: Response) => bytesOf(response, answerWithinMs),

    /** The size of an object. Undefined if it does not exist. */
    async size(key: string): Promise<number | undefined> {
      try {
        return await send('HEAD', key, {}, (response) =>
          Promise.resolve(Number(response.headers.get('content-length'))),
        )
      } catch (error) {
        if (error instanceof S3Refusal && error.status === 404) return undefined
        throw error
      }
    },

    /** Rejects if the store does not answer a single request. */
    async reach(): Promise<void> {
      try {
        await attempt('HEAD', 'objects/none', {}, () => Promise.resolve())
      } catch (error) {
        if (!(error instanceof S3Refusal) || error.mayPass) throw error
      }
      answered()
    },

    /** The value of the header that names a copy source. */
    sourceOf(key: string): string {
      const name = bucket.pathname === '/' ? bucket.hostname.split('.')[0] : bucket.pathname.slice(1)
      return `/${name}/${key}`
    },

    /** A presigned URL under the given base address. Anyone who has it can download the object until it expires. */
    async presigned(base: string, key: string, query: Readonly<Record<string, string>>, seconds: number) {
      const url = addressOf(base, key, { ...query, 'X-Amz-Expires': String(seconds) })
      return (await signer('GET', url, { signQuery: true }).sign()).url.href
    },
  }
}

/** Yields the bytes of a started answer. Rejects if it stalls. */
async function* bytesOf(response: Response, withinMs: number): AsyncGenerator<Uint8Array> {
  const body: ReadableStream<Uint8Array> | null = response.body
  const reader = body?.getReader()
  if (reader === undefined) return
  let [waits, stoodStill] = [false, false]
  // The limit applies only while this code waits for the store: a slow reader does not count against it.
  const limit = setTimeout(() => {
    stoodStill = waits
    if (waits) reader.cancel().catch(() => {})
  }, withinMs)
  try {
    while (true) {
      waits = true
      limit.refresh()
      const { done, value } = await reader.read()
      waits = false
      if (stoodStill) throw new ResultError('storageUnavailable')
      if (done) return
      yield value
    }
  } finally {
    clearTimeout(limit)
    reader.cancel().catch(() => {})
  }
}

function codeIn(xml: string): string {
  return /<Code>([^<]*)<\/Code>/.exec(xml)?.[1] ?? ''
}
