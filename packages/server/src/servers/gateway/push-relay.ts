/*
 * The push channel of a linked server, through this one (docs/adr/0334): a socket at
 * `/linked/{serverId}/services2/ws/pushMessage` is one at the linked server, with the session that the person has there.
 * The token is added here; the page sends its position and receives the frames.
 *
 * Nothing is passed on once the session here has ended. A linked server is not trusted: its frames have limits of size
 * and number, and a page that does not keep up is cut off.
 */
import { PUSH_PATH } from '@cloudoc/contract'
import { WebSocket } from 'ws'
import { isForbiddenHost, lookupAllowed, OutboundFailure } from '../../core/outbound-http.ts'
import { type SocketCaller, type SocketRoute, wires } from '../../core/push/index.ts'
import { type Caller, type KnownPeer, peerFailure, type RemoteTimes, usualTimes, withPeer } from '../links/index.ts'
import type { PeerSessions } from './sessions.ts'

const address = new RegExp(`^/linked/(\\d{1,7})${PUSH_PATH}$`)

/** Close codes: those of the channel, and that the other server is not there. */
const closed = { noSession: 4001, noFrame: 4002, tooMany: 4003, stuck: 4005, notThere: 4015, stopped: 1001 } as const

/** A frame of the channel is far smaller. */
const longestFrame = 256 * 1024
const framesMost = 6000
const framesWithinMs = 60_000
const bufferedMost = 1024 * 1024
/** Sockets of one session here to one server: its tabs. */
const socketsMost = 20

interface RelayParts {
  readonly caller: Caller
  readonly sessions: PeerSessions
}

/** The position that the page has, if any. */
interface Login {
  readonly lastIdentity: string
  readonly epoch: string
}

/** Answers the sockets of the push channels of linked servers. */
export function pushRelay({ caller, sessions }: RelayParts): SocketRoute {
  const open = new Map<string, Set<WebSocket>>()
  const times = caller.times ?? usualTimes

  const relay = async (page: WebSocket, serverId: number, { actor, holds }: SocketCaller): Promise<void> => {
    const login = await loginOf(page, times.answerMs)
    const signal = AbortSignal.timeout(times.answerMs)
    await withPeer({ ...caller, times }, serverId, async (peer) => {
      const session = await sessions.of(actor, peer, signal)
      const there = await openThere(peer, times)
      there.send(JSON.stringify({ cmd: 'login', token: session.token, clientType: 0, serverId: 0, ...login }))
      connect(page, there, { holds, ended: () => void sessions.forget(actor, peer, session) })
    })
  }

  return {
    of(pathname) {
      const written = address.exec(pathname)?.[1]
      return written === undefined ? undefined : Number(written)
    },
    open(page, serverId, found) {
      page.on('error', () => page.terminate())
      // Guests of this server have no business at others (X51).
      if (found === undefined || found.actor.isGuest) return page.close(closed.noSession)
      const key = `${found.actor.sessionId} ${serverId}`
      const others = open.get(key) ?? new Set()
      if (others.size >= socketsMost) return page.close(closed.tooMany)
      open.set(key, others.add(page))
      page.once('close', () => {
        others.delete(page)
        if (others.size === 0) open.delete(key)
      })
      relay(page, serverId, found).catch(() => page.close(closed.notThere))
    },
  }
}

/** Waits for the first frame of the page: its login. */
function loginOf(page: WebSocket, withinMs: number): Promise<Login> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no login')), withinMs)
    page.once('close', () => reject(new Error('closed')))
    page.once('message', (bytes: Buffer, isBinary: boolean) => {
      clearTimeout(timer)
      const said = wires.json.read(bytes, isBinary)
      if (said?.cmd !== 'login') return reject(new Error('no login'))
      resolve({ lastIdentity: said.lastIdentity, epoch: said.epoch })
    })
  })
}

/** Opens the push channel of a linked server. */
function openThere({ api_host, ca_certificate }: KnownPeer, times: RemoteTimes): Promise<WebSocket> {
  if (isForbiddenHost(api_host)) throw peerFailure(new OutboundFailure('silent', 'an address that is never asked'))
  return new Promise((resolve, reject) => {
    const there = new WebSocket(`${api_host.replace(/^http/, 'ws')}${PUSH_PATH}`, {
      ...{ handshakeTimeout: times.answerMs, maxPayload: longestFrame, perMessageDeflate: false },
      ...{ followRedirects: false, lookup: lookupAllowed },
      ...(ca_certificate !== '' && { ca: ca_certificate }),
    })
    there.once('open', () => resolve(there))
    there.once('unexpected-response', () => {
      // No state of that server: its calls work, as behind a proxy that lets no sockets through.
      reject(new Error('no push channel'))
      there.terminate()
    })
    there.on('error', (error) => {
      const failure = peerFailure(new OutboundFailure('silent', 'the connection broke off', error))
      reject(failure instanceof Error ? failure : error)
      there.terminate()
    })
  })
}

/** Passes frames on until one of the sockets closes. */
function connect(
  page: WebSocket,
  there: WebSocket,
  { holds, ended }: { readonly holds: SocketCaller['holds']; readonly ended: () => void },
): void {
  let waiting: string[] = []
  let isPassing = false
  let counted = { since: performance.now(), frames: 0 }

  /** One check of the session for all frames that have arrived. */
  const pass = async (): Promise<void> => {
    if (isPassing) return
    isPassing = true
    try {
      while (waiting.length > 0) {
        if (!(await holds())) return page.close(closed.noSession)
        const frames = waiting
        waiting = []
        for (const frame of frames) page.send(frame)
        if (page.bufferedAmount > bufferedMost) return page.close(closed.stuck)
      }
    } catch {
      page.close(closed.stopped)
    } finally {
      isPassing = false
    }
  }

  there.on('message', (bytes: Buffer, isBinary: boolean) => {
    if (performance.now() - counted.since > framesWithinMs) counted = { since: performance.now(), frames: 0 }
    counted.frames += 1
    if (isBinary || counted.frames > framesMost || waiting.length > framesMost) return page.close(closed.tooMany)
    waiting.push(bytes.toString())
    void pass()
  })
  there.once('close', (code) => {
    // The session there has ended: another one is opened with the next socket.
    if (code === closed.noSession) ended()
    page.close(code === closed.noSession ? closed.notThere : closed.stopped)
  })
  page.on('message', (bytes: Buffer, isBinary: boolean) => {
    if (wires.json.read(bytes, isBinary)?.cmd !== 'heartbeat') return page.close(closed.noFrame)
    if (there.readyState === WebSocket.OPEN) there.send('{"cmd":"heartbeat"}')
  })
  page.once('close', () => there.close())
  if (page.readyState !== WebSocket.OPEN) there.close()
}
