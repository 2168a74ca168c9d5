// The built web client: its files, its one page for every address of the product, and the policy that page runs under.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeMessage, codes } from '@cloudoc/domain'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { localeOf } from './core/call/dispatcher.ts'

/** Inline scripts of the page, by their hashes: the skin is set before anything is painted. */
function inlineScriptHashes(html: string): string {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)]
    .map(
      (match) =>
        `'sha256-${createHash('sha256')
          .update(match[1] ?? '')
          .digest('base64')}'`,
    )
    .join(' ')
}

function policyFor(html: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval' ${inlineScriptHashes(html)}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}

/** Serves the client from `folder`; without a build there only the API answers. */
export function serveWeb(app: FastifyInstance, folder: string | undefined): void {
  const page = folder === undefined ? undefined : join(folder, 'index.html')
  const html = page !== undefined && existsSync(page) ? readFileSync(page, 'utf8') : undefined
  const policy = html === undefined ? '' : policyFor(html)
  if (html !== undefined && folder !== undefined) {
    app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '365d',
      preCompressed: true,
      index: false,
      decorateReply: false,
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const isPage = reads && html !== undefined && !/^\/(services2?|assets)([/?]|$)/.test(request.url)
    if (isPage && /\*\/\*|text\/(html|\*)/.test(request.headers.accept ?? '*/*')) {
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .header('cache-control', 'no-cache')
        .send(html)
    }
    return reply
      .status(404)
      .send({ result: codes.notFound.code, data: null, msg: codeMessage('notFound', localeOf(request)) })
  })
}
