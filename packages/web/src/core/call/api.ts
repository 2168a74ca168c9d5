/*
 * The calls of the catalogue over HTTP, and everything that can come back. Success is result -1; 0 is an error, so a
 * result is compared and never tested for truth ([R379]).
 *
 * A failure throws CallError. Whoever catches it shows it where it belongs (under the field, in the list); what nobody
 * catches reaches the window as an unhandled rejection and is shown as a warning there (app/errors.ts). So a failure is
 * shown once, and none is lost.
 *
 * No session (HTTP 401, 302, 266, result -69 — [R035], X23): the call waits while the session module asks for the password
 * and is then sent again, so that the page goes on where it stood. HTTP 455 is followed after three seconds ([R036], X22).
 */
import type { Answer, calls, Envelope, Input } from '@cloudoc/contract'
import { placeInput } from '@cloudoc/contract/request'
import { type CodeName, codeOf, codes, codeText, httpText, limits } from '@cloudoc/domain'
import { currentLocale, t } from '../i18n/i18n.ts'
import type { Shape, Shapes } from './call-shape.ts'
import { shapes as early } from './catalogue.ts'

export type Catalogue = typeof calls
export type CallName = keyof Catalogue

/** What went wrong beside the result codes: no connection, no answer in time, called off by the page, an HTTP error. */
export type FailureCode = CodeName | 'network' | 'timeout' | 'withdrawn' | 'http'

/** A call that failed. `message` is for people, in their language, with the caller's front message. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly code: FailureCode
  /** The result or HTTP status as it came; 0 where nothing came. */
  readonly number: number
  readonly call: string
  /** Nobody is to be told. */
  readonly quiet: boolean

  constructor(
    call: string,
    { code, number, message, quiet }: Pick<CallError, 'code' | 'number' | 'message' | 'quiet'>,
  ) {
    super(message)
    this.call = call
    this.code = code
    this.number = number
    this.quiet = quiet
  }
}

/** What a call would be refused with, where the page knows it beforehand. */
export function refusal(call: CallName, code: CodeName): CallError {
  const { code: number } = codes[code]
  return new CallError(call, { code, number, message: sentence(codeText(number, currentLocale())), quiet: false })
}

/** What codes say are pieces of sentences, which begin small in English. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export interface CallOptions {
  /** Said before the reason: "无法重命名：" . */
  readonly front?: string
  /** Other words for single codes. */
  readonly texts?: Partial<Readonly<Record<FailureCode, string>>>
  /** Nobody is told when it fails and nobody catches it. */
  readonly quiet?: boolean
  /** Fails with notLoggedIn at once instead of asking for the password. */
  readonly probe?: boolean
  /** Withdraws the call. */
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** 0 is the main server. */
  readonly serverId?: number
}

export type Api = {
  readonly [N in CallName]: (input: Input<Catalogue[N]>, options?: CallOptions) => Promise<Answer<Catalogue[N]>>
}

/** What this module needs of others; the app fills it once at start. */
export interface ApiHooks {
  /** Asks for the session again; true when there is one, false when the person gave up. */
  readonly renewSession: () => Promise<boolean>
  /** Has the person set another password; true when they have, false when they gave up. */
  readonly renewPassword: () => Promise<boolean>
  /** Has the person set up a second factor; true when they have. */
  readonly renewFactor: () => Promise<boolean>
  /** The server sent the page elsewhere ([R036]). */
  readonly redirecting: (url: string) => void
  /** A call that the catalogue does not know ([R378]). */
  readonly unknownCall: (name: string) => void
  /** The administrator has this device forget what it keeps (-50). */
  readonly wiped: () => void
  /** Whether the server was reached. */
  readonly reached: (reached: boolean) => void
  /** A call that somebody waits for takes long, and has been answered. */
  readonly slow: (by: 1 | -1) => void
}

let hooks: ApiHooks = {
  renewSession: () => Promise.resolve(false),
  renewPassword: () => Promise.resolve(false),
  renewFactor: () => Promise.resolve(false),
  redirecting: () => undefined,
  unknownCall: () => undefined,
  wiped: () => undefined,
  reached: () => undefined,
  slow: () => undefined,
}

/** From then on it is said that an answer is waited for. */
const slowMs = 1000

/** Joins the api with the session and the dialogs. */
export function connectApi(connected: ApiHooks): void {
  hooks = connected
}

/** How calls travel, as far as this page knows it by now. */
const shapes: Partial<Record<CallName, Shape>> = { ...early }
let knowsAll = false

/** Takes up how the calls travel that a page with a session sends; their module comes with that page. */
export function addCallShapes(rest: Shapes): void {
  Object.assign(shapes, rest)
  knowsAll = true
}

function shapeOf(name: CallName): Shape {
  const shape = shapes[name]
  if (shape === undefined) throw new Error(`the page does not know the call ${name} yet`)
  return shape
}

/** Where each server answers; the main server is the one that sent the page. */
const servers = new Map([[0, '']])

let pageAccountId: number | undefined

/**
 * Tells this module whose page this is. The session is the browser's, and another tab may have given it to somebody else:
 * the server refuses calls of a page that shows one person in a browser where another is signed in.
 */
export function setPageAccount(accountId: number | undefined): void {
  pageAccountId = accountId
}

/** Headers that every request carries: that this is our page, in which language it speaks, and whom it shows. */
export function rawRequestHeaders(): Record<string, string> {
  return {
    'x-cloudoc-client': 'web',
    'accept-language': currentLocale() === 'zh' ? 'zh-CN' : 'en',
    ...(pageAccountId !== undefined && { 'x-cloudoc-account': String(pageAccountId) }),
  }
}

const unauthorizedStatus = [401, 302, 266]
const away = [502, 503, 504]

/** Tells this module of the HTTP status of a request that was sent without it (uploads by XMLHttpRequest). */
export function reportHttpStatus(status: number): void {
  if (unauthorizedStatus.includes(status)) void hooks.renewSession()
}

interface Request {
  readonly url: string
  readonly init: RequestInit
}

/** Places an input where the catalogue says it travels. */
export function requestOf(name: CallName, input: Readonly<Record<string, unknown>>, serverId = 0): Request {
  const base = servers.get(serverId)
  if (base === undefined) {
    throw new Error(serverId === 0 ? 'can not found main server' : `can not found server: ${serverId}`)
  }
  const { method, path, body } = placeInput(shapeOf(name), input)
  const headers = { ...rawRequestHeaders(), ...(body && { 'content-type': body.type }) }
  return {
    url: `${base}${path}${path.includes('?') ? '&' : '?'}rnd=${Math.random()}`,
    init: { method, headers, credentials: 'same-origin', cache: 'no-store', ...(body && { body: body.text }) },
  }
}

/** The address of a stream, for an element or a download; the ticket stands for the session. */
export function streamUrl<N extends CallName>(name: N, input: Input<Catalogue[N]>, ticket?: string): string {
  const { url } = requestOf(name, input)
  return ticket === undefined ? url : `${url}&access_token=${encodeURIComponent(ticket)}`
}

async function send(name: CallName, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown> {
  const { url, init } = requestOf(name, input, options.serverId)
  const shape = shapeOf(name)
  const quiet = options.quiet ?? shape.quiet ?? false
  const failed = (code: FailureCode, number: number, reason: string): CallError =>
    new CallError(name, {
      code,
      number,
      message: sentence(`${options.front ?? ''}${options.texts?.[code] ?? reason}`),
      quiet: quiet || code === 'withdrawn',
    })
  // By hand: the browsers of domestic systems are older than AbortSignal.timeout and AbortSignal.any.
  const abort = new AbortController()
  let late = false
  const timer = setTimeout(
    () => {
      late = true
      abort.abort()
    },
    options.timeoutMs ?? shape.timeoutMs ?? limits.requestTimeoutMs,
  )
  let slow = false
  const slowTimer = setTimeout(() => {
    slow = !quiet
    if (slow) hooks.slow(1)
  }, slowMs)
  const withdraw = (): void => abort.abort()
  options.signal?.addEventListener('abort', withdraw)
  if (options.signal?.aborted === true) withdraw()
  let response: Response
  let envelope: Envelope<unknown> | undefined
  try {
    response = await fetch(url, { ...init, signal: abort.signal })
    envelope = envelopeOf(await response.text())
    // Without an envelope it is a proxy that tells that the server behind it does not answer.
    hooks.reached(envelope !== undefined || !away.includes(response.status))
  } catch {
    if (options.signal?.aborted === true) throw failed('withdrawn', 0, t('api.withdrawn'))
    hooks.reached(false)
    if (late) throw failed('timeout', 0, t('api.timeout'))
    throw failed('network', 0, t('api.network'))
  } finally {
    clearTimeout(timer)
    clearTimeout(slowTimer)
    if (slow) hooks.slow(-1)
    options.signal?.removeEventListener('abort', withdraw)
  }
  const noSession = unauthorizedStatus.includes(response.status) || response.redirected
  if (noSession || envelope?.result === codes.notLoggedIn.code) {
    throw failed('notLoggedIn', codes.notLoggedIn.code, codes.notLoggedIn[currentLocale()])
  }
  if (envelope?.result === codes.deviceWiped.code) {
    hooks.wiped()
    throw new CallError(name, { code: 'deviceWiped', number: envelope.result, message: envelope.msg, quiet: true })
  }
  if (response.status === 455) follow(response.headers.get('redirect'), options.serverId)
  const named = envelope === undefined ? undefined : codeOf(envelope.result)
  if (response.status >= 400) {
    // The text of the status when there is one, else what the server said ([R381]).
    const said = envelope?.msg || response.statusText || String(response.status)
    throw failed(
      named ?? 'http',
      envelope?.result ?? response.status,
      httpText(response.status, currentLocale()) ?? said,
    )
  }
  if (envelope === undefined) throw failed('http', response.status, t('api.noAnswer'))
  if (envelope.result === codes.success.code) {
    answerListener(name, input, envelope.data)
    return envelope.data
  }
  // A batch names the first refusal, and beside it what became of each item, which the caller reads ([R126]).
  if (shape.kind === 'batch' && Array.isArray(envelope.data)) return envelope.data
  throw failed(named ?? 'unknown', envelope.result, envelope.msg || codeText(envelope.result, currentLocale()))
}

/** What our server answers, where this is an answer of it. */
export function envelopeOf(text: string): Envelope<unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'result' in body ? (body as Envelope<unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Origins that a redirect may lead to beside our own: those that the administrator configured. */
const trustedOrigins = new Set<string>()

/** Lets redirects of the server lead to this address. */
export function trustRedirectsTo(url: string): void {
  const parsed = parseUrl(url)
  if (parsed !== undefined) trustedOrigins.add(parsed.origin)
}

function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

let redirect: { readonly since: number; timer: ReturnType<typeof setTimeout> } | 'leaving' | undefined

/**
 * Many calls fail at once when a server is not licensed: the last address counts, once no other has come for a moment, and
 * the page leaves three seconds later ([R036], X22). A relative address is one of the server that sent it.
 */
function follow(address: string | null, serverId = 0): void {
  const server = servers.get(serverId) || location.origin
  const url = address === null ? undefined : parseUrl(address, server)
  if (url === undefined || redirect === 'leaving') return
  if (url.origin !== location.origin && !trustedOrigins.has(url.origin)) return
  const since = redirect?.since ?? Date.now()
  if (redirect !== undefined) clearTimeout(redirect.timer)
  const leave = (): void => {
    redirect = 'leaving'
    hooks.redirecting(url.href)
    setTimeout(() => location.assign(url), limits.redirectDelayMs)
  }
  const wait = Math.min(limits.redirectQuietMs, since + limits.redirectQuietMostMs - Date.now())
  redirect = { since, timer: setTimeout(leave, Math.max(0, wait)) }
}

/** Learns of every answer that came, for what this browser keeps of them. */
type AnswerListener = (name: CallName, input: Readonly<Record<string, unknown>>, data: unknown) => void
let answerListener: AnswerListener = () => undefined

/** Sets who learns of answers. */
export function setAnswerListener(listener: AnswerListener): void {
  answerListener = listener
}

/** What a person can do where they are about a refusal that concerns every call (-69, -80, -137). */
const mends: Partial<Record<FailureCode, () => Promise<boolean>>> = {
  notLoggedIn: () => hooks.renewSession(),
  passwordChangeRequired: () => hooks.renewPassword(),
  passwordExpired: () => hooks.renewPassword(),
  secondFactorMissing: () => hooks.renewFactor(),
}

async function call(
  name: CallName,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<unknown> {
  try {
    return await send(name, input, options)
  } catch (error) {
    const mend = error instanceof CallError ? mends[error.code] : undefined
    const { auth } = shapeOf(name)
    const needsSession = auth === 'required' || auth === 'query'
    if (mend === undefined || !needsSession || options.probe === true) throw error
    if (await mend()) return send(name, input, options)
    // The person has just been told, so the callers need not.
    const { code, number, message } = error as CallError
    throw new CallError(name, { code, number, message, quiet: true })
  }
}

/** Every call of the catalogue by its name. */
export const api: Api = new Proxy({} as Api, {
  get(_, name) {
    if (typeof name !== 'string' || name === 'then') return undefined
    const known = (input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<unknown> =>
      call(name as CallName, input, options)
    if (name in shapes) return known
    return async (input: Readonly<Record<string, unknown>>, options?: CallOptions) => {
      if (!knowsAll) addCallShapes((await import('./catalogue-rest.ts')).shapes)
      if (name in shapes) return known(input, options)
      hooks.unknownCall(name)
      throw new CallError(name, { code: 'http', number: 0, message: 'API ERROR', quiet: true })
    }
  },
})
