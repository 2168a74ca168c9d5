// Why a mail was not sent, as a text that says what to check.
import type { Locale } from '@cloudoc/domain'
import type { NodemailerError } from 'nodemailer'

const problemTexts = {
  unknownHost: { zh: '找不到邮件服务器，请检查服务器地址', en: 'no mail server of that name is found: check the host' },
  unreachable: {
    zh: '连接被拒绝或网络不通，请检查地址和端口',
    en: 'the connection is refused or there is no way: check host and port',
  },
  silent: {
    zh: '服务器没有及时应答，请检查端口与加密方式是否相符',
    en: 'the server does not answer in time: check that port and encryption belong together',
  },
  noMailServer: { zh: '对方不是邮件服务器，请检查端口', en: 'what answers is no mail server: check the port' },
  encryption: {
    zh: '无法建立加密连接：证书不可信，或服务器不支持所选的加密方式',
    en: 'no safe connection: its certificate is not trusted, or it does not know this kind of encryption',
  },
  signIn: { zh: '服务器不接受该账号或密码', en: 'the server does not accept the account or its password' },
  sender: { zh: '服务器不接受该发件地址', en: 'the server does not take mail from this sender' },
  recipient: { zh: '服务器不接受该收件地址', en: 'the server does not take mail for this recipient' },
  unicodeAddress: {
    zh: '邮件服务器不支持带中文等字符的邮箱名（SMTPUTF8），请改用其他地址',
    en: 'the mail server does not take addresses with characters outside ASCII before the @ (SMTPUTF8): use others',
  },
  message: { zh: '服务器拒收了这封邮件', en: 'the server refused the message' },
  limit: {
    zh: '服务器暂时不接受更多连接，稍后会再试',
    en: 'the server takes no more connections for now and is tried again later',
  },
  forbidden: {
    zh: '不允许连接这个地址，请联系管理员',
    en: 'this address may not be connected to: ask the administrator',
  },
  sensitive: {
    zh: '附件含有公司不允许发送的内容，请移除后再发',
    en: 'an attachment contains what must not be sent: remove it and send again',
  },
  brokeOff: { zh: '连接中途断开', en: 'the connection broke off' },
  notSetUp: { zh: '尚未设置外发邮件服务器', en: 'no mail server is set up' },
} as const satisfies Record<string, Readonly<Record<Locale, string>>>

export type MailProblem = keyof typeof problemTexts

/** A mail that was not sent. */
export class MailFailure extends Error {
  override name = 'MailFailure'
  readonly code: MailProblem
  /** The server has rejected it permanently. */
  readonly isFinal: boolean

  constructor(code: MailProblem, said = '', isFinal = false, cause?: unknown) {
    super(said, { cause })
    this.code = code
    this.isFinal = isFinal
  }
}

const isProblem = (code: string): code is MailProblem => Object.hasOwn(problemTexts, code)

/** The text of the problem, with the server's own message. */
export function problemText(code: string, said: string): Readonly<Record<Locale, string>> {
  const { zh, en } = problemTexts[isProblem(code) ? code : 'brokeOff']
  return said === '' ? { zh, en } : { zh: `${zh}：${said}`, en: `${en}: ${said}` }
}

/** By the error code of the library. */
const byCode: Readonly<Record<string, MailProblem>> = {
  EDNS: 'unknownHost',
  ESOCKET: 'unreachable',
  ETIMEDOUT: 'silent',
  EPROTOCOL: 'noMailServer',
  ETLS: 'encryption',
  EAUTH: 'signIn',
  EMESSAGE: 'message',
}

const maxReplyLength = 200

/**
 * The problems with which the server's own message is shown. They occur after it has answered as a mail server. What
 * anything else answers is not shown: an administrator of mail must not read the banners of internal services.
 */
const withMessage: ReadonlySet<MailProblem> = new Set(['signIn', 'sender', 'recipient', 'message'])

/** Maps an error of the connection to a mail problem. */
export function problemOf(error: NodemailerError): MailFailure {
  const { code = '', command = '', response = '', permanent = false, originalCode = '' } = error
  // Control characters from a server that breaks the protocol must not get into logs and pages.
  const said = response
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ')
    .trim()
    .slice(0, maxReplyLength)
  const isTls = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO$)/.test(originalCode)
  const kind: MailProblem =
    code === 'EENVELOPE'
      ? command === 'RCPT TO'
        ? 'recipient'
        : 'sender'
      : isTls
        ? 'encryption'
        : (byCode[code] ?? 'brokeOff')
  return new MailFailure(
    kind,
    withMessage.has(kind) ? said : '',
    permanent && kind !== 'signIn' && kind !== 'noMailServer',
    error,
  )
}
