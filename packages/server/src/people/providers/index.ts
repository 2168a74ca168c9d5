// Sign-in providers: their administration, and the sign-in by those that a browser is sent to ([R019], ADR 0234).
import { features, type ProviderSettings } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Context, StagedContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { isForbiddenHost } from '../../core/outbound-http.ts'
import { seal, unseal } from '../../core/secrets.ts'
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
import { administratorsAmong, pathsOf } from '../organisation/index.ts'
import { joinedAccount, proofOf } from './accounts.ts'
import { attempts, type RecognizedPerson } from './attempts.ts'
import { bindingHandlers } from './bindings.ts'
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
  returnAddressOf,
} from './browser-providers.ts'
import { providerSecret } from './ldap-identity.ts'
import { applyMapping } from './mapping.ts'
import { assertConfirmed, assertRules, mappingHandlers } from './mapping-calls.ts'
import { isMapped } from './mapping-plan.ts'
import { addressesOf, assertOAuth } from './oauth.ts'
import { readLogoutToken } from './oidc.ts'
import { requestRun } from './runs.ts'
import { certificatesOf, keepAnswer, lastDayOf } from './saml.ts'
import { readMetadata } from './saml-metadata.ts'
import { peopleOfProvider, type SyncChange } from './sync.ts'
import { tryLdap, tryOAuth, tryOidc, trySaml, tryScim } from './test-steps.ts'

export {
  createFor,
  departmentFor,
  enabledProviders,
  freezeByProvider,
  notePending,
  type ProviderPerson,
  thawByProvider,
  usableAttributes,
} from './accounts.ts'
export { configurationOf } from './oidc.ts'

/** How long a person whom the provider has named may take to enter the code of the second factor. */
const factorMs = 5 * 60_000

interface RunRow {
  readonly id: number
  readonly dry: boolean
  readonly state: string
  readonly started_at: number
  readonly ended_at: number
  readonly counts: Readonly<Record<string, number>>
  readonly problem: string
}

function runOf({ id, dry, state, started_at, ended_at, counts, problem }: RunRow) {
  const count = (name: string): number => counts[name] ?? 0
  return {
    runId: id,
    dry,
    state: state as 'running' | 'done' | 'waiting' | 'failed',
    startedTime: started_at,
    endedTime: ended_at,
    read: count('read'),
    created: count('created'),
    updated: count('updated'),
    frozen: count('frozen'),
    moved: count('moved'),
    thawed: count('thawed'),
    unchanged: count('unchanged'),
    pending: count('pending'),
    refused: count('refused'),
    problem,
  }
}

const runColumns = ['id', 'dry', 'state', 'started_at', 'ended_at', 'counts', 'problem'] as const

function assertAsked(settings: ProviderSettings): void {
  const addresses =
    settings.kind === 'ldap'
      ? settings.urls.map((url) => url.replace(/^ldap/i, 'http'))
      : // People go to a SAML provider themselves; nothing is asked of it from here.
        settings.kind === 'oidc'
        ? [settings.issuer]
        : settings.kind === 'oauth'
          ? addressesOf(settings)
          : []
  if (settings.kind === 'saml' && certificatesOf(settings.certificates).length === 0)
    fail('badRequest', { zh: '缺少签名证书（PEM）', en: 'a signing certificate in PEM is missing' })
  if (settings.kind === 'oauth') assertOAuth(settings)
  if (addresses.some(isForbiddenHost))
    fail('badRequest', {
      zh: '不能使用链路本地地址或云平台的元数据地址',
      en: 'no link-local address and no metadata service',
    })
}

export function providerHandlers(services: BrowserDeps & Pick<Services, 'settings'>) {
  const { secrets, settings: installation, publicUrl } = services
  const returnAddress = (context: Pick<Context, 'request'>): string => returnAddressOf(context, publicUrl)
  const withProvider = (provider: BrowserProvider): BrowserParts => browserParts(services, provider)
  const storedSecret = async (db: Db, providerId: number): Promise<string> => {
    if (providerId === 0) return ''
    const row = await db.selectFrom('provider').select('secret').where('id', '=', providerId).executeTakeFirst()
    return row === undefined ? fail('notFound') : row.secret === '' ? '' : unseal(secrets, providerSecret, row.secret)
  }

  return implement(features.providers.calls, {
    async getProviders(context) {
      const { db } = context
      const rows = await db
        .selectFrom('provider')
        .select(['id', 'name', 'enabled', 'settings', 'secret'])
        .select([peopleOfProvider(false).as('people'), peopleOfProvider(true).as('pending')])
        .orderBy('id')
        .execute()
      const runs = await db
        .selectFrom('provider_run')
        .distinctOn('provider_id')
        .select([...runColumns, 'provider_id'])
        .orderBy('provider_id')
        .orderBy('id', 'desc')
        .execute()
      const lastOf = new Map(runs.map((run) => [run.provider_id, runOf(run)]))
      const list = rows.map(({ id, secret, ...row }) => ({
        ...row,
        providerId: id,
        hasSecret: secret !== '',
        certificateEnd: lastDayOf(row.settings),
        lastRun: lastOf.get(id) ?? null,
      }))
      const ruled = rows.flatMap(({ settings }) => (settings.kind === 'scim' ? [] : settings.rules))
      const groupIds = ruled.flatMap(({ gives, id }) => (gives === 'department' ? [id] : []))
      const paths = await pathsOf(db, [...new Set(groupIds)])
      const departments = [...paths].map(([groupId, { path }]) => ({ groupId, path }))
      return { list, departments, returnAddress: returnAddress(context) }
    },

    async saveProvider(context, { providerId, name, enabled, settings, secret, confirmed }) {
      const { tx, now } = context
      assertAsked(settings)
      await assertRules(tx, settings)
      if (settings.kind === 'scim') await assertServiceAccount(tx, settings)
      const sealed = secret === undefined ? {} : { secret: secret === '' ? '' : seal(secrets, providerSecret, secret) }
      const row = { name: name.trim(), enabled, settings: JSON.stringify(settings) as unknown as ProviderSettings }
      context.audit({ kind: settings.kind, name, enabled, ...(secret !== undefined && { secretChanged: true }) })
      if (providerId === 0) {
        const made = await tx
          .insertInto('provider')
          .values({ ...row, secret: '', ...sealed, created_at: now })
          .returning('id')
          .executeTakeFirstOrThrow()
        return { providerId: made.id }
      }
      const before = await tx
        .selectFrom('provider')
        .select('settings')
        .where('id', '=', providerId)
        .forUpdate()
        .executeTakeFirst()
      if (before === undefined || before.settings.kind !== settings.kind) return fail('notFound')
      await assertSameIds(tx, providerId, before.settings, settings)
      await assertConfirmed(tx, providerId, { before: before.settings, after: settings }, confirmed)
      await tx
        .updateTable('provider')
        .set({ ...row, ...sealed })
        .where('id', '=', providerId)
        .execute()
      return { providerId }
    },

    async removeProvider(context, { providerId }) {
      const { tx } = context
      const { rows } = await sql<{ session_id: number }>`
        delete from session s using provider_session p where p.session_id = s.id and p.provider_id = ${providerId}
        returning s.id as session_id`.execute(tx)
      if (rows.length > 0)
        context.event({ kind: 'session', sessionIds: rows.map(({ session_id }) => session_id), elsewhere: false })
      const gone = await tx.deleteFrom('provider').where('id', '=', providerId).returning('id').executeTakeFirst()
      return gone === undefined ? fail('notFound') : {}
    },

    async testProvider(context, { providerId, settings, secret, account }) {
      assertAsked(settings)
      const used = secret ?? (await storedSecret(context.db, providerId))
      const locale = localeOf(context.request)
      const tried =
        settings.kind === 'ldap'
          ? await tryLdap(settings, used, account, locale)
          : settings.kind === 'oidc'
            ? await tryOidc(settings, used, context.now, locale)
            : settings.kind === 'saml'
              ? trySaml(settings, context.now, locale)
              : settings.kind === 'oauth'
                ? await tryOAuth(settings, used, locale)
                : await tryScim(settings, context, locale)
      await context.commit(async (write) => write.audit({ ok: tried.steps.every(({ ok, warning }) => ok || warning) }))
      return tried
    },

    async readSamlMetadata(context, { address }) {
      const read = await readMetadata(address)
      await context.commit((write) => Promise.resolve(write.audit({ name: read.issuer })))
      return read
    },

    async syncProvider({ tx, now }, { providerId, dry, confirmedRunId }) {
      const row = await tx.selectFrom('provider').select('settings').where('id', '=', providerId).executeTakeFirst()
      if (row?.settings.kind !== 'ldap') return fail('notFound')
      return { runId: await requestRun({ tx, now }, providerId, { dry, confirmedId: confirmedRunId }) }
    },

    async getProviderRun({ db }, { runId }) {
      const row = await db
        .selectFrom('provider_run')
        .select([...runColumns, 'changes'])
        .where('id', '=', runId)
        .executeTakeFirst()
      return row === undefined ? fail('notFound') : { ...runOf(row), changes: row.changes as SyncChange[] }
    },

    async getPendingIdentities({ db }, { providerId }) {
      const rows = await db
        .selectFrom('provider_identity as i')
        .leftJoin('account as a', 'a.account_key', 'i.account_key')
        .select(['i.id', 'i.label', 'i.account_name', 'a.id as userId', 'a.name'])
        .where('i.provider_id', '=', providerId)
        .where('i.account_id', 'is', null)
        .orderBy('i.account_name')
        .limit(1000)
        .execute()
      const administrators = await administratorsAmong(
        db,
        rows.flatMap(({ userId }) => userId ?? []),
      )
      return {
        list: rows.map(({ id, label, account_name, userId, name }) => ({
          ...{ identityId: id, label, account: account_name, userId: userId ?? 0, accountName: name ?? '' },
          administers: userId !== null && administrators.has(userId),
        })),
      }
    },

    async joinIdentity(context, { identityId, userId }) {
      const { tx } = context
      const identity = await tx
        .selectFrom('provider_identity')
        .select(['id', 'account_key'])
        .where('id', '=', identityId)
        .where('account_id', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      const account = await tx
        .selectFrom('account')
        .select(['id', 'account_key', 'account'])
        .where('id', '=', userId)
        .where('state', '<>', 'disabled')
        .executeTakeFirst()
      if (identity === undefined || account?.account_key !== identity.account_key) return fail('notFound')
      if ((await administratorsAmong(tx, [userId])).has(userId)) return fail('adminAccount')
      await tx.updateTable('provider_identity').set({ account_id: userId }).where('id', '=', identityId).execute()
      context.audit({ account: account.account })
      return {}
    },

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
      if (begun === undefined || begun.binds !== undefined) {
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

    ...bindingHandlers(services),
    ...mappingHandlers,

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
  })
}

/** Whether an address is a page of this server, and of no other. */
const isOwnPath = (path: string): boolean => /^\/[^/\\]/.test(path)

/** Refuses an account of a person: a token of theirs would keep the accounts of others. */
async function assertServiceAccount(
  db: Db,
  { serviceAccountId, signInProviderId }: Extract<ProviderSettings, { kind: 'scim' }>,
): Promise<void> {
  const service = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', serviceAccountId)
    .where('service', '=', true)
    .executeTakeFirst()
  if (service === undefined) fail('notFound', 'serviceAccountId')
  if (signInProviderId === 0) return
  const provider = await db
    .selectFrom('provider')
    .select('settings')
    .where('id', '=', signInProviderId)
    .executeTakeFirst()
  if (provider === undefined || !isMapped(provider.settings)) fail('notFound', 'signInProviderId')
}

async function factorDue(db: Db, accountId: number): Promise<boolean> {
  const row = await db.selectFrom('account').select('second_factor').where('id', '=', accountId).executeTakeFirst()
  return row?.second_factor ?? false
}

/** Refuses to read other ids for the people that are known already: all of them would be strangers. */
async function assertSameIds(
  db: Db,
  providerId: number,
  before: ProviderSettings,
  after: ProviderSettings,
): Promise<void> {
  const idOf = (settings: ProviderSettings): string =>
    settings.kind === 'ldap'
      ? settings.idAttribute.toLowerCase()
      : settings.kind === 'saml'
        ? `${settings.issuer} ${settings.idAttribute}`
        : settings.kind === 'oidc'
          ? settings.issuer
          : settings.kind === 'oauth'
            ? // Some providers give a person another id for each application.
              `${settings.userUrl} ${settings.clientId} ${settings.idClaim}`
            : // The ids of people are our own.
              settings.kind
  if (idOf(before) === idOf(after)) return
  const known = await db
    .selectFrom('provider_identity')
    .select('id')
    .where('provider_id', '=', providerId)
    .limit(1)
    .executeTakeFirst()
  if (known !== undefined)
    fail('settingsContradict', {
      zh: '已有人员使用这个提供方，不能更改人员编号的来源；请添加新的提供方',
      en: 'people use this provider: where their ids come from cannot change, add another provider',
    })
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
