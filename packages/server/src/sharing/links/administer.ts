// Administration of links: link policies, lists of links, and ending links.
import type { linkRisks } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { personal } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { lockItem } from '../../drive/tree/index.ts'
import { applicationsOf, endApproval } from './approval.ts'
import { readLinks, showOnItem } from './link-state.ts'
import { dayMs } from './policy.ts'
import { type Parsed, policyHandlers } from './policy-handlers.ts'
import { settleReports } from './reports.ts'

type Risk = (typeof linkRisks)[number]

/** A link that ends later than this counts as unlimited. */
const longDays = 90
/** Number of downloads from which a link counts as a risk. */
const manyDownloads = 100

const openReports = sql<number>`(
  select count(*)::int from link_report r where r.link_id = l.id and r.settled_at is null)`
const risk = (now: number): Record<Risk, ReturnType<typeof sql<boolean>>> => ({
  reported: sql<boolean>`(${openReports} > 0)`,
  noPassword: sql<boolean>`(l.password is null and l.people = '{}' and l.mails = '{}')`,
  long: sql<boolean>`(l.ends_at > ${now + longDays * dayMs})`,
  sensitive: sql<boolean>`(i.secret_level > 0 and (i.secret_until is null or i.secret_until > ${now}))`,
  downloads: sql<boolean>`(l.downloads >= ${manyDownloads})`,
})

/** The handlers of the administration of links. */
export function administrationHandlers(services: Pick<Services, 'contributed'>) {
  return {
    ...policyHandlers(),

    async getAllLinks(context: Context, { risk: wanted, keyword, from, rows: most }: Parsed<'getAllLinks'>) {
      const { db, now } = context
      const risks = risk(now)
      const all = Object.values(risks)
      const any = sql<boolean>`(${sql.join(all, sql` or `)})`
      const open = sql`
        from external_link l join item i on i.id = l.item_id and i.deleted_at is null
          join account a on a.id = l.account_id left join org_group g on g.id = a.group_id
        where l.cancelled_at is null and l.paused_at is null and l.ends_at > ${now}
          and (l.approval is null or l.approval = 'approved')`
      const word = `%${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
      const named = keyword === '' ? sql`true` : sql`(lower(i.name) like ${word} or lower(a.name) like ${word})`
      const which = wanted === 'all' ? sql`true` : wanted === 'any' ? any : risks[wanted]
      const weight = sql.join(
        all.map((one) => sql`${one}::int`),
        sql` + `,
      )
      type Row = Awaited<ReturnType<typeof rowsOf>>[number]
      const rowsOf = async () => {
        const { rows } = await sql<{
          externalId: number
          fType: 1 | 2
          fName: string
          extName: string
          secretLevel: number
          note: string
          creatorId: number
          creatorName: string
          groupName: string
          rights: number
          hasPassword: boolean
          people: number
          startTime: number
          endTime: number
          createTime: number
          visits: number
          downloads: number
          reports: number
          noPassword: boolean
          long: boolean
          sensitive: boolean
          many: boolean
        }>`
          select l.id as "externalId", i.f_type as "fType", i.name as "fName", i.ext as "extName",
            i.secret_level as "secretLevel", l.note, a.id as "creatorId", a.name as "creatorName",
            coalesce(g.name, '') as "groupName", l.rights, l.password is not null as "hasPassword",
            cardinality(l.people) + cardinality(l.mails) as people, l.starts_at as "startTime", l.ends_at as "endTime",
            l.created_at as "createTime", l.visits, l.downloads,
            ${openReports} as reports, ${risks.noPassword} as "noPassword", ${risks.long} as long, ${risks.sensitive} as sensitive,
            ${risks.downloads} as many
          ${open} and ${named} and ${which}
          order by ${risks.reported} desc, ${risks.sensitive} desc, ${weight} desc, l.id desc offset ${from} limit ${most}`.execute(
          db,
        )
        return rows
      }
      const found = await rowsOf()
      const applications = await applicationsOf(
        db,
        services,
        actorOf(context),
        found.map(({ externalId }) => externalId),
      )
      const list = found.map(({ noPassword, long, sensitive, many, ...row }: Row) => {
        const is = { reported: row.reports > 0, noPassword, long, sensitive, downloads: many }
        const applicationId = applications.get(row.externalId) ?? 0
        return { ...row, applicationId, risks: (Object.keys(is) as Risk[]).filter((one) => is[one]) }
      })
      const { rows } = await sql<Record<'all' | 'any' | 'total' | Risk, number>>`
        select count(*)::int as all, count(*) filter (where ${any})::int as any,
          count(*) filter (where ${named} and ${which})::int as total,
          count(*) filter (where ${risks.reported})::int as reported,
          count(*) filter (where ${risks.noPassword})::int as "noPassword",
          count(*) filter (where ${risks.long})::int as long,
          count(*) filter (where ${risks.sensitive})::int as sensitive,
          count(*) filter (where ${risks.downloads})::int as downloads
        ${open}`.execute(db)
      const { total = 0, ...counts } = rows[0] ?? {}
      return {
        list,
        total,
        counts: { all: 0, any: 0, reported: 0, noPassword: 0, long: 0, sensitive: 0, downloads: 0, ...counts },
      }
    },

    async cancelLinks(context: WriteContext, { externalIdArray, comments }: Parsed<'cancelLinks'>) {
      const { tx, now, address } = context
      const actor = actorOf(context)
      const wanted = [...new Set(externalIdArray)].sort((a, b) => a - b)
      await sql`select 1 from external_link where id = any(${wanted}) order by id for no key update`.execute(tx)
      const links = await readLinks(tx, sql`l.id = any(${wanted})`)
      const standing = links.filter(({ cancelled_at }) => cancelled_at === null)
      const ids = standing.map(({ id }) => id)
      await sql`
        update external_link set cancelled_at = ${now}, modified_at = ${now} where id = any(${ids})`.execute(tx)
      await settleReports(tx, ids, now)
      for (const link of standing) await endApproval(context, services, link)
      const items = [...new Set(standing.map(({ item_id }) => item_id))].sort((a, b) => a - b)
      for (const itemId of items) {
        await lockItem(tx, itemId, 'change')
        await showOnItem(tx, itemId, now)
      }
      for (const link of standing)
        context.event(
          personal('linkVisited', [link.account_id], {
            serverId: 0,
            externalId: link.id,
            what: 'ended',
            fType: link.f_type,
            fId: link.item_id,
            fName: link.item_name,
            note: comments,
            visitor: actor.name,
            address,
            time: now,
          }),
        )
      context.audit({ externalLinks: ids.join(' '), comments })
      const known = new Map(links.map((link) => [link.id, link]))
      return {
        list: wanted.map((externalId) => {
          const link = known.get(externalId)
          const code = link === undefined ? 'notFound' : link.cancelled_at === null ? 'success' : 'duplicateOperation'
          return { externalId, result: codes[code].code }
        }),
      }
    },
  }
}
