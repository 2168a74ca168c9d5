// Sign-in providers: their administration, and the sign-in by those that a browser is sent to ([R019], ADR 0234).
import { features, type ProviderSettings } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Context } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { isForbiddenHost } from '../../core/outbound-http.ts'
import { seal, unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { pathsOf } from '../organisation/index.ts'
import { bindingHandlers } from './bindings.ts'
import { type BrowserDeps, returnAddressOf } from './browser-providers.ts'
import { confirmationHandlers } from './confirmations.ts'
import { providerSecret } from './ldap-identity.ts'
import { assertConfirmed, assertRules, mappingHandlers } from './mapping-calls.ts'
import { isMapped } from './mapping-plan.ts'
import { addressesOf, assertOAuth } from './oauth.ts'
import { pendingHandlers } from './pending-handlers.ts'
import { requestRun } from './runs.ts'
import { certificatesOf, lastDayOf } from './saml.ts'
import { readMetadata } from './saml-metadata.ts'
import { signInHandlers } from './sign-in-handlers.ts'
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
  const { secrets, publicUrl } = services
  const returnAddress = (context: Pick<Context, 'request'>): string => returnAddressOf(context, publicUrl)

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

    ...pendingHandlers(),
    ...signInHandlers(services),
    ...bindingHandlers(services),
    ...confirmationHandlers(services),
    ...mappingHandlers,
  })
}

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
