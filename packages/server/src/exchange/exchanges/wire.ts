/*
 * The wire to the server of another network: signed messages, and contents as they are. The other server is not
 * trusted: it may be down, slow, or answer anything. This is the only file that knows how it is reached.
 *
 *   signature     Ed25519 of the name of the call and the message, each on a line, by the key of this server
 */
import { Readable } from 'node:stream'
import { calls } from '@cloudoc/contract'
import { codeOf, codes, fail, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { OutboundFailure, parseOutboundJson, readResponse } from '../../core/outbound-http.ts'
import type { Services } from '../../core/services.ts'
import { ownKey, peerKeyOf, readNetworks } from '../rules/index.ts'
import { type Message, type Reply, replies } from './messages.ts'

/** Timeouts of the answers of other servers, in milliseconds. */
export interface WireTimes {
  readonly answerMs: number
  /** The longest pause while a content is sent. */
  readonly idleMs: number
}
export const usualWireTimes: WireTimes = { answerMs: 10_000, idleMs: 30_000 }

const limits = { bytes: 2 * 1024 * 1024, inflatedBytes: 4 * 1024 * 1024 }
const mostValues = 50_000

/** The text that is signed. */
export const signedText = (call: string, envelope: string): string => `${call}\n${envelope}`

/** A content to be sent. */
export interface SentContent {
  readonly number: string
  readonly sha256: string
  readonly bytes: number
  readonly content: AsyncIterable<Uint8Array>
}

/** The server of another network. */
export interface Wire {
  say<M extends Message>(message: M, signal: AbortSignal): Promise<Reply<M['kind']>>
  send(content: SentContent, signal: AbortSignal): Promise<void>
}

/** Opens the wire to a network. Nothing is sent yet. */
export async function openWire(
  { secrets }: Pick<Services, 'secrets'>,
  db: Db,
  code: string,
  { now, times = usualWireTimes }: { readonly now: () => number; readonly times?: WireTimes },
): Promise<Wire> {
  const [network] = await readNetworks(db, code)
  const { rows } = await sql<{ api_host: string; ca_certificate: string; is_paused: boolean }>`
    select api_host, ca_certificate, is_paused from linked_server where id = ${network?.serverId ?? 0}`.execute(db)
  const [server] = rows
  if (network === undefined || server === undefined) return fail('interconnectedServerMissing')
  if (server.is_paused) return fail('interconnectedServerInvalid')
  const host = server.api_host
  const trust = server.ca_certificate === '' ? {} : { ca: server.ca_certificate }
  const { fingerprint: to } = peerKeyOf(network.peerKeys) ?? fail('interconnectedServerInvalid')
  const key = await ownKey(db, secrets, now())
  const sign = (call: string, message: object): { readonly envelope: string; readonly signature: string } => {
    const envelope = JSON.stringify({ at: now(), to, message })
    return { envelope, signature: key.sign(signedText(call, envelope)) }
  }

  return {
    async say(message, signal) {
      const { path } = calls.exchangeMessage
      const reply = await asked(() =>
        readResponse(`${host}${path}`, {
          ...{ method: 'POST', signal, timeMs: times.answerMs, headers: { 'content-type': 'application/json' } },
          body: JSON.stringify(sign('exchangeMessage', message)),
          ...{ ...limits, ...trust },
        }),
      )
      const data = calls.exchangeMessage.data.safeParse(reply)
      if (!data.success) return fail('interconnectedServerFaulty')
      const parsed = replies[message.kind].safeParse(jsonOf(data.data.reply))
      return (parsed.success ? parsed.data : fail('interconnectedServerFaulty')) as never
    },

    async send({ number, sha256, bytes, content }, signal) {
      const query = new URLSearchParams({ ...sign('exchangeContent', { number, sha256, bytes }) })
      await asked(() =>
        readResponse(`${host}${calls.exchangeContent.path}?${query.toString()}`, {
          ...{ method: 'POST', signal, timeMs: times.idleMs },
          headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes) },
          body: Readable.from(content, { objectMode: false }),
          ...{ ...limits, ...trust },
        }),
      )
    },
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The data of an answer; what the other server refuses is refused here with its own code. */
async function asked(ask: () => Promise<{ readonly status: number; readonly body: Buffer }>): Promise<unknown> {
  let json: unknown
  try {
    json = parseOutboundJson((await ask()).body, mostValues)
  } catch (error) {
    if (error instanceof OutboundFailure)
      throw new ResultError(
        error.kind === 'silent' ? 'interconnectedServerNotResponding' : 'interconnectedServerFaulty',
      )
    throw error
  }
  const { result, data } = (json ?? {}) as { result?: unknown; data?: unknown }
  if (result === codes.success.code) return data
  const code = typeof result === 'number' ? codeOf(result) : undefined
  if (code === undefined || code === 'serverException' || code === 'badRequest')
    return fail('interconnectedServerFaulty')
  throw new ResultError(code)
}
