/*
 * The sockets of the program ([R360], [R361]). They listen on the loopback interface only. A page is admitted by its
 * origin, which a browser does not let it choose, and for commands also by the word that came with an address which the
 * server has confirmed: another account of a shared computer can imitate an origin, but does not know the word.
 *
 * Anybody may ask whether the program is there (`connect`), since that is how a page that it does not know yet decides
 * to offer it; the answer is the version alone.
 */
import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { codes, conflictAnswers, controlPorts, EditState, originOf } from '@cloudoc/domain'
import { type WebSocket, WebSocketServer } from 'ws'
import type { KnownPage } from './edit-store.ts'
import { type LocalEdits, wordHash } from './local-edits.ts'
import { failureOf, type Owner, Refused } from './server-session.ts'

export interface SocketsOptions {
  readonly version: string
  readonly machine: () => string
  /** Servers that are known from the installation of the program. */
  readonly servers: readonly string[]
  readonly pages: () => readonly KnownPage[]
  readonly edits: LocalEdits
  /** Other ports than the documented ones; 0: any free one. For tests. */
  readonly ports?: { readonly device: number; readonly edit: number }
  /** Milliseconds within which a connection has to say something. */
  readonly silenceMs?: number
}

/** At most so many connections are open at each port, and none sends longer messages. */
const mostConnections = 64
const longestMessage = 16 * 1024

type Message = Readonly<Record<string, unknown>>

export interface Sockets {
  readonly ports: { readonly device: number; readonly edit: number }
  /** Tells the pages of an account that a file could not be opened. */
  readonly tellFailure: (address: { readonly server: string; readonly fileId: number }, result: number) => void
  readonly close: () => Promise<void>
}

/** Opens both sockets. Fails with the error of the system where a port is taken. */
export async function openSockets(options: SocketsOptions): Promise<Sockets> {
  const ports = options.ports ?? controlPorts
  const isKnown = (origin: string): boolean =>
    options.servers.includes(origin) || options.pages().some(({ server }) => server === origin)
  const device = await listen(
    ports.device,
    options,
    () => true,
    (page, origin) => {
      page.on('message', (data) => {
        const { option, token } = readMessage(data)
        if (option === 'connect') send(page, { option, version: options.version, sandbox: false })
        else if (option === 'get_mac' && isKnown(origin)) send(page, { option, mac: options.machine() })
        else if (option === 'login_key' && typeof token === 'string') void vouch(page, { origin, token }, options)
        else page.close(1008)
      })
    },
  )
  const admitted = new Map<WebSocket, Owned>()
  const edit = await listen(ports.edit, options, isKnown, (page, origin) => {
    page.on('close', () => admitted.delete(page))
    page.on('message', (data) => {
      const message = readMessage(data)
      if (message['command'] === 'handshake') {
        const owned = admit(message, origin, options)
        if (owned === undefined) return page.close(1008)
        admitted.set(page, owned)
        send(page, { command: 'handshake', result: codes.success.code, edits: options.edits.of(owned) })
        return undefined
      }
      const owned = admitted.get(page)
      if (owned === undefined || message['code'] !== owned.code || message['account'] !== owned.account) {
        return page.close(1008)
      }
      return void answer(page, message, owned, options.edits)
    })
  })
  options.edits.changed = (owner) => {
    for (const [page, owned] of admitted) {
      if (isOf(owner, owned)) send(page, { event: 'edits', edits: options.edits.of(owned) })
    }
  }
  return {
    ports: { device: portOf(device), edit: portOf(edit) },
    tellFailure: ({ server, fileId }, result) => {
      for (const [page, owned] of admitted) if (owned.server === server) send(page, { event: 'failed', fileId, result })
    },
    close: async () => {
      await Promise.all([closed(device), closed(edit)])
    },
  }
}

type Owned = Pick<Owner, 'server' | 'code' | 'account'>

const isOf = (owner: Owner, { server, account }: Owned): boolean => owner.server === server && owner.account === account

/** The account of a handshake, if the page at this origin has been met with it. */
function admit(message: Message, server: string, { pages }: SocketsOptions): Owned | undefined {
  const { client_type: type, code, account, token } = message
  if (type !== 'web' || typeof code !== 'string' || typeof account !== 'string' || typeof token !== 'string') {
    return undefined
  }
  const isMet = pages().some(
    (page) => page.server === server && page.code === code && page.account === account && isWord(page, token),
  )
  return isMet ? { server, code, account } : undefined
}

/**
 * Vouches for the account of a browser that was met with its word ([R019], X54): answers with a single-use key of the
 * newest session, empty where there is none. The origin alone does not suffice, since others of the computer can
 * imitate it.
 */
async function vouch(
  page: WebSocket,
  { origin, token }: { readonly origin: string; readonly token: string },
  { pages, edits }: SocketsOptions,
): Promise<void> {
  let loginKey = ''
  for (const known of pages().toReversed()) {
    if (loginKey !== '') break
    if (known.server === origin && isWord(known, token)) loginKey = await edits.loginKey(known)
  }
  send(page, { option: 'login_key', loginKey })
}

function isWord(page: KnownPage, token: string): boolean {
  const word = Buffer.from(wordHash(token))
  return page.word.length === word.length && timingSafeEqual(Buffer.from(page.word), word)
}

async function answer(page: WebSocket, message: Message, owned: Owned, edits: LocalEdits): Promise<void> {
  const { command, id: asked } = message
  const told = { command, ...(message['fileId'] !== undefined && { fileId: message['fileId'] }) }
  try {
    const result = await obey(String(command), message, owned, edits)
    send(page, { ...told, id: asked, result: result ? codes.success.code : codes.badRequest.code })
  } catch (error) {
    send(page, { ...told, id: asked, result: failureOf(error) })
  }
}

/** Carries out a command about an edit of this account. Returns whether there is such a command. */
async function obey(command: string, message: Message, owned: Owned, edits: LocalEdits): Promise<boolean> {
  const edit = edits.find(owned, Number(message['fileId']))
  if (edit === undefined) throw new Refused(command, codes.notFound.code)
  switch (command) {
    case 'unlockFile':
      await edits.release(edit.id)
      return true
    case 'submitEdit': {
      const { conflict, state } = await edits.submit(edit.id)
      if (state === EditState.changed && conflict > 0) throw new Refused(command, codes.fileConflict.code)
      return true
    }
    case 'resolveConflict': {
      const given = conflictAnswers.find((one) => one === message['answer'])
      if (given === undefined) return false
      await edits.resolve(edit.id, given)
      return true
    }
    case 'discardEdit':
      if (message['confirmed'] !== true) return false
      await edits.discard(edit.id)
      return true
    default:
      return false
  }
}

function readMessage(data: unknown): Message {
  try {
    const message: unknown = JSON.parse(String(data))
    return typeof message === 'object' && message !== null ? (message as Message) : {}
  } catch {
    return {}
  }
}

function send(page: WebSocket, message: Message): void {
  if (page.readyState === page.OPEN) page.send(JSON.stringify(message))
}

/** Listens on the loopback interface, for pages of web origins that `admits` lets in. */
async function listen(
  port: number,
  { silenceMs = 10_000 }: SocketsOptions,
  admits: (origin: string) => boolean,
  connected: (page: WebSocket, origin: string) => void,
): Promise<Server> {
  const http = createServer((_, response) => response.writeHead(404).end())
  http.maxConnections = mostConnections
  http.headersTimeout = silenceMs
  http.requestTimeout = silenceMs
  http.keepAliveTimeout = 1
  const pages = new WebSocketServer({ noServer: true, maxPayload: longestMessage })
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const origin = webOrigin(request)
    if (origin === undefined || !admits(origin))
      return socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
    pages.handleUpgrade(request, socket, head, (page) => {
      const timer = setTimeout(() => page.terminate(), silenceMs)
      page.once('message', () => clearTimeout(timer))
      page.on('close', () => clearTimeout(timer))
      page.on('error', () => page.terminate())
      connected(page, origin)
    })
    return undefined
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  http.once('error', reject)
  http.listen(port, '127.0.0.1', resolve)
  await promise
  http.on('close', () => {
    for (const page of pages.clients) page.terminate()
  })
  return http
}

/** The origin of a page. The host has to be the loopback interface, so that no name that leads there is accepted. */
function webOrigin({ headers }: IncomingMessage): string | undefined {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? '')) return undefined
  return originOf(headers.origin ?? '')
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function closed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  await promise
}
