/*
 * Codes by which somebody sets their password without knowing one ([R024]): for people who are new, and for those who
 * have forgotten theirs. The administrator hands them over on paper or in a message. One counts once, for a while, for
 * one person, and only the latest; what was the password holds until then.
 */
import { randomBytes } from 'node:crypto'
import type { features } from '@cloudoc/contract'
import { codes, fail, passwordProblems } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { peek, take } from '../../core/once.ts'
import { hashToken } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { assertAddress, endSessions, forgetFailures, hashPassword } from '../auth/index.ts'
import { administratorsAmong, refusalIn } from './scope.ts'

/** A slip of paper may lie for some days. */
const lifeMs = 14 * 24 * 60 * 60_000
/** Crockford's digits: none that is read as another. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

interface PasswordLink {
  readonly accountId: number
}

const newCode = (): string => Array.from(randomBytes(length), (byte) => digits[byte % digits.length]).join('')

/** Makes a code for each of these accounts; an earlier one of theirs ends. */
export async function issueLinks(
  tx: Tx,
  accountIds: readonly number[],
  now: number,
): Promise<Map<number, { linkCode: string; expireTime: number }>> {
  await sql`
    delete from once where kind = 'passwordLink'
      and (value::jsonb ->> 'accountId')::bigint = any(${[...accountIds]})`.execute(tx)
  const made = new Map(accountIds.map((id) => [id, { linkCode: newCode(), expireTime: now + lifeMs }]))
  const hashes = [...made.values()].map(({ linkCode }) => hashToken(linkCode))
  const values = [...made.keys()].map((accountId) => JSON.stringify({ accountId } satisfies PasswordLink))
  await sql`
    insert into once (kind, id_hash, value, expires_at)
    select 'passwordLink', h, v, ${now + lifeMs}::bigint from unnest(${hashes}::bytea[], ${values}::text[]) as l (h, v)`.execute(
    tx,
  )
  return made
}

async function accountOfLink(db: Db, linkCode: string, now: number) {
  const link = await peek<PasswordLink>(db, 'passwordLink', linkCode, now)
  if (link === undefined) return fail('notFound')
  const account = await db
    .selectFrom('account')
    .select(['id', 'account', 'account_key', 'name', 'state'])
    .where('id', '=', link.accountId)
    .executeTakeFirst()
  return account === undefined || account.state === 'disabled' ? fail('notFound') : account
}

type Names = 'createPasswordLinks' | 'getPasswordLink' | 'setPasswordByLink'

export function passwordLinkHandlers({
  settings,
}: Pick<Services, 'settings'>): Pick<Handlers<typeof features.people.calls>, Names> {
  return {
    async createPasswordLinks(context, { userIds }) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { rows } = await sql<{ id: number; account: string; name: string; group_id: number; groupName: string }>`
        select a.id, a.account, a.name, a.group_id, g.name as "groupName"
        from account a join org_group g on g.id = a.group_id where a.id = any(${userIds}) and a.state <> 'disabled'
        order by a.id for no key update of a`.execute(tx)
      const people = new Map(rows.map((row) => [row.id, row]))
      const administrators = await administratorsAmong(tx, [...people.keys()])
      const refusalOf = (id: number) => {
        const person = people.get(id)
        if (person === undefined) return 'notFound' as const
        const refusal = refusalIn(actor, person, administrators.has(id), { userIds })
        if (refusal !== undefined) return refusal
        if (id === actor.accountId) return 'ownAccount' as const
        return administrators.has(id) ? ('adminAccount' as const) : undefined
      }
      const wanted = [...new Set(userIds)]
      const made = await issueLinks(
        tx,
        wanted.filter((id) => refusalOf(id) === undefined),
        now,
      )
      context.audit({ people: JSON.stringify([...made.keys()]) })
      return {
        list: wanted.map((userId) => {
          const refusal = refusalOf(userId)
          const person = refusal === 'notFound' ? undefined : people.get(userId)
          return {
            userId,
            account: person?.account ?? '',
            name: person?.name ?? '',
            groupName: person?.groupName ?? '',
            result: codes[refusal ?? 'success'].code,
            linkCode: made.get(userId)?.linkCode ?? '',
            expireTime: made.get(userId)?.expireTime ?? 0,
          }
        }),
      }
    },

    async getPasswordLink({ db, now, address }, { linkCode }) {
      const setting = await settings.current()
      assertAddress(setting, address)
      const { account, name } = await accountOfLink(db, linkCode, now)
      return { account, accountName: name, pwdLength: setting.pwdLength }
    },

    async setPasswordByLink(context, { linkCode, newPassword }) {
      const setting = await settings.current()
      assertAddress(setting, context.address)
      const { account } = await accountOfLink(context.db, linkCode, context.now)
      const problem = passwordProblems({ password: newPassword, account, minLength: setting.pwdLength })
      if (problem !== undefined) return fail(problem)
      const hash = await hashPassword(newPassword)
      return context.commit(async (write) => {
        const { tx, now } = write
        const { id, name, account_key } = await accountOfLink(tx, linkCode, now)
        // Of two that come at once the later finds it used up.
        if ((await take<PasswordLink>(tx, 'passwordLink', linkCode, now)) === undefined) return fail('notFound')
        await tx
          .updateTable('account')
          .set({ password_hash: hash, must_change_password: false })
          .where('id', '=', id)
          .execute()
        await forgetFailures(tx, [account_key])
        const ended = await endSessions(tx, id)
        if (ended !== undefined) write.event(ended)
        write.changed({ kind: 'person', change: { accountId: id, name, what: 'password' } })
        write.audit({ userId: id, account })
        return {}
      })
    },
  }
}
