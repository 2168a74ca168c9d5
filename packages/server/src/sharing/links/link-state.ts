/*
 * The current state of a link. It is not stored: the creator's rights, the item's location and its secret level are
 * read with each request. Whatever ends a link therefore takes effect at the next request, and a suspended link resumes
 * when the cause ends ([R225], X18).
 */
import type { LinkReason } from '@cloudoc/contract'
import { type CodeName, denial, gates, LinkStatus } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { Settings } from '../../core/settings.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { dayMs, isSentTo, type LinkTerms, policyOf, readPolicies, takingRights } from './policy.ts'

/** The approval state of a link that needed approval. */
export type Approval = 'pending' | 'approved' | 'refused' | 'revoked' | 'withdrawn'

export interface LinkRow {
  readonly id: number
  readonly token: string
  readonly item_id: number
  readonly account_id: number
  readonly rights: number
  readonly password: string | null
  readonly pass_version: number
  readonly starts_at: number
  readonly ends_at: number
  readonly visit_limit: number
  readonly download_limit: number
  readonly visits: number
  readonly downloads: number
  readonly people: readonly number[]
  /** Mail recipients that the creator may send links to, in lower case. */
  readonly mails: readonly string[]
  /** It has named or mail recipients, or had them before all were removed. */
  readonly is_named: boolean
  readonly note: string
  readonly greeting: string
  readonly secret_level: number
  readonly notify: boolean
  readonly approval: Approval | null
  /** The version of the file that it is approved for; null for all. */
  readonly only_version: number | null
  readonly end_set_at: number
  readonly paused_at: number | null
  readonly cancelled_at: number | null
  readonly created_at: number
  readonly modified_at: number
  /** It has a watermark: of a template, or the standard one. */
  readonly marked: boolean
  readonly template_id: number | null
  /** When the creator was last notified that it is opened from many addresses. */
  readonly spread_told_at: number | null
  /** Columns of its item, its creator and its recipients. */
  readonly f_type: 1 | 2
  readonly item_name: string
  readonly ext: string
  readonly creator: string
  readonly named: readonly { readonly userId: number; readonly accountName: string }[] | null
}

/** Links, the latest first. */
export async function readLinks(db: Db, where: RawBuilder<unknown>, most = 2000): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select l.*, (l.people <> '{}' or l.mails <> '{}') as is_named, i.f_type, i.name as item_name, i.ext, a.name as creator,
      (select json_agg(json_build_object('userId', p.id, 'accountName', p.name) order by p.id)
        from account p where p.id = any(l.people)) as named
    from external_link l join item i on i.id = l.item_id join account a on a.id = l.account_id
    where ${where} order by l.id desc limit ${most}`.execute(db)
  return rows
}

/** A link with its current state. */
export interface ResolvedLink {
  /** Restricted to what its creator may still grant. */
  readonly link: LinkRow
  /** The link policy of its creator, if the creator exists. */
  readonly policy: LinkTerms | undefined
  readonly reason: LinkReason
  /** Its creator, if they exist. */
  readonly creator: Account | undefined
  /** Its item, with the creator's access. */
  readonly access: Access | undefined
}

/** Determines the state of links; costs one statement per creator. */
export async function resolveLinks(
  db: Db,
  settings: Settings,
  links: readonly LinkRow[],
  now: number,
): Promise<ResolvedLink[]> {
  const creators = await loadAccounts(db, settings, [...new Set(links.map(({ account_id }) => account_id))], now)
  const policies = creators.size > 0 ? await readPolicies(db) : []
  const items = new Map<number, Map<number, Access>>()
  for (const [id, creator] of creators) {
    const own = links.filter(({ account_id }) => account_id === id)
    items.set(id, await accessToMany(db, creator, [...new Set(own.map(({ item_id }) => item_id))], now))
  }
  return links.map((row) => {
    const creator = creators.get(row.account_id)
    const access = items.get(row.account_id)?.get(row.item_id)
    const policy = creator === undefined ? undefined : policyOf(policies, creator)
    const link = policy === undefined ? row : within(row, policy)
    return { link, policy, creator, access, reason: reasonOf(link, policy, creator, access, now) }
  })
}

/** Restricts a link to what its creator may grant now: a stricter policy applies to existing links. */
function within(link: LinkRow, { mayDownload, longestDays, domains }: LinkTerms): LinkRow {
  return {
    ...link,
    mails: link.mails.filter((mail) => isSentTo(domains, mail)),
    rights: mayDownload ? link.rights : link.rights & ~takingRights,
    ends_at: longestDays === 0 ? link.ends_at : Math.min(link.ends_at, link.end_set_at + longestDays * dayMs),
  }
}

function isAgainst({ rights, password, people, mails, is_named }: LinkRow, policy: LinkTerms): boolean {
  const isForNobody = is_named && people.length === 0 && mails.length === 0
  return !policy.mayCreate || rights === 0 || isForNobody || (policy.needsPassword && password === null && !is_named)
}

const asksApproval = (policy: LinkTerms, access: Access): boolean =>
  policy.needsApproval || access.facts.linkByApplication

/** Whether a link needs an approval, by the policy of its creator or by a rule. */
export function needsApproval({ policy, access }: Pick<ResolvedLink, 'policy' | 'access'>): boolean {
  return policy !== undefined && access !== undefined && asksApproval(policy, access)
}

function reasonOf(
  link: LinkRow,
  policy: LinkTerms | undefined,
  creator: Account | undefined,
  access: Access | undefined,
  now: number,
): LinkReason {
  if (link.cancelled_at !== null) return 'cancelled'
  if (link.approval === 'pending') return 'approval'
  if (link.approval === 'refused' || link.approval === 'revoked') return link.approval
  if (creator === undefined || policy === undefined) return 'creator'
  if (access === undefined) return 'item'
  const code = denial(gates.keepLink, access.facts)
  if (code === 'notFound') return 'item'
  if (code === 'secretLevel' || access.facts.secretLevel > link.secret_level) return 'level'
  if (code !== undefined) return 'right'
  if (isAgainst(link, policy)) return 'policy'
  if (asksApproval(policy, access) && link.approval !== 'approved') return 'unasked'
  if (link.only_version !== null && access.row.version !== link.only_version) return 'unasked'
  if (link.ends_at <= now) return 'ended'
  if (link.paused_at !== null) return 'paused'
  if (link.starts_at > now) return 'notYet'
  if (link.visit_limit > 0 && link.visits >= link.visit_limit) return 'visits'
  if (link.download_limit > 0 && link.downloads >= link.download_limit) return 'downloads'
  return 'active'
}

export const statusOf: Readonly<Record<LinkReason, (typeof LinkStatus)[keyof typeof LinkStatus]>> = {
  active: LinkStatus.active,
  notYet: LinkStatus.inactive,
  paused: LinkStatus.inactive,
  ended: LinkStatus.over,
  visits: LinkStatus.over,
  downloads: LinkStatus.over,
  cancelled: LinkStatus.over,
  approval: LinkStatus.underApproval,
  unasked: LinkStatus.underApproval,
  refused: LinkStatus.refused,
  revoked: LinkStatus.refused,
  policy: LinkStatus.failed,
  item: LinkStatus.failed,
  right: LinkStatus.failed,
  level: LinkStatus.failed,
  creator: LinkStatus.failed,
}

/**
 * Why a link cannot be entered, or undefined. Visitors who are inside continue when the visits are used up; when the
 * downloads are used up the link can still be viewed. A link that is gone is answered as not found, whatever the
 * reason.
 */
export function refusalOf(reason: LinkReason, isInside: boolean): CodeName | undefined {
  switch (reason) {
    case 'active':
    case 'downloads':
      return undefined
    case 'visits':
      return isInside ? undefined : 'linkExpired'
    case 'ended':
      return 'linkExpired'
    case 'notYet':
    case 'approval':
    case 'unasked':
      return 'noPermission'
    default:
      return 'notFound'
  }
}

/** Stores on an item how many links it has: none, one, more ([R133]). */
export async function showOnItem(db: Db, itemId: number, now: number): Promise<void> {
  await sql`
    update external_link set shown = false
    where item_id = ${itemId} and shown and (cancelled_at is not null or ends_at <= ${now})`.execute(db)
  await sql`
    update external_link set shown = true
    where item_id = ${itemId} and not shown and cancelled_at is null and ends_at > ${now}`.execute(db)
  await sql`
    update item set status = (status & ~3) | n.bits
    from (select least(count(*), 2)::int as bits from external_link where item_id = ${itemId} and shown) n
    where id = ${itemId} and status & 3 <> n.bits`.execute(db)
}

/** Updates items whose links have expired; true if there were any. */
export async function hideEnded(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql<{ item_id: number }>`
    select distinct item_id from external_link where shown and ends_at <= ${now} order by item_id limit 100`.execute(db)
  for (const { item_id } of rows) await db.transaction().execute((tx) => showOnItem(tx, item_id, now))
  return rows.length > 0
}
