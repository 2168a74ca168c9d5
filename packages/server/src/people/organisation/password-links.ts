/*
 * One-time codes to set a password without knowing the current one ([R024]): for new users and for users who have
 * forgotten theirs. The administrator hands them over on paper or in a message, or a mail brings one on request. A code
 * is valid once, for a limited time, for one person; only the latest is valid. The old password remains valid until the
 * code is used.
 */
import { randomBytes } from 'node:crypto'
import { type features, MailAddress } from '@cloudoc/contract'
import { codes, fail, type Locale, passwordProblems } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { isMailSetUp, postMail } from '../../core/mail/index.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { hashToken } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { isSmsSetUp } from '../../core/sms/index.ts'
import {
  accountKey,
  assertAddress,
  assertDiffers,
  endSessions,
  forgetFailures,
  hashPassword,
  limitHandOuts,
  mayMail,
} from '../auth/index.ts'
import { administratorsAmong, refusalIn } from './scope.ts'

/** A code on paper may wait for some days. */
const lifeMs = 14 * 24 * 60 * 60_000
/** A mail is read soon, or requested again. */
const mailLifeMs = 60 * 60_000
const beginMs = 10 * 60_000
/** Crockford's digits: no two of them look alike. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

export interface PasswordLink {
  readonly accountId: number
}

const passwordLinkTokens = oneTimeToken<PasswordLink>('passwordLink')
/** The parameter between the steps of a forgotten password. */
export const findPasswordTokens = oneTimeToken<PasswordLink>('findPassword')

const newCode = (): string => Array.from(randomBytes(length), (byte) => digits[byte % digits.length]).join('')

/** Creates a code for each of these accounts; earlier codes of theirs end. */
export async function issueLinks(
  tx: Tx,
  accountIds: readonly number[],
  now: number,
  life = lifeMs,
): Promise<Map<number, { linkCode: string; expireTime: number }>> {
  await sql`
    delete from once where kind = 'passwordLink'
      and (value::jsonb ->> 'accountId')::bigint = any(${[...accountIds]})`.execute(tx)
  const made = new Map(accountIds.map((id) => [id, { linkCode: newCode(), expireTime: now + life }]))
  const hashes = [...made.values()].map(({ linkCode }) => hashToken(linkCode))
  const values = [...made.keys()].map((accountId) => JSON.stringify({ accountId } satisfies PasswordLink))
  await sql`
    insert into once (kind, id_hash, value, expires_at)
    select 'passwordLink', h, v, ${now + life}::bigint from unnest(${hashes}::bytea[], ${values}::text[]) as l (h, v)`.execute(
    tx,
  )
  return made
}

async function accountOfLink(db: Db, linkCode: string, now: number) {
  const link = await passwordLinkTokens.peek(db, linkCode, now)
  if (link === undefined) return fail('notFound')
  const account = await db
    .selectFrom('account')
    .select(['id', 'account', 'account_key', 'name', 'state', 'password_hash', 'visitor_hash'])
    .where('id', '=', link.accountId)
    .executeTakeFirst()
  return account === undefined || account.state === 'disabled' ? fail('notFound') : account
}

/** The person of an account who may reset a forgotten password. */
export function resettableAccount(db: Db, accountId: number, now: number) {
  return db
    .selectFrom('account')
    .select(['id', 'account', 'name', 'email', 'phone'])
    .where('id', '=', accountId)
    .where('state', 'in', ['normal', 'locked'])
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
}

/** The mail with the code, in the requester's language. */
function mailOf(
  locale: Locale,
  { code, name, account, address }: { code: string; name: string; account: string; address: string },
): { subject: string; text: string } {
  const dashed = code.replace(/(.{4})(?!$)/g, '$1-')
  const link = address === '' ? '' : `${address.replace(/\/$/, '')}/doc/set-password?code=${code}`
  return locale === 'zh'
    ? {
        subject: '设置新密码',
        text: [
          `${name}，你好：`,
          `有人（应该是你）要为账号 ${account} 设置新密码。`,
          link === ''
            ? '请打开登录页，点“忘记密码”，再点“我有验证码”，输入：'
            : '请打开下面的链接，或在登录页输入验证码：',
          ...(link === '' ? [] : [link]),
          dashed,
          '验证码只能用一次，一小时内有效。如果不是你要的，可以不理会：原来的密码仍然有效。',
        ].join('\n\n'),
      }
    : {
        subject: 'Set a new password',
        text: [
          `Hello ${name},`,
          `somebody, probably you, wants to set a new password for the account ${account}.`,
          link === ''
            ? 'Open the login page, choose "Forgot password", then "I have a code", and type:'
            : 'Open this link, or type the code at the login page:',
          ...(link === '' ? [] : [link]),
          dashed,
          'The code counts once, within an hour. If it was not you, there is nothing to do: the password has not changed.',
        ].join('\n\n'),
      }
}

type Names = 'createPasswordLinks' | 'getPasswordLink' | 'setPasswordByLink' | 'beforeResetPwd' | 'sendResetPwMail'

export function passwordLinkHandlers({
  settings,
  secrets,
}: Pick<Services, 'settings' | 'secrets'>): Pick<Handlers<typeof features.people.calls>, Names> {
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

    async beforeResetPwd({ db, now, address }, { userName }) {
      const setting = await settings.current()
      assertAddress(setting, address)
      if (!isMailSetUp(setting) && !isSmsSetUp(setting)) return fail('mailNotSetUp')
      await limitHandOuts(db, 'findPassword', address, now)
      const account = await db
        .selectFrom('account')
        .select('id')
        .where('account_key', '=', accountKey(userName))
        .executeTakeFirst()
      // A parameter is issued for an unknown account too; it sends nothing.
      const begun = { accountId: account?.id ?? 0 } satisfies PasswordLink
      return { verifyParam: await findPasswordTokens.issue(db, begun, now + beginMs) }
    },

    async sendResetPwMail(context, { verifyParam, locale }) {
      const setting = await settings.current()
      assertAddress(setting, context.address)
      if (!isMailSetUp(setting)) return fail('mailNotSetUp')
      return context.commit(async (write) => {
        const { tx, now } = write
        const begun = (await findPasswordTokens.consume(tx, verifyParam, now)) ?? fail('notFound')
        const person = await resettableAccount(tx, begun.accountId, now)
        const to = MailAddress.safeParse(person?.email)
        if (person === undefined || !to.success || !(await mayMail(tx, person.id, now))) return {}
        const made = await issueLinks(tx, [person.id], now, mailLifeMs)
        const code = made.get(person.id)?.linkCode ?? fail('serverException')
        const { name, account } = person
        const mail = mailOf(locale, { code, name, account, address: setting.setting.web_context })
        await postMail(write, { to: to.data, ...mail, locale }, secrets)
        write.audit({ userId: person.id, account })
        return {}
      })
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
      const stored = await accountOfLink(context.db, linkCode, context.now)
      const { account } = stored
      const problem = passwordProblems({ password: newPassword, account, minLength: setting.pwdLength })
      if (problem !== undefined) return fail(problem)
      await assertDiffers(newPassword, 'password', stored)
      const hash = await hashPassword(newPassword)
      return context.commit(async (write) => {
        const { tx, now } = write
        const { id, name, account_key } = await accountOfLink(tx, linkCode, now)
        // Of two concurrent uses, the second finds the code consumed.
        if ((await passwordLinkTokens.consume(tx, linkCode, now)) === undefined) return fail('notFound')
        const changed = await tx
          .updateTable('account')
          .set({ password_hash: hash, must_change_password: false })
          .where('id', '=', id)
          .where('password_hash', '=', stored.password_hash)
          .where('visitor_hash', '=', stored.visitor_hash)
          .returning('id')
          .executeTakeFirst()
        // A password changed meanwhile, and it may be this one. The rollback leaves the code valid for another try.
        if (changed === undefined) return fail('sameAsOld')
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
