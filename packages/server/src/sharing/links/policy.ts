// Link policies of administrators: for a user, a role, a department, or everybody ([R222], [R231]).
import { fail, linkRights } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'

export const dayMs = 24 * 60 * 60_000

/** What a user may do with links. */
export interface LinkTerms {
  readonly mayCreate: boolean
  readonly defaultDays: number
  /** 0: no limit. */
  readonly longestDays: number
  readonly needsPassword: boolean
  readonly mayDownload: boolean
  readonly needsApproval: boolean
  /** The mail domains that links may be sent to; if empty, none; if undefined, all. */
  readonly domains: readonly string[] | undefined
  /** The approvers; if empty, the owner and the managers of the library. */
  readonly approvers: readonly number[]
}

export interface PolicyRow extends LinkTerms {
  readonly id: number
  readonly account_id: number | null
  readonly group_id: number | null
  readonly role_id: number | null
  /** The depth of the department below the company. */
  readonly depth: number
}

const free: LinkTerms = {
  mayCreate: true,
  defaultDays: 7,
  longestDays: 0,
  needsPassword: false,
  mayDownload: true,
  needsApproval: false,
  domains: undefined,
  approvers: [],
}

/** Rights removed if downloads are forbidden: an editor has the content. */
export const takingRights = linkRights.download | linkRights.edit

/** Reads all policies; there are few. */
export async function readPolicies(db: Db): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    select p.id, p.account_id, p.group_id, p.role_id, p.may_create as "mayCreate", p.default_days as "defaultDays",
      p.longest_days as "longestDays", p.needs_password as "needsPassword", p.may_download as "mayDownload",
      p.needs_approval as "needsApproval", p.domains, p.approvers, (
        with recursive up as (
          select g.id, g.parent_id from org_group g where g.id = p.group_id
          union all select g.id, g.parent_id from up join org_group g on g.id = up.parent_id)
        select count(*)::int from up) as depth
    from link_policy p order by p.id`.execute(db)
  // Numbers in arrays are returned as text. An empty list of domains allows all, whereas the intersection of several
  // policies may be really empty.
  return rows.map(({ domains, approvers, ...row }) => ({
    ...row,
    domains: domains?.length === 0 ? undefined : domains,
    approvers: approvers.map(Number),
  }))
}

/** The intersection of both. */
function stricter(a: LinkTerms, b: LinkTerms): LinkTerms {
  const longest = [a.longestDays, b.longestDays].filter((days) => days > 0)
  return {
    mayCreate: a.mayCreate && b.mayCreate,
    defaultDays: Math.min(a.defaultDays, b.defaultDays),
    longestDays: longest.length === 0 ? 0 : Math.min(...longest),
    needsPassword: a.needsPassword || b.needsPassword,
    mayDownload: a.mayDownload && b.mayDownload,
    needsApproval: a.needsApproval || b.needsApproval,
    domains: a.domains?.filter((one) => b.domains?.includes(one) ?? true) ?? b.domains,
    approvers: a.approvers.length === 0 ? b.approvers : a.approvers,
  }
}

/**
 * The policy of a user: their own; else the strictest of their roles; else that of the nearest department; else the
 * general one.
 */
export function policyOf(policies: readonly PolicyRow[], { subjects }: Pick<Account, 'subjects'>): LinkTerms {
  const own = policies.find(({ account_id }) => account_id === subjects.userId)
  if (own !== undefined) return own
  const roles = policies.filter(({ role_id }) => role_id !== null && subjects.roleIds.has(role_id))
  if (roles.length > 0) return roles.reduce<LinkTerms>(stricter, roles[0] ?? free)
  const groups = policies.filter(({ group_id }) => group_id !== null && subjects.groupIds.has(group_id))
  const [nearest] = groups.toSorted((a, b) => b.depth - a.depth)
  if (nearest !== undefined) return nearest
  return (
    policies.find(
      ({ account_id, group_id, role_id }) => account_id === null && group_id === null && role_id === null,
    ) ?? free
  )
}

/** Refuses a link beyond its creator's policy. */
export function checkPolicy(
  policy: LinkTerms,
  link: {
    readonly rights: number
    readonly ends_at: number
    readonly hasPassword: boolean
    /** It has named or mail recipients. */
    readonly isNamed: boolean
    readonly mails: readonly string[]
  },
  now: number,
): void {
  if (!policy.mayCreate)
    fail('noPermission', { zh: '外链策略不允许你使用外链', en: 'the policy of links does not let you make any' })
  if (!policy.mayDownload && (link.rights & takingRights) !== 0)
    fail('noPermission', { zh: '外链策略不允许下载', en: 'the policy of links does not let them be downloaded from' })
  // One minute of tolerance for the transmission.
  if (policy.longestDays > 0 && link.ends_at > now + policy.longestDays * dayMs + 60_000)
    fail('badRequest', {
      zh: `外链最长 ${policy.longestDays} 天`,
      en: `a link may live for ${policy.longestDays} days at most`,
    })
  if (policy.needsPassword && !link.hasPassword && !link.isNamed)
    fail('badRequest', { zh: '外链必须有密码', en: 'a link must have a password' })
  checkDomains(policy, link.mails)
}

/** Refuses mail recipients that the policy excludes. */
export function checkDomains({ domains }: Pick<LinkTerms, 'domains'>, mails: readonly string[]): void {
  if (domains === undefined || mails.every((mail) => isSentTo(domains, mail))) return
  if (domains.length === 0)
    fail('noPermission', {
      zh: '外链策略不允许发送到任何邮箱',
      en: 'the policy of links lets none be sent by mail',
    })
  fail('noPermission', {
    zh: `外链只能发送到这些邮箱域：${domains.join('、')}`,
    en: `links may be sent to these domains only: ${domains.join(', ')}`,
  })
}

/** Whether links may be sent to an address. */
export const isSentTo = (domains: LinkTerms['domains'], mail: string): boolean =>
  domains === undefined || domains.includes(domainOf(mail))

/** The domain of an address. */
const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()
