/*
 * WebDAV (RFC 4918), classes 1, 2 and 3: the libraries of a person as a network drive. Every request is made of
 * operations and calls, so rights, levels, watermarks, download limits, locks and the audit are those of the page. The
 * user name is the account, the password a token of a program.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBodies } from '../../core/call/bodies.ts'
import { readRest } from '../../core/call/body-time.ts'
import { davRoot } from './addresses.ts'
import { DavExchange, type DavParts, DavRefusal } from './exchange.ts'
import { lock, proppatch, unlock } from './locking.ts'
import { get, propfind } from './reading.ts'
import { copy, mkcol, move, put, remove } from './writing.ts'

const answers: Readonly<Record<string, (exchange: DavExchange) => Promise<void>>> = {
  ...{ PROPFIND: propfind, PROPPATCH: proppatch, GET: get, HEAD: get, PUT: put, MKCOL: mkcol, DELETE: remove },
  ...{ COPY: copy, MOVE: move, LOCK: lock, UNLOCK: unlock },
}
const allowed = ['OPTIONS', ...Object.keys(answers)].join(', ')
const added = ['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK']

/** Registers the routes of WebDAV. */
export function serveDav(http: FastifyInstance, parts: DavParts): void {
  for (const method of added) http.addHttpMethod(method, { hasBody: true })
  http.register((scope, _options, done) => {
    readBodies(scope, 'raw')
    for (const url of [davRoot, `${davRoot}/*`]) {
      scope.route({
        method: ['OPTIONS', ...added, 'GET', 'PUT', 'DELETE'],
        url,
        bodyLimit: Number.MAX_SAFE_INTEGER,
        handler: (request, reply) => answer(parts, request, reply),
      })
    }
    done()
  })
}

async function answer(parts: DavParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('dav', '1, 2, 3').header('ms-author-via', 'DAV')
  if ((await parts.settings.current()).features_off.includes('webdav')) {
    if (!request.raw.complete) readRest(request.raw)
    return reply.status(404).send()
  }
  // Windows asks what a server can do before it signs in.
  if (request.method === 'OPTIONS') return reply.status(200).header('allow', allowed).send()
  if (request.headers.authorization === undefined) {
    if (!request.raw.complete) readRest(request.raw)
    reply.header('www-authenticate', 'Basic realm="Cloudoc", charset="UTF-8"')
    return reply.status(401).send()
  }
  reply.header('cache-control', 'private, no-cache')
  try {
    const exchange = new DavExchange(parts, request, reply)
    await answers[request.method]?.(exchange)
  } catch (error) {
    if (!(error instanceof DavRefusal)) throw error
    if (reply.sent || reply.raw.headersSent || error.status === 0) {
      reply.raw.destroy()
      return reply
    }
    if (!request.raw.complete) readRest(request.raw)
    if (error.status === 405) reply.header('allow', allowed)
    reply.status(error.status)
    return error.body === '' ? reply.send() : reply.type('application/xml; charset=utf-8').send(error.body)
  }
  return reply
}
