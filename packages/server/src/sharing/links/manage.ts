// Links from their creators' view: create, change, pause, cancel, list, send ([R222]-[R227], [R229]).
import { externalLinkKind, type features, type Parsed as InputOf } from '@cloudoc/contract'
import { momentIn } from '@cloudoc/contract/audit-words'
import { calendarDays, fail, LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ObjectAccess } from '../../core/access.ts'
import type { Actor } from '../../core/actor.ts'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import type { Objects } from '../../core/loaders.ts'
import { isMailSetUp, postMail } from '../../core/mail/index.ts'
import { unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { limitHandOuts } from '../../people/auth/index.ts'
import { applicationsOf, endApproval } from './approval.ts'
import { createLink } from './create.ts'
import { readVisits, sendVisits } from './export.ts'
import { type LinkRow, readLinks } from './link-state.ts'
import { linkViews, managed, passwordPurpose, type WantedLinks } from './link-views.ts'
import { announceItem, modifyLink } from './modify.ts'
import { checkDomains, policyOf, readPolicies } from './policy.ts'

type Calls = typeof features.externalLinks.calls
/** The calls of link creators. */
type Parsed<N extends keyof Calls> = InputOf<Calls[N]>

interface OwnLinkAccess extends ObjectAccess<{ mayManage: boolean; isCancelled: boolean }> {
  readonly link: LinkRow
}

export function linkObjects({ now }: Pick<Services, 'now'>): Objects<OwnLinkAccess> {
  return {
    kind: externalLinkKind,
    async load(db, actor: Actor, ids) {
      if (actor.kind !== 'account') return new Map()
      const links = await readLinks(db, sql`l.id = any(${ids.map(Number)})`)
      const own = await managed(db, actor, links, now())
      return new Map(
        links
          .filter(({ id }) => own.has(id))
          .map((link) => [link.id, { link, facts: { mayManage: true, isCancelled: link.cancelled_at !== null } }]),
      )
    },
    async lock(tx, id, lock) {
      const strength = sql.raw(lock === 'change' ? 'for no key update' : 'for share')
      await sql`select 1 from external_link where id = ${Number(id)} ${strength}`.execute(tx)
    },
  }
}

/** The handlers of links, for their creators. */
export function manageHandlers(
  services: Pick<Services, 'db' | 'settings' | 'secrets' | 'publicUrl' | 'now' | 'contributed'>,
  objects: Objects<OwnLinkAccess>,
) {
  const { settings, secrets, publicUrl } = services
  const ownOf = (context: Context, externalId: number): LinkRow => context.object(objects, externalId).link

  const { tellOne, listOf, page } = linkViews(services)

  return {
    async externalCreate(context: WriteContext, { fileId, folderId, ...input }: Parsed<'externalCreate'>) {
      const access = context.item(fileId === undefined ? { fType: 2, fId: folderId ?? 0 } : { fType: 1, fId: fileId })
      const { externalId } = await createLink(context, services, access, input)
      return tellOne(context, context.tx, externalId)
    },

    async externalModify(context: WriteContext, input: Parsed<'externalModify'>) {
      const own = ownOf(context, input.externalId)
      await modifyLink(context, services, own, input)
      return tellOne(context, context.tx, own.id)
    },

    async pauseExternal(context: WriteContext, { externalId, paused }: Parsed<'pauseExternal'>) {
      const own = ownOf(context, externalId)
      if ((own.paused_at !== null) === paused) return fail('duplicateOperation')
      await context.tx
        .updateTable('external_link')
        .set({ paused_at: paused ? context.now : null, modified_at: context.now })
        .where('id', '=', own.id)
        .execute()
      await announceItem(context, own, LogBit.modifyLink)
      context.audit({ paused })
      return {}
    },

    async cancelExternal(context: WriteContext, { externalId }: Parsed<'cancelExternal'>) {
      const own = ownOf(context, externalId)
      await context.tx
        .updateTable('external_link')
        .set({ cancelled_at: context.now, modified_at: context.now })
        .where('id', '=', own.id)
        .execute()
      await endApproval(context, services, own)
      await announceItem(context, own, LogBit.cancelLink)
      return {}
    },

    getExternalListByFileId: (context: Context, { fileId }: Parsed<'getExternalListByFileId'>) =>
      listOf(context, fileId),
    getExternalListByFolderId: (context: Context, { folderId }: Parsed<'getExternalListByFolderId'>) =>
      listOf(context, folderId),

    async getExternalInfo(context: Context, { externalId }: Parsed<'getExternalInfo'>) {
      const { id } = ownOf(context, externalId)
      const link = await tellOne(context, context.db, id)
      const applicationId = (await applicationsOf(context.db, services, actorOf(context), [id])).get(id) ?? 0
      return { ...link, fileKey: link.linkToken, applicationId }
    },

    async getExternalVisitList(
      context: Context,
      { externalId, from, rows: most, what }: Parsed<'getExternalVisitList'>,
    ) {
      const { db, now } = context
      const { id } = ownOf(context, externalId)
      const kind = what === 'all' ? sql`true` : sql`what = ${what}`
      const visits = await readVisits(db, id, what, { rows: most, from })
      const list = visits.map(({ id: _, ...visit }) => visit)
      const week = calendarDays(now, actorOf(context).settings.setting.download_time_zone, 7)
      const { rows: sums } = await sql<{ total: number; addresses: number; wrong: number; bytes: number }>`
        select count(*) filter (where ${kind})::int as total, count(distinct address)::int as addresses,
          count(*) filter (where what in ('wrongPassword', 'wrongCode'))::int as wrong, coalesce(sum(bytes), 0)::bigint as bytes
        from external_visit where link_id = ${id}`.execute(db)
      const { rows: days } = await sql<{ from: number; opens: number; downloads: number }>`
        select d as "from", count(v.id) filter (where v.what = 'open')::int as opens,
          count(v.id) filter (where v.what = 'download')::int as downloads
        from unnest(${week.map(({ from }) => from)}::bigint[], ${week.map(({ until }) => until)}::bigint[]) w (d, until)
          left join external_visit v on v.link_id = ${id} and v.at >= d and v.at < until
        group by d order by d`.execute(db)
      const sum = sums[0] ?? { total: 0, addresses: 0, wrong: 0, bytes: 0 }
      return { list, total: sum.total, addresses: sum.addresses, wrongPasswords: sum.wrong, bytes: sum.bytes, days }
    },

    async exportExternalVisits(context: Context, { externalId, what }: Parsed<'exportExternalVisits'>) {
      return sendVisits(context, ownOf(context, externalId), what)
    },

    async sendExternalMail(
      context: WriteContext,
      { externalId, toArray, comments, withPassword }: Parsed<'sendExternalMail'>,
    ) {
      const { tx, now, request } = context
      const own = ownOf(context, externalId)
      const actor = actorOf(context)
      const set = await settings.current(tx)
      if (!isMailSetUp(set)) return fail('mailNotSetUp')
      checkDomains(policyOf(await readPolicies(tx), actor), toArray)
      await limitHandOuts(tx, 'linkMail', String(actor.accountId), now)
      const locale = localeOf(request)
      const base = publicUrl ?? `${request.protocol}://${request.host}`
      const password = own.password === null ? '' : unseal(secrets, passwordPurpose, own.password)
      const until = momentIn(own.ends_at, set.setting.download_time_zone)
      const lines =
        locale === 'zh'
          ? [
              `${actor.name} 向你分享了《${own.item_name}》`,
              `链接：${base}/s/${own.token}`,
              ...(password === '' ? [] : [withPassword ? `密码：${password}` : '密码由分享人另行告诉你']),
              `有效期至 ${until}`,
            ]
          : [
              `${actor.name} shares “${own.item_name}” with you`,
              `Link: ${base}/s/${own.token}`,
              ...(password === ''
                ? []
                : [withPassword ? `Password: ${password}` : 'You will be told the password another way']),
              `Good until ${until}`,
            ]
      const text = [...lines, ...(comments === '' ? [] : ['', comments])].join('\n')
      const mail = { subject: lines[0] ?? '', text, locale }
      for (const to of new Set(toArray)) await postMail({ tx, now }, { to, ...mail }, secrets)
      context.audit({ mails: toArray.length })
      return {}
    },

    async getLinkCreationList(context: Context, input: WantedLinks) {
      const { accountId } = actorOf(context)
      return page(context, await readLinks(context.db, sql`l.account_id = ${accountId}`), input, true)
    },

    async getLinkSharedList(context: Context, input: WantedLinks) {
      const { accountId } = actorOf(context)
      const links = await readLinks(
        context.db,
        sql`l.people @> array[${accountId}]::bigint[] and l.account_id <> ${accountId} and l.cancelled_at is null
          and (l.approval is null or l.approval = 'approved')`,
      )
      return page(context, links, input, false)
    },
  }
}
