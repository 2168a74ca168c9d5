// The token endpoint of OAuth 2.0 for service accounts (RFC 6749, 4.4): a client exchanges its secret for short tokens.
import { randomBytes } from 'node:crypto'
import { type CodeName, fail } from '@cloudoc/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { StagedContext } from '../../core/call/context.ts'
import type { Perform } from '../../core/call/operation.ts'
import { hashToken, sameSecret } from '../../core/secrets.ts'
import { assertUsable, attempt } from '../auth/index.ts'
import { insertTokenSession } from './index.ts'

const path = '/services2/oauth/token'
const tokenMs = 60 * 60_000
const maxBody = 16 * 1024

interface Asked extends Record<string, string> {
  readonly grantType: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The credentials of a client: by the Basic scheme, or in the body. */
function askedOf(request: FastifyRequest): Asked {
  const fields = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const [, id = '', secret = ''] =
    encoded === undefined ? [] : (/^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [])
  const decoded = (text: string): string => new URLSearchParams(`x=${text}`).get('x') ?? ''
  return {
    grantType: fields.get('grant_type') ?? '',
    clientId: encoded === undefined ? (fields.get('client_id') ?? '') : decoded(id),
    clientSecret: encoded === undefined ? (fields.get('client_secret') ?? '') : decoded(secret),
  }
}

/** Exchanges the secret of a client for a token. */
async function exchange(context: StagedContext, { grantType, clientId, clientSecret }: Asked) {
  const { db, now, address } = context
  if (grantType !== 'client_credentials') return fail('badRequest')
  const tried = await attempt(db, undefined, address, now)
  const programId = Number(/^svc-(\d{1,15})$/.exec(clientId)?.[1] ?? 0)
  const program = await db
    .selectFrom('program as p')
    .innerJoin('account as a', 'a.id', 'p.account_id')
    .select(['p.account_id', 'p.secret_hash', 'p.expires_at', 'p.scopes', 'a.state', 'a.expires_at as usable_until'])
    .where('p.id', '=', programId)
    .where('p.kind', '=', 'service')
    .executeTakeFirst()
  const stored = program?.secret_hash ?? undefined
  const isRight =
    stored !== undefined &&
    sameSecret(hashToken(clientSecret).toString('hex'), stored.toString('hex')) &&
    (program?.expires_at ?? 0) > now
  if (program === undefined || !isRight)
    return tried.wrong('wrongPassword', true, { call: 'oauthToken', accountId: program?.account_id ?? null })
  assertUsable({ state: program.state, expires_at: program.usable_until }, now)
  const text = `cdt_${randomBytes(32).toString('base64url')}`
  const expiresAt = Math.min(now + tokenMs, program.expires_at)
  return context.commit(async (write) => {
    // The client may have been revoked meanwhile.
    const kept = await write.tx
      .updateTable('program')
      .set({ used_at: now })
      .where('id', '=', programId)
      .returning('account_id')
      .executeTakeFirst()
    if (kept === undefined) return fail('wrongPassword')
    const token = { text, accountId: kept.account_id, programId }
    await insertTokenSession(write.tx, token, { address, now, expiresAt })
    write.audit({ programId, accountId: kept.account_id })
    return { token: text, seconds: Math.floor((expiresAt - now) / 1000), scope: program.scopes.join(' ') }
  })
}

/** The error names of RFC 6749, 5.2. */
function errorOf(code: CodeName): { readonly status: number; readonly error: string } {
  if (code === 'badRequest') return { status: 400, error: 'unsupported_grant_type' }
  if (code === 'serverException') return { status: 500, error: 'server_error' }
  if (code === 'notActivated') return { status: 455, error: 'temporarily_unavailable' }
  if (code === 'accountLocked') return { status: 429, error: 'slow_down' }
  return { status: 401, error: 'invalid_client' }
}

/** Registers the token endpoint. */
export function serveTokens(http: FastifyInstance, perform: Perform): void {
  http.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxBody },
      (_request, body, parsed) => parsed(null, body),
    )
    scope.post(path, async (request, reply) => {
      const performed = await perform({
        operation: {
          name: 'oauthToken',
          auth: 'none',
          payload: 'form',
          open: 'a client proves itself by its secret; throttled',
          kind: 'staged',
          run: exchange,
        },
        request,
        reply,
        incoming: () => Promise.resolve({ input: askedOf(request) }),
      })
      reply.header('cache-control', 'no-store')
      if ('isCut' in performed) return reply
      if ('code' in performed) {
        const { status, error } = errorOf(performed.code)
        if (status === 401) reply.header('www-authenticate', 'Basic realm="cloudoc"')
        return reply.status(status).send({ error, error_description: performed.envelope.msg })
      }
      const { token, seconds, scope: scopes } = performed.data
      return reply.send({ access_token: token, token_type: 'Bearer', expires_in: seconds, scope: scopes })
    })
    done()
  })
}

const text = { type: 'string' } as const

/** The entry of openapi.json. */
export const tokenPaths = {
  [path]: {
    post: {
      operationId: 'oauthToken',
      tags: ['programs'],
      summary: 'Exchanges the secret of a service client for a token (RFC 6749, client_credentials)',
      description: 'The client names itself by the Basic scheme, or in the body.',
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['grant_type'],
              properties: {
                grant_type: { const: 'client_credentials', description: 'The grant.' },
                client_id: { ...text, description: 'The client, as it was told.' },
                client_secret: { ...text, description: 'Its secret.' },
              },
            },
          },
        },
      },
      responses: {
        200: {
          description: 'The token, good for an hour at most.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  access_token: text,
                  token_type: { const: 'Bearer' },
                  expires_in: { type: 'integer' },
                  scope: text,
                },
              },
            },
          },
        },
        400: { description: 'Another grant type.' },
        401: { description: 'The client is unknown, or its secret is wrong.' },
      },
    },
  },
}
