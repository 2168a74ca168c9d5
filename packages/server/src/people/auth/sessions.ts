/*
 * Sessions are opaque tokens, hashed in the database. Each request reads its session with the account's state and the
 * versions of what may be cached, by one prepared statement, so whatever is revoked is revoked for the very next request
 * on every process.
 */
import { randomBytes } from 'node:crypto'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { AccountState } from '../../core/db/schema.ts'
import type { SessionEvent } from '../../core/events.ts'
import { hashToken } from '../../core/secrets.ts'
import type { Settings } from '../../core/settings.ts'

/** A session ends after so long without a request, and after so long in any case. */
export const slidingLife = 12 * 60 * 60_000
export const absoluteLife = 30 * 24 * 60 * 60_000
/** The use of a session is written down at most this often. */
const touchEvery = 5 * 60_000

interface SessionRow {
  readonly id: number
  readonly account_id: number
  readonly client_type: number
  readonly guest: boolean
  readonly created_at: number
  readonly used_at: number
  readonly expires_at: number
  readonly account: string
  readonly name: string
  readonly state: AccountState
  readonly is_admin: boolean
  readonly must_change_password: boolean
  readonly secret_level: number
  readonly group_id: number
  readonly organisation: number
  readonly settings: number
}

const refusals = {
  locked: 'accountLocked',
  frozen: 'accountFrozen',
  restricted: 'accountRestricted',
  disabled: 'accountFrozen',
} as const

/** Fails with the code of an account's state unless it is normal ([R047]). */
export function assertUsable(state: AccountState): void {
  if (state !== 'normal') fail(refusals[state])
}

export interface Sessions {
  byToken(token: string, now: number): Promise<Actor>
  byId(sessionId: number, now: number): Promise<Actor>
}

/** Reads sessions; departments and roles are cached by the version of the organisation. */
export function createSessions(db: Db, settings: Settings): Sessions {
  const cache = new Map<number, { version: number; groupIds: Set<number>; roleIds: Set<number> }>()

  const memberships = async (row: SessionRow) => {
    const known = cache.get(row.account_id)
    if (known?.version === row.organisation) return known
    const loaded = { version: row.organisation, ...(await loadMemberships(db, row.account_id)) }
    if (cache.size > 50_000) cache.clear()
    cache.set(row.account_id, loaded)
    return loaded
  }

  const read = async (condition: ReturnType<typeof sql>, now: number): Promise<Actor> => {
    const { rows } = await sql<SessionRow>`
      select s.id, s.account_id, s.client_type, s.guest, s.created_at, s.used_at, s.expires_at, a.account, a.name,
        a.state, a.is_admin, a.must_change_password, a.secret_level, a.group_id,
        (select value from stamp where name = 'organisation') as organisation,
        (select value from stamp where name = 'settings') as settings
      from session s join account a on a.id = s.account_id where ${condition}`.execute(db)
    const row = rows[0]
    if (row === undefined || row.expires_at <= now) return fail('notLoggedIn')
    assertUsable(row.state)
    if (now - row.used_at > touchEvery) {
      const expires = Math.min(now + slidingLife, row.created_at + absoluteLife)
      await db.updateTable('session').set({ used_at: now, expires_at: expires }).where('id', '=', row.id).execute()
    }
    const { groupIds, roleIds } = await memberships(row)
    return {
      accountId: row.account_id,
      account: row.account,
      name: row.name,
      groupId: row.group_id,
      secretLevel: row.secret_level,
      isAdmin: row.is_admin,
      mustChangePassword: row.must_change_password,
      sessionId: row.id,
      clientType: row.client_type,
      isGuest: row.guest,
      subjects: { userId: row.account_id, groupIds, roleIds },
      settings: await settings.at(row.settings),
    }
  }

  return {
    byToken: (token, now) => read(sql`s.token_hash = ${hashToken(token)}`, now),
    byId: (sessionId, now) => read(sql`s.id = ${sessionId}`, now),
  }
}

/** The departments above an account, its own included, and its roles. */
export async function loadMemberships(
  db: Db,
  accountId: number,
): Promise<{ groupIds: Set<number>; roleIds: Set<number> }> {
  const { rows } = await sql<{ kind: 'group' | 'role'; id: number }>`
    with recursive up as (
      select g.id, g.parent_id from org_group g join account a on a.group_id = g.id where a.id = ${accountId}
      union all
      select g.id, g.parent_id from org_group g join up on g.id = up.parent_id
    )
    select 'group' as kind, id from up
    union all
    select 'role', role_id from role_account where account_id = ${accountId}`.execute(db)
  const idsOf = (kind: 'group' | 'role') => new Set(rows.filter((row) => row.kind === kind).map((row) => row.id))
  return { groupIds: idsOf('group'), roleIds: idsOf('role') }
}

export interface NewSession {
  readonly accountId: number
  readonly clientType: number
  readonly address: string
  readonly now: number
}

/**
 * Begins a session and ends the older ones of the same account and client type ([R034]). The account's row is locked, so
 * that of two sign-ins at once exactly one session is left.
 */
export async function beginSession(
  tx: Tx,
  session: NewSession,
): Promise<{ token: string; expiresAt: number; ended: SessionEvent | undefined }> {
  await sql`select 1 from account where id = ${session.accountId} for no key update`.execute(tx)
  const older = await tx
    .deleteFrom('session')
    .where('account_id', '=', session.accountId)
    .where('client_type', '=', session.clientType)
    .returning('id')
    .execute()
  const token = randomBytes(32).toString('base64url')
  const expiresAt = session.now + slidingLife
  await tx
    .insertInto('session')
    .values({
      token_hash: hashToken(token),
      account_id: session.accountId,
      client_type: session.clientType,
      address: session.address,
      created_at: session.now,
      used_at: session.now,
      expires_at: expiresAt,
    })
    .execute()
  const sessionIds = older.map((row) => row.id)
  return {
    token,
    expiresAt,
    ended: sessionIds.length === 0 ? undefined : { kind: 'session', sessionIds, elsewhere: true },
  }
}

/** Ends sessions of an account, all or all but one; answers the event that closes their sockets. */
export async function endSessions(tx: Tx, accountId: number, exceptId = 0): Promise<SessionEvent | undefined> {
  const ended = await tx
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('id', '<>', exceptId)
    .returning('id')
    .execute()
  if (ended.length === 0) return undefined
  return { kind: 'session', sessionIds: ended.map((row) => row.id), elsewhere: false }
}
