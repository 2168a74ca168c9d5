// What was done by an application: the links that exist by it, each download, each visit ([R251]).
import type { OperationApplicationDetail } from '@cloudoc/contract'
import { sql } from 'kysely'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { managed, readLinks, resolveLinks, statusOf } from '../../sharing/links/index.ts'
import { linkName, type RequestedLink } from '../links/index.ts'
import type { Listed } from '../review/index.ts'

const mostUses = 200
type Use = OperationApplicationDetail['uses'][number]

/** The downloads that the grants of an application were used for. */
export async function deliveriesOf(db: Db, { id, launcher }: Listed): Promise<Use[]> {
  const { rows } = await sql<Use>`
    select d.at as time, 'download' as what, d.way, a.name as "fName", d.version, d.address,
      case when d.link_id is null then ${launcher}::text else d.visitor end as person,
      coalesce(d.link_id, 0) as "externalId"
    from download_grant g join download_delivery d on d.grant_id = g.id
      join application_item a on a.review_id = g.review_id and a.item_id = g.item_id
    where g.review_id = ${id} order by d.at desc, d.id desc limit ${mostUses}`.execute(db)
  return rows
}

/** What visitors did with a link by this application: from its approval until the next one of the link. */
export async function visitsOf(db: Db, { id, state, decidedAt, subject }: Listed): Promise<Use[]> {
  if (state === 'pending' || decidedAt === null) return []
  const { externalId } = subject as RequestedLink
  const { rows } = await sql<Use>`
    select v.at as time, v.what, 'link' as way, v.name as "fName", coalesce(v.version, 0) as version, v.visitor as person,
      v.address, v.link_id as "externalId"
    from external_visit v
    where v.link_id = ${externalId} and v.what not in ('wrongPassword', 'wrongCode') and v.at >= ${decidedAt}
      and v.at < coalesce((
        select min(n.decided_at) from review n where n.kind = ${linkName} and n.key = ${String(externalId)}
          and n.id > ${id} and n.decided_at is not null), 9223372036854775807)
    order by v.id desc limit ${mostUses}`.execute(db)
  return rows
}

/**
 * The links that exist by an application: the one that it is for; of an application for downloads those that the
 * applicant made to its items while it was in force, because they hand out what it gave.
 */
export async function linksOf(
  context: Context,
  { settings }: Pick<Services, 'settings'>,
  { id, kind, subject }: Pick<Listed, 'id' | 'subject'> & { readonly kind: string },
): Promise<OperationApplicationDetail['links']> {
  const { db, now } = context
  const links = await readLinks(
    db,
    kind === linkName
      ? sql`l.id = ${(subject as RequestedLink).externalId}`
      : sql`exists (
          select 1 from download_grant g join review r on r.id = g.review_id
          where g.review_id = ${id} and g.item_id = l.item_id and g.account_id = l.account_id
            and l.created_at >= r.decided_at and l.created_at < coalesce(g.ended_at, g.ends_at))
          or exists (select 1 from download_grant g join download_delivery d on d.grant_id = g.id
            where g.review_id = ${id} and d.link_id = l.id)`,
    mostUses,
  )
  const mine = await managed(db, actorOf(context), links, now)
  return (await resolveLinks(db, settings, links, now)).map(({ link, reason }) => ({
    ...{ externalId: link.id, fName: link.item_name, note: link.note, status: statusOf[reason] },
    mayManage: mine.has(link.id),
  }))
}
