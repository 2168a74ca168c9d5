/*
 * Signers without an account ([R275]): the mails that ask them, the codes that admit them, and who they are while they
 * read and sign. The token of a mail proves nothing but that somebody has the mail: what admits a browser is a code that
 * goes to the address on the list.
 */
import { randomInt } from 'node:crypto'
import type { InstallationSetting } from '@cloudoc/contract'
import { fail, type Locale, mobileOf } from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { OutsiderActor, Outsiders } from '../../core/actor.ts'
import type { Context, StagedContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { isMailSetUp, postMail } from '../../core/mail/index.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { Write } from '../../core/queue/job.ts'
import { hashToken, sameSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { isSmsSetUp, postSms } from '../../core/sms/index.ts'
import { cookieOf, limitSignCodes, loadAccounts } from '../../people/auth/index.ts'
import { codeMail, invitationMail, type MailOccasion } from './external-mails.ts'
import { type ActivityRow, isExternal, type SignerRow } from './rows.ts'
import type { SignerState } from './tables.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const codeLifeMs = 10 * minuteMs
const passLifeMs = 2 * 60 * minuteMs
const mostTries = 5
const digits = 6

/** The link of a mail. It names the address it went to, so that a corrected address ends the links before. */
const invitations = oneTimeToken<{ readonly signerId: number; readonly mail: string }>('signInvitation')

interface Ticket {
  readonly signerId: number
  readonly code: string
  readonly channel: 'mail' | 'phone'
  readonly triesLeft: number
  readonly expiresAt: number
}
const tickets = oneTimeToken<Ticket>('signCode')

interface Pass {
  readonly signerId: number
  readonly mail: string
  readonly channel: 'mail' | 'phone'
}
const passes = oneTimeToken<Pass>('signPass')

const passCookie = 'cloudoc_sign'
const passHeader = 'x-sign-pass'

/** A signer without an account, with what their pages need of the process. */
export interface ExternalRow {
  readonly id: number
  readonly activity_id: number
  readonly place: number
  readonly state: SignerState
  readonly name: string
  readonly mail: string
  readonly phone: string
  readonly locale: Locale
  readonly base: string
  readonly life_days: number
  readonly launcher_id: number
}

async function readOutsider(db: Db, signerId: number): Promise<ExternalRow | undefined> {
  const { rows } = await sql<ExternalRow>`
    select g.id, g.activity_id, g.place, g.state, o.name, o.mail, o.phone, o.locale, o.base, o.life_days, s.launcher_id
    from sign_signer g join sign_outsider o on o.signer_id = g.id join sign_activity s on s.id = g.activity_id
    where g.id = ${signerId}`.execute(db)
  return rows[0]
}

/** The signer whom a link belongs to. -3 for every link that opens nothing, whatever the reason. */
export async function invitedBy(db: Db, token: string, now: number): Promise<ExternalRow> {
  const found = await invitations.peek(db, token, now)
  const row = found === undefined ? undefined : await readOutsider(db, found.signerId)
  if (row === undefined || row.state === 'left' || row.mail !== found?.mail) return fail('notFound')
  return row
}

/** Mails people without an account what happened, each with a new link. */
export async function mailOutsiders(
  { tx, now }: Write,
  { secrets, settings }: Pick<Services, 'secrets' | 'settings'>,
  row: Pick<ActivityRow, 'id' | 'title' | 'launcher' | 'deadline' | 'comments'>,
  {
    occasion,
    signers,
    words = '',
  }: {
    readonly occasion: MailOccasion
    readonly signers: readonly Pick<SignerRow, 'id' | 'account_id' | 'role_id'>[]
    readonly words?: string
  },
): Promise<void> {
  const external = signers.filter(isExternal)
  if (external.length === 0) return
  const { download_time_zone: timeZone } = (await settings.current(tx)).setting
  for (const { id } of external) {
    const one = await readOutsider(tx, id)
    if (one === undefined) continue
    const until = now + one.life_days * dayMs
    // After the end of the process the link leads to the signed file.
    const expiresAt = occasion === 'asked' && row.deadline !== null ? Math.min(until, row.deadline) : until
    const token = await invitations.issue(tx, { signerId: id, mail: one.mail }, expiresAt)
    const link = `${one.base}/doc/sign-from-email?token=${token}`
    await postMail({ tx, now }, invitationMail(one, { ...row, occasion, link, expiresAt, timeZone, words }), secrets)
  }
}

/** A signer without an account, as the launcher writes them. */
export interface ExternalInput {
  readonly name: string
  readonly mail: string
  readonly phone: string
}

/**
 * Refuses signers without an account who cannot be reached, or of whom two have one address: by it they are told apart.
 * Returns them as they are stored.
 */
export function checkOutsiders(
  set: InstallationSetting,
  outsiders: readonly ExternalInput[],
  others: readonly { readonly mail: string }[] = [],
): ExternalInput[] {
  if (outsiders.length === 0) return []
  if (!isMailSetUp(set)) return fail('mailNotSetUp')
  const taken = new Set(others.map(({ mail }) => mail))
  return outsiders.map((one) => {
    const [name, mail] = [one.name.trim(), one.mail.toLowerCase()]
    if (name === '') return fail('badRequest', { zh: '请填写外部签署人的姓名', en: 'outside: the name is needed' })
    if (taken.has(mail))
      return fail('badRequest', {
        zh: `${mail} 用了两次，每人要有自己的邮箱`,
        en: `${mail}: two signers with one address`,
      })
    taken.add(mail)
    if (one.phone === '') return { name, mail, phone: '' }
    if (!isSmsSetUp(set)) return fail('smsNotSetUp')
    return { name, mail, phone: mobileOf(one.phone) ?? fail('invalidMobileNumber') }
  })
}

/** What everybody who has the link is shown of an address. */
export function maskedAddress({ mail, phone }: Pick<ExternalRow, 'mail' | 'phone'>): string {
  if (phone !== '') return `*******${phone.slice(-4)}`
  const at = mail.lastIndexOf('@')
  const [own, domain] = [mail.slice(0, at), mail.slice(at)]
  return own.length < 3 ? `${own.slice(0, 1)}***${domain}` : `${own.slice(0, 1)}***${own.slice(-1)}${domain}`
}

const hashOf = (code: string): string => hashToken(code).toString('base64url')

/** Sends the code to the address on the list, and answers the ticket of the browser that asked for it. */
export async function sendSignCode(
  context: StagedContext,
  { settings, secrets }: Pick<Services, 'settings' | 'secrets'>,
  token: string,
): Promise<{ codeTicket: string; expiresAt: number }> {
  const { db, now, address } = context
  const row = await invitedBy(db, token, now)
  const set = await settings.current()
  const channel = row.phone === '' ? 'mail' : 'phone'
  if (channel === 'mail' ? !isMailSetUp(set) : !isSmsSetUp(set))
    return fail(channel === 'mail' ? 'mailNotSetUp' : 'smsNotSetUp')
  await limitSignCodes(db, row.id, address, now)
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  const expiresAt = now + codeLifeMs
  const ticket: Ticket = { signerId: row.id, code: hashOf(code), channel, triesLeft: mostTries, expiresAt }
  return context.commit(async (write) => {
    if (channel === 'mail') await postMail(write, codeMail(row, code), secrets)
    else await postSms(write, { phone: row.phone, code, until: expiresAt }, secrets)
    write.audit({ activityId: row.activity_id })
    return { codeTicket: await tickets.issue(write.tx, ticket, expiresAt), expiresAt }
  })
}

/** Compares a code. A wrong one takes one of the tries, of which concurrent attempts have no more. */
function channelOfCode(
  db: Db,
  { signerId, codeTicket, code, now }: { signerId: number; codeTicket: string; code: string; now: number },
): Promise<Ticket['channel'] | undefined> {
  return db.transaction().execute(async (tx) => {
    const ticket = await tickets.consume(tx, codeTicket, now)
    if (ticket === undefined || ticket.signerId !== signerId) return undefined
    if (sameSecret(hashOf(code.trim()), ticket.code)) return ticket.channel
    const left = { ...ticket, triesLeft: ticket.triesLeft - 1 }
    if (left.triesLeft > 0) await tickets.issueAs(tx, codeTicket, { value: left, expiresAt: ticket.expiresAt })
    return undefined
  })
}

/** Admits the browser that has the code. Who opened it is recorded apart from who signed. */
export async function enterSign(
  context: StagedContext,
  { signToken, codeTicket, code }: { signToken: string; codeTicket: string; code: string },
): Promise<{ pass: string; expiresAt: number }> {
  const { db, now, request, reply } = context
  const row = await invitedBy(db, signToken, now)
  const channel = await channelOfCode(db, { signerId: row.id, codeTicket, code, now })
  if (channel === undefined) return fail('wrongVerificationCode')
  const expiresAt = now + passLifeMs
  const pass = await context.commit(async (write) => {
    const { tx } = write
    const { rows } = await sql`
      select 1 from sign_entry where activity_id = ${row.activity_id} and what = 'opened'
        and outside_name = ${row.name} limit 1`.execute(tx)
    if (rows.length === 0)
      await tx
        .insertInto('sign_entry')
        .values({
          ...{ activity_id: row.activity_id, at: now, what: 'opened', account_id: null, to_id: null },
          outside_name: row.name,
        })
        .execute()
    write.audit({ activityId: row.activity_id })
    return passes.issue(tx, { signerId: row.id, mail: row.mail, channel }, expiresAt)
  })
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${passCookie}=${pass}; Path=/services2/signFromEmail/${signToken}; SameSite=Strict; HttpOnly; Max-Age=${passLifeMs / 1000}${secure}`,
  )
  return { pass, expiresAt }
}

const passOf = (request: FastifyRequest): string | undefined => {
  const sent = request.headers[passHeader]
  return typeof sent === 'string' ? sent : cookieOf(request, passCookie)
}

/** The pass of a request, if it is for this signer and their present address. */
export async function readPass(
  db: Db,
  request: FastifyRequest,
  row: ExternalRow,
  now: number,
): Promise<Pass | undefined> {
  const shown = passOf(request)
  const pass = shown === undefined ? undefined : await passes.peek(db, shown, now)
  return pass?.signerId === row.id && pass.mail === row.mail ? pass : undefined
}

/** Who signs without an account, admitted by a code. */
export interface ExternalSigner extends OutsiderActor {
  readonly signer: ExternalRow
  readonly token: string
  readonly pass: Pass
  readonly shown: string
}

export const externalSignerOf = ({ actor }: Pick<Context, 'actor'>): ExternalSigner =>
  actor?.kind === 'signer' && 'signer' in actor ? (actor as ExternalSigner) : fail('notLoggedIn')

/** The signers without an account: identified by the link of a mail, and the pass of a browser. */
export function externalSigners({ settings }: Pick<Services, 'settings'>): Outsiders {
  const actorBy = async (db: Db, token: string, shown: string, now: number): Promise<ExternalSigner> => {
    const signer = await invitedBy(db, token, now)
    const pass = await passes.peek(db, shown, now)
    if (pass?.signerId !== signer.id || pass.mail !== signer.mail) return fail('notLoggedIn')
    const responsible = (await loadAccounts(db, settings, [signer.launcher_id], now)).get(signer.launcher_id)
    return {
      ...{ kind: 'signer', reference: signer.id, name: signer.name, signer, token, pass, shown },
      responsible: responsible ?? fail('notLoggedIn'),
      // Their calls name no item: nothing of the launcher's is reached through them.
      limit: () => 'noPermission',
    }
  }
  return {
    kind: 'signer',
    async authenticate(db, request, now) {
      const { signToken } = request.params as { signToken?: unknown }
      const shown = passOf(request)
      return typeof signToken === 'string' && shown !== undefined ? actorBy(db, signToken, shown, now) : undefined
    },
    anew(db, actor, now) {
      const { token, shown } = actor as ExternalSigner
      return actorBy(db, token, shown, now)
    },
  }
}
