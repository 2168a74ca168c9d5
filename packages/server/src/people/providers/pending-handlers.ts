// People whom a provider names, and who wait until an administrator joins them with an account.
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import type { Handlers } from '../../core/call/implement.ts'
import { administratorsAmong } from '../organisation/index.ts'

/** The handlers of people who wait for an account. */
export function pendingHandlers(): Pick<
  Handlers<typeof features.providers.calls>,
  'getPendingIdentities' | 'joinIdentity'
> {
  return {
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
  }
}
