// The rules for downloads and links that need an approval, as administrators see and change them.
import type { features, OperationRule, Parsed } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import './texts.ts'

const key = ['company', 'operations'] as const

export type RuleInput = Parsed<(typeof features.operationRules.calls)['setOperationRule']>

export const operationRules = {
  queryKey: key,
  queryFn: () => api.getOperationRules({}, { quiet: true }),
}

export function refetchRules(): void {
  void queryClient.invalidateQueries({ queryKey: key })
}

/** A stored rule as the server takes it. */
export function toInput({ subjects, items, rounds, ...rule }: OperationRule): RuleInput {
  return {
    ...rule,
    subjects: subjects.map(({ subjectType, subjectId, isExempt }) => ({ subjectType, subjectId, isExempt })),
    itemIds: items.map(({ fId }) => fId),
    rounds: rounds.map(({ by, ids, needs, fromLevel }) => ({ by, ids, needs, fromLevel })),
  }
}
