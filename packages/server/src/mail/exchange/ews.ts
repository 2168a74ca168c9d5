/*
 * Exchange Web Services: the requests that a mailbox needs ([R289]), as the protocol of Exchange 2010 SP2 has them, which
 * every later server takes. Passwords are sent by HTTP Basic, over https unless the operator allows the host. Answers are
 * limited in time and size, and read without entities.
 */
import { SaxesParser } from 'saxes'
import { allowedAddress, MailFailure, type Reaching } from '../../core/mail/index.ts'
import { OutboundFailure, readResponse } from '../../core/outbound-http.ts'

/** An element of an answer. Names are without their prefix. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

const requestMs = 90_000
const mb = 1024 * 1024
const largestAnswer = 220 * mb
const mostElements = 200_000
const mostDepth = 64

/** Text for XML. Characters that XML does not have are left out. */
export const xmlText = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

function parsed(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  let count = 0
  const parser = new SaxesParser({ xmlns: false })
  const local = (name: string): string => name.slice(name.indexOf(':') + 1)
  parser.on('opentag', ({ name, attributes }) => {
    count += 1
    if (count > mostElements || open.length > mostDepth) throw new MailFailure('noMailServer')
    const element: Element = { name: local(name), attributes: { ...attributes }, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const last = open.at(-1)
    if (last !== undefined) last.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.on('error', (error) => {
    throw new MailFailure('noMailServer', '', false, error)
  })
  parser.write(xml).close()
  return root
}

/** The elements of a name below one, at any depth. */
export function all(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => (child.name === name ? [child] : all(child, name)))
}

/** The first element of a name below one. */
export const first = (element: Element | undefined, name: string): Element | undefined =>
  element === undefined ? undefined : all(element, name)[0]

/** The text of the first element of a name. */
export const textOf = (element: Element | undefined, name: string): string => first(element, name)?.text ?? ''

/** Codes of Exchange that say more than that a request has failed. */
const problems: Readonly<Record<string, 'limit' | 'signIn'>> = {
  ErrorServerBusy: 'limit',
  ErrorMailboxStoreUnavailable: 'limit',
  ErrorTooManyObjectsOpened: 'limit',
  ErrorAccessDenied: 'signIn',
  ErrorNonExistentMailbox: 'signIn',
}

/** A message of an answer that is not a success. */
export class EwsRefusal extends MailFailure {
  override name = 'EwsRefusal'
  readonly reason: string

  constructor(reason: string, said: string) {
    super(problems[reason] ?? 'message', `${reason} ${said}`.trim().slice(0, 200), false)
    this.reason = reason
  }
}

export interface EwsBox {
  readonly exchangeUrl: string
  readonly login: string
}

/** Sends one request and returns the messages of its answer, each a success. */
export type Ews = (body: string) => Promise<Element[]>

/** Requests to the Exchange server of a mailbox. */
export function openEws({ exchangeUrl, login }: EwsBox, password: string, { localHosts, signal }: Reaching): Ews {
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
  return async (body) => {
    const url = new URL(exchangeUrl)
    const host = url.hostname.replaceAll(/^\[|\]$/g, '')
    await allowedAddress(host, localHosts)
    if (url.protocol !== 'https:' && !localHosts.includes(host)) throw new MailFailure('encryption')
    const { status, body: answer } = await readResponse(url.href, {
      method: 'POST',
      headers: { authorization, 'content-type': 'text/xml; charset=utf-8' },
      body: `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:t="http://schemas.microsoft.com/exchange/services/2006/types" xmlns:m="http://schemas.microsoft.com/exchange/services/2006/messages"><s:Header><t:RequestServerVersion Version="Exchange2010_SP2"/></s:Header><s:Body>${body}</s:Body></s:Envelope>`,
      timeMs: requestMs,
      signal,
      bytes: largestAnswer,
      inflatedBytes: largestAnswer,
    }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw reachProblem(error)
    })
    if (status === 401 || status === 403) throw new MailFailure('signIn', '', true)
    if (status === 429 || status === 503) throw new MailFailure('limit')
    if (status !== 200 && status !== 500) throw new MailFailure('noMailServer')
    const envelope = parsed(answer.toString())
    const fault = first(envelope, 'Fault')
    if (fault !== undefined) throw new EwsRefusal(textOf(fault, 'ResponseCode'), textOf(fault, 'faultstring'))
    const [messages] = all(envelope, 'ResponseMessages')
    if (messages === undefined) throw new MailFailure('noMailServer')
    for (const message of messages.children)
      if (message.attributes['ResponseClass'] === 'Error' && !isGone(message))
        throw new EwsRefusal(textOf(message, 'ResponseCode'), textOf(message, 'MessageText'))
    return messages.children
  }
}

/** An item that somebody has deleted or moved meanwhile is no failure of the request. */
const isGone = (message: Element): boolean => textOf(message, 'ResponseCode') === 'ErrorItemNotFound'

function reachProblem(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error
  const cause = error instanceof OutboundFailure ? error.cause : error
  const { code = '' } = (cause ?? {}) as { code?: string }
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO$)/.test(code))
    return new MailFailure('encryption', '', false, error)
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(code)) return new MailFailure('unreachable', '', false, error)
  if (code === 'ENOTFOUND') return new MailFailure('unknownHost', '', false, error)
  if (error instanceof OutboundFailure && error.kind === 'unusable')
    return new MailFailure('noMailServer', '', false, error)
  return new MailFailure(code === '' ? 'silent' : 'brokeOff', '', false, error)
}
