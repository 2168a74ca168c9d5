// What callers read about themselves: account, settings, rights, counters, space.
import { createHmac } from 'node:crypto'
import type { features } from '@cloudoc/contract'
import { publicSettings } from '@cloudoc/contract'
import { modules } from '@cloudoc/domain'
import { sql } from 'kysely'
import { accountOf, actorOf, type Context } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'

/** The handlers of what callers read about themselves. */
export function callerHandlers({
  secrets,
  settings,
  counters,
  office,
}: Pick<Services, 'secrets' | 'settings' | 'counters' | 'office'>): Pick<
  Handlers<typeof features.auth.calls>,
  | 'getMyAccountInfo'
  | 'getMyUserInfo'
  | 'getServerSetting'
  | 'getUserPermissionInfo'
  | 'getCounters'
  | 'getSafeStrategyInfo'
  | 'getModuleSetting'
  | 'getUseSpaceSizeInfo'
  | 'getUserJwt'
> {
  const accountInfo = async (context: Context) => {
    const actor = actorOf(context)
    const person = await context.db
      .selectFrom('account as a')
      .innerJoin('org_group as g', 'g.id', 'a.group_id')
      .select(['g.name as groupName', 'a.gender', 'a.avatar'])
      .where('a.id', '=', actor.accountId)
      .executeTakeFirstOrThrow()
    return {
      userId: actor.accountId,
      accountId: actor.accountId,
      account: actor.account,
      accountName: actor.name,
      groupId: actor.groupId,
      groupName: person.groupName,
      secretLevel: actor.secretLevel,
      level: actor.secretLevel,
      gender: person.gender,
      avatar: person.avatar,
      isAdmin: actor.isAdmin,
      mustChangePassword: actor.mustChangePassword || actor.passwordUntil <= context.now,
      needsSecondFactor: actor.needsSecondFactor,
    }
  }

  return {
    getMyAccountInfo: accountInfo,
    getMyUserInfo: accountInfo,

    async getServerSetting(context, { code }) {
      const { settings } = actorOf(context)
      const makesPdf = office !== undefined && settings.inner.page_engine
      const value = { ...publicSettings(settings), makes_pdf: makesPdf }
      if (code === '') return JSON.stringify(value)
      const all = new Map<string, unknown>(Object.entries({ ...value, ...value.setting }))
      return JSON.stringify(all.get(code) ?? null)
    },

    async getUserPermissionInfo(context) {
      const { isAdmin, isGuest, secretLevel, powers, delegated, capabilities } = actorOf(context)
      return {
        ...{ isAdmin, isGuest, secretLevel, powers: [...powers], capabilities: [...capabilities] },
        ...(delegated.size > 0 && { delegated: [...delegated.keys()] }),
      }
    },

    async getCounters(context) {
      const actor = actorOf(context)
      const counted = Object.entries(counters()).map(async ([name, count]) => ({
        name,
        count: await count(context.db, actor, context.now),
      }))
      return { list: await Promise.all(counted) }
    },

    async getSafeStrategyInfo(context) {
      const value = (context.actor && actorOf(context).settings) ?? (await settings.current())
      const { pwdLength, captcha_always: captchaAlways, inner } = value
      // The attempt limits are not disclosed to unauthenticated callers, who may be guessing passwords.
      if (context.actor === undefined) return { pwdLength, captchaAlways }
      return {
        pwdLength,
        captchaAlways,
        policy: {
          pwdAgeDays: inner.pwd_age_days,
          captchaAfter: inner.captcha_after,
          lockAfter: inner.lock_after,
          lockMinutes: inner.lock_minutes,
          sessionIdleHours: inner.session_idle_hours,
          sessionDays: inner.session_days,
          severalSessions: inner.several_sessions,
          visitorMode: inner.visitor_mode,
          visitorDays: inner.visitor_days,
          secondFactorAdmins: inner.second_factor_admins,
        },
      }
    },

    getModuleSetting(context) {
      const { capabilities } = accountOf(context)
      return Promise.resolve({ modules: modules.filter((name) => capabilities.has(name)) })
    },

    async getUseSpaceSizeInfo(context) {
      const actor = actorOf(context)
      const { rows } = await sql<{ used: number }>`
        select (coalesce((select sum(bytes) from usage_total where account_id = ${actor.accountId}), 0)
          + coalesce((select sum(bytes) from tally where account_id = ${actor.accountId}), 0))::bigint as used`.execute(
        context.db,
      )
      return { used: rows[0]?.used ?? 0, total: actor.quota }
    },

    async getUserJwt(context) {
      const actor = actorOf(context)
      const issued = Math.floor(context.now / 1000)
      const claims = {
        sub: String(actor.accountId),
        account: actor.account,
        name: actor.name,
        iat: issued,
        exp: issued + 300,
      }
      return { jwt: signJwt(claims, secrets.signingKey) }
    },
  }
}

/** Signs a JWT (RFC 7519) with HS256, for services that trust this server. */
function signJwt(claims: Record<string, string | number>, key: Buffer): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const head = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${head}.${createHmac('sha256', key).update(head).digest('base64url')}`
}
