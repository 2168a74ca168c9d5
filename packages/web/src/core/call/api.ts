/*
 * Sends the calls of the catalogue over HTTP and handles every possible response. Success is result -1; 0 is an error,
 * so a result is compared and never tested for truth ([R379]).
 *
 * A failure throws CallError. The code that catches it shows it in the right context (under the field, in the list). An
 * uncaught failure reaches the window as an unhandled rejection, which is shown as a warning (app/errors.ts). So each
 * failure is shown exactly once.
 *
 * No session (HTTP 401, 302, 266, result -69 — [R035], X23): the call waits while the session module asks for the
 * password and is then sent again, so the page continues where it was. HTTP 455 is followed after three seconds
 * ([R036], X22). A linked server without a session for the user is a matter of the registry of servers.
 */
import type { CallAnswer, CallInput, calls, Envelope } from '@cloudoc/contract'
import { captchaDueHeader, placeInput } from '@cloudoc/contract/request'
import { type CodeName, codeOf, codes, codeText, httpText, limits } from '@cloudoc/domain'
import { currentLocale, t } from '../i18n/i18n.ts'
import type { Shape, Shapes } from './call-shape.ts'
import { shapes as early } from './catalogue.ts'

export type Catalogue = typeof calls
export type CallName = keyof Catalogue

/** Failures other than result codes: no connection, timeout, aborted by the page, HTTP error. */
export type FailureCode = CodeName | 'network' | 'timeout' | 'withdrawn' | 'http'

/** A failed call. `message` is a readable text in the user's language, starting with the caller's `front` text. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly code: FailureCode
  /** The result or HTTP status received; 0 if there was no response. */
  readonly number: number
  readonly call: string
  /** The failure must not be shown to the user. */
  readonly quiet: boolean
  /** The server that was asked. */
  readonly serverId: number
  /** A refused sign-in: the next attempt needs a captcha. */
  readonly captchaDue: boolean
  readonly at = Date.now()

  constructor(
    call: string,
    {
      code,
      number,
      message,
      quiet,
      captchaDue = false,
      serverId = 0,
    }: Pick<CallError, 'code' | 'number' | 'message' | 'quiet'> & Partial<Pick<CallError, 'captchaDue' | 'serverId'>>,
  ) {
    super(message)
    this.call = call
    this.code = code
    this.number = number
    this.quiet = quiet
    this.captchaDue = captchaDue
    this.serverId = serverId
    if (recentFailures.push(this) > 200) recentFailures.shift()
  }
}

/** The last failed calls of this page, for the logs that people send to administrators ([R374]). */
export const recentFailures: CallError[] = []

/** The error a call would be refused with, if the page knows it in advance. */
export function refusal(call: CallName, code: CodeName): CallError {
  const { code: number } = codes[code]
  return new CallError(call, { code, number, message: sentence(codeText(number, currentLocale())), quiet: false })
}

/** Code texts are sentence fragments, which start with a lower-case letter in English. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export interface CallOptions {
  /** Prefix of the message: "无法重命名：" . */
  readonly front?: string
  /** Custom texts for single codes. */
  readonly texts?: Partial<Readonly<Record<FailureCode, string>>>
  /** An uncaught failure is not shown. */
  readonly quiet?: boolean
  /** Fails with notLoggedIn at once instead of asking for the password. */
  readonly probe?: boolean
  /** Aborts the call. */
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/** The options of a call with its server: 0 is the main server. */
type ServerCallOptions = CallOptions & Partial<OnServer>

type CallFunction<N extends CallName> = (input: CallInput<N>, options?: CallOptions) => Promise<CallAnswer<N>>

/** The input fields that hold ids of files, folders or shortcuts. Such an id is unique on its server only. */
type ItemField =
  | 'fileId'
  | 'folderId'
  | 'folderName'
  | 'targetFolderId'
  | 'fileIds'
  | 'folderIds'
  | 'fileIdArray'
  | 'folderIdArray'
  | 'linkIdArray'
  | 'itemIdStrs'
  | 'files'

/** The calls that name items. They need the server of the items, so they exist only on `api.of(…)`. */
export type ItemCallName = {
  [N in CallName]: Extract<keyof CallInput<N>, ItemField> extends never ? never : N
}[CallName]

/** Anything that belongs to a server: an item, a push. */
export interface OnServer {
  readonly serverId: number
}

/** The main server, for calls about items of which the caller knows only the number. */
export const mainServer: OnServer = { serverId: 0 }

/** Every call, sent to one server. */
export type ServerApi = { readonly [N in CallName]: CallFunction<N> }

/** The calls to the main server that name no item, and `of`, which selects the server of an item. */
export type Api = Pick<ServerApi, Exclude<CallName, ItemCallName>> & { readonly of: (on: OnServer) => ServerApi }

/** The functions this module needs from others. The app sets them once at start. */
export interface ApiHooks {
  /** Asks the user to sign in again. Returns true if there is a session, false if the user gave up. */
  readonly renewSession: () => Promise<boolean>
  /** Asks the user for a new password. Returns true if it was changed, false if the user gave up. */
  readonly renewPassword: () => Promise<boolean>
  /** Asks the user to set up a second factor. Returns true if it was set up. */
  readonly renewFactor: () => Promise<boolean>
  /** The server redirected the page ([R036]). */
  readonly redirecting: (url: string) => void
  /** A call that the catalogue does not know ([R378]). */
  readonly unknownCall: (name: string) => void
  /** The administrator ordered a wipe of this device's stored data (-50). */
  readonly wiped: () => void
  /** The server is in maintenance mode, with the message of the administrator. */
  readonly maintained: (message: string) => void
  /** Whether the server was reached. */
  readonly reached: (reached: boolean) => void
  /** Called with 1 when a call the user waits for takes long, and with -1 when it has been answered. */
  readonly slow: (by: 1 | -1) => void
}

let hooks: ApiHooks = {
  renewSession: () => Promise.resolve(false),
  renewPassword: () => Promise.resolve(false),
  renewFactor: () => Promise.resolve(false),
  redirecting: () => undefined,
  unknownCall: () => undefined,
  wiped: () => undefined,
  maintained: () => undefined,
  reached: () => undefined,
  slow: () => undefined,
}

/** After this time a busy indicator is shown. */
const slowMs = 1000

/** Connects the API with the session and the dialogs. */
export function connectApi(connected: ApiHooks): void {
  hooks = connected
}

/** The request shapes of the calls this page knows so far. */
const shapes: Partial<Record<CallName, Shape>> = { ...early }
let knowsAll = false

/** Adds the request shapes of calls that need a session. Their module is loaded with the signed-in page. */
export function addCallShapes(rest: Shapes): void {
  Object.assign(shapes, rest)
  knowsAll = true
}

function shapeOf(name: CallName): Shape {
  const shape = shapes[name]
  if (shape === undefined) throw new Error(`the page does not know the call ${name} yet`)
  return shape
}

/** A server other than the main one. */
interface OtherServer {
  readonly base: string
  /** Reads its answers. */
  readonly read: (data: unknown) => unknown
  /** Returns an input as it expects it. */
  readonly write: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/** The servers except the main one, which is the page's own origin. */
const servers = new Map<number | undefined, OtherServer>()

/** What the registry of servers learns of the calls to linked servers, and does for them. */
export interface ServerHooks {
  /** A linked server answered; with the failure if its gateway refused. */
  readonly answered: (serverId: number, failure: FailureCode | undefined) => void
  /** Resolves when the linked servers are known. */
  readonly known: () => Promise<void>
  /** There is no session there or here. Returns true if there is one again. */
  readonly renew: (serverId: number) => Promise<boolean>
}

let serverHooks: ServerHooks = {
  answered: () => undefined,
  known: () => Promise.resolve(),
  renew: () => Promise.resolve(false),
}

/** Connects the registry of servers. */
export function connectServers(connected: ServerHooks): void {
  serverHooks = connected
}

/** Adds a server; see other-servers.ts. */
export function addServer(serverId: number, server: OtherServer): void {
  servers.set(serverId, server)
}

let pageAccountId: number | undefined

/**
 * Sets the account this page shows. The session belongs to the browser, and another tab may have signed in another
 * user. The server refuses calls of a page that shows another account than the session's.
 */
export function setPageAccount(accountId: number | undefined): void {
  pageAccountId = accountId
}

let ofMachine: Record<string, string> = {}

/** Sets the header with the machine address that the program of this computer told the page ([R363]). */
export function setMachineHeader(header: Record<string, string>): void {
  ofMachine = header
}

/** Headers of every request: the client type, the page's language, the account it shows, and the machine address. */
export function rawRequestHeaders(): Record<string, string> {
  return {
    'x-cloudoc-client': 'web',
    'accept-language': currentLocale() === 'zh' ? 'zh-CN' : 'en',
    ...(pageAccountId !== undefined && { 'x-cloudoc-account': String(pageAccountId) }),
    ...ofMachine,
  }
}

const unauthorizedStatus = [401, 302, 266]
const away = [502, 503, 504]

/** Reports the HTTP status of a request sent without this module (uploads by XMLHttpRequest). */
export function reportHttpStatus(status: number): void {
  if (unauthorizedStatus.includes(status)) void hooks.renewSession()
}

/** The base address of a server. A page that was opened from a file has no main server ([R031]). */
function baseOf(serverId: number): string {
  const isOwn = serverId === mainServer.serverId && globalThis.location?.protocol !== 'file:'
  const base = isOwn ? '' : servers.get(serverId)?.base
  if (base !== undefined) return base
  throw new Error(serverId === mainServer.serverId ? 'can not found main server' : `can not found server: ${serverId}`)
}

interface Request {
  readonly url: string
  readonly init: RequestInit
}

/** Builds the request of a call; the catalogue defines where each input is placed. */
export function requestOf(name: CallName, input: Readonly<Record<string, unknown>>, serverId = 0): Request {
  const base = baseOf(serverId)
  const { method, path, body } = placeInput(shapeOf(name), servers.get(serverId)?.write(input) ?? input)
  const headers = { ...rawRequestHeaders(), ...(body && { 'content-type': body.type }) }
  return {
    url: `${base}${path}${path.includes('?') ? '&' : '?'}rnd=${Math.random()}`,
    init: { method, headers, credentials: 'same-origin', cache: 'no-store', ...(body && { body: body.text }) },
  }
}

/** The address of a stream, for an element or a download. The ticket replaces the session. */
export function streamUrl<N extends CallName>(
  name: N,
  input: CallInput<N>,
  ...[on, ticket]: N extends ItemCallName ? [on: OnServer, ticket?: string] : [on?: OnServer, ticket?: string]
): string {
  const { url } = requestOf(name, input, on?.serverId)
  return ticket === undefined ? url : `${url}&access_token=${encodeURIComponent(ticket)}`
}

async function send(
  name: CallName,
  input: Readonly<Record<string, unknown>>,
  options: ServerCallOptions,
): Promise<unknown> {
  if (isLinked(options) && !servers.has(options.serverId)) await serverHooks.known()
  const { url, init } = requestOf(name, input, options.serverId)
  const shape = shapeOf(name)
  const quiet = options.quiet ?? shape.quiet ?? false
  let captchaDue = false
  const failed = (code: FailureCode, number: number, reason: string): CallError =>
    new CallError(name, {
      captchaDue,
      serverId: options.serverId ?? mainServer.serverId,
      code,
      number,
      message: sentence(`${options.front ?? ''}${options.texts?.[code] ?? reason}`),
      quiet: quiet || code === 'withdrawn',
    })
  // Implemented manually: some Chinese browsers do not have AbortSignal.timeout and AbortSignal.any.
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
    captchaDue = response.headers.get(captchaDueHeader) === 'due'
    envelope = envelopeOf(await response.text())
    // A response without an envelope comes from a proxy whose upstream server does not answer.
    hooks.reached(envelope !== undefined || !away.includes(response.status))
  } catch {
    if (options.signal?.aborted === true) throw failed('withdrawn', 0, t('api.withdrawn'))
    if (late) {
      // A linked server that takes long says nothing about the server of the page.
      if (isLinked(options)) serverHooks.answered(options.serverId ?? 0, 'timeout')
      else hooks.reached(false)
      throw failed('timeout', 0, t('api.timeout'))
    }
    hooks.reached(false)
    throw failed('network', 0, t('api.network'))
  } finally {
    clearTimeout(timer)
    clearTimeout(slowTimer)
    if (slow) hooks.slow(-1)
    options.signal?.removeEventListener('abort', withdraw)
  }
  if (isLinked(options)) serverHooks.answered(options.serverId ?? 0, codeNameOf(envelope))
  const noSession = unauthorizedStatus.includes(response.status) || response.redirected
  if (noSession || envelope?.result === codes.notLoggedIn.code) {
    throw failed('notLoggedIn', codes.notLoggedIn.code, codes.notLoggedIn[currentLocale()])
  }
  if (envelope?.result === codes.deviceWiped.code && !isLinked(options)) {
    hooks.wiped()
    throw new CallError(name, { code: 'deviceWiped', number: envelope.result, message: envelope.msg, quiet: true })
  }
  if (envelope?.result === codes.maintenance.code && (options.serverId ?? 0) === mainServer.serverId) {
    hooks.maintained(envelope.msg)
    throw new CallError(name, { code: 'maintenance', number: envelope.result, message: envelope.msg, quiet: true })
  }
  if (response.status === 455) follow(response.headers.get('redirect'), options.serverId)
  const named = envelope === undefined ? undefined : codeOf(envelope.result)
  if (response.status >= 400) {
    // The message of the envelope if there is one, otherwise the status text ([R381]).
    const said = envelope?.msg || response.statusText || String(response.status)
    throw failed(
      named ?? 'http',
      envelope?.result ?? response.status,
      httpText(response.status, currentLocale()) ?? said,
    )
  }
  if (envelope === undefined) throw failed('http', response.status, t('api.noAnswer'))
  if (envelope.result === codes.success.code) {
    const other = servers.get(options.serverId)
    if (other !== undefined) return other.read(envelope.data)
    // What this browser stores of answers is stored by numbers of the main server.
    answerListener(name, input, envelope.data)
    return envelope.data
  }
  // A batch reports the first refusal, and in addition the outcome of each item, which the caller reads ([R126]).
  if (shape.kind === 'batch' && Array.isArray(envelope.data)) return envelope.data
  throw failed(named ?? 'unknown', envelope.result, envelope.msg || codeText(envelope.result, currentLocale()))
}

const isLinked = ({ serverId = mainServer.serverId }: ServerCallOptions): boolean => serverId !== mainServer.serverId

/** The failure that an envelope tells, if any. */
function codeNameOf(envelope: Envelope<unknown> | undefined): FailureCode | undefined {
  if (envelope === undefined) return 'http'
  return envelope.result === codes.success.code ? undefined : (codeOf(envelope.result) ?? 'unknown')
}

/** Parses the envelope of our server's response. Undefined for any other response. */
export function envelopeOf(text: string): Envelope<unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'result' in body ? (body as Envelope<unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Origins a redirect may lead to in addition to our own: those configured by an administrator. */
const trustedOrigins = new Set<string>()

/** Allows redirects of the server to this address. */
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
 * Many calls fail at once if a server is not licensed. The last address counts, once no other arrives for a moment, and
 * the page leaves three seconds later ([R036], X22). A relative address is resolved against the server that sent it.
 */
function follow(address: string | null, serverId = 0): void {
  const server = parseUrl(servers.get(serverId)?.base ?? '', location.origin) ?? location.origin
  const url = address === null ? undefined : parseUrl(address, String(server))
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

/** Receives every response, so that this browser can store data from it. */
type AnswerListener = (name: CallName, input: Readonly<Record<string, unknown>>, data: unknown) => void
let answerListener: AnswerListener = () => undefined

/** Sets the listener for responses. */
export function setAnswerListener(listener: AnswerListener): void {
  answerListener = listener
}

/** How the user can resolve a refusal that affects every call, without leaving the page (-69, -80, -137). */
const mends: Partial<Record<FailureCode, () => Promise<boolean>>> = {
  notLoggedIn: () => hooks.renewSession(),
  passwordChangeRequired: () => hooks.renewPassword(),
  passwordExpired: () => hooks.renewPassword(),
  secondFactorMissing: () => hooks.renewFactor(),
}

function mendOf(code: FailureCode, options: ServerCallOptions): (() => Promise<boolean>) | undefined {
  if (!isLinked(options)) return mends[code]
  // A password or second factor that is due at a linked server is set there.
  return code === 'notLoggedIn' ? () => serverHooks.renew(options.serverId ?? 0) : undefined
}

async function call(
  name: CallName,
  input: Readonly<Record<string, unknown>>,
  options: ServerCallOptions = {},
): Promise<unknown> {
  try {
    return await send(name, input, options)
  } catch (error) {
    const mend = error instanceof CallError ? mendOf(error.code, options) : undefined
    const { auth } = shapeOf(name)
    const needsSession = auth === 'required' || auth === 'query'
    if (mend === undefined || !needsSession || options.probe === true) throw error
    if (await mend()) return send(name, input, options)
    // The user has already seen a dialog, so the callers do not show the failure again.
    const { code, number, message } = error as CallError
    throw new CallError(name, { code, number, message, quiet: true })
  }
}

/** What is shown of a call that the catalogue does not know ([R378]); one of chat is named ([R303]). */
export const unknownCallText = (name: string): string =>
  /^im[A-Z]/.test(name) ? `未能找到对应的API：${name}` : 'API ERROR'

function apiOf(on?: OnServer): Api {
  return new Proxy({} as Api, {
    get(_, name) {
      if (name === 'of') return ({ serverId }: OnServer) => apiOf({ serverId })
      if (typeof name !== 'string' || name === 'then') return undefined
      const known = (input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<unknown> =>
        call(name as CallName, input, { ...on, ...options })
      if (name in shapes) return known
      return async (input: Readonly<Record<string, unknown>>, options?: CallOptions) => {
        if (!knowsAll) addCallShapes((await import('./catalogue-rest.ts')).shapes)
        if (!(name in shapes)) addCallShapes((await import('./catalogue-administration.ts')).shapes)
        if (name in shapes) return known(input, options)
        hooks.unknownCall(name)
        throw new CallError(name, { code: 'http', number: 0, message: unknownCallText(name), quiet: true })
      }
    },
  })
}

/** The calls of the catalogue by name. A call that names items is sent to their server: `api.of(item).renameFile(…)`. */
export const api: Api = apiOf()
