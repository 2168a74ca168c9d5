// A change of the host name of passkeys makes keys useless. It is refused while people would have no way in without theirs.
import type { InstallationSetting } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import { isFactorDemanded, loadAuthorities } from '../auth/index.ts'

interface KeyHolder {
  readonly id: number
  readonly secret_level: number
  readonly is_admin: boolean
  readonly signs_in: boolean
}

/** People all of whose keys belong to a name that ends, and who have no other second factor. */
async function losers(tx: Tx, before: string, after: string): Promise<KeyHolder[]> {
  // Without a name of its own a key belongs to the page, whose name ends with the one before.
  const ends = after === '' ? sql`k.host = ${before}` : sql`k.host <> ${after}`
  const { rows } = await sql<KeyHolder>`
    select a.id, a.secret_level, a.is_admin,
      a.password_hash <> '' or exists (
        select 1 from provider_identity i join provider p on p.id = i.provider_id
        where i.account_id = a.id and p.enabled) as signs_in
    from account a
    where a.state = 'normal' and not a.second_factor
      and exists (select 1 from passkey k where k.account_id = a.id)
      and not exists (select 1 from passkey k where k.account_id = a.id and not (${ends}))`.execute(tx)
  return rows
}

/** Refuses a new host name while people would have no way in, and says how many. */
export async function assertNobodyStranded(
  tx: Tx,
  { inner: before }: InstallationSetting,
  after: InstallationSetting,
): Promise<void> {
  const host = after.inner.passkey_host
  if (host === before.passkey_host) return
  const found = await losers(tx, before.passkey_host, host)
  const authorities = await loadAuthorities(
    tx,
    found.map(({ id }) => id),
  )
  const stranded = found.filter(({ id, secret_level, is_admin, signs_in }) => {
    const { powers = [], factorByRole = false } = authorities.get(id) ?? {}
    const person = { powers: is_admin ? (['system'] as const) : powers, factorByRole, secretLevel: secret_level }
    // From which network they come is not known.
    return !signs_in || isFactorDemanded(after, person, '')
  })
  const n = stranded.length
  if (n > 0)
    fail('settingsContradict', {
      zh: `有 ${n} 人只有旧域名的通行密钥，更改后将无法登录。请先让他们开启两步验证，或不再要求他们两步验证`,
      en: `${n} people have no other way in than passkeys of the old name. Let them set up two-step sign-in first, or demand none of them`,
    })
}
