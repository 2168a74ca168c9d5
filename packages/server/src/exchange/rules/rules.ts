/*
 * The rules of the exchange as they are stored, those in force for a sender, and the reviewers that a rule names. What a
 * rule permits is decided by domain/exchange.ts. There is no default reviewer: if a step of the approval has nobody who
 * can decide, nothing is sent (-183, -187).
 */
import { type ExchangeLevel, type ExchangeRound, type ExchangeTerms, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { type Ask, type Asked, type Round, reviewersBy } from '../../approvals/review/index.ts'
import type { Account } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { PeerKey, RuleSubject } from './tables.ts'

/** A rule of the exchange. */
export interface StoredRule extends ExchangeTerms {
  readonly ruleId: number
  readonly name: string
  readonly isActive: boolean
  readonly until: number | null
  readonly subjects: readonly RuleSubject[]
  readonly requirePwd: boolean
  readonly hours: number
  readonly atDeadline: 'wait' | 'reject' | 'managers'
}

/** Reads all rules in their order; there are few. */
export async function readExchangeRules(db: Db): Promise<StoredRule[]> {
  const { rows } = await sql<StoredRule>`
    select id as "ruleId", name, is_active as "isActive", until_at as until, network_code as "targetServerCode",
      subjects, to_json(item_ids) as "itemIds", to_json(receivers) as receivers, to_json(exts) as exts,
      max_level as "maxLevel", max_files as "maxFiles", max_bytes as "maxBytes", needs_password as "requirePwd",
      levels, hours, at_deadline as "atDeadline"
    from exchange_rule order by position, id`.execute(db)
  return rows
}

/** The rules in force for a sender, in their order. */
export async function rulesOfSender(
  db: Db,
  { subjects: { userId, groupIds, roleIds } }: Pick<Account, 'subjects'>,
  now: number,
): Promise<StoredRule[]> {
  const rules = await readExchangeRules(db)
  const isNamed = ({ subjectType, subjectId }: RuleSubject): boolean => {
    if (subjectType === 'everybody') return true
    if (subjectType === 'user') return subjectId === userId
    return (subjectType === 'group' ? groupIds : roleIds).has(subjectId)
  }
  return rules.filter(
    ({ isActive, until, subjects }) => isActive && (until === null || until > now) && subjects.some(isNamed),
  )
}

export interface Network {
  readonly code: string
  readonly name: string
  readonly description: string
  /** The linked server; null for networks without a wire. */
  readonly serverId: number | null
  readonly peerKeys: readonly PeerKey[]
}

/** The networks of the exchange by name, or the one with a code. */
export async function readNetworks(db: Db, code?: string): Promise<Network[]> {
  const { rows } = await sql<Network>`
    select code, name, description, server_id as "serverId", peer_keys as "peerKeys" from exchange_network
    where ${code === undefined ? sql`true` : sql`code = ${code}`} order by name, code`.execute(db)
  return rows
}

type Asking = Pick<Ask<unknown>, 'tx' | 'now' | 'itemId' | 'launcherId'>

/** The first manager of the department of the sender, or of one above it, other than the sender. */
async function superiorOf(tx: Tx, accountId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive up as (
      select a.group_id, 0 as depth from account a where a.id = ${accountId}
      union all
      select g.parent_id, u.depth + 1 from up u join org_group g on g.id = u.group_id
      where g.parent_id is not null and u.depth < 64
    )
    select m.account_id as id from up u join group_manager m on m.group_id = u.group_id
      join account a on a.id = m.account_id and a.state = 'normal'
    where m.account_id <> ${accountId} order by u.depth, m.account_id limit 1`.execute(tx)
  return rows.map(({ id }) => id)
}

async function namedBy(ask: Asking, { by, ids }: ExchangeRound): Promise<Asked[]> {
  switch (by) {
    case 'superior':
      return reviewersBy(ask, [{ by: 'people', accountIds: await superiorOf(ask.tx, ask.launcherId) }])
    case 'people':
      return reviewersBy(ask, [{ by, accountIds: ids }])
    case 'role':
      return reviewersBy(
        ask,
        ids.map((roleId) => ({ by, roleId })),
      )
    default:
      return reviewersBy(ask, [{ by }])
  }
}

/** The reviewers of an approval, step by step. A step without anybody who can decide refuses the exchange. */
export async function exchangeRounds(ask: Asking, { isFree, rounds }: ExchangeLevel): Promise<Round[]> {
  if (isFree) return []
  const found: Round[] = []
  for (const round of rounds) {
    const who = await namedBy(ask, round)
    if (who.length === 0)
      return fail(round.by === 'people' || round.by === 'role' ? 'levelWithoutApprover' : 'folderWithoutApprover')
    found.push({ who, needed: round.needs === 'all' ? who.length : 1 })
  }
  return found.length === 0 ? fail('levelWithoutApprover') : found
}

/** Who may decide if it is handed on: the reviewers that the approval names, and security administrators. */
export async function mayDecideExchange(
  ask: Asking,
  rounds: readonly ExchangeRound[],
  account: Account,
): Promise<boolean> {
  if (account.powers.includes('security')) return true
  for (const round of rounds)
    if ((await namedBy(ask, round)).some(({ accountId }) => accountId === account.accountId)) return true
  return false
}
