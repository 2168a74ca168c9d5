// The HTTP server itself: limits of connections, headers of every answer, and what goes wrong before a call is reached.
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createNetServer, type Server as NetServer } from 'node:net'
import type { Server as TlsServer } from 'node:tls'
import { codes } from '@cloudoc/domain'
import proxyAddr from '@fastify/proxy-addr'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Certificate } from './config.ts'
import { type BodyTimes, limitBodies, readRest, usualBodyTimes } from './core/call/body-time.ts'
import { compressAnswers } from './core/call/compress.ts'
import { localeOf, messageFor, refusalOf, statusOf } from './core/call/dispatcher.ts'
import { refuseMalformed } from './core/call/malformed-requests.ts'
import { endIdleConnections } from './core/idle-connections.ts'
import type { Log } from './core/log.ts'

export interface HttpOptions {
  readonly log: Log
  readonly tls?: Certificate | undefined
  readonly trustedProxies?: readonly string[]
  /** How long bodies may take that nobody waits for gladly; tests take short times. */
  readonly bodyTimes?: BodyTimes | undefined
  /**
   * Whether the server ends, or has said that it will: then connections end with their answer. A balancer that keeps
   * connections so has none left that it could send a request on while it is being closed.
   */
  readonly closing: () => boolean
  /** Whether the server has said that it will end. */
  readonly isDraining: () => boolean
}

/** Limits of a connection belong to the constructor, or slow clients stay; downloads name many items in one line. */
const limits = {
  headersTimeout: 30_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 10_000,
  maxHeaderSize: 160 * 1024,
}
const keepAliveMs = 15_000
/**
 * By it a balancer that does not ask for health says that it brings what is turned away to another server. Turned away
 * twice it stays away (deploy/nginx.conf), so that nothing is on its way when the listener closes. The status is one that
 * is answered for nothing else: 503 says that the contents are away, for which no server is to be left alone.
 */
const asksElsewhere = 'x-retries-elsewhere'
const turnedAway = 502
const certificateEveryMs = 10_000

/** Whose address a request comes from, which has no route, as `request.ip` tells it of those that have one. */
export function clientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = proxyAddr.compile([...trustedProxies])
  return (request) => proxyAddr(request, trusted) ?? ''
}

/** Listens on another port beside: what connects there is served as at the main one (X32). */
export async function listenOnSecondPort(
  http: FastifyInstance,
  where: { port: number; host: string },
): Promise<NetServer> {
  const beside = createNetServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    http.server.emit('connection', socket)
  })
  beside.listen(where)
  await once(beside, 'listening')
  return beside
}

/**
 * Takes up a certificate that has been renewed, without ending a connection; one that cannot be read or does not fit its
 * key is told once, and the one before stays.
 */
export function takeUpCertificates(
  server: TlsServer,
  first: Certificate,
  reread: () => Certificate | undefined,
  log: Log,
  everyMs = certificateEveryMs,
): void {
  let held = first
  let told = ''
  const looking = setInterval(() => {
    try {
      const found = reread()
      told = ''
      if (found === undefined || (found.cert.equals(held.cert) && found.key.equals(held.key))) return
      server.setSecureContext(found)
      held = found
      log.info('a renewed certificate has been taken up')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== told) log.error({ reason }, 'the certificate cannot be taken up; the one before stays')
      told = reason
    }
  }, everyMs)
  looking.unref()
  server.once('close', () => clearInterval(looking))
}

/** A server without routes that does not listen yet. */
export function openHttp({
  log,
  tls,
  trustedProxies = [],
  bodyTimes = usualBodyTimes,
  closing,
  isDraining,
}: HttpOptions): FastifyInstance {
  // A body that cannot be read, an address that cannot be decoded.
  const refuse = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = refusalOf(error)
    const code = refusal?.code ?? 'serverException'
    if (code === 'serverException') log.error({ err: error }, 'a request failed')
    if (!request.raw.complete) readRest(request.raw)
    return reply
      .status(statusOf(code))
      .send({ result: codes[code].code, data: null, msg: messageFor(code, refusal?.detail, localeOf(request)) })
  }
  const http = fastify({
    logger: false,
    frameworkErrors: (error, request, reply) => void refuse(error, request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler: refuseMalformed,
    // What comes while the rest is waited for is done as well: the balancer has handed it over and could not take it back.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: 500 },
    serverFactory: (handler) => {
      const server =
        tls === undefined ? createHttpServer(limits, handler) : createHttpsServer({ ...limits, ...tls }, handler)
      server.keepAliveTimeout = keepAliveMs
      endIdleConnections(server)
      limitBodies(server, bodyTimes)
      return server
    },
  }) as unknown as FastifyInstance
  http.addHook('onRequest', (request, reply, done) => {
    if (closing()) reply.header('connection', 'close')
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
    reply.header('x-frame-options', 'SAMEORIGIN')
    // Whoever came over TLS once is not to be led to plain text by anybody in between.
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    if (isDraining() && request.method === 'GET' && request.headers[asksElsewhere] !== undefined) {
      reply.status(turnedAway).send('')
      return
    }
    done()
  })
  compressAnswers(http)
  http.setErrorHandler(refuse)
  return http
}
