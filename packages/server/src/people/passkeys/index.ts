/*
 * Passkeys (WebAuthn Level 3). The device checks its owner by PIN or finger, so a passkey replaces the password and the
 * second factor together; a session that began with a password can be raised by one. A key belongs to a host name: a
 * page of another name can neither use nor ask for it (ADR 0254).
 */
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { sql } from 'kysely'
import { actorOf, type Context, type StagedContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { Services } from '../../core/services.ts'
import {
  accountKey,
  assertAddress,
  attempt,
  hasPasskey,
  isDemanded,
  limitHandOuts,
  type Proof,
  patienceOf,
  signInWith,
  verifyPassword,
} from '../auth/index.ts'

const challengeMs = 5 * 60_000
/** Who has just signed in is not asked for the password again. */
const freshMs = 10 * 60_000
const maxKeys = 20

/** A challenge that waits for its signature. */
interface Challenge {
  /** The account that gets a new key; 0: a proof by an existing one. */
  readonly adds: number
}

/** Challenges by their text, each good for one answer. */
const challenges = oneTimeToken<Challenge>('passkeyChallenge')

/** Where the page was loaded from, and the host name of its keys. */
interface Place {
  readonly origin: string
  readonly host: string
}

interface PasskeyParts extends Pick<Services, 'settings' | 'publicUrl'> {}

/** The origin that a browser must name, and the host name of keys: that of the page, or a parent of it. */
async function placeOf({ request }: Pick<Context, 'request'>, { settings, publicUrl }: PasskeyParts): Promise<Place> {
  const { origin, hostname } = new URL(publicUrl ?? `${request.protocol}://${request.host}`)
  const { passkey_host: set } = (await settings.current()).inner
  const isParent = set !== '' && (hostname === set || hostname.endsWith(`.${set}`))
  return { origin, host: isParent ? set : hostname }
}

function parsed(credential: string): unknown {
  try {
    return JSON.parse(credential) as unknown
  } catch {
    return undefined
  }
}

/** The challenge that an answer claims to have signed; the signature is checked with it. */
function challengeIn(credential: string): string | undefined {
  const found = parsed(credential) as { readonly response?: { readonly clientDataJSON?: unknown } } | undefined
  const text = found?.response?.clientDataJSON
  if (typeof text !== 'string') return undefined
  const data = parsed(Buffer.from(text, 'base64url').toString()) as { readonly challenge?: unknown } | undefined
  return typeof data?.challenge === 'string' ? data.challenge : undefined
}

/** Takes the challenge of an answer out of the store. Undefined: unknown, late, used, or of another purpose. */
async function takeChallenge(
  { db, now }: Pick<StagedContext, 'db' | 'now'>,
  credential: string,
  adds: number,
): Promise<string | undefined> {
  const challenge = challengeIn(credential)
  const known = challenge === undefined ? undefined : await challenges.consume(db, challenge, now)
  return known?.adds === adds ? challenge : undefined
}

interface Proven {
  readonly passkeyId: number
  readonly accountId: number
  /** The count of signatures before this one, and with it. */
  readonly counter: readonly [number, number]
}

/** Checks the answer of a key. Undefined: a foreign, replayed, late or copied one. */
async function proven(
  context: Pick<StagedContext, 'db' | 'now'>,
  credential: string,
  { origin, host }: Place,
): Promise<Proven | undefined> {
  const challenge = await takeChallenge(context, credential, 0)
  const answer = parsed(credential) as AuthenticationResponseJSON | undefined
  if (challenge === undefined || typeof answer?.id !== 'string') return undefined
  const row = await context.db
    .selectFrom('passkey')
    .select(['id', 'account_id', 'public_key', 'counter', 'transports'])
    .where('credential_id', '=', answer.id)
    .where('host', '=', host)
    .executeTakeFirst()
  if (row === undefined) return undefined
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      credential: {
        id: answer.id,
        publicKey: new Uint8Array(row.public_key),
        counter: row.counter,
        transports: row.transports,
      },
    })
    const counter = [row.counter, authenticationInfo.newCounter] as const
    return verified ? { passkeyId: row.id, accountId: row.account_id, counter } : undefined
  } catch {
    return undefined
  }
}

/** Stores the use of a key. Of two answers with the same count, one is refused: the key was copied. */
async function noteUse(db: Db, { passkeyId, counter: [before, after] }: Proven, now: number): Promise<boolean> {
  const row = await db
    .updateTable('passkey')
    .set({ counter: after, used_at: now })
    .where('id', '=', passkeyId)
    .where('counter', '=', before)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an account has a key: then a password alone does not let it add others where a second factor is demanded. */
async function assertRaised(db: Db, { accountId, needsSecondFactor }: ReturnType<typeof actorOf>): Promise<void> {
  if (!needsSecondFactor) return
  if (await hasPasskey(db, accountId)) fail('secondFactorDue')
}

/** Asks for the password again, unless the caller has just signed in. */
async function assertSamePerson(context: StagedContext, password: string): Promise<void> {
  const { db, now, address } = context
  const { accountId, account, sessionId, settings } = actorOf(context)
  const row = await db
    .selectFrom('session as s')
    .innerJoin('account as a', 'a.id', 's.account_id')
    .select(['s.created_at', 'a.password_hash'])
    .where('s.id', '=', sessionId)
    .executeTakeFirstOrThrow()
  if (now - row.created_at < freshMs || row.password_hash === '') return
  if (password === '') return fail('wrongPassword')
  const tried = await attempt(db, accountKey(account), address, now, patienceOf(settings))
  if (!(await verifyPassword(password, row.password_hash)))
    return tried.wrong('wrongPassword', true, { call: 'beginPasskey', accountId })
  await tried.right(true)
}

/** The handlers of the calls about passkeys. */
export function passkeyHandlers(parts: PasskeyParts) {
  return implement(features.passkeys.calls, {
    async getMyPasskeys(context) {
      const { host } = await placeOf(context, parts)
      const rows = await context.db
        .selectFrom('passkey')
        .select(['id', 'name', 'created_at', 'used_at', 'host'])
        .where('account_id', '=', actorOf(context).accountId)
        .orderBy('id')
        .execute()
      return {
        list: rows.map((row) => ({
          ...{ passkeyId: row.id, name: row.name, createTime: row.created_at, usedTime: row.used_at },
          ...{ host: row.host, usable: row.host === host },
        })),
      }
    },

    async beginPasskey(context, { password }) {
      const { db, now } = context
      const actor = actorOf(context)
      const { accountId, account, name, settings } = actor
      await assertRaised(db, actor)
      await assertSamePerson(context, password)
      const { host } = await placeOf(context, parts)
      const own = await db
        .selectFrom('passkey')
        .select(['credential_id', 'transports', 'host'])
        .where('account_id', '=', accountId)
        .execute()
      if (own.length >= maxKeys) return fail('tooMany')
      const options = await generateRegistrationOptions({
        rpName: settings.company_name || 'Cloudoc',
        rpID: host,
        userName: account,
        userDisplayName: name,
        userID: new Uint8Array(Buffer.from(`account:${accountId}`)),
        attestationType: 'none',
        excludeCredentials: own
          .filter((one) => one.host === host)
          .map(({ credential_id: id, transports }) => ({ id, transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await challenges.issueAs(db, options.challenge, { value: { adds: accountId }, expiresAt: now + challengeMs })
      return { options: JSON.stringify(options) }
    },

    async addPasskey(context, { credential, name }) {
      const actor = actorOf(context)
      const { origin, host } = await placeOf(context, parts)
      const challenge = await takeChallenge(context, credential, actor.accountId)
      if (challenge === undefined) return fail('passkeyRefused')
      const { registrationInfo } = await verifyRegistrationResponse({
        response: parsed(credential) as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: true,
      }).catch(() => fail('passkeyRefused'))
      if (registrationInfo === undefined) return fail('passkeyRefused')
      const { id, publicKey, counter, transports } = registrationInfo.credential
      return context.commit(async (write) => {
        const { tx, now } = write
        await sql`select 1 from account where id = ${actor.accountId} for no key update`.execute(tx)
        await assertRaised(tx, actor)
        const made = await tx
          .insertInto('passkey')
          .values({
            ...{ account_id: actor.accountId, credential_id: id, public_key: Buffer.from(publicKey), counter },
            ...{ transports: transports ?? [], host, name: name.trim(), created_at: now },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await sql`update session set strong = true where id = ${actor.sessionId}`.execute(tx)
        write.audit({ name })
        return { passkeyId: made.id }
      })
    },

    async renamePasskey(context, { passkeyId, name }) {
      const row = await context.tx
        .updateTable('passkey')
        .set({ name: name.trim() })
        .where('id', '=', passkeyId)
        .where('account_id', '=', actorOf(context).accountId)
        .returning('id')
        .executeTakeFirst()
      return row === undefined ? fail('notFound') : {}
    },

    async removePasskey(context, { passkeyId }) {
      const { accountId } = actorOf(context)
      const row = await context.tx
        .deleteFrom('passkey')
        .where('id', '=', passkeyId)
        .where('account_id', '=', accountId)
        .returning('name')
        .executeTakeFirst()
      if (row === undefined) return fail('notFound')
      const { second_factor: hasCodes } = await context.tx
        .selectFrom('account')
        .select('second_factor')
        .where('id', '=', accountId)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow()
      if (!hasCodes && (await isDemanded(context)) && !(await hasPasskey(context.tx, accountId)))
        return fail('secondFactorMissing')
      context.audit({ name: row.name })
      return {}
    },

    async startPasskeySignIn(context) {
      const { db, now, address } = context
      assertAddress(await parts.settings.current(), address)
      await limitHandOuts(db, 'passkey', address, now)
      const { host } = await placeOf(context, parts)
      const options = await generateAuthenticationOptions({ rpID: host, userVerification: 'required' })
      await challenges.issueAs(db, options.challenge, { value: { adds: 0 }, expiresAt: now + challengeMs })
      return { options: JSON.stringify(options) }
    },

    async finishPasskeySignIn(context, { credential, clientType }) {
      const { db, now, address } = context
      assertAddress(await parts.settings.current(), address)
      const tried = await attempt(db, undefined, address, now)
      const found = await proven(context, credential, await placeOf(context, parts))
      const refused = { call: 'finishPasskeySignIn', accountId: found?.accountId ?? null }
      if (found === undefined) return tried.wrong('passkeyRefused', true, refused)
      const proof: Proof = {
        account: found.accountId,
        skipsSecondFactor: true,
        strong: true,
        holds: async ({ tx }) => (await noteUse(tx, found, now)) || fail('passkeyRefused'),
      }
      return signInWith(context, proof, { clientType })
    },

    async proveByPasskey(context, { credential }) {
      const { accountId, account, sessionId, settings } = actorOf(context)
      const { db, now, address } = context
      const tried = await attempt(db, accountKey(account), address, now, patienceOf(settings))
      const found = await proven(context, credential, await placeOf(context, parts))
      if (found?.accountId !== accountId)
        return tried.wrong('passkeyRefused', true, { call: 'proveByPasskey', accountId })
      await tried.right(true)
      return context.commit(async ({ tx }) => {
        if (!(await noteUse(tx, found, now))) return fail('passkeyRefused')
        await sql`update session set strong = true where id = ${sessionId}`.execute(tx)
        return {}
      })
    },
  })
}
