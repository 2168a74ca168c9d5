// Who decides applications for operations, by the rules in force.
import type { Db } from '../../core/db/database.ts'
import type { ApproverRule } from '../review/index.ts'
import type { RuleRound } from './tables.ts'

export async function operationApprovers(db: Db): Promise<ApproverRule[]> {
  const rows = await db
    .selectFrom('operation_rule')
    .select(['name', 'rounds'])
    .where('is_active', '=', true)
    .orderBy('position')
    .execute()
  return rows.flatMap(({ name, rounds }) =>
    (rounds as readonly RuleRound[]).map(({ by, ids }): ApproverRule => ({ kind: 'operations', name, by, ids })),
  )
}
