// Access rules, as their page draws them.
import type { Answer, calls } from '@cloudoc/contract'
import type { ChipTone } from '../../kit/chips.tsx'

export type Rule = Answer<typeof calls.getAccessRules>['list'][number]

/** The tone of what follows from a rule. */
export const actionTones: Readonly<Record<Rule['action'], ChipTone>> = {
  allow: 'success',
  secondFactor: 'info',
  readOnly: 'warning',
  refuse: 'danger',
}
