// Links as their creators, managers and named recipients see them.
import type { ExternalLink, ListedLink } from '@cloudoc/contract'
import { denial, fail, gates, LinkStatus } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany, createCompleteRecords, recordOf } from '../../drive/tree/index.ts'
import { type LinkRow, type ResolvedLink, readLinks, resolveLinks, statusOf } from './link-state.ts'

/** The encryption purpose of link passwords. */
export const passwordPurpose = 'link password'

/** Filters links to those that the user created or whose library they manage. */
export async function managed(db: Db, actor: Account, links: readonly LinkRow[], now: number): Promise<Set<number>> {
  if (actor.isGuest) return new Set()
  const others = links.filter(({ account_id }) => account_id !== actor.accountId)
  const items = await accessToMany(db, actor, [...new Set(others.map(({ item_id }) => item_id))], now)
  const isManager = ({ item_id }: LinkRow): boolean => items.get(item_id)?.facts.actor.isManager === true
  return new Set(links.flatMap((link) => (link.account_id === actor.accountId || isManager(link) ? [link.id] : [])))
}

/** A page of links. */
export interface WantedLinks {
  readonly from: number
  readonly rows: number
  readonly state: 'all' | 'active' | 'inactive' | 'approval' | 'over'
  readonly keyword: string
}
const inState = (status: number, state: WantedLinks['state']): boolean => {
  if (state === 'all') return true
  if (state === 'active') return status === LinkStatus.active
  if (state === 'inactive') return status === LinkStatus.inactive
  if (state === 'approval') return status === LinkStatus.underApproval
  return status === LinkStatus.over || status === LinkStatus.refused || status === LinkStatus.failed
}
/** The views of links. */
export function linkViews(services: Pick<Services, 'db' | 'settings' | 'secrets' | 'now' | 'contributed'>) {
  const { settings, secrets } = services
  const complete = createCompleteRecords(services)
  const told = ({ link, reason }: ResolvedLink, mayManage: boolean, sees: boolean): ExternalLink => ({
    externalId: link.id,
    fType: link.f_type,
    fId: sees ? link.item_id : 0,
    fName: link.item_name,
    extName: link.ext,
    note: link.note,
    greeting: mayManage ? link.greeting : '',
    creatorId: link.account_id,
    creatorName: link.creator,
    createTime: link.created_at,
    rights: link.rights,
    hasPassword: link.password !== null,
    startTime: link.starts_at,
    endTime: link.ends_at,
    visitLimit: link.visit_limit,
    downloadLimit: link.download_limit,
    visits: mayManage ? link.visits : 0,
    downloads: mayManage ? link.downloads : 0,
    people: [...(link.named ?? [])],
    mails: mayManage ? [...link.mails] : [],
    isNamed: link.is_named,
    status: statusOf[reason],
    reason,
    mayManage,
    linkToken: mayManage ? link.token : '',
    password: mayManage && link.password !== null ? unseal(secrets, passwordPurpose, link.password) : '',
    notify: mayManage && link.notify,
    watermark: link.marked,
    watermarkTemplateId: link.template_id ?? 0,
  })

  const seesOf = async (db: Db, actor: Account, links: readonly LinkRow[], now: number) => {
    const found = await accessToMany(db, actor, [...new Set(links.map(({ item_id }) => item_id))], now)
    return new Map([...found].filter(([, access]) => denial(gates.see, access.facts) === undefined))
  }

  const tellOne = async (context: Context, db: Db, externalId: number): Promise<ExternalLink> => {
    const links = await readLinks(db, sql`l.id = ${externalId}`)
    const [met] = await resolveLinks(db, settings, links, context.now)
    const sees = await seesOf(db, actorOf(context), links, context.now)
    return met === undefined ? fail('notFound') : told(met, true, sees.has(met.link.item_id))
  }

  const listOf = async (context: Context, itemId: number) => {
    const { db, now } = context
    const actor = actorOf(context)
    const links = await readLinks(db, sql`l.item_id = ${itemId}`, 500)
    const own = await managed(db, actor, links, now)
    const met = await resolveLinks(db, settings, links, now)
    // Ended links are listed only to their creators and managers.
    return {
      list: met
        .filter(
          ({ link, reason }) =>
            own.has(link.id) || statusOf[reason] === LinkStatus.active || statusOf[reason] === LinkStatus.inactive,
        )
        .map((one) => told(one, own.has(one.link.id), true)),
    }
  }

  const page = async (
    context: Context,
    links: LinkRow[],
    { from, rows, state, keyword }: WantedLinks,
    isOwn: boolean,
  ) => {
    const { db, now } = context
    const actor = actorOf(context)
    const word = keyword.toLowerCase()
    const named = links.filter(
      ({ note, item_name, token }) =>
        word === '' || `${note}\n${item_name}\n${isOwn ? token : ''}`.toLowerCase().includes(word),
    )
    const met = await resolveLinks(db, settings, named, now)
    const there = met.filter(({ reason }) => inState(statusOf[reason], state))
    const shown = there.slice(from, from + rows)
    const sees = await seesOf(
      db,
      actor,
      shown.map(({ link }) => link),
      now,
    )
    const records = await complete(
      actor,
      Array.from(sees.values(), (access) => recordOf(access, actor)),
    )
    const recordAt = new Map(records.map((record) => [record.fId, record]))
    const list: ListedLink[] = shown.map((one) => {
      const access = sees.get(one.link.item_id)
      const item = recordAt.get(one.link.item_id) ?? null
      const listed = { ...told(one, isOwn, access !== undefined), item }
      // A named recipient gets the address of the link but not its password.
      return isOwn ? listed : { ...listed, linkToken: one.link.token }
    })
    return { list, total: there.length }
  }

  return { tellOne, listOf, page }
}
