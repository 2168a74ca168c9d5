// The fake server of screen tests: answers the calls of the catalogue by name, typed by the contract, through a fake
// fetch.
import { type Call, type CallAnswer, callsByName } from '@cloudoc/contract'
import { type CodeName, codeMessage, codes } from '@cloudoc/domain'
import { vi } from 'vitest'
import type { CallName } from '../src/core/call/api.ts'
import { addCallShapes } from '../src/core/call/api.ts'
import { shapes as administered } from '../src/core/call/catalogue-administration.ts'
import { shapes } from '../src/core/call/catalogue-rest.ts'

// As the signed-in page does.
addCallShapes(shapes)
addCallShapes(administered)

/** A failed answer: a result code, an HTTP status, or no connection. */
export class Refusal {
  readonly code: CodeName | undefined
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: CodeName | undefined, status: number, headers: Readonly<Record<string, string>> = {}) {
    this.code = code
    this.status = status
    this.headers = headers
  }
}

/** Refuses with a result code, as the server does. */
export const refused = (code: CodeName): Refusal => new Refusal(code, code === 'notLoggedIn' ? 401 : 200)
/** Answers with an HTTP status only. */
export const http = (status: number, headers?: Readonly<Record<string, string>>): Refusal =>
  new Refusal(undefined, status, headers)
/** The connection fails. */
export const unreachable = new Refusal(undefined, 0)

type Reply<N extends CallName> = CallAnswer<N> | Refusal
type Replies = { [N in CallName]?: Reply<N> | ((input: Record<string, unknown>) => Reply<N> | Promise<Reply<N>>) }

/** A call as received. */
export interface Sent {
  readonly name: CallName
  /** Path parameters, query, form and body merged. Values of queries and forms are strings. */
  readonly input: Record<string, unknown>
  readonly headers: Headers
  readonly url: URL
}

export interface FakeApi {
  /** All calls sent so far. */
  readonly sent: readonly Sent[]
  /** The inputs of one call. */
  readonly inputsOf: (name: CallName) => readonly Record<string, unknown>[]
  /** Changes the answers from now on. */
  readonly now: (replies: Replies) => void
}

const paths = (Object.entries(callsByName) as [CallName, Call][]).map(([name, { method, path }]) => ({
  name,
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** Replaces fetch by the fake server until the test ends (`vi.unstubAllGlobals`). */
export function fakeApi(replies: Replies): FakeApi {
  let current = replies
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit): Promise<Response> => {
    const url = new URL(address, 'http://cloudoc.test')
    const found = paths.find(({ method, pattern }) => method === init.method && pattern.test(url.pathname))
    if (found === undefined) throw new Error(`no call has ${init.method} ${url.pathname}`)
    const input: Record<string, unknown> = {
      ...found.pattern.exec(url.pathname)?.groups,
      ...fieldsOf(url.searchParams),
      ...bodyOf(init.body, callsByName[found.name]),
    }
    sent.push({ name: found.name, input, headers: new Headers(init.headers), url })
    const reply = current[found.name]
    if (reply === undefined) throw new Error(`the test has no reply for ${found.name}`)
    const answer: unknown = typeof reply === 'function' ? await reply(input) : reply
    init.signal?.throwIfAborted()
    return responseOf(answer, new Headers(init.headers).get('accept-language') === 'en' ? 'en' : 'zh')
  })
  return {
    sent,
    inputsOf: (name) => sent.filter((one) => one.name === name).map((one) => one.input),
    now: (other) => {
      current = { ...current, ...other }
    },
  }
}

function fieldsOf(query: URLSearchParams): Record<string, string | string[]> {
  const keys = [...new Set(query.keys())].filter((key) => key !== 'rnd')
  return Object.fromEntries(
    keys.map((key) => {
      const all = query.getAll(key)
      return [key, all.length > 1 ? all : (all[0] ?? '')]
    }),
  )
}

function bodyOf(body: unknown, call: { bodyField?: string; payload: string }): Record<string, unknown> {
  if (typeof body !== 'string') return {}
  if (call.payload === 'form') return fieldsOf(new URLSearchParams(body))
  const value: unknown = call.payload === 'text' ? body : JSON.parse(body)
  return call.bodyField === undefined ? (value as Record<string, unknown>) : { [call.bodyField]: value }
}

/** An answer, its message in the language of the request. */
function responseOf(answer: unknown, locale: 'zh' | 'en'): Response {
  if (!(answer instanceof Refusal)) return Response.json({ result: codes.success.code, data: answer, msg: '' })
  const { code, status, headers } = answer
  if (status === 0) throw new TypeError('fetch failed')
  if (code === undefined) return new Response('', { status, headers })
  return Response.json({ result: codes[code].code, data: null, msg: codeMessage(code, locale) }, { status, headers })
}
