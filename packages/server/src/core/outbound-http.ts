/*
 * Answers of machines that are not ours. Such a machine may be gone, slow or hostile, and answer anything for as long as
 * somebody reads. So whatever is asked outside is asked here: an answer has a whole time, a size as it is sent and as it is
 * uncompressed, and ends with whoever it is for. Redirects are answers like others; nothing follows them.
 */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const inflate = promisify(gunzip)

/** What is asked of another machine. */
export interface OutboundRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Until when the answer has begun, and is here whole where it is read whole. */
  readonly timeMs: number
  /** Ends with whoever the answer is for. */
  readonly signal: AbortSignal
  /** Connections that are used again for other requests; without them each has one of its own. */
  readonly connections?: Agent
}

/** How much of an answer is taken. */
export interface ResponseLimits {
  /** Bytes as they are sent. */
  readonly bytes: number
  /** Bytes as they are uncompressed. */
  readonly inflatedBytes: number
}

/** How slowly a content may come. */
export interface Pace {
  /** The longest silence. */
  readonly idleMs: number
  /** Bytes in a millisecond that it has to come to, but for the time in which an answer has to begin. */
  readonly slowest: number
}

/** Why there is no answer: the other machine said nothing, or too slowly, or what nobody could use. */
export class OutboundFailure extends Error {
  override name = 'OutsideFailure'
  readonly kind: 'silent' | 'unusable'

  constructor(kind: 'silent' | 'unusable', message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** An answer that has begun. Whoever neither reads it to its end nor drops it holds its connection until its time is over. */
export interface OutboundResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All of it, in memory. */
  whole(limits: ResponseLimits): Promise<Buffer>
  /** A content whose length is declared, as it comes. The time that its reader takes does not count. */
  content(pace: Pace): { readonly length: number; readonly bytes: AsyncIterable<Uint8Array> }
  drop(): void
}

/** Connections to one machine, to be destroyed after the last request. */
export function connectionsTo(address: string): Agent {
  return new URL(address).protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
}

/** Asks another machine; resolves when its answer begins. */
export async function requestOutbound(address: string, asked: OutboundRequest): Promise<OutboundResponse> {
  const { method = 'GET', headers, body, timeMs, signal, connections: agent = false } = asked
  signal.throwIfAborted()
  const url = new URL(address)
  const ask = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = ask(url, { method, agent, headers: { 'accept-encoding': 'gzip', ...headers } })
  const end = (): void => void request.destroy(signal.reason as Error)
  const late = (): void => void request.destroy(new OutboundFailure('silent', 'the answer takes too long'))
  let timer = setTimeout(late, timeMs)
  signal.addEventListener('abort', end)
  const release = (): void => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  /** What went wrong first: the response only tells that its connection has ended. */
  let failure: unknown
  const failed = (error: unknown): unknown => {
    signal.throwIfAborted()
    const first = failure ?? error
    return first instanceof OutboundFailure ? first : new OutboundFailure('silent', 'the connection broke off', first)
  }
  // Listened to until the end: a connection also fails after its answer.
  request.on('error', (error) => {
    failure ??= error
  })
  const drop = (): void => {
    release()
    request.destroy()
  }

  let response: IncomingMessage
  try {
    response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve)
      request.once('error', reject)
      request.end(body)
    })
  } catch (error) {
    release()
    throw failed(error)
  }
  const encoding = response.headers['content-encoding'] ?? 'identity'
  const unusable = (message: string): never => {
    drop()
    throw new OutboundFailure('unusable', message)
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    drop,

    async whole({ bytes, inflatedBytes }) {
      if (encoding !== 'gzip' && encoding !== 'identity') return unusable(`an answer encoded as ${encoding}`)
      const most = encoding === 'identity' ? Math.min(bytes, inflatedBytes) : bytes
      const chunks: Buffer[] = []
      let size = 0
      try {
        for await (const chunk of response as AsyncIterable<Buffer>) {
          size += chunk.length
          if (size > most) return unusable(`an answer of more than ${most} bytes`)
          chunks.push(chunk)
        }
      } catch (error) {
        throw failed(error)
      } finally {
        release()
      }
      const sent = Buffer.concat(chunks)
      if (encoding === 'identity') return sent
      try {
        return await inflate(sent, { maxOutputLength: inflatedBytes })
      } catch (error) {
        throw new OutboundFailure('unusable', `an answer that is no gzip of up to ${inflatedBytes} bytes`, error)
      }
    },

    content({ idleMs, slowest }) {
      const declared = response.headers['content-length']
      if (encoding !== 'identity') return unusable('a content that is compressed')
      if (declared === undefined || !Number.isSafeInteger(Number(declared)))
        return unusable('a content without a length')
      clearTimeout(timer)
      async function* bytes(): AsyncGenerator<Uint8Array> {
        const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
        let received = 0
        let waitedMs = 0
        try {
          while (true) {
            const since = performance.now()
            timer = setTimeout(late, Math.max(0, Math.min(idleMs, timeMs + received / slowest - waitedMs)))
            const next = await chunks.next()
            clearTimeout(timer)
            waitedMs += performance.now() - since
            if (next.done === true) return
            received += next.value.length
            yield next.value
          }
        } catch (error) {
          throw failed(error)
        } finally {
          if (response.complete) release()
          else drop()
        }
      }
      return { length: Number(declared), bytes: bytes() }
    },
  }
}

/** A whole answer. */
export async function readResponse(
  address: string,
  asked: OutboundRequest & ResponseLimits,
): Promise<Pick<OutboundResponse, 'status' | 'headers'> & { readonly body: Buffer }> {
  const answer = await requestOutbound(address, asked)
  return { status: answer.status, headers: answer.headers, body: await answer.whole(asked) }
}

/**
 * The JSON that another machine has sent. A few bytes of it can stand for a hundred times as many in memory, and for as much
 * again in what a schema finds wrong, so it may hold so many values at most.
 */
export function parseOutboundJson(bytes: Buffer, mostValues: number): unknown {
  if (valuesIn(bytes) > mostValues) {
    throw new OutboundFailure('unusable', `an answer of more than ${mostValues} values`)
  }
  try {
    return JSON.parse(bytes.toString())
  } catch (error) {
    throw new OutboundFailure('unusable', 'an answer that is no JSON', error)
  }
}

const [quote, comma, bracket, escape, brace] = Buffer.from('",[\\{')

/** How many values a JSON text has at most. */
function valuesIn(json: Buffer): number {
  let values = 1
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === quote) isText = !isText
    else if (isText) at += byte === escape ? 1 : 0
    else if (byte === comma || byte === bracket || byte === brace) values += 1
  }
  return values
}
