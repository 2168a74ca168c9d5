/*
 * Programs: personal tokens, app passwords for WebDAV, and clients of service accounts (ADR 0270). A token is a session of
 * its own that names its program, so it is read, cached and revoked as sessions are; what it permits is decided here, for
 * whole operations, and by a limit on the items of some libraries (people/auth/sessions.ts).
 */
import { randomBytes } from 'node:crypto'
import { features, signedIn } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { type Admission, isChange } from '../../core/call/admission.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { accountLimitOf } from '../../core/licence.ts'
import { hashToken } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { bump } from '../../core/settings.ts'
import { accountKey, confirmCaller } from '../auth/index.ts'
import { assertAccountsLeft, insertAccount } from '../organisation/index.ts'

type Scope = 'read' | 'write' | 'adminRead' | 'provisioning'
type Kind = 'personal' | 'service' | 'app'

const dayMs = 24 * 60 * 60_000
/** Who has just signed in is not asked for the password again. */
const freshMs = 10 * 60_000
const maxPrograms = 50
/** The client type of tokens of programs. */
export const programClientType = 30
/** By which a leaked token is recognized, in code and in logs. */
const prefixes = { personal: 'cdp_', service: 'cds_', app: 'cda_' } as const

const newToken = (kind: Kind): string => prefixes[kind] + randomBytes(32).toString('base64url')

/**
 * Permits programs what their scopes say: reading; changes of items and other gated objects with `write`; SCIM alone with
 * `provisioning`. Never what concerns the account itself or hands out a way in.
 */
export const programAdmission: Admission = ({ operation, actor }) => {
  const program = actor?.kind === 'account' ? actor.program : undefined
  if (program === undefined) return
  const { scopes } = program
  if (operation.name.startsWith('scim') !== scopes.has('provisioning')) fail('noPermission')
  if (scopes.has('provisioning')) return
  const isGated = operation.gate !== undefined || operation.batch !== undefined
  if (operation.personOnly === true) fail('noPermission')
  const reads = operation.kind === 'read' || operation.kind === 'stream'
  if (!reads && !isGated && operation.guard !== signedIn) fail('noPermission')
  if (isChange(operation) && !scopes.has('write')) fail('noPermission')
  // Without gates nothing keeps a token to its libraries.
  if (actor?.limit !== undefined && !isGated && operation.limitsItself !== true) fail('noPermission')
}

interface ProgramRow {
  readonly programId: number
  readonly kind: Kind
  readonly name: string
  readonly scopes: Scope[]
  readonly libraries: { libraryId: number; name: string }[]
  readonly ending: string
  readonly createTime: number
  readonly expireTime: number
  readonly usedTime: number
  readonly ended: boolean
}

/** The columns of a list of programs `p`. */
const programColumns = (now: number) => sql`
  p.id as "programId", p.kind, p.name, p.scopes, p.ending, p.created_at as "createTime", p.expires_at as "expireTime",
  greatest(p.used_at, coalesce((select max(s.used_at) from session s where s.program_id = p.id), 0)) as "usedTime",
  p.expires_at <= ${now} or (p.secret_hash is null and not exists (
    select 1 from session s where s.program_id = p.id)) as ended,
  coalesce((select jsonb_agg(jsonb_build_object('libraryId', i.id, 'name', i.name) order by i.id)
    from item i where i.id = any(p.library_ids)), '[]') as libraries`

/** Refuses libraries that the account does not see: their names would be told. */
async function assertLibraries(
  { sees }: Pick<Services, 'sees'>,
  db: Db,
  actor: Parameters<Services['sees']>[1][number]['actor'],
  libraryIds: readonly number[],
): Promise<void> {
  const seen = await sees(
    db,
    libraryIds.map((fId) => ({ actor, item: { fType: 2, fId } as const })),
  )
  const { rows } = await sql`select 1 from library where id = any(${[...libraryIds]})`.execute(db)
  if (seen.includes(false) || rows.length !== new Set(libraryIds).size) fail('notFound', 'libraryIds')
}

interface NewProgram {
  readonly accountId: number
  readonly kind: Kind
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly libraryIds: readonly number[]
  readonly expiresAt: number
  readonly createdBy: number
  readonly token: string
  readonly now: number
}

/** Stores a program. The account is locked, so that its programs are counted. */
async function insertProgram(tx: Tx, program: NewProgram): Promise<number> {
  await sql`select 1 from account where id = ${program.accountId} for no key update`.execute(tx)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from program where account_id = ${program.accountId}`.execute(tx)
  if ((rows[0]?.n ?? 0) >= maxPrograms) return fail('tooMany')
  const { id } = await tx
    .insertInto('program')
    .values({
      account_id: program.accountId,
      kind: program.kind,
      name: program.name.trim(),
      scopes: [...program.scopes],
      library_ids: [...new Set(program.libraryIds)],
      ending: program.token.slice(-4),
      secret_hash: program.kind === 'service' ? hashToken(program.token) : null,
      created_by: program.createdBy,
      created_at: program.now,
      expires_at: program.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Makes a token of a program: a session that names it. Its use is written from the first one on. */
export async function insertTokenSession(
  tx: Tx,
  token: { readonly text: string; readonly accountId: number; readonly programId: number },
  { address, now, expiresAt }: { readonly address: string; readonly now: number; readonly expiresAt: number },
): Promise<void> {
  await tx
    .insertInto('session')
    .values({
      token_hash: hashToken(token.text),
      account_id: token.accountId,
      program_id: token.programId,
      client_type: programClientType,
      ...{ address, agent: '', created_at: now, used_at: 0, expires_at: expiresAt },
    })
    .execute()
}

/** Ends a program with its tokens: they are refused from their next request on. */
async function revoke(context: WriteContext, programId: number, accountId?: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from session where program_id = ${programId}`.execute(context.tx)
  const gone = await context.tx
    .deleteFrom('program')
    .where('id', '=', programId)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? 0))
    .returning(['name', 'account_id'])
    .executeTakeFirst()
  if (gone === undefined) return fail('notFound')
  if (rows.length > 0) context.event({ kind: 'session', sessionIds: rows.map(({ id }) => id), elsewhere: false })
  context.audit({ name: gone.name, userId: gone.account_id })
}

/** The handlers of the calls about programs. */
export function programHandlers(services: Pick<Services, 'settings' | 'contributed' | 'sees'>) {
  return implement(features.programs.calls, {
    async getMyPrograms(context) {
      const { accountId, settings } = actorOf(context)
      const { rows } = await sql<ProgramRow>`
        select ${programColumns(context.now)} from program p where p.account_id = ${accountId}
        order by p.created_at desc, p.id desc`.execute(context.db)
      return { allowed: settings.inner.personal_tokens, mostDays: settings.inner.token_days, list: rows }
    },

    async createMyProgram(context, { kind, name, write, libraryIds, days, password }) {
      const { db, now, address } = context
      const actor = actorOf(context)
      const { personal_tokens: isAllowed, token_days: most } = actor.settings.inner
      if (!isAllowed) return fail('noPermission')
      if (days > most) return fail('badRequest', 'days')
      const row = await db
        .selectFrom('session as s')
        .innerJoin('account as a', 'a.id', 's.account_id')
        .select(['s.created_at', 'a.password_hash'])
        .where('s.id', '=', actor.sessionId)
        .executeTakeFirstOrThrow()
      const isStale = now - row.created_at > freshMs && row.password_hash !== ''
      const confirmed = isStale ? await confirmCaller(context, services, { password }, 'createMyProgram') : undefined
      await assertLibraries(services, db, actor, libraryIds)
      const token = newToken(kind)
      const expiresAt = now + days * dayMs
      return context.commit(async (made) => {
        await confirmed?.holds(made)
        const scopes: Scope[] = write ? ['read', 'write'] : ['read']
        const own = { accountId: actor.accountId, createdBy: actor.accountId, libraryIds }
        const programId = await insertProgram(made.tx, { ...own, kind, name, scopes, expiresAt, token, now })
        await insertTokenSession(
          made.tx,
          { text: token, accountId: actor.accountId, programId },
          { address, now, expiresAt },
        )
        made.audit({ name, programId })
        return { programId, token, expireTime: expiresAt }
      })
    },

    async revokeMyProgram(context, { programId }) {
      await revoke(context, programId, actorOf(context).accountId)
      return {}
    },

    async getPrograms({ db, now }) {
      const [{ rows: accounts }, { rows: list }] = await Promise.all([
        sql<{
          userId: number
          account: string
          accountName: string
          groupName: string
          programs: number
          state: string
        }>`
          select a.id as "userId", a.account, a.name as "accountName", g.name as "groupName", a.state,
            (select count(*)::int from program p where p.account_id = a.id) as programs
          from account a join org_group g on g.id = a.group_id
          where a.service and a.state <> 'disabled' order by a.name_sort, a.id`.execute(db),
        sql<ProgramRow & { userId: number; account: string; accountName: string; createdBy: string }>`
          select ${programColumns(now)}, a.id as "userId", a.account, a.name as "accountName",
            coalesce(b.name, '') as "createdBy"
          from program p join account a on a.id = p.account_id left join account b on b.id = p.created_by
          order by p.created_at desc, p.id desc limit 2000`.execute(db),
      ])
      return { accounts, list }
    },

    async createServiceAccount(context, { account, accountName }) {
      const { tx, now } = context
      const { settings } = actorOf(context)
      await assertAccountsLeft(tx, accountLimitOf(settings), 1)
      if (accountKey(account) === '' || accountName.trim() === '') return fail('illegalName')
      const root = await tx
        .selectFrom('org_group')
        .select('id')
        .where('parent_id', 'is', null)
        .executeTakeFirstOrThrow()
      const made = await insertAccount(tx, {
        ...{
          account: account.trim(),
          accountName: accountName.trim(),
          passwordHash: '',
          groupId: root.id,
          secretLevel: 0,
        },
        now,
      })
      await tx.updateTable('account').set({ service: true }).where('id', '=', made.accountId).execute()
      context.changed({ kind: 'person', change: made })
      await bump(tx, 'organisation')
      context.audit({ userId: made.accountId, account })
      return { userId: made.accountId }
    },

    async createServiceProgram(context, { userId, name, scopes, libraryIds, days }) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const person = await tx
        .selectFrom('account')
        .select('id')
        .where('id', '=', userId)
        .where('service', '=', true)
        .executeTakeFirst()
      if (person === undefined) return fail('notFound')
      const given = new Set<Scope>(scopes)
      // What reads the administration changes nothing, and what keeps accounts does nothing else.
      if (given.has('adminRead') && given.has('write')) return fail('badRequest', 'scopes')
      if (given.has('provisioning') && (given.size > 1 || libraryIds.length > 0)) return fail('badRequest', 'scopes')
      const { rows } = await sql`select 1 from library where id = any(${libraryIds})`.execute(tx)
      if (rows.length !== new Set(libraryIds).size) return fail('notFound', 'libraryIds')
      const token = newToken('service')
      const expiresAt = now + days * dayMs
      const programId = await insertProgram(tx, {
        ...{ accountId: userId, kind: 'service', name, libraryIds, expiresAt, createdBy: accountId, token, now },
        scopes: given.has('provisioning') ? ['provisioning'] : [...new Set<Scope>(['read', ...scopes])],
      })
      // Provisioning systems send one token for ever, and know no exchange.
      if (given.has('provisioning'))
        await insertTokenSession(
          tx,
          { text: token, accountId: userId, programId },
          { address: context.address, now, expiresAt },
        )
      context.audit({ name, programId, scopes: [...given].join(' ') })
      return { programId, clientId: `svc-${programId}`, clientSecret: token, expireTime: expiresAt }
    },

    async revokeProgram(context, { programId }) {
      await revoke(context, programId)
      return {}
    },
  })
}
