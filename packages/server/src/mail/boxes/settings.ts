// The settings of a mailbox as its connections use them, with usual ports filled in (X77).

import { fail, type MailProtocol } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { type Secrets, unseal } from '../../core/secrets.ts'

export interface Place {
  readonly host: string
  readonly port: number
}

export interface BoxSettings {
  readonly account: string
  /** The name that signs in. */
  readonly login: string
  readonly senderName: string
  readonly protocol: MailProtocol
  readonly ssl: boolean
  /** Where mail is received. */
  readonly receive: Place
  /** Where mail is sent; undefined for a mailbox that only receives. */
  readonly send: Place | undefined
  readonly exchangeUrl: string
  /** Mail is received and sent by Exchange Web Services; there is no SMTP server then. */
  readonly overEws: boolean
}

/** The fields of a mailbox that people enter. */
export interface EnteredBox {
  readonly account: string
  readonly loginName: string
  readonly senderName: string
  readonly aliases: readonly string[]
  readonly mailProtocol: MailProtocol
  readonly imapAddress: string
  readonly imapPort: number
  readonly popAddress: string
  readonly popPort: number
  readonly smtpAddress: string
  readonly smtpPort: number
  readonly exchangeUrl: string
  readonly ssl: boolean
}

const ports = {
  imap: { ssl: 993, plain: 143 },
  pop3: { ssl: 995, plain: 110 },
  exchange: { ssl: 993, plain: 143 },
  smtp: { ssl: 465, plain: 587 },
} as const
const usualPort = (of: keyof typeof ports, ssl: boolean): number => ports[of][ssl ? 'ssl' : 'plain']

/** Completes what was entered. Refuses settings that name no server to receive from. */
export function boxSettings(entered: EnteredBox): BoxSettings {
  const { mailProtocol: protocol, ssl, exchangeUrl } = entered
  // An Exchange that offers IMAP is read by it; its own protocol needs nothing but its address.
  const overEws = protocol === 'exchange' && entered.imapAddress === '' && exchangeUrl !== ''
  const service = overEws ? new URL(exchangeUrl) : undefined
  const [host, port] =
    service !== undefined
      ? [service.hostname, Number(service.port) || (service.protocol === 'https:' ? 443 : 80)]
      : protocol === 'pop3'
        ? [entered.popAddress, entered.popPort]
        : [entered.imapAddress, entered.imapPort]
  if (host === '') fail('badRequest', { zh: '请填写收信服务器', en: 'enter the server that mail is received from' })
  return {
    account: entered.account,
    login: entered.loginName || entered.account,
    senderName: entered.senderName,
    protocol,
    ssl,
    receive: { host, port: port || usualPort(protocol, ssl) },
    send:
      entered.smtpAddress === '' || overEws
        ? undefined
        : { host: entered.smtpAddress, port: entered.smtpPort || usualPort('smtp', ssl) },
    exchangeUrl,
    overEws,
  }
}

/** A stored mailbox. */
export interface BoxRow extends EnteredBox {
  readonly boxId: number
  readonly accountId: number
  readonly fetch: boolean
  readonly isDefault: boolean
  readonly state: string
  readonly problem: string
  readonly said: string
  readonly fetchTime: number
  readonly sealed: string
  /** Sealed tokens of Outlook; empty where a password signs in. */
  readonly sealedTokens: string
  readonly spaceUsed: number
  readonly spaceTotal: number
}

/** The columns of a mailbox under the names of its calls. */
export const boxColumns = sql`
  b.id as "boxId", b.account_id as "accountId", b.address as account, b.login_name as "loginName",
  b.sender_name as "senderName", b.aliases, b.protocol as "mailProtocol", b.imap_host as "imapAddress", b.imap_port as "imapPort",
  b.pop_host as "popAddress", b.pop_port as "popPort", b.smtp_host as "smtpAddress", b.smtp_port as "smtpPort",
  b.exchange_url as "exchangeUrl", b.ssl, b.fetches as fetch, b.is_default as "isDefault", b.state, b.problem, b.said,
  b.fetched_at as "fetchTime", b.password as sealed, b.outlook_tokens as "sealedTokens",
  b.space_used as "spaceUsed", b.space_total as "spaceTotal"`

/** A mailbox by its id, whoever owns it. */
export async function findBox(db: Db, boxId: number): Promise<BoxRow | undefined> {
  const { rows } = await sql<BoxRow>`select ${boxColumns} from mailbox b where b.id = ${boxId}`.execute(db)
  return rows[0]
}

/** The address that a mail leaves from: that of the mailbox, or one of its aliases as it is written there. */
export function senderOf({ account, aliases }: Pick<EnteredBox, 'account' | 'aliases'>, fromAddress: string): string {
  if (fromAddress === '') return account
  const own = [account, ...aliases].find((address) => address.toLowerCase() === fromAddress.toLowerCase())
  return own ?? fail('badRequest', { zh: '这个邮箱没有该发件地址', en: 'this mailbox has no such address' })
}

/** The name under which passwords of mailboxes are sealed. */
export const mailboxPurpose = 'mailbox'

/** The password of a mailbox. */
export const passwordOf = (secrets: Pick<Secrets, 'signingKey'>, { sealed }: Pick<BoxRow, 'sealed'>): string =>
  unseal(secrets, mailboxPurpose, sealed)
