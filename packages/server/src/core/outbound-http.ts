/*
 * Outbound HTTP: answers of machines that are not ours. Such a machine may be down, slow or hostile, and may answer
 * anything for as long as it is read. All outbound requests therefore use this module. An answer has a total time, a
 * maximum size both as sent and uncompressed, and ends with the request it is for. Redirects are ordinary answers and
 * are not followed. Link-local addresses and the metadata services of clouds are never asked: they hand out
 * credentials of this machine.
 */

import { lookup as lookUp } from 'node:dns'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const inflate = promisify(gunzip)

/** An outbound request. */
export interface OutboundRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text, or a stream, whose end ends the request. */
  readonly body?: string | Readable | undefined
  /** Timeout until the answer has started and, if it is read whole, until it is complete. */
  readonly timeMs: number
  /** Aborted when the request that the answer is for ends. */
  readonly signal: AbortSignal
  /** Fails unless all addresses of the host are public: for addresses that do not come from an administrator. */
  readonly publicOnly?: boolean
  /** Certificates of authorities in PEM: the only ones that are trusted for the other machine. */
  readonly ca?: string
  /** Connections to reuse for other requests. Without them each request has its own. */
  readonly connections?: Agent
}

/** Size limits of an answer. */
export interface ResponseLimits {
  /** Maximum bytes as sent. */
  readonly bytes: number
  /** Maximum bytes when uncompressed. */
  readonly inflatedBytes: number
}

/** The minimum speed of a content. */
export interface Pace {
  /** Maximum time without data. */
  readonly idleMs: number
  /** Minimum average bytes per millisecond, not counting the time in which an answer must start. */
  readonly slowest: number
}

/** Why there is no usable answer: the other machine sent nothing, was too slow, or sent something unusable. */
export class OutboundFailure extends Error {
  override name = 'OutsideFailure'
  readonly kind: 'silent' | 'unusable'

  constructor(kind: 'silent' | 'unusable', message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** A started answer. If it is neither read to its end nor dropped, it holds its connection until its timeout. */
export interface OutboundResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Reads the whole answer into memory. */
  whole(limits: ResponseLimits): Promise<Buffer>
  /** A content with a declared length, as a stream. The time that its reader takes does not count. */
  content(pace: Pace): { readonly length: number; readonly bytes: AsyncIterable<Uint8Array> }
  /** Whatever is sent, as a stream of any length and encoding, for callers that pass it on. */
  stream(pace: Pace): AsyncIterable<Uint8Array>
  drop(): void
}

const forbidden = new BlockList()
forbidden.addSubnet('169.254.0.0', 16)
forbidden.addSubnet('fe80::', 10, 'ipv6')
// The metadata services of Alibaba Cloud, Oracle Cloud and AWS.
for (const address of ['100.100.100.200', '192.0.0.192']) forbidden.addAddress(address)
forbidden.addAddress('fd00:ec2::254', 'ipv6')

/** Whether an IP address is one that is never asked, by any protocol. */
export const isNeverAsked = (address: string): boolean =>
  forbidden.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether the host of a URL is, as it is written, an address that is never asked. Names are checked when asked. */
export function isForbiddenHost(address: string): boolean {
  const host = URL.parse(address)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return isIP(host) !== 0 && isNeverAsked(host)
}

const inner = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inner.addSubnet(net, bits)
for (const address of ['::', '::1']) inner.addAddress(address, 'ipv6')
for (const [net, bits] of [
  ['fc00::', 7],
  ['ff00::', 8],
  ['64:ff9b::', 96],
] as const)
  inner.addSubnet(net, bits, 'ipv6')

const isPrivate = (address: string): boolean =>
  isNeverAsked(address) || inner.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether the host of a URL is, as it is written, an address of this machine or of a private network. */
export function isPrivateHost(address: string): boolean {
  const host = URL.parse(address)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && isPrivate(host))
}

const noService = (): OutboundFailure => new OutboundFailure('silent', 'an address that is never asked')

const lookupExcept =
  (isRefused: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    lookUp(hostname, options, (error, address, family) => {
      const found = typeof address === 'string' ? [address] : address?.map((one) => one.address)
      if (error === null && found.some(isRefused)) callback(noService(), '')
      else callback(error, address, family)
    })

/** Resolves a name as usual; fails if it has an address that is never asked. */
export const lookupAllowed = lookupExcept(isNeverAsked)
const lookupPublic = lookupExcept(isPrivate)

/** Creates an agent for connections to one machine. Destroy it after the last request. */
export function connectionsTo(address: string): Agent {
  return new URL(address).protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
}

/** Sends a request to another machine. Resolves when its answer starts. */
export async function requestOutbound(address: string, asked: OutboundRequest): Promise<OutboundResponse> {
  const { method = 'GET', headers, body, timeMs, signal, publicOnly = false, ca, connections: agent = false } = asked
  signal.throwIfAborted()
  const url = new URL(address)
  const ask = url.protocol === 'https:' ? requestHttps : requestHttp
  if (isForbiddenHost(address) || (publicOnly && isPrivateHost(address))) throw noService()
  const lookup = publicOnly ? lookupPublic : lookupAllowed
  const request = ask(url, {
    ...{ method, agent, lookup, headers: { 'accept-encoding': 'gzip', ...headers } },
    ...(ca !== undefined && { ca }),
  })
  const end = (): void => void request.destroy(signal.reason as Error)
  const late = (): void => void request.destroy(new OutboundFailure('silent', 'the answer takes too long'))
  let timer = setTimeout(late, timeMs)
  signal.addEventListener('abort', end)
  const release = (): void => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  /** The first failure. The response itself only reports that its connection has ended. */
  let failure: unknown
  const failed = (error: unknown): unknown => {
    signal.throwIfAborted()
    const first = failure ?? error
    return first instanceof OutboundFailure ? first : new OutboundFailure('silent', 'the connection broke off', first)
  }
  // Listens until the end: a connection can also fail after its answer.
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
      if (body === undefined || typeof body === 'string') request.end(body)
      else {
        // A long content on its way does not count as waiting for the answer: only a connection where nothing moves.
        clearTimeout(timer)
        request.setTimeout(timeMs, late)
        request.once('response', () => request.setTimeout(0))
        pipeline(body, request, () => {})
      }
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
  const stream = ({ idleMs, slowest }: Pace): AsyncGenerator<Uint8Array> => {
    clearTimeout(timer)
    return read({ idleMs, slowest })
  }
  async function* read({ idleMs, slowest }: Pace): AsyncGenerator<Uint8Array> {
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

    stream,

    content(pace) {
      const declared = response.headers['content-length']
      if (encoding !== 'identity') return unusable('a content that is compressed')
      if (declared === undefined || !Number.isSafeInteger(Number(declared)))
        return unusable('a content without a length')
      return { length: Number(declared), bytes: stream(pace) }
    },
  }
}

/** Reads a whole answer. */
export async function readResponse(
  address: string,
  asked: OutboundRequest & ResponseLimits,
): Promise<Pick<OutboundResponse, 'status' | 'headers'> & { readonly body: Buffer }> {
  const answer = await requestOutbound(address, asked)
  return { status: answer.status, headers: answer.headers, body: await answer.whole(asked) }
}

/**
 * Parses JSON from another machine. Its parsed form can take a hundred times its size in memory, and the schema errors
 * as much again. The number of values is therefore limited.
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

/** An upper bound of the number of values in a JSON text. */
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
