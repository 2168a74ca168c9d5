// Who needs a second factor: by power, role, level and network.
import type { InstallationSetting } from '@cloudoc/contract'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { isListed } from './addresses.ts'

/** Whether the company demands a second factor of this person, who signed in from this address. */
export function isFactorDemanded(
  { inner }: Pick<InstallationSetting, 'inner'>,
  { powers, secretLevel, factorByRole }: Pick<Account, 'powers' | 'secretLevel' | 'factorByRole'>,
  address: string,
): boolean {
  if (inner.second_factor_admins && powers.length > 0) return true
  if (factorByRole) return true
  if (inner.second_factor_level > 0 && secretLevel >= inner.second_factor_level) return true
  return inner.second_factor_trusted.length > 0 && !isListed(inner.second_factor_trusted, address)
}

/** Whether the company demands a second factor of the caller. */
export async function isDemanded(context: Context): Promise<boolean> {
  const actor = actorOf(context)
  const { address } = await context.db
    .selectFrom('session')
    .select('address')
    .where('id', '=', actor.sessionId)
    .executeTakeFirstOrThrow()
  return isFactorDemanded(actor.settings, actor, address)
}

/** Whether an account has a passkey. */
export async function hasPasskey(db: Db, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom('passkey')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
