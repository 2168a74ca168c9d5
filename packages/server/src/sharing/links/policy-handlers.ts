// Administration of the policies of links: who may create which.
import type { features, Parsed as InputOf, LinkPolicy } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Context, WriteContext } from '../../core/call/context.ts'

type Calls = typeof features.externalLinks.calls
export type Parsed<N extends keyof Calls> = InputOf<Calls[N]>

/** The handlers of policies. */
export function policyHandlers() {
  return {
    async getLinkPolicies({ db }: Context) {
      const { rows: list } = await sql<LinkPolicy>`
        select p.id as "policyId",
          case when p.account_id is not null then 'user' when p.group_id is not null then 'group'
            when p.role_id is not null then 'role' else 'everybody' end as "subjectType",
          coalesce(p.account_id, p.group_id, p.role_id, 0) as "subjectId",
          coalesce(a.name, g.name, r.name, '') as "subjectName",
          p.may_create as "mayCreate", p.default_days as "defaultDays", p.longest_days as "longestDays",
          p.needs_password as "needsPassword", p.may_download as "mayDownload", p.needs_approval as "needsApproval",
          p.domains, coalesce((
            select json_agg(json_build_object('userId', b.id, 'accountName', b.name) order by b.id)
            from account b where b.id = any(p.approvers)), '[]'::json) as approvers
        from link_policy p left join account a on a.id = p.account_id left join org_group g on g.id = p.group_id
          left join role r on r.id = p.role_id
        order by num_nonnulls(p.account_id, p.group_id, p.role_id), p.group_id is null, p.role_id is null, p.id`.execute(
        db,
      )
      return { list }
    },

    async setLinkPolicy(context: WriteContext, input: Parsed<'setLinkPolicy'>) {
      const { tx } = context
      const { subjectType, subjectId } = input
      const known = {
        everybody: sql`select 1`,
        user: sql`select 1 from account where id = ${subjectId} and state <> 'deleted'`,
        group: sql`select 1 from org_group where id = ${subjectId} for share`,
        role: sql`select 1 from role where id = ${subjectId} for share`,
      }[subjectType]
      if ((await known.execute(tx)).rows.length === 0) return fail('notFound', 'subjectId')
      const approvers = [...new Set(input.userIdArray)]
      const there = await sql`
        select 1 from account where id = any(${approvers}) and state = 'normal'`.execute(tx)
      if (there.rows.length < approvers.length) return fail('notFound', 'userIdArray')
      const whom = {
        account_id: subjectType === 'user' ? subjectId : null,
        group_id: subjectType === 'group' ? subjectId : null,
        role_id: subjectType === 'role' ? subjectId : null,
      }
      // Of two concurrent changes of one policy the later wins.
      await sql`select pg_advisory_xact_lock(hashtext('link_policy'))`.execute(tx)
      await sql`
        delete from link_policy where account_id is not distinct from ${whom.account_id}::bigint
          and group_id is not distinct from ${whom.group_id}::bigint
          and role_id is not distinct from ${whom.role_id}::bigint`.execute(tx)
      const { id: policyId } = await tx
        .insertInto('link_policy')
        .values({
          ...whom,
          may_create: input.mayCreate,
          default_days: input.defaultDays,
          longest_days: input.longestDays,
          needs_password: input.needsPassword,
          may_download: input.mayDownload,
          needs_approval: input.needsApproval,
          domains: [...new Set(input.domains.map((one) => one.toLowerCase()))],
          approvers,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { domains, userIdArray, ...said } = input
      context.audit({ policyId, ...said, domains: domains.join(' '), approvers: userIdArray.join(' ') })
      return { policyId }
    },

    async removeLinkPolicy(context: WriteContext, { policyId }: Parsed<'removeLinkPolicy'>) {
      const { numDeletedRows } = await context.tx
        .deleteFrom('link_policy')
        .where('id', '=', policyId)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return fail('notFound', 'policyId')
      context.audit({ policyId })
      return {}
    },
  }
}
