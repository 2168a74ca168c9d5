/*
 * The rules that make downloads and links need an approval, and the reviewers that they name. Whether an operation of a
 * user needs one is part of their access to the item (people/auth/authority.ts, drive/tree/access.ts); here the rule is
 * found that decides who reviews.
 */
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Ask, type Asked, type ReviewerRule, type Round, reviewersBy } from '../review/index.ts'
import type { RuleRound } from './tables.ts'

/** A rule with its subjects. */
export interface OperationRule {
  readonly id: number
  readonly name: string
  readonly operation: 'download' | 'link'
  readonly isActive: boolean
  readonly bindsHolders: boolean
  readonly itemIds: readonly number[]
  readonly rounds: readonly RuleRound[]
  readonly mayChoose: boolean
  readonly hours: number
  readonly atDeadline: 'wait' | 'reject' | 'managers'
  readonly autoFiles: number
  readonly autoLevel: number
  readonly autoOwnDepartment: boolean
  readonly subjects: readonly {
    readonly subjectType: 'everybody' | 'user' | 'group' | 'role'
    readonly subjectId: number
    readonly isExempt: boolean
  }[]
}

/** Reads all rules in their order; there are few. */
export async function readRules(db: Db): Promise<OperationRule[]> {
  const { rows } = await sql<OperationRule>`
    select r.id, r.name, r.operation, r.is_active as "isActive", r.binds_holders as "bindsHolders",
      to_json(r.item_ids) as "itemIds", r.rounds, r.may_choose as "mayChoose", r.hours,
      r.at_deadline as "atDeadline", r.auto_files as "autoFiles", r.auto_level as "autoLevel",
      r.auto_own_department as "autoOwnDepartment", coalesce((
        select json_agg(json_build_object('subjectType', s.subject_type, 'subjectId', s.subject_id,
          'isExempt', s.is_exempt) order by s.is_exempt, s.subject_type, s.subject_id)
        from operation_rule_subject s where s.rule_id = r.id), '[]') as subjects
    from operation_rule r order by r.position, r.id`.execute(db)
  return rows
}

function appliesTo({ subjects }: OperationRule, actor: Pick<Account, 'subjects'>): boolean {
  const { userId, groupIds, roleIds } = actor.subjects
  const named = subjects.filter(({ subjectType, subjectId }) => {
    if (subjectType === 'everybody') return true
    if (subjectType === 'user') return subjectId === userId
    return (subjectType === 'group' ? groupIds : roleIds).has(subjectId)
  })
  return named.length > 0 && !named.some(({ isExempt }) => isExempt)
}

function covers({ itemIds }: OperationRule, { row, path }: Access): boolean {
  return itemIds.length === 0 || itemIds.some((id) => id === row.id || path.some((above) => above.id === id))
}

/** The first rule that matches an operation of a user on an item; undefined if none does. */
export function ruleFor(
  rules: readonly OperationRule[],
  operation: OperationRule['operation'],
  actor: Pick<Account, 'subjects'>,
  access: Access,
): OperationRule | undefined {
  return rules.find(
    (rule) => rule.isActive && rule.operation === operation && appliesTo(rule, actor) && covers(rule, access),
  )
}

/** A round of reviewers, and from which secret level on the rule requires it. */
export interface RuledRound extends Round {
  readonly fromLevel: number
}

type Asking = Pick<Ask<unknown>, 'tx' | 'now' | 'itemId' | 'launcherId'>

const reviewerRule = ({ by, ids }: RuleRound): ReviewerRule[] => {
  if (by === 'people') return [{ by, accountIds: ids }]
  return by === 'role' ? ids.map((roleId) => ({ by, roleId })) : [{ by }]
}

/** The owner and the managers of the library, else the security administrators. */
async function defaultReviewers(ask: Asking): Promise<Asked[]> {
  const managers = await reviewersBy(ask, [{ by: 'owner' }, { by: 'managers' }])
  if (managers.length > 0) return managers
  const { rows } = await sql<{ id: number }>`
    select id from account where is_admin union select account_id from administrator where power = 'security'
    order by id`.execute(ask.tx)
  return reviewersBy(ask, [{ by: 'people', accountIds: rows.map(({ id }) => id) }])
}

/**
 * The rounds of an application: those of the rule, as far as the secret level requires them; without a rule one of the
 * owner and the managers of the library. A round whose reviewers are all gone passes to these. Of the first round only
 * the chosen reviewers are asked, if there are any.
 */
export async function ruledRounds(
  ask: Asking,
  rule: OperationRule | undefined,
  secretLevel: number,
  chosen: readonly number[],
): Promise<RuledRound[]> {
  const found: RuledRound[] = []
  for (const round of rule?.rounds ?? [undefined]) {
    const fromLevel = round?.fromLevel ?? 0
    if (fromLevel > 0 && secretLevel < fromLevel) continue
    const named = round === undefined ? [] : await reviewersBy(ask, reviewerRule(round))
    const all = named.length > 0 ? named : await defaultReviewers(ask)
    const who =
      found.length === 0 && chosen.length > 0 ? all.filter(({ accountId }) => chosen.includes(accountId)) : all
    if (who.length === 0 && all.length > 0) return fail('notFound', 'verifierIdArray')
    if (who.length === 0) return fail(fromLevel > 0 ? 'levelWithoutApprover' : 'folderWithoutApprover')
    found.push({ who, needed: round?.needs === 'all' ? who.length : 1, fromLevel })
  }
  // A rule whose rounds are all for higher levels.
  if (found.length === 0) return ruledRounds(ask, undefined, secretLevel, chosen)
  return found
}

/** Checks the applicant's choice of reviewers: within those of the first round, and only where the rule permits it. */
export async function checkChosen(
  ask: Asking,
  rule: OperationRule | undefined,
  secretLevel: number,
  chosen: readonly number[],
): Promise<void> {
  if (chosen.length === 0) return
  const [first] = await ruledRounds(ask, rule, secretLevel, [])
  const ids = new Set(first?.who.map(({ accountId }) => accountId))
  if (chosen.some((id) => !ids.has(id))) fail('notFound', 'verifierIdArray')
  if (rule?.mayChoose === false && new Set(chosen).size < ids.size)
    fail('noPermission', {
      zh: '审批人由规则指定，不能更换',
      en: 'the rule does not let the applicant choose reviewers',
    })
}

/** Who may decide if an application is handed on: reviewers of the rule, managers, and security administrators. */
export async function mayDecideBy(
  tx: Tx,
  rule: OperationRule | undefined,
  { itemId, launcherId, now }: Pick<Asking, 'itemId' | 'launcherId' | 'now'>,
  account: Account,
): Promise<boolean> {
  if (account.powers.includes('security')) return true
  const ask = { tx, now, itemId, launcherId }
  const named = await reviewersBy(ask, (rule?.rounds ?? []).flatMap(reviewerRule))
  const managers = await reviewersBy(ask, [{ by: 'owner' }, { by: 'managers' }])
  return [...named, ...managers].some(({ accountId }) => accountId === account.accountId)
}
