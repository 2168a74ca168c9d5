// Access rules, as their page draws them.
import type { Answer, calls } from '@cloudoc/contract'
import type { Translate } from '../../core/i18n/i18n.ts'
import type { ChipTone } from '../../kit/chips.tsx'
import './texts.ts'

export type Rule = Answer<typeof calls.getAccessRules>['list'][number]

/** The tone of what follows from a rule. */
export const actionTones: Readonly<Record<Rule['action'], ChipTone>> = {
  allow: 'success',
  secondFactor: 'info',
  readOnly: 'warning',
  refuse: 'danger',
}

/** Days of the week, 1 to 7 in order: as a range if they follow each other. */
export function daysText(days: readonly number[], t: Translate): string {
  const name = (day: number): string => t(`access.day.${day as 1}`)
  const [first = 1, last = 1] = [days[0], days.at(-1)]
  if (days.length > 2 && last - first === days.length - 1)
    return t('access.days.range', { from: name(first), to: name(last) })
  return t('access.days.some', { days: days.map(name).join(t('access.days.and')) })
}
