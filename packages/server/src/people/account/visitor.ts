/*
 * The visitor password ([R021], [R027], X27): together with the account name it opens a guest session. It follows the
 * password rules, must differ from the password, and expires on its last day.
 */
import type { features } from '@cloudoc/contract'
import { fail, passwordProblems } from '@cloudoc/domain'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { assertDiffers, endSessions, hashPassword, type Identity, verifyPassword } from '../auth/index.ts'

type Names = 'getNetDiskPwdInfo' | 'resetNetDiskPwd' | 'stopNetDiskPwd'

const dayMs = 24 * 60 * 60_000

/** Proves by the visitor password. */
export const visitorIdentity: Identity = {
  name: 'visitorPassword',
  async byPassword({ db, now }, { accountKey, password, visitor, setting }) {
    if (!visitor) return undefined
    const account = await db
      .selectFrom('account')
      .select(['id', 'visitor_hash', 'visitor_until'])
      .where('account_key', '=', accountKey)
      .executeTakeFirst()
    const hash = setting.inner.visitor_mode ? account?.visitor_hash : undefined
    const isRight = await verifyPassword(password, hash || undefined)
    if (account === undefined || !isRight) return { wrong: 'guestPasswordInvalid', accountId: account?.id ?? null }
    return {
      account: account.id,
      skipsSecondFactor: true,
      visitorUntil: account.visitor_until,
      async holds({ tx, accountId }) {
        if (account.visitor_until <= now) return fail('guestPasswordExpired')
        const row = await tx.selectFrom('account').select('visitor_hash').where('id', '=', accountId).executeTakeFirst()
        return row?.visitor_hash === hash || fail('guestPasswordInvalid')
      },
    }
  },
}

export const visitorHandlers: Pick<Handlers<typeof features.account.calls>, Names> = {
  async getNetDiskPwdInfo(context) {
    const { accountId, settings } = actorOf(context)
    const { visitor_hash, visitor_until } = await context.db
      .selectFrom('account')
      .select(['visitor_hash', 'visitor_until'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    return {
      allowed: settings.inner.visitor_mode,
      isSet: visitor_hash !== '',
      until: visitor_until,
      mostDays: settings.inner.visitor_days,
    }
  },

  async resetNetDiskPwd(context, { newPassword, confirmPassword, days }) {
    const { accountId, account, settings } = actorOf(context)
    const { visitor_mode, visitor_days } = settings.inner
    if (!visitor_mode) return fail('noPermission')
    if (days !== undefined && days > visitor_days) return fail('badRequest', 'days')
    const problem = passwordProblems({
      password: newPassword,
      account,
      minLength: settings.pwdLength,
      ...(confirmPassword === undefined ? {} : { confirm: confirmPassword }),
    })
    if (problem !== undefined) return fail(problem)
    const stored = await context.db
      .selectFrom('account')
      .select(['password_hash', 'visitor_hash'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    await assertDiffers(newPassword, 'visitor', stored)
    const hash = await hashPassword(newPassword)
    return context.commit(async (write) => {
      const until = write.now + (days ?? visitor_days) * dayMs
      const changed = await write.tx
        .updateTable('account')
        .set({ visitor_hash: hash, visitor_until: until })
        .where('id', '=', accountId)
        // If either changed in the meantime, the visitor password could equal the new one.
        .where('password_hash', '=', stored.password_hash)
        .where('visitor_hash', '=', stored.visitor_hash)
        .returning('id')
        .executeTakeFirst()
      if (changed === undefined) return fail('sameAsGuestPassword')
      const ended = await endSessions(write.tx, accountId, { visitors: true })
      if (ended !== undefined) write.event(ended)
      return { until }
    })
  },

  async stopNetDiskPwd(context) {
    const { accountId } = actorOf(context)
    await context.tx
      .updateTable('account')
      .set({ visitor_hash: '', visitor_until: 0 })
      .where('id', '=', accountId)
      .execute()
    const ended = await endSessions(context.tx, accountId, { visitors: true })
    if (ended !== undefined) context.event(ended)
    return {}
  },
}
