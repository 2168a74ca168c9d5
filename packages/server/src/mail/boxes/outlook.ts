/*
 * Binding an Outlook mailbox ([R290], [R351]): the person signs in at Microsoft and allows mail to be read and sent here
 * (code flow with PKCE, state and nonce). The server keeps tokens; it never sees the password. An attempt belongs to the
 * account that began it.
 */
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import * as client from 'openid-client'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { OutboundFailure } from '../../core/outbound-http.ts'
import { hasSecret, storeSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { limitHandOuts } from '../../people/auth/index.ts'
import { sealTokens, tokensOf } from './credentials.ts'
import { mailChanged, requireMail } from './mail-events.ts'
import { isOutlookSetUp, outlookConfiguration, outlookSecretName, outlookServers } from './outlook-app.ts'

type Names = 'startOutlookBinding' | 'finishOutlookBinding' | 'setOutlookSecret' | 'getOutlookStatus'

interface Attempt {
  readonly accountId: number
  readonly verifier: string
  readonly nonce: string
  /** The mailbox that is bound again; 0: a new one. */
  readonly boxId: number
}
const attempts = oneTimeToken<Attempt>('outlookAttempt')
const attemptMs = 10 * 60_000
/** The page that Microsoft sends people back to. */
const returnPath = '/doc/folder/email/outlook'
export const mostBoxes = 20

export function outlookHandlers(
  services: Pick<Services, 'db' | 'secrets' | 'settings' | 'now' | 'publicUrl'>,
): Pick<Handlers<typeof features.mailboxes.calls>, Names> {
  const { secrets, publicUrl } = services
  const returnAddress = ({ request }: Pick<Context, 'request'>): string =>
    `${publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`}${returnPath}`
  const configuration = () => outlookConfiguration(services).catch(() => fail('providerUnavailable'))

  return {
    async startOutlookBinding(context, { boxId }) {
      const { accountId, settings } = requireMail(context)
      const { db, now, address } = context
      if (!isOutlookSetUp(settings)) return fail('mailNotSetUp')
      await limitHandOuts(db, 'provider', address, now)
      if (boxId !== undefined) {
        const { rows } = await sql`
          select 1 from mailbox where id = ${boxId} and account_id = ${accountId} and outlook_tokens <> ''`.execute(db)
        if (rows.length === 0) return fail('notFound')
      }
      const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()]
      const state = client.randomState()
      const to = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: returnAddress(context),
        scope: settings.inner.outlook_scope,
        state,
        nonce,
        // Whoever is signed in there may want to bind another account; other providers do not know this value.
        ...(/\.microsoftonline\.(com|cn)$/.test(new URL(settings.inner.outlook_authority).hostname) && {
          prompt: 'select_account',
        }),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      const value: Attempt = { accountId, verifier, nonce, boxId: boxId ?? 0 }
      await attempts.issueAs(db, state, { value, expiresAt: now + attemptMs })
      return { address: to.href }
    },

    async finishOutlookBinding(context, { query }) {
      const actor = requireMail(context)
      const { db, now } = context
      const state = new URLSearchParams(query).get('state') ?? ''
      const waiting = await attempts.peek(db, state, now)
      if (waiting?.accountId !== actor.accountId) return fail('signInAbnormal')
      const attempt = (await attempts.consume(db, state, now)) ?? fail('signInAbnormal')
      const address = new URL(`${returnAddress(context)}?${query.replace(/^\?/, '')}`)
      const answer = await exchanged(await configuration(), address, state, attempt)
      const claims = answer.claims() ?? fail('signInAbnormal')
      const account = [claims['email'], claims['preferred_username'], claims['upn']].find(
        (value): value is string => typeof value === 'string' && /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/.test(value),
      )
      if (account === undefined) return fail('signInAbnormal', 'email')
      const tokens = tokensOf(answer, now)
      if (tokens.refreshToken === '')
        return fail('signInAbnormal', {
          zh: 'Outlook 没有给出长期授权，请管理员检查权限范围是否包含 offline_access',
          en: 'Outlook gave no lasting permission: the administrator should check that the scope contains offline_access',
        })
      const sealed = sealTokens(secrets, tokens)
      return context.commit(async (write) => {
        const boxId = await bound(write, { accountId: actor.accountId, name: actor.name }, account, attempt, sealed)
        write.audit({ account })
        return { boxId, account }
      })
    },

    async setOutlookSecret(context, { secret }) {
      await storeSecret(context.tx, secrets, outlookSecretName, secret)
      context.audit({ set: secret !== '' })
      return {}
    },

    async getOutlookStatus(context) {
      const { db } = context
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from mailbox where outlook_tokens <> ''`.execute(db)
      return {
        ready: isOutlookSetUp(actorOf(context).settings),
        hasSecret: await hasSecret(db, outlookSecretName),
        returnAddress: returnAddress(context),
        mailboxes: rows[0]?.n ?? 0,
      }
    },
  }
}

async function exchanged(configuration: client.Configuration, address: URL, state: string, attempt: Attempt) {
  try {
    return await client.authorizationCodeGrant(configuration, address, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    })
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
      return fail('signInRejected')
    if (error instanceof OutboundFailure) return fail('providerUnavailable')
    if (
      [client.ClientError, client.ResponseBodyError, client.AuthorizationResponseError].some(
        (kind) => error instanceof kind,
      )
    )
      return fail('signInAbnormal')
    throw error
  }
}

/** Stores the tokens: for the mailbox that is bound again, for one of that address, or for a new one. */
async function bound(
  write: WriteContext,
  { accountId, name }: { readonly accountId: number; readonly name: string },
  account: string,
  { boxId }: Attempt,
  sealed: string,
): Promise<number> {
  const { tx, now } = write
  // Locked, so that two of one moment cannot both become the default.
  await sql`select 1 from account where id = ${accountId} for no key update`.execute(tx)
  const { rows } = await sql<{ id: number; address: string; tokens: string }>`
    select id, address, outlook_tokens as tokens from mailbox where account_id = ${accountId}`.execute(tx)
  const again = rows.find(({ id }) => id === boxId)
  if (again !== undefined && again.address.toLowerCase() !== account.toLowerCase())
    return fail('badRequest', {
      zh: `请用 ${again.address} 登录 Outlook`,
      en: `sign in to Outlook as ${again.address}`,
    })
  const known = again ?? rows.find(({ address }) => address.toLowerCase() === account.toLowerCase())
  if (known !== undefined) {
    // The mails of a mailbox that had a password stay where its folders are the same.
    await tx
      .updateTable('mailbox')
      .set({
        ...serversOf(write),
        outlook_tokens: sealed,
        password: '',
        state: 'new',
        problem: '',
        said: '',
        next_fetch: now,
      })
      .where('id', '=', known.id)
      .execute()
    write.event(mailChanged(accountId, known.id))
    return known.id
  }
  if (rows.length >= mostBoxes) return fail('tooMany')
  const made = await tx
    .insertInto('mailbox')
    .values({
      ...serversOf(write),
      ...{ account_id: accountId, address: account, login_name: '', sender_name: name, fetches: true },
      ...{ is_default: rows.length === 0, password: '', outlook_tokens: sealed, next_fetch: now, created_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  write.event(mailChanged(accountId, made.id))
  return made.id
}

function serversOf(write: WriteContext) {
  const { imapAddress, imapPort, smtpAddress, smtpPort } = outlookServers(actorOf(write).settings)
  return {
    ...{ protocol: 'imap' as const, imap_host: imapAddress, imap_port: imapPort, pop_host: '', pop_port: 0 },
    ...{ smtp_host: smtpAddress, smtp_port: smtpPort, exchange_url: '', ssl: true },
  }
}
