// Provisioning by SCIM: what the page of a provider shows, and what an administrator decides there.
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { freezeNow } from './people.ts'
import { refreshRoles } from './roles.ts'
import { scimAddress } from './serve.ts'

const mostShown = 200

async function settingsOf(db: Db, providerId: number) {
  const row = await db.selectFrom('provider').select('settings').where('id', '=', providerId).executeTakeFirst()
  return row?.settings.kind === 'scim' ? row.settings : fail('notFound')
}

type What = 'create' | 'update' | 'freeze' | 'thaw' | 'wait' | 'groupCreate' | 'groupUpdate' | 'groupDelete' | 'refuse'

/** The handlers of the calls about provisioning. */
export function provisioningHandlers({ publicUrl }: Pick<Services, 'publicUrl'>) {
  return implement(features.provisioning.calls, {
    async getProvisioning({ db, now, request }, { providerId }) {
      const { serviceAccountId } = await settingsOf(db, providerId)
      const { rows: figures } = await sql<{ tokens: number; people: number; waiting: number }>`
        select (select count(*)::int from program where account_id = ${serviceAccountId}
            and 'provisioning' = any(scopes) and expires_at > ${now}) as tokens,
          count(*) filter (where not gone)::int as people, count(*) filter (where waits_since > 0)::int as waiting
        from scim_person where provider_id = ${providerId}`.execute(db)
      const { rows: waiting } = await sql<{ userId: number; account: string; accountName: string; time: number }>`
        select a.id as "userId", a.account, a.name as "accountName", p.waits_since as time
        from scim_person p join provider_identity i on i.id = p.identity_id join account a on a.id = i.account_id
        where p.provider_id = ${providerId} and p.waits_since > 0
        order by p.waits_since, a.id limit ${mostShown}`.execute(db)
      const { rows: groups } = await sql<{ groupId: number; name: string; members: number; roleId: number }>`
        select g.id as "groupId", g.name, coalesce(g.role_id, 0) as "roleId",
          (select count(*)::int from scim_member m where m.group_id = g.id) as members
        from scim_group g where g.provider_id = ${providerId} order by g.name_key, g.id limit 1000`.execute(db)
      const { rows: changes } = await sql<{
        changeId: number
        time: number
        what: What
        name: string
        detail: string
        status: number
      }>`
        select id as "changeId", at as time, what, name, detail, status from scim_request
        where provider_id = ${providerId} order by id desc limit ${mostShown}`.execute(db)
      const { tokens, people, waiting: waitingTotal } = figures[0] ?? { tokens: 0, people: 0, waiting: 0 }
      return { address: scimAddress(request, publicUrl), tokens, people, waiting, waitingTotal, groups, changes }
    },

    async decideProvisionedLeavers(context, { providerId, freeze, total }) {
      const { tx, now } = context
      await settingsOf(tx, providerId)
      await tx.selectFrom('provider').select('id').where('id', '=', providerId).forNoKeyUpdate().execute()
      const { rows } = await sql<{ id: number; account_id: number }>`
        select p.identity_id as id, i.account_id from scim_person p join provider_identity i on i.id = p.identity_id
        where p.provider_id = ${providerId} and p.waits_since > 0
        order by p.waits_since, p.identity_id ${freeze ? sql`limit ${total}` : sql``}`.execute(tx)
      if (freeze) for (const row of rows) await freezeNow(context, row)
      else await sql`update scim_person set waits_since = 0 where provider_id = ${providerId}`.execute(tx)
      // Those that an administrator has looked at are no reason to stop the next ones.
      await sql`update provider set brake_from = ${now} where id = ${providerId}`.execute(tx)
      const [frozen, kept] = freeze ? [rows.length, 0] : [0, rows.length]
      context.audit({ people: JSON.stringify(rows.map(({ account_id }) => account_id)) })
      return { frozen, kept }
    },

    async setProvisionedGroupRole(context, { groupId, roleId, dry }) {
      const { tx } = context
      const group = await tx
        .selectFrom('scim_group')
        .select(['provider_id', 'role_id', 'name'])
        .where('id', '=', groupId)
        .forUpdate()
        .executeTakeFirst()
      if (group === undefined) return fail('notFound', 'groupId')
      const role = await tx.selectFrom('role').select('id').where('id', '=', roleId).executeTakeFirst()
      if (roleId !== 0 && role === undefined) return fail('notFound', 'roleId')
      const { rows } = await sql<{ id: number; gains: boolean; loses: boolean }>`
        select m.identity_id as id,
          ${roleId}::bigint <> 0 and not exists (
            select 1 from role_account r where r.account_id = i.account_id and r.role_id = ${roleId}) as gains,
          ${group.role_id}::bigint is not null and ${group.role_id}::bigint <> ${roleId}
            and ${group.role_id}::bigint = any(i.role_ids) and not exists (
            select 1 from scim_member o join scim_group g on g.id = o.group_id
            where o.identity_id = m.identity_id and g.id <> ${groupId} and g.role_id = ${group.role_id}::bigint) as loses
        from scim_member m join provider_identity i on i.id = m.identity_id
        where m.group_id = ${groupId} and i.account_id is not null`.execute(tx)
      const [gain, lose] = [rows.filter(({ gains }) => gains).length, rows.filter(({ loses }) => loses).length]
      context.audit({ name: group.name })
      if (dry) return { gain, lose }
      await tx
        .updateTable('scim_group')
        .set({ role_id: roleId === 0 ? null : roleId })
        .where('id', '=', groupId)
        .execute()
      await refreshRoles(
        context,
        group.provider_id,
        rows.map(({ id }) => id),
      )
      return { gain, lose }
    },
  })
}
