// Reports of links by visitors, and the notifications (ADR 0174).
import type { features, Parsed as InputOf } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Context, WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { limitLinkReports, overseersOf } from '../../people/auth/index.ts'
import { refusalOf } from './link-state.ts'
import { findLink, readPass, resolveLink } from './visitor.ts'

type Calls = typeof features.externalLinks.calls
type Parsed<N extends keyof Calls> = InputOf<Calls[N]>

export async function settleReports(tx: Tx, linkIds: readonly number[], now: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update link_report set settled_at = ${now} where link_id = any(${linkIds}) and settled_at is null`.execute(tx)
  return Number(numAffectedRows)
}

/** The handlers of reports. */
export function reportHandlers({ settings }: Pick<Services, 'settings'>) {
  return {
    async reportVisitedLink(context: WriteContext, input: Parsed<'reportVisitedLink'>) {
      const { tx, now, address, request } = context
      const link = (await findLink(tx, input.linkToken)) ?? fail('notFound')
      const met = await resolveLink(tx, settings, link, now)
      const pass = await readPass(tx, request, now)
      const code = refusalOf(met.reason, true)
      if (code !== undefined) return fail(code)
      await limitLinkReports(tx, link.id, address, now)
      const { reason } = input
      const [comments, contact] = [input.comments.trim(), input.contact.trim()]
      const visitor = pass?.linkId === link.id ? pass.name : ''
      await tx
        .insertInto('link_report')
        .values({ link_id: link.id, at: now, reason, comments, contact, visitor, address })
        .execute()
      const { id: externalId, f_type: fType, item_name: fName, creator: creatorName } = link
      const said = { serverId: 0, externalId, fType, fName, time: now }
      const others = (await overseersOf(tx)).filter((id) => id !== link.account_id)
      context.event(personal('linkReported', others, { ...said, creatorName, reason, comments }))
      // The creator learns the reason but not the reporter: the report may be about the creator.
      const toCreator = {
        ...said,
        what: 'reported' as const,
        fId: link.item_id,
        note: reason,
        visitor: '',
        address: '',
      }
      context.event(personal('linkVisited', [link.account_id], toCreator))
      context.audit({ externalLink: link.id, reason, comments })
      return {}
    },

    async getLinkReports({ db }: Context, { externalId }: Parsed<'getLinkReports'>) {
      const rows = await db
        .selectFrom('link_report')
        .select(['id as reportId', 'at as time', 'reason', 'comments', 'contact', 'visitor', 'address'])
        .where('link_id', '=', externalId)
        .where('settled_at', 'is', null)
        .orderBy('id', 'desc')
        .limit(100)
        .execute()
      return { list: rows }
    },

    async settleLinkReports(context: WriteContext, { externalId }: Parsed<'settleLinkReports'>) {
      if ((await settleReports(context.tx, [externalId], context.now)) === 0) return fail('notFound', 'externalId')
      context.audit({ externalLink: externalId })
      return {}
    },
  }
}
