// Sign-in by a provider that the browser is sent to, its answers, and its word that a session has ended.
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { StagedContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import {
  askFactor,
  assertAddress,
  attempt,
  isFactorRight,
  limitHandOuts,
  type Proof,
  signInWith,
} from '../auth/index.ts'
import { joinedAccount, proofOf } from './accounts.ts'
import { attempts, type RecognizedPerson } from './attempts.ts'
import {
  attemptOf,
  type BrowserDeps,
  type BrowserParts,
  type BrowserProvider,
  beginAttempt,
  browserParts,
  browserProvider,
  enabledOidc,
  recognize,
} from './browser-providers.ts'
import { applyMapping } from './mapping.ts'
import { readLogoutToken } from './oidc.ts'
import { keepAnswer } from './saml.ts'

/** How long a person whom the provider has named may take to enter the code of the second factor. */
const factorMs = 5 * 60_000

/** The handlers of sign-in by a provider. */
export function signInHandlers(
  services: BrowserDeps & Pick<Services, 'settings'>,
): Pick<
  Handlers<typeof features.providers.calls>,
  'startProviderSignIn' | 'finishProviderSignIn' | 'samlAnswer' | 'backchannelLogout'
> {
  const { secrets, settings: installation } = services

  const withProvider = (provider: BrowserProvider): BrowserParts => browserParts(services, provider)

  return {
    async startProviderSignIn(context, { providerId, redirect }) {
      assertAddress(await installation.current(), context.address)
      await limitHandOuts(context.db, 'provider', context.address, context.now)
      const provider = await browserProvider(context.db, providerId)
      const to = { redirect: isOwnPath(redirect) ? redirect : '' }
      return { address: await beginAttempt(context, withProvider(provider), to) }
    },

    async finishProviderSignIn(context, { providerId, clientType, query, factorCode }) {
      const { db, now, address } = context
      assertAddress(await installation.current(), address)
      const tried = await attempt(db, undefined, address, now)
      const provider = await browserProvider(db, providerId)
      const { settings } = provider
      const state = new URLSearchParams(query).get('state') ?? ''
      const begun = await attemptOf(context, providerId, state)
      if (begun === undefined || begun.binds !== undefined || begun.confirms !== undefined) {
        return tried.wrong('signInAbnormal', true, { call: 'finishProviderSignIn', accountId: null })
      }
      const isFirst = begun.person === undefined
      const person =
        begun.person ?? (await recognize(context, withProvider(provider), { attempt: begun, state, query }))
      const accountId = await joinedAccount(db, providerId, person.externalId)
      if (accountId !== undefined && !settings.trustsFactor) {
        const due = await factorDue(db, accountId)
        if (due && factorCode === undefined) {
          if (isFirst) await attempts.issueAs(db, state, { value: { ...begun, person }, expiresAt: now + factorMs })
          return askFactor(context, services, accountId)
        }
        if (due && !(await isFactorRight(db, accountId, factorCode ?? '', now)))
          return tried.wrong('wrongSecondFactor', true, { call: 'finishProviderSignIn', accountId })
      }
      const proof = await browserProof(context, provider, person, isFirst ? undefined : state)
      const signedIn = await signInWith(context, proof, { clientType, factorCode })
      return { ...signedIn, redirect: begun.redirect }
    },

    async samlAnswer(context, { providerId, SAMLResponse, RelayState }) {
      const { db, now, reply, address } = context
      await limitHandOuts(db, 'provider', address, now)
      const waiting = await attempts.peek(db, RelayState, now)
      // What nobody waits for is not kept; the page tells that the sign-in was abnormal.
      if (waiting?.providerId === providerId) await keepAnswer(context, RelayState, SAMLResponse)
      const page = `/doc/sign-in-return/${providerId}?${new URLSearchParams({ state: RelayState }).toString()}`
      await reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(`<!doctype html><meta http-equiv="refresh" content="0;url=${page}">`)
    },

    async backchannelLogout(context, { providerId, logout_token }) {
      await limitHandOuts(context.db, 'providerLogout', context.address, context.now)
      const { provider, settings } = await enabledOidc(context.db, providerId)
      const { subject, sid } = await readLogoutToken(context, { provider, settings, secrets }, logout_token)
      context.reply.header('cache-control', 'no-store')
      return context.commit(async (write) => {
        const { rows } = await sql<{ id: number }>`
          delete from session s using provider_session p
          where p.session_id = s.id and p.provider_id = ${providerId}
            and (${sid} = '' or p.sid = ${sid}) and (${subject} = '' or p.subject = ${subject})
          returning s.id`.execute(write.tx)
        if (rows.length > 0) write.event({ kind: 'session', sessionIds: rows.map(({ id }) => id), elsewhere: false })
        write.audit({ providerId, ended: rows.length })
        return {}
      })
    },
  }
}

/** Whether an address is a page of this server, and of no other. */
const isOwnPath = (path: string): boolean => /^\/[^/\\]/.test(path)

async function factorDue(db: Db, accountId: number): Promise<boolean> {
  const row = await db.selectFrom('account').select('second_factor').where('id', '=', accountId).executeTakeFirst()
  return row?.second_factor ?? false
}

/** The proof of a person whom a provider has named. It consumes the attempt that waited for a second factor. */
async function browserProof(
  { db }: StagedContext,
  provider: BrowserProvider,
  person: RecognizedPerson,
  waited: string | undefined,
): Promise<Proof> {
  const { settings } = provider
  const proof: Proof = await proofOf(db, provider, person, {
    skipsSecondFactor: settings.trustsFactor,
    strong: settings.trustsFactor,
    async opened(write, sessionId) {
      const row = { session_id: sessionId, provider_id: provider.id, subject: person.subject, sid: person.sid }
      await write.tx.insertInto('provider_session').values(row).execute()
      const accountId = await joinedAccount(write.tx, provider.id, person.externalId)
      if (accountId === undefined) return
      const said = { values: person.values, isNew: typeof proof.account !== 'number' }
      const changes = await applyMapping(write, { id: provider.id, settings }, accountId, said)
      if (changes !== '') write.audit({ changes })
    },
  })
  return {
    ...proof,
    async holds(locked) {
      if (waited !== undefined && (await attempts.consume(locked.tx, waited, 0)) === undefined)
        return fail('signInAbnormal')
      return (await proof.holds?.(locked)) ?? true
    },
  }
}
