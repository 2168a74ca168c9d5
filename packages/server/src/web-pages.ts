// Serves the built web client: its files, its page for every address of the product, and its content security policy.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeMessage, codes, originOf } from '@cloudoc/domain'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { localeOf } from './core/call/dispatcher.ts'

/** Hashes of the page's inline scripts, which set the skin before the first paint. */
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
    // The page reads its cached files by their blob: addresses ([R067]).
    "connect-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}

/** Other origins that the client contacts, as configured. */
export interface Reached {
  /** The origin of pages that it shows in frames. */
  readonly framed: string | undefined
  /** The control program on the machine of the browser. */
  readonly control: string | undefined
}

/** How long a page waits for the origins; it needs them only for parts that the database serves anyway. */
const reachedWithinMs = 250

/**
 * Reads the origins for pages. While the database does not answer, a page gets those of the last answer without waiting
 * for it, and all pages share one unanswered question.
 */
function promptly(read: () => Promise<Reached>): () => Promise<Reached | undefined> {
  let last: Reached | undefined
  let asking: Promise<unknown> | undefined
  return async () => {
    asking ??= read()
      .then(
        (reached) => {
          last = reached
        },
        () => {},
      )
      .finally(() => {
        asking = undefined
      })
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, reachedWithinMs)
    await Promise.race([asking, late.promise])
    clearTimeout(timer)
    return last
  }
}

/** The policy with these other origins; none if the database has not answered yet. */
async function withReached(policy: string, reached: (() => Promise<Reached | undefined>) | undefined): Promise<string> {
  const { framed, control } = (await reached?.()) ?? {}
  const connecting = control === undefined ? policy : policy.replace('connect-src ', `connect-src ${control} `)
  return framed === undefined ? connecting : `${connecting}; frame-src 'self' ${framed}`
}

/**
 * The settings file of clients ([R369]): what the operator put into `setting.json` of the folder `custom` of the data
 * folder. Only known fields of the right kind are sent, and no scripts: those come with the installation of a client.
 */
async function clientSettings(folder: string | undefined): Promise<{ server: string; devTools: boolean }> {
  const none = { server: '', devTools: false }
  if (folder === undefined) return none
  try {
    const told = JSON.parse(await readFile(join(folder, 'setting.json'), 'utf8')) as Readonly<
      Record<string, unknown>
    > | null
    const server = typeof told?.['server'] === 'string' ? originOf(told['server']) : undefined
    return { server: server ?? '', devTools: told?.['devTools'] === true }
  } catch {
    return none
  }
}

/** What installs the pages below /m and serves their shell offline; as current as the page itself. */
const installFiles = {
  'sw.js': 'text/javascript; charset=utf-8',
  'manifest.webmanifest': 'application/manifest+json',
  'manifest.en.webmanifest': 'application/manifest+json',
} as const

/** The page for visitors of links. */
const visitPage = 'visit.html'

interface Page {
  readonly html: string
  readonly policy: string
  /** Modification time of its file. */
  readonly writtenAt: number
}

const pageOf = (html: string, writtenAt: number): Page => ({ html, policy: policyFor(html), writtenAt })

/** The current page from its file: a client rebuilt under a running server is served with its own scripts. */
async function pageNow(path: string, known: Page): Promise<Page> {
  try {
    const { mtimeMs } = await stat(path)
    return mtimeMs === known.writtenAt ? known : pageOf(await readFile(path, 'utf8'), mtimeMs)
  } catch {
    // During a build the file does not exist.
    return known
  }
}

interface WebFolders {
  /** Of the built client. */
  readonly folder: string | undefined
  /** Of the settings file of clients. */
  readonly customFolder: string | undefined
  /** Those with the files of former releases, newest first. */
  readonly formerAssets: readonly string[]
}

/** Serves the client from its folder; without a build only the API answers. */
export function serveWeb(
  app: FastifyInstance,
  { folder, customFolder, formerAssets }: WebFolders,
  reached: () => Promise<Reached> = () => Promise.resolve({ framed: undefined, control: undefined }),
): void {
  // Clients add a random query, so that no cache answers.
  app.get('/custom/setting.json', async (_, reply) =>
    reply.header('cache-control', 'no-store').send(await clientSettings(customFolder)),
  )
  const promptReached = promptly(reached)
  const pages = new Map<string, Page>()
  for (const name of ['index.html', visitPage]) {
    const path = folder === undefined ? undefined : join(folder, name)
    if (path !== undefined && existsSync(path))
      pages.set(name, pageOf(readFileSync(path, 'utf8'), statSync(path).mtimeMs))
  }
  if (pages.size > 0 && folder !== undefined) {
    app.register(fastifyStatic, {
      root: [join(folder, 'assets'), ...formerAssets],
      prefix: '/assets/',
      immutable: true,
      maxAge: '365d',
      preCompressed: true,
      index: false,
      decorateReply: false,
    })
    for (const [name, type] of Object.entries(installFiles)) {
      const path = join(folder, 'm', name)
      if (existsSync(path))
        app.get(`/m/${name}`, async (_, reply) =>
          reply
            .type(type)
            .header('cache-control', 'no-cache')
            .send(await readFile(path)),
        )
    }
  }
  app.setNotFoundHandler(async (request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const isPage = reads && !/^\/(services2?|assets|metrics|custom|im\/api)([/?]|$)/.test(request.url)
    // Visitors of links have a page of their own, which search engines must not index.
    const isVisit = /^\/s\/[^/?]+([/?]|$)/.test(request.url)
    const name = isVisit ? visitPage : 'index.html'
    const known = pages.get(name)
    if (
      isPage &&
      known !== undefined &&
      folder !== undefined &&
      /\*\/\*|text\/(html|\*)/.test(request.headers.accept ?? '*/*')
    ) {
      const page = await pageNow(join(folder, name), known)
      pages.set(name, page)
      if (isVisit) reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer')
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', await withReached(page.policy, isVisit ? undefined : promptReached))
        .header('cache-control', 'no-cache')
        .send(page.html)
    }
    // An unknown call of instant messaging is named ([R303]).
    const call = /^\/im\/api\/([^?]*)/.exec(request.url)?.[1]
    const msg = call === undefined ? codeMessage('notFound', localeOf(request)) : `未能找到对应的API：${call}`
    return reply.status(404).send({ result: codes.notFound.code, data: null, msg })
  })
}
