/*
 * What a mailbox signs in with: a stored password, or an access token of Outlook ([R290], [R351]). A token is renewed
 * shortly before it ends. A renewal that is refused means that the person has to bind the mailbox again.
 */
import { sql } from 'kysely'
import * as client from 'openid-client'
import type { Db } from '../../core/db/database.ts'
import { MailFailure } from '../../core/mail/index.ts'
import { type Secrets, seal, unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { outlookConfiguration } from './outlook-app.ts'
import { type BoxRow, passwordOf } from './settings.ts'

/** What signs in at the servers of a mailbox. */
export type Credential = { readonly password: string } | { readonly accessToken: string }

/** The tokens of a mailbox as they are sealed. */
export interface OutlookTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresAt: number
}

const tokensPurpose = 'mailbox tokens'
/** A token is renewed this long before its end, so that it lasts for a whole connection. */
const renewBeforeMs = 5 * 60_000
const usualLifeMs = 3600_000

export const sealTokens = (secrets: Pick<Secrets, 'signingKey'>, tokens: OutlookTokens): string =>
  seal(secrets, tokensPurpose, JSON.stringify(tokens))

const openTokens = (secrets: Pick<Secrets, 'signingKey'>, sealed: string): OutlookTokens =>
  JSON.parse(unseal(secrets, tokensPurpose, sealed)) as OutlookTokens

/** The tokens that a provider has answered. Without a new refresh token the earlier one goes on. */
export function tokensOf(
  answer: {
    readonly access_token: string
    readonly refresh_token?: string | undefined
    readonly expires_in?: number | undefined
  },
  now: number,
  earlier = '',
): OutlookTokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? earlier,
    expiresAt: now + (answer.expires_in === undefined ? usualLifeMs : answer.expires_in * 1000),
  }
}

type Parts = Pick<Services, 'db' | 'secrets' | 'settings' | 'now'>

/** What the mailbox signs in with now. Fails with a {@link MailFailure}. */
export async function credentialOf(parts: Parts, box: BoxRow): Promise<Credential> {
  if (box.sealedTokens === '') return { password: passwordOf(parts.secrets, box) }
  const tokens = openTokens(parts.secrets, box.sealedTokens)
  if (tokens.expiresAt - renewBeforeMs > parts.now()) return { accessToken: tokens.accessToken }
  return { accessToken: (await renewed(parts, box, tokens)).accessToken }
}

async function renewed(parts: Parts, box: BoxRow, tokens: OutlookTokens): Promise<OutlookTokens> {
  const { db, secrets, now } = parts
  try {
    const configuration = await outlookConfiguration(parts)
    const answer = await client.refreshTokenGrant(configuration, tokens.refreshToken)
    const made = tokensOf(answer, now(), tokens.refreshToken)
    await sql`
      update mailbox set outlook_tokens = ${sealTokens(secrets, made)}
      where id = ${box.boxId} and outlook_tokens = ${box.sealedTokens}`.execute(db)
    return made
  } catch (error) {
    if (!(error instanceof client.ResponseBodyError)) throw new MailFailure('unreachable', '', false, error)
    // Another process may have renewed them meanwhile, which makes the earlier ones void at some providers.
    const current = await storedTokens(db, secrets, box.boxId)
    if (current !== undefined && current.refreshToken !== tokens.refreshToken) return current
    throw new MailFailure('signIn', error.error_description ?? error.error, true, error)
  }
}

async function storedTokens(
  db: Db,
  secrets: Pick<Secrets, 'signingKey'>,
  boxId: number,
): Promise<OutlookTokens | undefined> {
  const row = await db.selectFrom('mailbox').select('outlook_tokens').where('id', '=', boxId).executeTakeFirst()
  return row === undefined || row.outlook_tokens === '' ? undefined : openTokens(secrets, row.outlook_tokens)
}
