/*
 * Mailed codes for the recipients of a link ([R222]). A code is valid only with the ticket of the browser that
 * requested it. A third party who knows only an address can therefore neither use up the recipient's attempts nor guess
 * their code. An address that is not a recipient gets a ticket too, which no code matches.
 */
import { randomInt } from 'node:crypto'
import type { features, Parsed as InputOf } from '@cloudoc/contract'
import { fail, type Locale } from '@cloudoc/domain'
import type { StagedContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { isMailSetUp, type Mail, postMail } from '../../core/mail/index.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { hashToken, sameSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { limitLinkCodes } from '../../people/auth/index.ts'
import type { LinkRow } from './link-state.ts'

const lifeMs = 10 * 60_000
const mostTries = 5
const digits = 6

interface Ticket {
  readonly linkId: number
  readonly mail: string
  /** The hash of the sent code; null if none was sent. */
  readonly code: string | null
  readonly triesLeft: number
  readonly expiresAt: number
}

const linkCodeTokens = oneTimeToken<Ticket>('linkCode')

const hashOf = (code: string): string => hashToken(code).toString('base64url')

/** Sends a code if the address is a recipient of the link; the answer is the same if not. */
export async function sendCode(
  context: StagedContext,
  { settings, secrets }: Pick<Services, 'settings' | 'secrets'>,
  link: LinkRow,
  { mail: typed, locale }: InputOf<typeof features.externalLinks.calls.sendVisitCode>,
): Promise<{ codeTicket: string; expiresAt: number }> {
  const mail = typed.toLowerCase()
  const set = await settings.current()
  if (!isMailSetUp(set)) return fail('mailNotSetUp')
  await limitLinkCodes(context.db, link.id, mail, context.address, context.now)
  const isNamed = link.mails.includes(mail)
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  const expiresAt = context.now + lifeMs
  const ticket: Ticket = {
    linkId: link.id,
    mail,
    code: isNamed ? hashOf(code) : null,
    triesLeft: mostTries,
    expiresAt,
  }
  return context.commit(async (write) => {
    if (isNamed) await postMail(write, mailOf(locale, mail, code, link.creator), secrets)
    write.audit({ externalLink: link.id })
    return { codeTicket: await linkCodeTokens.issue(write.tx, ticket, expiresAt), expiresAt }
  })
}

/** The address a code was sent to; undefined if the code is wrong, expired or tried too often. */
export function mailOfCode(
  db: Db,
  link: LinkRow,
  { codeTicket, code }: { readonly codeTicket: string; readonly code: string },
  now: number,
): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    // Of concurrent attempts one takes the ticket, and puts it back.
    const ticket = await linkCodeTokens.consume(tx, codeTicket, now)
    if (ticket === undefined || ticket.linkId !== link.id) return undefined
    if (ticket.code !== null && sameSecret(hashOf(code.trim()), ticket.code) && link.mails.includes(ticket.mail))
      return ticket.mail
    const left = { ...ticket, triesLeft: ticket.triesLeft - 1 }
    if (left.triesLeft > 0) await linkCodeTokens.issueAs(tx, codeTicket, { value: left, expiresAt: ticket.expiresAt })
    return undefined
  })
}

/** The text of the mail. It does not mention the link, which the reader already has. */
function mailOf(locale: Locale, to: string, code: string, who: string): Mail {
  const [subject, lines] =
    locale === 'zh'
      ? [
          `验证码 ${code}`,
          [
            `验证码：${code}`,
            `用来打开 ${who} 分享的外链，10 分钟内有效。`,
            '如果不是你在打开，请不要告诉别人，忽略这封邮件即可。',
          ],
        ]
      : [
          `Your code is ${code}`,
          [
            `Code: ${code}`,
            `It opens a link of ${who} and is good for 10 minutes.`,
            'If it is not you who opens one, tell nobody and forget this mail.',
          ],
        ]
  return { to, subject, text: lines.join('\n'), locale }
}
