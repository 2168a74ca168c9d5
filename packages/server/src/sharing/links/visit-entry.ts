// How a visitor enters by a link: its password, the code of a mail, the account of a named recipient; then a pass ([R228]).
import { randomBytes } from 'node:crypto'
import type { features, Parsed as InputOf } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Context, StagedContext } from '../../core/call/context.ts'
import { sameSecret, unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { tryLinkPassword } from '../../people/auth/index.ts'
import { mailOfCode, sendCode } from './code.ts'
import { type LinkRow, type ResolvedLink, refusalOf } from './link-state.ts'
import { passwordPurpose } from './link-views.ts'
import { hasSpread, notifyCreator, visitNotice, writeVisit } from './visit-records.ts'
import { asksName, describeLink } from './visited-link.ts'
import { findLink, linkPassTokens, type Pass, passCookie, readPass, resolveLink } from './visitor.ts'

/** How long a pass is valid. */
const passLifeMs = 12 * 60 * 60_000

type Calls = typeof features.externalLinks.calls
type Parsed<N extends keyof Calls> = InputOf<Calls[N]>

const pathOf = (token: string): string => `/services2/visit/${token}`

/** The signed-in user, if the link has named recipients. */
function personOf({ actor }: Context, link: LinkRow): { accountId: number; name: string } | undefined {
  if (!link.is_named) return undefined
  if (actor?.kind !== 'account') return fail('notLoggedIn')
  if (!link.people.map(Number).includes(actor.accountId) && actor.accountId !== link.account_id)
    return fail('noPermission')
  return { accountId: actor.accountId, name: actor.name }
}

/** The handlers of entering by a link. */
export function entryHandlers({ settings, secrets, db: own }: Pick<Services, 'settings' | 'secrets' | 'db'>) {
  const checkPassword = async (context: Context, link: LinkRow, password: string): Promise<void> => {
    if (link.password === null) return
    const isRight = sameSecret(password, unseal(secrets, passwordPurpose, link.password))
    const tried = await tryLinkPassword(own, link.id, context.address, context.now, isRight)
    if (tried === 'right') return
    await writeVisit(own, context, link.id, { what: 'wrongPassword' })
    if (tried !== 'wrong') await notifyCreator(own, context, link, tried === 'spread' ? 'guessedWidely' : 'guessed', '')
    fail('wrongLinkPassword')
  }

  /** A link that can be entered now, restricted to what its creator may grant. */
  const opened = async (context: StagedContext, linkToken: string): Promise<ResolvedLink> => {
    const found = (await findLink(context.db, linkToken)) ?? fail('notFound')
    const met = await resolveLink(context.db, settings, found, context.now)
    const code = refusalOf(met.reason, false)
    return code === undefined ? met : fail(code)
  }

  const checkCode = async (
    context: StagedContext,
    link: LinkRow,
    shown: { readonly codeTicket: string; readonly code: string },
  ): Promise<string> => {
    const mail = await mailOfCode(own, link, shown, context.now)
    if (mail !== undefined) return mail
    await writeVisit(own, context, link.id, { what: 'wrongCode' })
    return fail('wrongVerificationCode')
  }

  return {
    async getVisitedLink(context: Context, { linkToken }: Parsed<'getVisitedLink'>) {
      const { db, now, request } = context
      const met = await resolveLink(db, settings, (await findLink(db, linkToken)) ?? fail('notFound'), now)
      return describeLink(settings, met, await readPass(db, request, now))
    },

    async sendVisitCode(context: StagedContext, input: Parsed<'sendVisitCode'>) {
      const { link } = await opened(context, input.linkToken)
      // Without mail recipients there is no code to request.
      return link.mails.length === 0 ? fail('noPermission') : sendCode(context, { settings, secrets }, link, input)
    },

    async openVisit(context: StagedContext, { linkToken, password, name, ...shown }: Parsed<'openVisit'>) {
      const met = await opened(context, linkToken)
      const { link } = met
      const isByMail = link.mails.length > 0 && shown.codeTicket !== ''
      const person = isByMail ? undefined : personOf(context, link)
      await checkPassword(context, link, password)
      const mail = isByMail ? await checkCode(context, link, shown) : null
      const called = name.trim()
      if (asksName(link) && person === undefined && called === '') return fail('badRequest', 'name')
      const visitor = person?.name ?? (mail === null ? called : called === '' ? mail : `${called} <${mail}>`)
      const expiresAt = context.now + passLifeMs
      const pass: Pass = {
        linkId: link.id,
        version: link.pass_version,
        name: visitor,
        accountId: person?.accountId ?? null,
        mail,
        id: randomBytes(12).toString('base64url'),
      }
      const token = await context.commit(async (write) => {
        const { rows } = await sql`
          update external_link set visits = visits + 1
          where id = ${link.id} and cancelled_at is null and pass_version = ${link.pass_version}
            and (visit_limit = 0 or visits < visit_limit)
          returning 1`.execute(write.tx)
        if (rows.length === 0) return fail('linkExpired')
        await writeVisit(write.tx, context, link.id, {
          what: 'open',
          visitor,
          accountId: pass.accountId,
          pass: pass.id,
        })
        if (link.notify) write.event(visitNotice(context, link, 'open', visitor))
        if (await hasSpread(write.tx, link, context.now)) write.event(visitNotice(context, link, 'spread', ''))
        write.audit({ externalLink: link.id })
        return linkPassTokens.issue(write.tx, pass, expiresAt)
      })
      const secure = context.request.protocol === 'https' ? '; Secure' : ''
      context.reply.header(
        'set-cookie',
        `${passCookie}=${token}; Path=${pathOf(link.token)}; SameSite=Strict; HttpOnly; Max-Age=${passLifeMs / 1000}${secure}`,
      )
      return { pass: token, expiresAt, link: await describeLink(settings, met, pass) }
    },
  }
}
