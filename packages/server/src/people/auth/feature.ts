// Feature: sign-in.
import { features, type InstallationSetting } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { addressList } from './addresses.ts'
import { deviceKeyIdentity } from './device-keys.ts'
import { hasPasskey, isFactorDemanded } from './factor-rule.ts'
import { identities } from './identities.ts'
import { authHandlers } from './index.ts'
import { loginKeyIdentity } from './login-keys.ts'
import { passwordIdentity } from './password-identity.ts'
import { lifeOf } from './sessions.ts'
import { authTables } from './tables.ts'

const dayMs = 24 * 60 * 60_000
const expiryEveryMs = 60_000

/** Removes expired sessions and old failure counts. */
export async function removeExpiredSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('throttle')
    .where('since', '<', now - dayMs)
    .execute()
}

async function assertHasFactor(
  tx: Tx,
  actor: Actor | undefined,
  before: InstallationSetting,
  after: InstallationSetting,
): Promise<void> {
  if (actor?.kind !== 'account') return
  const session = await tx
    .selectFrom('session as s')
    .innerJoin('account as a', 'a.id', 's.account_id')
    .select(['s.address', 'a.second_factor'])
    .where('s.id', '=', actor.sessionId)
    .executeTakeFirst()
  if (session === undefined || session.second_factor) return
  const [was, is] = [before, after].map((setting) => isFactorDemanded(setting, actor, session.address))
  if (is === true && was !== true && !(await hasPasskey(tx, actor.accountId))) fail('secondFactorMissing')
}

export const auth = feature({
  wire: features.auth,
  tables: authTables,
  open: (services) => ({
    handlers: authHandlers(services),
    contributions: [contribute(identities, passwordIdentity, deviceKeyIdentity, loginKeyIdentity)],
    reactions: [
      {
        to: 'settings',
        async react(tx, heard) {
          for (const { change, actor } of heard) {
            const { allowed_addresses: lines } = change.after.inner
            if (lines !== change.before.inner.allowed_addresses) addressList(lines)
            const { second_factor_trusted: trusted } = change.after.inner
            if (trusted !== change.before.inner.second_factor_trusted) addressList(trusted)
            if (!change.after.inner.visitor_mode && change.before.inner.visitor_mode)
              await sql`update session set expires_at = 0 where guest`.execute(tx)
            // Administrators who demand a second factor of themselves have one first, or they would lock themselves out.
            await assertHasFactor(tx, actor, change.before, change.after)
            const [before, after] = [lifeOf(change.before), lifeOf(change.after)]
            if (after.idleMs >= before.idleMs && after.mostMs >= before.mostMs) continue
            // The new limits apply to open sessions too, except the one that changed the setting.
            await sql`
              update session set expires_at = least(expires_at, used_at + ${after.idleMs}::bigint,
                created_at + ${after.mostMs}::bigint)
              where id <> ${actor?.kind === 'account' ? actor.sessionId : 0} and program_id is null`.execute(tx)
          }
        },
      },
    ],
    chores: [
      {
        name: 'expired sessions',
        everyMs: expiryEveryMs,
        run: () => removeExpiredSessions(services.db, services.now()),
      },
    ],
  }),
})
