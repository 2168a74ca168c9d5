// The HTTP server: connection limits, headers of every answer, and errors before a call is reached.
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createNetServer, type Server as NetServer } from 'node:net'
import type { Server as TlsServer } from 'node:tls'
import { codes, mainFolder, ResultError } from '@cloudoc/domain'
import proxyAddr from '@fastify/proxy-addr'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Certificate } from './config.ts'
import { type BodyTimes, limitBodies, readRest, usualBodyTimes } from './core/call/body-time.ts'
import { compressAnswers } from './core/call/compress.ts'
import { localeOf, messageFor, refusalOf, statusOf } from './core/call/dispatcher.ts'
import { hasSeveralHosts, refuseMalformed } from './core/call/malformed-requests.ts'
import { endIdleConnections } from './core/idle-connections.ts'
import type { Log } from './core/log.ts'

export interface HttpOptions {
  readonly log: Log
  readonly tls?: Certificate | undefined
  readonly trustedProxies?: readonly string[]
  /** Whether every request is logged. */
  readonly accessLog?: boolean | undefined
  /** Timeouts of bodies sent by unknown or refused callers; tests use short ones. */
  readonly bodyTimes?: BodyTimes | undefined
  /**
   * Whether the server is stopping, or has announced a stop: then connections end with their answer. A load balancer
   * with keep-alive connections then has none left on which it could send a request while it is being closed.
   */
  readonly closing: () => boolean
  /** Whether the server has announced a stop. */
  readonly isDraining: () => boolean
}

/**
 * Connection limits must be passed to the constructor, or slow clients stay connected. Downloads name many items in one
 * request line.
 */
const limits = {
  headersTimeout: 30_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 10_000,
  maxHeaderSize: 160 * 1024,
}
const keepAliveMs = 15_000
/**
 * A load balancer without health checks sends this header to announce that it retries refused requests at another
 * server. After two refusals it avoids this server (deploy/nginx.conf), so that no request is in transit when the
 * listener closes. The status is used for nothing else: 503 means that the blobs are unavailable, which is no reason to
 * avoid a server.
 */
const asksElsewhere = 'x-retries-elsewhere'
const turnedAway = 502
const certificateEveryMs = 10_000

/** Returns the client address of a request without a route, as `request.ip` does for routed ones. */
export function clientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = proxyAddr.compile([...trustedProxies])
  return (request) => proxyAddr(request, trusted) ?? ''
}

/** Listens on an additional port: connections are served as at the main one (X32). */
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

/** Rejects, as listening does, if a port cannot be listened on. */
export async function assertFree(where: { port: number; host: string }): Promise<void> {
  const probe = createNetServer()
  probe.listen(where)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}

/**
 * Activates a renewed certificate without ending connections. One that is unreadable or does not match its key is
 * logged once, and the previous one remains active.
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
  accessLog = false,
  closing,
  isDraining,
}: HttpOptions): FastifyInstance {
  // Answers an unreadable body or an undecodable address.
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
    // Requests that arrive during the shutdown are still served: the load balancer cannot take them back.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => (url.startsWith(`${mainFolder}/`) ? url.slice(mainFolder.length) : url),
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
    // A client that has used TLS must not be downgraded to plain text by a third party.
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    // Two servers in a row may each believe another one (RFC 9112, section 3.2).
    if (hasSeveralHosts(request.raw)) {
      refuse(new ResultError('badRequest', 'host'), request, reply)
      return
    }
    if (isDraining() && request.method === 'GET' && request.headers[asksElsewhere] !== undefined) {
      reply.status(turnedAway).send('')
      return
    }
    done()
  })
  // Answers are for their caller alone; neither a browser nor a proxy may store them.
  http.addHook('onSend', (_request, reply, payload, done) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    if (isJson && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  if (accessLog) {
    http.addHook('onResponse', (request, reply, done) => {
      // The route and not the address, which may contain a token or the name of a file.
      const route = request.routeOptions.url ?? 'none'
      const { method, ip: address } = request
      log.info({ method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), address }, 'request')
      done()
    })
  }
  compressAnswers(http)
  http.setErrorHandler(refuse)
  return http
}
