// Who decides exchanges with other networks, by the rules in force.
import type { ApproverRule } from '../../approvals/review/index.ts'
import type { Db } from '../../core/db/database.ts'

export async function exchangeApprovers(db: Db): Promise<ApproverRule[]> {
  const rows = await db
    .selectFrom('exchange_rule')
    .select(['name', 'levels'])
    .where('is_active', '=', true)
    .orderBy('position')
    .execute()
  return rows.flatMap(({ name, levels }) => {
    const rules = levels.flatMap(({ rounds }) =>
      rounds.map(({ by, ids }): ApproverRule => ({ kind: 'exchange', name, by, ids })),
    )
    // Levels usually have the same reviewers.
    return [...new Map(rules.map((rule) => [JSON.stringify([rule.by, rule.ids]), rule])).values()]
  })
}
