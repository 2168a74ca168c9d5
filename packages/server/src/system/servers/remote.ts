/*
 * A linked server, asked as one of its people: a signed ticket begins a session there, and from then on it answers what
 * that person may see there and nothing else. It is a foreign machine: it may be gone, slow, or answer anything.
 *
 *   ticket     account, client type, end, nonce, each on a line; HMAC-SHA256 by the key that both servers hold
 */
import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { type Answer, calls, type Input, placeInput } from '@cloudoc/contract'
import { codeOf, codes, fail, ResultError } from '@cloudoc/domain'

const ticketLife = 60_000
/** Milliseconds until an answer begins; a content may take as long as it goes on arriving. */
const answerWithin = 30_000
/** Client types of such sessions: one each for copies that one person has under way at the same time. */
const clientTypes = { from: 200, to: 255 }

export interface LinkedServer {
  readonly api_host: string
  readonly key: string
}

interface Ticket {
  readonly account: string
  readonly clientType: number
  readonly expiresAt: number
  readonly nonce: string
}

/** The signature of a ticket by the key of two servers. */
export function signTicket({ account, clientType, expiresAt, nonce }: Ticket, key: string): string {
  return createHmac('sha256', key).update([account, clientType, expiresAt, nonce].join('\n')).digest('base64url')
}

type Catalogue = typeof calls
/** What a copy asks of the other server. */
type Asked = 'loginByServer' | 'logout2' | 'getFileInfo' | 'getFolderInfo' | 'getSubItemList3'

export interface Content {
  readonly bytes: AsyncIterable<Uint8Array>
  /** What the other server says that its content is. */
  readonly sha256: string
}

export interface Remote {
  ask<N extends Asked>(name: N, input: Input<Catalogue[N]>): Promise<Answer<Catalogue[N]>>
  content(fileId: number): Promise<Content>
  close(): Promise<void>
}

/** Signs a person of this server in at the other one. */
export async function openRemote(server: LinkedServer, account: string, now: number): Promise<Remote> {
  /** Known once the other server has let the person in. */
  const session = { token: '' }

  const send = async (method: string, path: string, body?: { type: string; text: string }): Promise<Response> => {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), answerWithin)
    try {
      return await fetch(`${server.api_host}${path}`, {
        method,
        redirect: 'error',
        signal: stop.signal,
        headers: {
          ...(session.token === '' ? {} : { authorization: `Bearer ${session.token}` }),
          ...(body === undefined ? {} : { 'content-type': body.type }),
        },
        ...(body === undefined ? {} : { body: body.text }),
      })
    } catch {
      return fail('interconnectedServerNotResponding')
    } finally {
      clearTimeout(timer)
    }
  }

  const ask: Remote['ask'] = async (name, input) => {
    const { method, path, body } = placeInput(calls[name], input)
    const answer = await envelopeOf(await send(method, path, body))
    const parsed = calls[name].data.safeParse(answer)
    return (parsed.success ? parsed.data : fail('interconnectedServerFaulty')) as never
  }

  const ticket = {
    account,
    clientType: randomInt(clientTypes.from, clientTypes.to + 1),
    expiresAt: now + ticketLife,
    nonce: randomBytes(24).toString('base64url'),
  }
  const signedIn = await ask('loginByServer', { ...ticket, signature: signTicket(ticket, server.key) })
  session.token = signedIn.accessToken
  return {
    ask,
    async content(fileId) {
      const response = await send('GET', `/DownloadServlet?fileId=${fileId}`)
      // What is no content is an envelope with the reason.
      if (response.headers.get('content-disposition') === null) await envelopeOf(response)
      const sha256 = Buffer.from(/^"([\w-]{43})"$/.exec(response.headers.get('etag') ?? '')?.[1] ?? '', 'base64url')
      if (response.status !== 200 || response.body === null || sha256.length !== 32) {
        return fail('interconnectedServerFaulty')
      }
      return { bytes: whole(response.body), sha256: sha256.toString('hex') }
    },
    close: () =>
      ask('logout2', {}).then(
        () => {},
        () => {},
      ),
  }
}

async function* whole(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch {
    fail('interconnectedServerNotResponding')
  }
}

/** The data of an answer, or its refusal under its own code. */
async function envelopeOf(response: Response): Promise<unknown> {
  const envelope = (await response.json().catch(() => undefined)) as { result?: unknown; data?: unknown } | undefined
  const result = envelope?.result
  if (result === codes.success.code) return envelope?.data
  const code = typeof result === 'number' ? codeOf(result) : undefined
  if (code === undefined || code === 'serverException' || code === 'badRequest') {
    return fail('interconnectedServerFaulty')
  }
  // The session there, not the one here, has ended.
  throw new ResultError(code === 'notLoggedIn' ? 'interconnectedServerInvalid' : code)
}
