/*
 * Sends one short message by one request to the gateway that the company has configured. The gateway may hang, send
 * anything or lie: its answer has a timeout and a maximum size, and redirects are not followed. A message counts as
 * accepted only if the answer matches the configured form of success.
 */
import type { InstallationSetting } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { OutboundFailure, readResponse } from '../outbound-http.ts'

/** Timeout for the whole answer of a gateway. */
export const usualSmsMs = 15_000

const problemTexts = {
  unknownHost: { zh: '找不到短信网关，请检查地址', en: 'no gateway of that name is found: check the address' },
  unreachable: {
    zh: '连接被拒绝或网络不通，请检查地址和端口',
    en: 'the connection is refused or there is no way: check the address and its port',
  },
  silent: { zh: '网关没有及时应答', en: 'the gateway does not answer in time' },
  encryption: {
    zh: '无法建立加密连接，或证书不可信',
    en: 'no safe connection, or its certificate is not trusted',
  },
  unreadable: { zh: '对方的应答不能识别，请检查地址', en: 'the answer cannot be read: check the address' },
  refused: { zh: '网关没有接受', en: 'the gateway has not accepted it' },
  notTaken: {
    zh: '网关的应答里没有设置的成功标志',
    en: 'the answer does not contain what is set as the sign of success',
  },
  late: { zh: '验证码已过期，不再发送', en: 'the code has expired: it is not sent any more' },
  notSetUp: { zh: '尚未设置短信网关', en: 'no gateway for short messages is set up' },
} as const satisfies Record<string, Readonly<Record<Locale, string>>>

type SmsProblem = keyof typeof problemTexts

/** A message that was not sent. */
export class SmsFailure extends Error {
  override name = 'SmsFailure'
  readonly code: SmsProblem

  constructor(code: SmsProblem, said = '', cause?: unknown) {
    super(said, { cause })
    this.code = code
  }
}

const isProblem = (code: string): code is SmsProblem => Object.hasOwn(problemTexts, code)

/** The text of the problem, with the gateway's own message. */
export function smsProblemText(code: string, said: string): Readonly<Record<Locale, string>> {
  const { zh, en } = problemTexts[isProblem(code) ? code : 'silent']
  return said === '' ? { zh, en } : { zh: `${zh}：${said}`, en: `${en}: ${said}` }
}

/** The values of the placeholders of a template. */
interface Filling {
  readonly phone: string
  readonly code: string
  readonly secret: string
}

/** Fills a template in one pass: placeholders inside inserted values are not replaced. */
function fill(template: string, filling: Filling, escape: (value: string) => string): string {
  return template.replaceAll(/\{(phone|code|secret)\}/g, (_, name: keyof Filling) => escape(filling[name]))
}

const asIs = (value: string): string => value
const inJson = (value: string): string => JSON.stringify(value).slice(1, -1)
const inXml = (value: string): string => value.replaceAll(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function requestOf({ inner }: Pick<InstallationSetting, 'inner'>, filling: Filling) {
  const headers = Object.fromEntries(
    inner.sms_headers.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), fill(line.slice(at + 1).trim(), filling, asIs)]
    }),
  )
  const hasBody = inner.sms_method === 'POST' && inner.sms_body !== ''
  const type =
    headers['content-type'] ??
    (/^\s*[{[]/.test(inner.sms_body) ? 'application/json' : 'application/x-www-form-urlencoded')
  const escape = /json/i.test(type) ? inJson : /xml/i.test(type) ? inXml : encodeURIComponent
  return {
    address: fill(inner.sms_url, filling, encodeURIComponent),
    method: inner.sms_method,
    headers: hasBody ? { ...headers, 'content-type': type } : headers,
    ...(hasBody && { body: fill(inner.sms_body, filling, escape) }),
  }
}

const longestAnswer = 64 * 1024
const maxReplyLength = 200

/** The answer in a form for a page: without control characters and secrets. */
function readable(answer: string, { code, secret }: Filling): string {
  const hidden = [code, secret].filter((one) => one !== '').reduce((said, one) => said.replaceAll(one, '***'), answer)
  return hidden
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ')
    .trim()
    .slice(0, maxReplyLength)
}

/** Sends a message to the gateway. Rejects with an {@link SmsFailure}. */
export async function sendSms(
  setting: Pick<InstallationSetting, 'inner'>,
  filling: Filling,
  timeMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { address, ...asked } = requestOf(setting, filling)
  let answer: Awaited<ReturnType<typeof readResponse>>
  try {
    answer = await readResponse(address, {
      ...asked,
      timeMs,
      signal,
      bytes: longestAnswer,
      inflatedBytes: longestAnswer,
    })
  } catch (error) {
    signal.throwIfAborted()
    throw failureOf(error)
  }
  const { status, body } = answer
  const said = body.toString()
  if (status < 200 || status > 299) throw new SmsFailure('refused', `${status} ${readable(said, filling)}`.trim())
  const { sms_success: sign } = setting.inner
  if (sign !== '' && !said.includes(sign)) throw new SmsFailure('notTaken', readable(said, filling))
}

/** Maps an error code of the connection to a failure. */
function failureOf(error: unknown): SmsFailure {
  const cause = error instanceof OutboundFailure && error.cause !== undefined ? error.cause : error
  const code = (cause as { readonly code?: string }).code ?? ''
  if (/^(ENOTFOUND|EAI_)/.test(code)) return new SmsFailure('unknownHost', '', error)
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code))
    return new SmsFailure('unreachable', '', error)
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO$)/.test(code))
    return new SmsFailure('encryption', '', error)
  if (code.startsWith('HPE_') || (error instanceof OutboundFailure && error.kind === 'unusable'))
    return new SmsFailure('unreadable', '', error)
  return new SmsFailure('silent', '', error)
}
