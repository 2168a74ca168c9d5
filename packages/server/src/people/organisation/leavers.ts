// Handover of a leaver's place in the organisation: departments they lead pass to the successor, memberships and roles
// end.
import { sql } from 'kysely'
import { idsOf, type Leaver } from '../../core/leavers.ts'
import { bump } from '../../core/settings.ts'

export const departmentsLed: Leaver = {
  kind: 'departments',
  columns: ['group_manager.account_id'],
  async list(tx, { leaverId, successorId }) {
    const { rows } = await sql<{ id: number; name: string; has: boolean }>`
      select g.id, g.name, exists (
        select 1 from group_manager o where o.group_id = g.id and o.account_id = ${successorId}) as has
      from group_manager m join org_group g on g.id = m.group_id where m.account_id = ${leaverId}
      order by g.name_sort, g.id`.execute(tx)
    return { items: rows.map(({ id, name, has }) => ({ id, name, outcome: has ? 'merges' : 'passes' })) }
  },
  async carryOut(context, { leaverId, successorId }, items) {
    const { tx } = context
    for (const { id, name, outcome } of items) {
      await sql`delete from group_manager where group_id = ${id} and account_id = ${leaverId}`.execute(tx)
      if (outcome === 'passes')
        await sql`insert into group_manager (group_id, account_id) values (${id}, ${successorId})`.execute(tx)
      const added = outcome === 'passes' ? [successorId] : []
      context.changed({ kind: 'group', change: { groupId: id, name, what: 'managers', added, removed: [leaverId] } })
    }
  },
}

export const assignedRoles: Leaver = {
  kind: 'roles',
  columns: ['role_account.account_id'],
  async list(tx, { leaverId }) {
    const { rows } = await sql<{ id: number; name: string }>`
      select r.id, r.name from role_account m join role r on r.id = m.role_id where m.account_id = ${leaverId}
      order by r.name, r.id`.execute(tx)
    return { items: rows.map((row) => ({ ...row, outcome: 'ends' })) }
  },
  async carryOut({ tx }, { leaverId }, items) {
    await sql`
      delete from role_account where account_id = ${leaverId} and role_id = any(${idsOf(items, 'ends')})`.execute(tx)
    await bump(tx, 'organisation')
  },
}

export const otherDepartments: Leaver = {
  kind: 'memberships',
  columns: ['membership.account_id'],
  async list(tx, { leaverId }) {
    const { rows } = await sql<{ id: number; name: string }>`
      select g.id, g.name from membership m join org_group g on g.id = m.group_id where m.account_id = ${leaverId}
      order by g.name_sort, g.id`.execute(tx)
    return { items: rows.map((row) => ({ ...row, outcome: 'ends' })) }
  },
  async carryOut({ tx }, { leaverId }, items) {
    await sql`
      delete from membership where account_id = ${leaverId} and group_id = any(${idsOf(items, 'ends')})`.execute(tx)
    await bump(tx, 'organisation')
  },
}
