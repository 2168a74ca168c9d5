/*
 * Sessions are opaque tokens, hashed in the database. A session that was read is cached with its account until
 * PostgreSQL reports that either has changed; every request checks this (core/db/invalidations.ts). A revocation
 * therefore applies to the next request on every process.
 */
import { hash, randomBytes } from 'node:crypto'
import type { InstallationSetting } from '@cloudoc/contract'
import { type CodeName, type Detail, fail, ResultError, separatedPowers } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account, AccountActor, Limit } from '../../core/actor.ts'
import { batched } from '../../core/batcher.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'
import type { AccountState } from '../../core/db/schema.ts'
import type { SessionEvent } from '../../core/events.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { hashToken } from '../../core/secrets.ts'
import { createSettings, type Settings } from '../../core/settings.ts'
import { type Authority, loadAuthorities, noAuthority } from './authority.ts'
import { isFactorDemanded } from './factor-rule.ts'
import { type CachedSession, createSessionCache } from './session-cache.ts'

/** Idle timeout and maximum lifetime of a session. */
export function lifeOf({ inner }: Pick<InstallationSetting, 'inner'>): { idleMs: number; mostMs: number } {
  return { idleMs: inner.session_idle_hours * hourMs, mostMs: inner.session_days * dayMs }
}
const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** The last use of a session is written at most this often. */
const touchEvery = 5 * 60_000
/** The tokens of sessions that another sign-in has ended. */
const endedElsewhere = oneTimeToken<Record<string, never>>('endedElsewhere')
/** Why a session ended when the same account signed in again with the same client type. */
const signedInElsewhere: Detail = { zh: '已在别处登录', en: 'signed in elsewhere' }

interface SessionRow extends AccountRow {
  readonly id: number
  readonly token_hash: Buffer
  readonly client_type: number
  readonly guest: boolean
  readonly created_at: number
  readonly used_at: number
  readonly expires_at: number
  readonly wiped: boolean
  readonly address: string
  readonly strong: boolean
  /** The linked server that opened it for one of its people. */
  readonly via_server: number | null
  readonly device_id: number | null
  readonly device_state: string | null
  readonly program_id: number | null
  readonly program_kind: 'personal' | 'service' | 'app' | null
  readonly program_name: string | null
  readonly scopes: readonly string[] | null
  readonly library_ids: readonly number[] | null
}

interface AccountRow {
  readonly account_id: number
  readonly account: string
  readonly name: string
  readonly state: AccountState
  readonly is_admin: boolean
  readonly must_change_password: boolean
  readonly password_at: number
  readonly secret_level: number
  readonly group_id: number
  readonly quota: number | null
  /** Null: no expiry. */
  readonly usable_until: number | null
  /** 0 if there is no visitor password. */
  readonly visitor_until: number
  readonly second_factor: boolean
  readonly organisation: number
  readonly settings: number
}

const refusals = {
  locked: 'accountLocked',
  frozen: 'accountFrozen',
  restricted: 'accountRestricted',
  disabled: 'accountFrozen',
} as const

/** Why an account may not be used, by its state ([R047]) and its last day. */
export function refusalOfAccount(state: AccountState, until: number | null, now: number): CodeName | undefined {
  if (state !== 'normal') return refusals[state]
  return until !== null && until <= now ? 'accountFrozen' : undefined
}

/** Fails with the matching code unless the account may be used. */
export function assertUsable(account: { state: AccountState; expires_at: number | null }, now: number): void {
  const refusal = refusalOfAccount(account.state, account.expires_at, now)
  if (refusal !== undefined) fail(refusal)
}

export interface Sessions {
  byToken(token: string, now: number): Promise<AccountActor>
  /**
   * Returns the recently cached actor if there is one. Only for work that reads the actor again in the transaction that
   * takes effect, and that refuses nothing before.
   */
  lately(token: string, now: number): Promise<AccountActor>
  byId(sessionId: number, now: number): Promise<AccountActor>
  /**
   * Returns the actors of those tokens that are signed in and the refusal codes of the others, with a few statements
   * for any number.
   */
  byTokens(
    tokens: readonly string[],
    now: number,
  ): Promise<{ version: number; actors: Map<string, AccountActor | CodeName> }>
  /**
   * Returns the actors of the valid sessions. `reader` is the transaction that needs them. Does not count as use of a
   * session.
   */
  byIds(
    sessionIds: readonly number[],
    now: number,
    reader?: Db,
  ): Promise<{ version: number; actors: Map<number, AccountActor> }>
  /**
   * Returns which of these sessions are valid now. The version increases whenever other data that actors are built from
   * changes.
   */
  stillValid(sessionIds: readonly number[], now: number): Promise<{ version: number; held: Set<number> }>
}

/** As `hashToken`, in the fastest form: each request needs one. */
const keyOf = (token: string): string => hash('sha256', token, 'base64')

/** Maximum age of the actors that `lately` returns. */
const latelyMs = 3000
/** Concurrent reads. Requests that arrive while sessions are read share the next read. */
const readConcurrency = 2

/** The actor of a session. */
function actorFrom(row: SessionRow, account: Omit<Account, 'isGuest'>, value: InstallationSetting): AccountActor {
  return {
    ...account,
    kind: 'account' as const,
    // Neither a visitor (X51) nor whoever comes from a linked server has administrative powers. A visitor is not
    // affected by the state of the account's password (X27).
    ...((row.guest || row.via_server !== null) && { isAdmin: false, powers: [], delegated: new Map() }),
    mustChangePassword: row.must_change_password && !row.guest,
    passwordUntil: row.guest ? Number.POSITIVE_INFINITY : passwordUntil(row.password_at, value),
    needsSecondFactor: !row.guest && !row.second_factor && !row.strong && isFactorDemanded(value, account, row.address),
    sessionId: row.id,
    clientType: row.client_type,
    address: row.address,
    hasFactor: row.second_factor || row.strong,
    device:
      row.device_id === null ? undefined : { deviceId: row.device_id, isApproved: row.device_state === 'approved' },
    ...programPart(row, account),
    isGuest: row.guest,
  }
}

/** Departments, roles and the rights they give, cached by the version of the organisation. */
function createAuthorities() {
  const cache = new Map<number, Authority & { version: number }>()

  return async (reader: Db, rows: readonly SessionRow[]): Promise<(row: SessionRow) => Authority> => {
    const isKnown = (row: SessionRow): boolean => cache.get(row.account_id)?.version === row.organisation
    const found = new Map<number, Authority>()
    const missing = rows.filter((row) => !isKnown(row))
    if (missing.length > 0) {
      const loaded = await loadAuthorities(
        reader,
        missing.map((row) => row.account_id),
      )
      if (cache.size > 50_000) cache.clear()
      for (const row of missing) {
        const one = loaded.get(row.account_id) ?? noAuthority
        found.set(row.account_id, one)
        cache.set(row.account_id, { version: row.organisation, ...one })
      }
    }
    for (const row of rows) {
      const known = cache.get(row.account_id)
      if (!found.has(row.account_id) && known !== undefined) found.set(row.account_id, known)
    }
    return (row) => found.get(row.account_id) ?? noAuthority
  }
}

/** Reads sessions. Departments, roles and the rights they give are cached by the version of the organisation. */
export function createSessions(db: Db, settings: Settings, invalidations: Invalidations): Sessions {
  const standings = createAuthorities()

  const read = async (condition: ReturnType<typeof sql>, reader: Db = db): Promise<SessionRow[]> => {
    const { rows } = await sql<SessionRow>`
      select s.id, s.token_hash, s.client_type, s.guest, s.created_at, s.used_at, s.expires_at, s.wiped, s.address, s.strong, s.via_server,
        s.device_id, d.state as device_state, s.program_id, p.kind as program_kind, p.name as program_name, p.scopes,
        p.library_ids, ${accountColumns}
      from session s join account a on a.id = s.account_id left join device d on d.id = s.device_id
      left join program p on p.id = s.program_id where ${condition}`.execute(reader)
    return rows
  }

  /** Writes the last use of sessions whose last write is old enough. */
  const touch = async (rows: readonly SessionRow[], now: number): Promise<void> => {
    const due = rows.filter((row) => now - row.used_at > touchEvery).map((row) => row.id)
    if (due.length === 0) return
    const { idleMs, mostMs } = lifeOf(await settings.at(rows[0]?.settings ?? 0, db))
    await sql`
      update session s set used_at = ${now}, expires_at = case when s.program_id is not null then s.expires_at else least(
        ${now} + ${idleMs}::bigint, s.created_at + ${mostMs}::bigint, case when s.guest then a.visitor_until end) end
      from account a where s.id = any(${due}) and a.id = s.account_id`.execute(db)
  }

  const actorsOf = async (rows: readonly SessionRow[], reader: Db = db): Promise<AccountActor[]> => {
    const standingOf = await standings(reader, rows)
    return Promise.all(
      rows.map(async (row) => {
        const value = await settings.at(row.settings, reader)
        return actorFrom(row, accountFrom(row, standingOf(row), value), value)
      }),
    )
  }

  /** Why a session is not valid. */
  const refusalOf = (row: SessionRow | undefined, now: number): CodeName | undefined => {
    if (row === undefined || row.expires_at <= now) return 'notLoggedIn'
    if (row.guest && row.visitor_until <= now) return 'notLoggedIn'
    return row.wiped || row.device_state === 'wiped'
      ? 'deviceWiped'
      : refusalOfAccount(row.state, row.usable_until, now)
  }

  const one = async (condition: ReturnType<typeof sql>, now: number): Promise<AccountActor> => {
    const rows = await read(condition)
    const refusal = refusalOf(rows[0], now)
    if (refusal !== undefined) return fail(refusal)
    await touch(rows, now)
    const [actor] = await actorsOf(rows)
    return actor ?? fail('notLoggedIn')
  }

  const versionOf = (rows: readonly { organisation: number; settings: number }[]): number =>
    (rows[0]?.organisation ?? 0) + (rows[0]?.settings ?? 0)

  const byTokens = async (tokens: readonly string[], now: number) => {
    const hashes = new Map(tokens.map((token) => [token, hashToken(token)]))
    const rows = await read(sql`s.token_hash = any(${[...hashes.values()]})`)
    const holding = rows.filter((row) => refusalOf(row, now) === undefined)
    await touch(holding, now)
    const actorBySession = new Map((await actorsOf(holding)).map((actor) => [actor.sessionId, actor]))
    const rowByHash = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]))
    const answer = (hash: Buffer): AccountActor | CodeName => {
      const row = rowByHash.get(hash.toString('hex'))
      return refusalOf(row, now) ?? actorBySession.get(row?.id ?? 0) ?? 'notLoggedIn'
    }
    return {
      version: versionOf(rows),
      actors: new Map([...hashes].map(([token, hash]) => [token, answer(hash)])),
      rows,
    }
  }

  const kept = createSessionCache(invalidations)

  const oneOfMany = batched(
    { most: 64, atOnce: readConcurrency },
    async (asked: readonly { token: string; now: number }[]) => {
      const mark = invalidations.mark()
      const { actors, rows } = await byTokens(
        asked.map(({ token }) => token),
        Math.max(...asked.map(({ now }) => now)),
      )
      const elsewhere = await endedElsewhere.among(
        db,
        asked.flatMap(({ token }) => (actors.get(token) === 'notLoggedIn' ? [token] : [])),
        Math.max(...asked.map(({ now }) => now)),
      )
      const rowBySession = new Map(rows.map((row) => [row.id, row]))
      return asked.map(({ token, now }) => {
        const actor = actors.get(token) ?? 'notLoggedIn'
        if (typeof actor === 'string')
          return { error: new ResultError(actor, elsewhere.has(token) ? signedInElsewhere : undefined) }
        const { accountId, sessionId } = actor
        const row = rowBySession.get(sessionId)
        const mayKeep =
          row !== undefined &&
          invalidations.isCurrentSince(mark, 'session', sessionId) &&
          invalidations.isCurrentSince(mark, 'account', accountId)
        if (mayKeep) {
          const expiresAt = Math.min(
            row.expires_at,
            row.usable_until ?? row.expires_at,
            row.guest ? row.visitor_until : row.expires_at,
          )
          kept.keep(keyOf(token), { actor, expiresAt, usedAt: row.used_at, heldAt: now })
        }
        return { value: actor }
      })
    },
  )

  /** The cached session. Undefined if it must be read, which includes recording its use. */
  const keptFor = (token: string, now: number): CachedSession | undefined => {
    const one = kept.get(keyOf(token))
    return one !== undefined && one.expiresAt > now && now - one.usedAt <= touchEvery ? one : undefined
  }

  return {
    async byToken(token, now) {
      await invalidations.catchUp()
      const one = keptFor(token, now)
      if (one === undefined) return oneOfMany({ token, now })
      one.heldAt = now
      return one.actor
    },
    async lately(token, now) {
      const one = keptFor(token, now)
      const holds =
        one !== undefined &&
        Math.abs(now - one.heldAt) < latelyMs &&
        !one.actor.mustChangePassword &&
        !one.actor.needsSecondFactor &&
        one.actor.passwordUntil > now
      return holds ? one.actor : oneOfMany({ token, now })
    },
    byId: (sessionId, now) => one(sql`s.id = ${sessionId}`, now),
    byTokens,
    async byIds(sessionIds, now, reader) {
      const rows = await read(sql`s.id = any(${[...sessionIds]})`, reader)
      const actors = await actorsOf(
        rows.filter((row) => refusalOf(row, now) === undefined),
        reader,
      )
      return { version: versionOf(rows), actors: new Map(actors.map((actor) => [actor.sessionId, actor])) }
    },
    async stillValid(sessionIds, now) {
      const { rows } = await sql<{ id: number; organisation: number; settings: number }>`
        select s.id, (select value from stamp where name = 'organisation') as organisation,
          (select value from stamp where name = 'settings') as settings
        from session s join account a on a.id = s.account_id
        where s.id = any(${[...sessionIds]}) and s.expires_at > ${now} and not s.wiped and a.state = 'normal'
          and (a.expires_at is null or a.expires_at > ${now})
          and (not s.guest or a.visitor_until > ${now})`.execute(db)
      return { version: versionOf(rows), held: new Set(rows.map((row) => row.id)) }
    },
  }
}

/** What differs in the actor of a program: no power but that of reading, no rule of passwords, and the limits of its token. */
function programPart(
  { program_id, program_kind, program_name, scopes, library_ids }: SessionRow,
  account: Pick<Account, 'powers'>,
): Partial<AccountActor> {
  if (program_id === null || program_kind === null) return {}
  const given = new Set(scopes)
  // PostgreSQL sends arrays of big integers as texts.
  const libraries = new Set(library_ids?.map(Number))
  return {
    isAdmin: false,
    powers: given.has('adminRead') ? account.powers : [],
    delegated: new Map(),
    mustChangePassword: false,
    passwordUntil: Number.POSITIVE_INFINITY,
    needsSecondFactor: false,
    program: { programId: program_id, kind: program_kind, name: program_name ?? '', scopes: given },
    ...(libraries.size > 0 && { limit: toLibraries(libraries) }),
  }
}

/** Permits the items of some libraries, and the uploads into them. */
function toLibraries(libraries: ReadonlySet<number>): Limit {
  return (use, found) => {
    if (!('item' in use)) return use.object.kind === 'upload' ? undefined : 'noPermission'
    // What is outside does not exist for the token.
    const { library } = (found ?? {}) as Partial<Access>
    return library !== undefined && libraries.has(library.id) ? undefined : 'notFound'
  }
}

/** When the password expires. */
function passwordUntil(since: number, { inner }: InstallationSetting): number {
  return inner.pwd_age_days === 0 ? Number.POSITIVE_INFINITY : since + inner.pwd_age_days * dayMs
}

const accountColumns =
  sql.raw(`a.id as account_id, a.account, a.name, a.state, a.is_admin, a.must_change_password, a.password_at,
  a.secret_level, a.group_id, a.quota, a.expires_at as usable_until, a.visitor_until, a.second_factor, (select value from stamp where name = 'organisation') as organisation,
  (select value from stamp where name = 'settings') as settings`)

function accountFrom(
  row: AccountRow,
  { groupIds, roleIds, powers, delegated, capabilities, controls, factorByRole }: Authority,
  settings: InstallationSetting,
): Omit<Account, 'isGuest'> {
  return {
    accountId: row.account_id,
    account: row.account,
    name: row.name,
    groupId: row.group_id,
    secretLevel: row.secret_level,
    isAdmin: row.is_admin,
    // The first administrator has every power.
    powers: row.is_admin ? separatedPowers : powers,
    delegated,
    capabilities,
    controls,
    factorByRole,
    quota: row.quota ?? settings.user_space,
    subjects: { userId: row.account_id, groupIds, roleIds },
    organisation: row.organisation,
    settings,
  }
}

/**
 * Loads accounts that act for others who are not signed in (such as link visitors): only usable ones, as guests, which
 * can neither grant rights nor delete permanently.
 */
export async function loadAccounts(
  db: Db,
  settings: Settings,
  accountIds: readonly number[],
  now: number,
): Promise<Map<number, Account>> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from account a where a.id = any(${[...accountIds]}) and a.state = 'normal'
      and (a.expires_at is null or a.expires_at > ${now})`.execute(db)
  const standings = await loadAuthorities(
    db,
    rows.map((row) => row.account_id),
  )
  const found = new Map<number, Account>()
  for (const row of rows) {
    const own = standings.get(row.account_id)
    const value = await settings.at(row.settings, db)
    if (own !== undefined) found.set(row.account_id, { ...accountFrom(row, own, value), isGuest: true })
  }
  return found
}

export interface NewSession {
  readonly accountId: number
  readonly clientType: number
  readonly address: string
  readonly now: number
  /** The client's user agent. */
  readonly agent?: string | undefined
  /** When the visitor password expires, for a visitor mode session. */
  readonly visitorUntil?: number | undefined
  /** Whether other sessions of the client type remain open. */
  readonly keepsOthers?: boolean | undefined
  /** It began with more than a password. */
  readonly strong?: boolean | undefined
  readonly deviceId?: number | undefined
  /** The settings in force, if they were read in this transaction. */
  readonly setting?: InstallationSetting | undefined
}

/**
 * Opens a session and ends older ones of the same account and client type ([R034]). Visitor sessions and the account's
 * own sessions do not end each other. The account's row is locked, so two concurrent sign-ins leave exactly one
 * session.
 */
export async function beginSession(
  tx: Tx,
  session: NewSession,
): Promise<{ sessionId: number; token: string; expiresAt: number; ended: SessionEvent | undefined }> {
  await sql`update account set signed_in_at = ${session.now} where id = ${session.accountId}`.execute(tx)
  const setting = session.setting ?? (await createSettings(tx).current())
  const { idleMs, mostMs } = lifeOf(setting)
  const guest = session.visitorUntil !== undefined
  const older =
    setting.inner.several_sessions || session.keepsOthers === true
      ? []
      : await tx
          .deleteFrom('session')
          .where('account_id', '=', session.accountId)
          .where('client_type', '=', session.clientType)
          .where('guest', '=', guest)
          .where('program_id', 'is', null)
          .returning(['id', 'token_hash'])
          .execute()
  // A request with one of the ended tokens gets the reason why it ended, for as long as the token could have been used.
  await endedElsewhere.issueHashed(
    tx,
    older.map(({ token_hash }) => token_hash),
    { value: {}, expiresAt: session.now + idleMs },
  )
  const token = randomBytes(32).toString('base64url')
  const expiresAt = Math.min(session.now + Math.min(idleMs, mostMs), session.visitorUntil ?? Number.POSITIVE_INFINITY)
  const { id: sessionId } = await tx
    .insertInto('session')
    .values({
      token_hash: hashToken(token),
      account_id: session.accountId,
      client_type: session.clientType,
      address: session.address,
      agent: session.agent?.slice(0, 300) ?? '',
      guest,
      strong: session.strong === true,
      device_id: session.deviceId ?? null,
      created_at: session.now,
      used_at: session.now,
      expires_at: expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const sessionIds = older.map((row) => row.id)
  return {
    sessionId,
    token,
    expiresAt,
    ended:
      sessionIds.length === 0
        ? undefined
        : {
            kind: 'session',
            sessionIds,
            elsewhere: true,
            ...(session.agent && { agent: session.agent.slice(0, 300) }),
          },
  }
}

/** The circumstances of a session, for work that goes on after it. */
export interface SessionLike {
  readonly account_id: number
  readonly address: string
  readonly strong: boolean
  readonly via_server: number | null
  readonly device_id: number | null
}

/**
 * Opens a session for work that a person has asked for and that is done when they may have left: it may do what their own
 * session might, as long as the account is in use. Other sessions stay, and it is no sign-in.
 */
export async function beginWorkSession(
  db: Db,
  { account_id, address, strong, via_server, device_id }: SessionLike,
  { now, clientType, agent }: { readonly now: number; readonly clientType: number; readonly agent: string },
): Promise<string> {
  const { idleMs, mostMs } = lifeOf(await createSettings(db).current())
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('session')
    .values({
      ...{ account_id, address, strong, via_server, device_id },
      ...{ token_hash: hashToken(token), client_type: clientType, agent, guest: false },
      ...{ created_at: now, used_at: now, expires_at: now + Math.min(idleMs, mostMs) },
    })
    .execute()
  return token
}

/**
 * Ends sessions of an account: all, all but one, or those of visitors. Tokens of programs do not depend on a password and
 * stay, unless the account itself is shut. Returns the event that closes their sockets.
 */
export async function endSessions(
  tx: Tx,
  accountId: number,
  {
    exceptId = 0,
    visitors = false,
    programs = false,
  }: { readonly exceptId?: number; readonly visitors?: boolean; readonly programs?: boolean } = {},
): Promise<SessionEvent | undefined> {
  const ended = await tx
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('id', '<>', exceptId)
    .$if(visitors, (query) => query.where('guest', '=', true))
    .$if(!programs, (query) => query.where('program_id', 'is', null))
    .returning('id')
    .execute()
  if (ended.length === 0) return undefined
  return { kind: 'session', sessionIds: ended.map((row) => row.id), elsewhere: false }
}
