// A rule while it is edited, and the choice of its reviewers.
import type { SensitiveRule, SensitiveRuleInput } from '@cloudoc/contract'
import { openWindow } from '../../core/windows/index.ts'

export type Named = SensitiveRule['reviewers'][number]
/** A rule as edited: with the names of its reviewers. */
export type EditedRule = Omit<SensitiveRuleInput, 'reviewers'> & { readonly reviewers: readonly Named[] }

/** The rule as the server takes it. */
export const toInput = (rule: EditedRule): SensitiveRuleInput => ({
  ...rule,
  reviewers: rule.reviewers.map(({ subjectType, subjectId }) => ({ subjectType, subjectId })),
})

/** Lets the user choose reviewers. */
export async function pickReviewers(
  title: string,
  ok: string,
  now: readonly Named[],
): Promise<readonly Named[] | undefined> {
  const roles = now.filter(({ subjectType }) => subjectType === 'role')
  const people = now.filter(({ subjectType }) => subjectType === 'user')
  const picked = await openWindow('people-pick', {
    title,
    ok,
    picked: people.map(({ subjectId, name }) => ({ userId: subjectId, accountName: name })),
  })
  return picked === undefined
    ? undefined
    : [
        ...roles,
        ...picked.map(({ userId, accountName }) => ({
          subjectType: 'user' as const,
          subjectId: userId,
          name: accountName,
        })),
      ]
}
