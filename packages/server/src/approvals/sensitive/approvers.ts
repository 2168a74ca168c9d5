// Who decides about sensitive files for which no rule names reviewers of its own; without any, security administrators.
import type { Db } from '../../core/db/database.ts'
import type { ApproverRule } from '../review/index.ts'

export async function sensitiveApprovers(db: Db): Promise<ApproverRule[]> {
  const rows = await db.selectFrom('sensitive_reviewer').selectAll().execute()
  if (rows.length === 0) return [{ kind: 'sensitive', name: '', by: 'security', ids: [] }]
  const idsOf = (type: 'user' | 'role'): number[] =>
    rows.flatMap(({ subject_type, subject_id }) => (subject_type === type ? [subject_id] : []))
  const rules: ApproverRule[] = [
    { kind: 'sensitive', name: '', by: 'people', ids: idsOf('user') },
    { kind: 'sensitive', name: '', by: 'role', ids: idsOf('role') },
  ]
  return rules.filter(({ ids }) => ids.length > 0)
}
