// The identity of a user's own password, which this server stores as a hash ([R014]).
import type { Identity } from './identities.ts'
import { verifyPassword } from './passwords.ts'

/** Proves by the account's own password. */
export const passwordIdentity: Identity = {
  name: 'password',
  async byPassword({ db }, { accountKey, password, visitor }) {
    if (visitor) return undefined
    const account = await db
      .selectFrom('account')
      .select(['id', 'password_hash'])
      .where('account_key', '=', accountKey)
      .executeTakeFirst()
    // An unknown account, and one without a password, take as long as a wrong password.
    const isRight = await verifyPassword(password, account?.password_hash || undefined)
    if (account === undefined || !isRight) return { wrong: 'wrongPassword', accountId: account?.id ?? null }
    return {
      account: account.id,
      async holds({ tx, accountId }) {
        const row = await tx
          .selectFrom('account')
          .select('password_hash')
          .where('id', '=', accountId)
          .executeTakeFirst()
        return row?.password_hash === account.password_hash
      },
    }
  },
}
