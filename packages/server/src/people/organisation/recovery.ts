// Gives a power to an account at the machine, for a company in which nobody who can sign in holds it any more.
import type { SeparatedPower } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { writeChanges } from '../../core/events.ts'
import { bump, createSettings } from '../../core/settings.ts'
import { accountKey } from '../auth/index.ts'
import { lockPowers } from './administrators.ts'

/** The power cannot be given so; the message says what the operator can do. */
export class RecoveryRefused extends Error {
  override name = 'RecoveryRefused'
}

export interface Recovery {
  readonly account: string
  readonly power: SeparatedPower
  /** Also while somebody who can sign in holds the power. */
  readonly force: boolean
  /** Makes an account usable that is frozen, locked or disabled. */
  readonly enable: boolean
  readonly now: number
}

interface Candidate {
  readonly id: number
  readonly account: string
  readonly name: string
  readonly state: string
  readonly is_admin: boolean
  readonly is_service: boolean
  readonly is_expired: boolean
  readonly powers: readonly string[]
}

/** Returns the account that has the power now. It is recorded in the audit, without a person: nobody has signed in. */
export async function recoverPower(
  db: Db,
  { account, power, force, enable, now }: Recovery,
): Promise<{ readonly account: string; readonly name: string; readonly isEnabled: boolean }> {
  return db.transaction().execute(async (tx) => {
    await lockPowers(tx)
    const { rows: holders } = await sql<{ account: string }>`
      select a.account from account a
      where a.state = 'normal' and coalesce(a.expires_at > ${now}, true) and (a.is_admin or exists (
        select 1 from administrator p where p.account_id = a.id and p.power = ${power}))
      order by a.account`.execute(tx)
    const { rows } = await sql<Candidate>`
      select a.id, a.account, a.name, a.state, a.is_admin, a.service as is_service,
        coalesce(a.expires_at <= ${now}, false) as is_expired,
        array(select p.power from administrator p where p.account_id = a.id) as powers
      from account a where a.account_key = ${accountKey(account)} for no key update of a`.execute(tx)
    const [person] = rows
    if (person === undefined) throw new RecoveryRefused(`There is no account ${account}.`)
    if (person.is_service) throw new RecoveryRefused(`Nobody signs in as ${person.account}: only programs use it.`)
    if (person.is_admin || person.powers.includes(power)) {
      if (person.state === 'normal' && !person.is_expired)
        throw new RecoveryRefused(`${person.account} holds this power already.`)
    } else if (person.powers.length > 0 && !(await createSettings(tx).current()).combined_powers) {
      throw new RecoveryRefused(
        `${person.account} holds another power (${person.powers.join(', ')}), and nobody holds two: name another account.`,
      )
    }
    const others = holders.filter((holder) => holder.account !== person.account).map((holder) => holder.account)
    if (others.length > 0 && !force) {
      throw new RecoveryRefused(
        `${others.join(', ')} can sign in and give this power. With --force it is given all the same, and recorded.`,
      )
    }
    const isEnabled = person.state !== 'normal' || person.is_expired
    if (isEnabled && !enable) {
      throw new RecoveryRefused(
        `${person.account} cannot sign in (${person.is_expired ? 'expired' : person.state}). With --enable it can again.`,
      )
    }
    if (isEnabled) await sql`update account set state = 'normal', expires_at = null where id = ${person.id}`.execute(tx)
    if (!person.is_admin) {
      await sql`
        insert into administrator (account_id, power, since) values (${person.id}, ${power}, ${now}::bigint)
        on conflict do nothing`.execute(tx)
    }
    // What was proposed for the power was proposed to holders who are no longer the same.
    await sql`delete from power_proposal where power = ${power}`.execute(tx)
    await bump(tx, 'organisation')
    await writeChanges(tx, [
      {
        call: 'recoverPower',
        actor: undefined,
        address: '',
        now,
        items: [],
        detail: { accountId: person.id, account: person.account, power, forced: force && others.length > 0, isEnabled },
        events: [{ kind: 'refetch', accountIds: [person.id] }],
        changed: [],
      },
    ])
    return { account: person.account, name: person.name, isEnabled }
  })
}
