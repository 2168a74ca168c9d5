// Administration of the rules that make downloads and links need an approval (操作管控).
import { features, type OperationRule as ToldRule } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { bump } from '../../core/settings.ts'
import { type OperationRule, readRules } from './rules.ts'
import type { RuleRound } from './tables.ts'

export {
  checkChosen,
  mayDecideBy,
  type OperationRule,
  type RuledRound,
  readRules,
  ruledRounds,
  ruleFor,
} from './rules.ts'

interface Subject {
  readonly subjectType: OperationRule['subjects'][number]['subjectType']
  readonly subjectId: number
  readonly isExempt: boolean
}

const tableOf = { user: 'account', group: 'org_group', role: 'role' } as const

/** Refuses subjects, reviewers and folders that do not exist. */
async function checkNames(
  tx: Tx,
  {
    subjects,
    rounds,
    itemIds,
  }: { subjects: readonly Subject[]; rounds: readonly RuleRound[]; itemIds: readonly number[] },
): Promise<void> {
  const missing = async (table: string, ids: readonly number[]): Promise<boolean> => {
    const wanted = [...new Set(ids)]
    if (wanted.length === 0) return false
    const { rows } = await sql`select 1 from ${sql.table(table)} where id = any(${wanted})`.execute(tx)
    return rows.length < wanted.length
  }
  for (const type of ['user', 'group', 'role'] as const) {
    const ids = subjects.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
    if (await missing(tableOf[type], ids)) fail('notFound', 'subjects')
  }
  for (const { by, ids, fromLevel } of rounds) {
    const named = by === 'people' || by === 'role'
    if (named && ids.length === 0) fail(fromLevel > 0 ? 'levelWithoutApprover' : 'folderWithoutApprover')
    if (named && (await missing(by === 'people' ? 'account' : 'role', ids))) fail('notFound', 'rounds')
  }
  if (await missing('item', itemIds)) fail('notFound', 'itemIds')
  const { rows } = await sql`select 1 from item where id = any(${[...itemIds]}) and f_type <> 2`.execute(tx)
  if (rows.length > 0) fail('badRequest', 'itemIds')
  if (subjects.every(({ isExempt }) => isExempt))
    fail('badRequest', { zh: '至少要有一个受控人员', en: 'subjects: everybody named is exempt' })
}

/** The handlers of the rules. Accounts are read with their rules, so a change counts as one of the organisation. */
export function operationRuleHandlers() {
  return implement(features.operationRules.calls, {
    async getOperationRules({ db }) {
      const { rows: libraries } = await sql<{ libraryId: number; name: string }>`
        select l.id as "libraryId", i.name from library l join item i on i.id = l.id
        where l.kind <> 'personal' and i.deleted_at is null order by i.name, l.id limit 500`.execute(db)
      return { list: await withNames(db, await readRules(db)), libraries }
    },

    async setOperationRule(context, { ruleId, subjects, itemIds, rounds, ...input }) {
      const { tx } = context
      await checkNames(tx, { subjects, rounds, itemIds })
      const values = {
        ...{ name: input.name, operation: input.operation, is_active: input.isActive },
        binds_holders: input.operation === 'link' || input.bindsHolders,
        item_ids: [...new Set(itemIds)],
        rounds: JSON.stringify(rounds) as never,
        ...{ may_choose: input.mayChoose, hours: input.hours, at_deadline: input.atDeadline },
        ...{ auto_files: input.autoFiles, auto_level: input.autoLevel },
        auto_own_department: input.autoOwnDepartment,
      }
      // Serializes changes of the rules, whose positions depend on each other.
      await sql`select pg_advisory_xact_lock(hashtext('operation_rule'))`.execute(tx)
      let id = ruleId
      if (ruleId === 0) {
        const { rows } = await sql<{ position: number }>`
          select coalesce(max(position), 0)::int + 1 as position from operation_rule`.execute(tx)
        const added = await tx
          .insertInto('operation_rule')
          .values({ ...values, position: rows[0]?.position ?? 1 })
          .returning('id')
          .executeTakeFirstOrThrow()
        id = added.id
      } else {
        const changed = await tx.updateTable('operation_rule').set(values).where('id', '=', ruleId).executeTakeFirst()
        if (changed.numUpdatedRows === 0n) return fail('notFound', 'ruleId')
        await tx.deleteFrom('operation_rule_subject').where('rule_id', '=', ruleId).execute()
      }
      const bySubject = new Map(subjects.map((one) => [`${one.subjectType} ${one.subjectId}`, one]))
      await tx
        .insertInto('operation_rule_subject')
        .values(
          [...bySubject.values()].map(({ subjectType, subjectId, isExempt }) => ({
            ...{ rule_id: id, subject_type: subjectType, is_exempt: isExempt },
            subject_id: subjectType === 'everybody' ? 0 : subjectId,
          })),
        )
        .execute()
      await bump(tx, 'organisation')
      context.audit({ ruleId: id, operation: input.operation })
      return { ruleId: id }
    },

    async removeOperationRule(context, { ruleId }) {
      const { tx } = context
      const { numDeletedRows } = await tx.deleteFrom('operation_rule').where('id', '=', ruleId).executeTakeFirst()
      if (numDeletedRows === 0n) return fail('notFound', 'ruleId')
      await bump(context.tx, 'organisation')
      context.audit({ ruleId })
      return {}
    },

    async orderOperationRules(context, { ruleIdArray }) {
      const { tx } = context
      await sql`select pg_advisory_xact_lock(hashtext('operation_rule'))`.execute(tx)
      const { rows } = await sql<{ id: number }>`select id from operation_rule order by id`.execute(tx)
      const known = rows.map(({ id }) => id)
      const wanted = [...new Set(ruleIdArray)]
      if (wanted.length !== known.length || wanted.some((id) => !known.includes(id)))
        return fail('notFound', 'ruleIdArray')
      await sql`
        update operation_rule r set position = w.n
        from unnest(${wanted}::bigint[]) with ordinality w (id, n) where r.id = w.id`.execute(tx)
      return {}
    },
  })
}

/** The rules with the names of their subjects, reviewers and folders. */
async function withNames(db: Db, rules: readonly OperationRule[]): Promise<ToldRule[]> {
  const namesOf = async (table: string, ids: readonly number[]): Promise<Map<number, string>> => {
    if (ids.length === 0) return new Map()
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from ${sql.table(table)} where id = any(${[...new Set(ids)]})`.execute(db)
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
  const subjects = rules.flatMap((rule) => rule.subjects)
  const rounds = rules.flatMap((rule) => rule.rounds)
  const idsOf = (type: string, by?: string): number[] => [
    ...subjects.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId),
    ...rounds.filter((round) => round.by === by).flatMap(({ ids }) => ids),
  ]
  const names = {
    user: await namesOf('account', idsOf('user', 'people')),
    group: await namesOf('org_group', idsOf('group')),
    role: await namesOf('role', idsOf('role', 'role')),
    item: await namesOf(
      'item',
      rules.flatMap(({ itemIds }) => itemIds),
    ),
  }
  return rules.map(({ id, itemIds, ...rule }) => ({
    ...rule,
    ruleId: id,
    subjects: rule.subjects.map((one) => ({
      ...one,
      subjectName: one.subjectType === 'everybody' ? '' : (names[one.subjectType].get(one.subjectId) ?? ''),
    })),
    items: itemIds.flatMap((fId) => {
      const fName = names.item.get(fId)
      return fName === undefined ? [] : [{ fId, fName }]
    }),
    rounds: rule.rounds.map((round) => ({
      ...round,
      ids: [...round.ids],
      names: round.ids.flatMap((one) => {
        const name = (round.by === 'role' ? names.role : names.user).get(one)
        return name === undefined ? [] : [{ id: one, name }]
      }),
    })),
  }))
}
