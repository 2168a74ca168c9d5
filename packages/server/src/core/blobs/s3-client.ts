/*
 * Requests to one bucket of an S3 store, signed (Signature Version 4). Every request here may be sent twice without harm,
 * so what fails on the way or with a 5xx is sent again, for a bounded time; then the call that needed it is refused as
 * `storageUnavailable` and the log says why.
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
 * An attempt is given up when no answer has begun after this, and the time its body takes on a slow line: nobody waits for
 * more than about half a minute, whatever stands still.
 */
const usualAnswerWithinMs = 15_000
/** What S3 does itself, with bytes that it has. */
const workWithinMs = 30_000
const slowestBytesPerMs = 500

export interface S3Parts {
  readonly log: Log
  /** How long a request is tried. */
  readonly patienceMs?: number
  /** How long it may stand still. */
  readonly answerWithinMs?: number
}

export interface S3Request {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** Whether S3 has to work for its answer. */
  readonly isWork?: true
}

/** What the store answered instead of what was asked for. */
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

  /** Whether there is no room for more. */
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

  /** Sends a request once; `read` takes what is needed of the answer, in bounded time. */
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

  /** Whether the log has said that the store is away: it says so once. */
  let isAway = false
  const answered = (): void => {
    if (isAway) log.info('the S3 store answers again')
    isAway = false
  }

  /** Sends a request until `read` has what it needs of an answer. */
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
          if (!isAway) log.error({ err: cause, request: `${method} ${key}` }, 'the S3 store does not answer')
          isAway = true
          throw Object.assign(new ResultError('storageUnavailable'), { cause })
        }
      }
      await delay(wait)
    }
  }

  return {
    /** The whole answer as text. */
    text: (method: string, key: string, request: S3Request = {}): Promise<string> =>
      send(method, key, request, async (response) => {
        const text = await response.text()
        // Long work is answered with 200 before its outcome is known.
        if (/<Error>/.test(text)) throw new S3Refusal(`${method} ${key}`, 500, codeIn(text))
        return text
      }),

    /** The tag of what was stored. */
    put: (key: string, body: Uint8Array<ArrayBuffer>, query: Readonly<Record<string, string>> = {}): Promise<string> =>
      send('PUT', key, { body, query, headers: { 'content-type': 'application/octet-stream' } }, async (response) => {
        await response.arrayBuffer()
        return response.headers.get('etag') ?? ''
      }),

    /** The begin of an object's bytes. */
    get: (key: string, range: string | undefined): Promise<Response> =>
      send('GET', key, range === undefined ? {} : { headers: { range } }, (response) => Promise.resolve(response)),

    /** The bytes of an answer that has begun; rejects where it stands still. */
    async *bytesOf(response: Response): AsyncGenerator<Uint8Array> {
      const body: ReadableStream<Uint8Array> | null = response.body
      const reader = body?.getReader()
      if (reader === undefined) return
      let [waits, stoodStill] = [false, false]
      // Only while it is waited for: whoever reads slowly is none of the store's business.
      const limit = setTimeout(() => {
        stoodStill = waits
        if (waits) reader.cancel().catch(() => {})
      }, answerWithinMs)
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
    },

    /** The size of an object; undefined where there is none. */
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

    /** Rejects where the store does not answer a single request. */
    async reach(): Promise<void> {
      try {
        await attempt('HEAD', 'objects/none', {}, () => Promise.resolve())
      } catch (error) {
        if (!(error instanceof S3Refusal) || error.mayPass) throw error
      }
      answered()
    },

    /** How a header names an object to copy from. */
    sourceOf(key: string): string {
      const name = bucket.pathname === '/' ? bucket.hostname.split('.')[0] : bucket.pathname.slice(1)
      return `/${name}/${key}`
    },

    /** An address, seen from elsewhere, that gives an object to whoever has it until it expires. */
    async presigned(base: string, key: string, query: Readonly<Record<string, string>>, seconds: number) {
      const url = addressOf(base, key, { ...query, 'X-Amz-Expires': String(seconds) })
      return (await signer('GET', url, { signQuery: true }).sign()).url.href
    },
  }
}

function codeIn(xml: string): string {
  return /<Code>([^<]*)<\/Code>/.exec(xml)?.[1] ?? ''
}
