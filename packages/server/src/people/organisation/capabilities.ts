// What everybody may do and what roles give ([R348]); people/auth/authority.ts makes of it what one person may.
import type { features } from '@cloudoc/contract'
import { type Capability, capabilitiesOf, capabilityNames, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { bump } from '../../core/settings.ts'
import { loadAuthorities } from '../auth/index.ts'
import { countAccounts } from './persons.ts'
import { holdersOf } from './roles.ts'

interface Role {
  readonly id: number
  readonly name: string
  readonly external: boolean
}

/** The default capabilities of all users, and those of each of these roles. */
async function grantedCapabilities(db: Db, roles: readonly Role[]) {
  const withheld = await db.selectFrom('withheld_capability').select('capability').execute()
  const rows = await db
    .selectFrom('role_capability')
    .select(['role_id', 'capability'])
    .where('role_id', 'in', [0, ...roles.map(({ id }) => id)])
    .execute()
  const taken = new Set(withheld.map(({ capability }) => capability))
  const everybody = capabilityNames.filter((name) => !taken.has(name))
  const of = Map.groupBy(rows, ({ role_id }) => role_id)
  const ofRole = ({ id }: Role): Capability[] => {
    const names = new Set(of.get(id)?.map(({ capability }) => capability))
    return capabilityNames.filter((name) => names.has(name))
  }
  return { everybody, ofRole }
}

type Names = 'getCapabilities' | 'setCapabilities' | 'getPersonCapabilities'

export const capabilityHandlers: Pick<Handlers<typeof features.people.calls>, Names> = {
  async getCapabilities({ db }) {
    const roles = await db.selectFrom('role').select(['id', 'name', 'external']).orderBy('id').execute()
    const { everybody, ofRole } = await grantedCapabilities(db, roles)
    const holders = await holdersOf(
      db,
      roles.map(({ id }) => id),
    )
    return {
      everybody: [...everybody],
      people: await countAccounts(db),
      roles: roles.map((role) => ({
        roleId: role.id,
        roleName: role.name,
        people: holders.get(role.id)?.size ?? 0,
        external: role.external,
        capabilities: ofRole(role),
      })),
    }
  },

  async setCapabilities(context, { changes, external }) {
    const { tx } = context
    const roleIds = [...new Set([...changes, ...external].map(({ roleId }) => roleId))].filter((id) => id !== 0)
    if (external.some(({ roleId }) => roleId === 0)) return fail('notFound', 'roleId')
    const held = await tx
      .selectFrom('role')
      .select('id')
      .where('id', 'in', [0, ...roleIds])
      .orderBy('id')
      .forUpdate()
      .execute()
    if (held.length !== roleIds.length) return fail('notFound', 'roleId')
    for (const { roleId, capability, allowed } of changes) {
      if (roleId === 0 && allowed)
        await tx.deleteFrom('withheld_capability').where('capability', '=', capability).execute()
      else if (roleId === 0)
        await sql`insert into withheld_capability values (${capability}) on conflict do nothing`.execute(tx)
      else if (allowed)
        await sql`insert into role_capability values (${roleId}, ${capability}) on conflict do nothing`.execute(tx)
      else await sql`delete from role_capability where role_id = ${roleId} and capability = ${capability}`.execute(tx)
    }
    for (const one of external)
      await tx.updateTable('role').set({ external: one.external }).where('id', '=', one.roleId).execute()
    await bump(tx, 'organisation')
    const concerned = new Set([...(await holdersOf(tx, roleIds)).values()].flatMap((ids) => [...ids]))
    const isEverybodys = changes.some(({ roleId }) => roleId === 0)
    if (isEverybodys) context.event({ kind: 'settings.changed' })
    else if (concerned.size > 0) context.event({ kind: 'refetch', accountIds: [...concerned] })
    context.audit({ changes: JSON.stringify(changes), external: JSON.stringify(external) })
    return { people: isEverybodys ? await countAccounts(tx) : concerned.size }
  },

  async getPersonCapabilities({ db }, { userId }) {
    const standing = (await loadAuthorities(db, [userId])).get(userId) ?? fail('notFound')
    const roles = await db
      .selectFrom('role')
      .select(['id', 'name', 'external'])
      .where('id', 'in', [0, ...standing.roleIds])
      .orderBy('name')
      .execute()
    const { everybody, ofRole } = await grantedCapabilities(db, roles)
    const external = roles.some((role) => role.external)
    const everybodys = external ? new Set<Capability>() : capabilitiesOf(new Set(everybody), [])
    const gives = roles.map((role) => ({ name: role.name, names: new Set(ofRole(role)) }))
    return {
      external,
      list: capabilityNames.map((capability) => ({
        capability,
        allowed: standing.capabilities.has(capability),
        everybody: everybodys.has(capability),
        roles: gives.flatMap(({ name, names }) => (names.has(capability) ? [name] : [])),
      })),
    }
  },
}
