// Labels of evaluation steps: all steps that count in one line, or a single step.
import type { Answer, calls } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import type { Translate } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import './texts.ts'

export type ReportStep = Answer<typeof calls.getAccessReport>['list'][number]['steps'][number]

/** The reasons for a user's permissions. */
export function reasonLabel(t: Translate, steps: readonly ReportStep[], itemId: number | undefined): string {
  const counted = steps.flatMap((step) => {
    if (step.step === 'manager' || step.step === 'owner') return [t(`company.access.by.${step.step}`)]
    if (step.step !== 'entry' && step.step !== 'deny') return []
    const who = subjectLabel(t, step)
    const from = step.source === undefined || step.source.folderId === itemId ? '' : step.source.fName
    return [from === '' ? who : t('company.access.inherited', { who, from: isolated(from) })]
  })
  return counted.join(' · ') || t('company.access.by.nothing')
}

function subjectLabel(t: Translate, { subjectType = 'user', subjectName = '', kind, step }: ReportStep): string {
  const who =
    subjectType === 'user'
      ? t(kind === 'application' ? 'company.access.by.request' : 'company.access.by.user')
      : t(`company.access.by.${subjectType}`, { name: isolated(subjectName) })
  return step === 'deny' ? t('company.access.by.deny', { who }) : who
}

/** One step with all its details. */
export function stepLabel(t: Translate, step: ReportStep): string {
  if (step.step === 'manager' || step.step === 'owner') return t(`company.access.by.${step.step}`)
  if (step.step === 'dependencies') return t('company.access.by.dependencies')
  if (step.step === 'restricted') return t('company.access.by.restricted')
  return [
    subjectLabel(t, step),
    step.source && step.source.fName !== '' && t('company.access.setOn', { name: isolated(step.source.fName) }),
    step.expireTime && t('company.access.ends', { time: fullTime(step.expireTime) }),
    (step.step === 'expired' || step.step === 'replaced' || step.step === 'closed') &&
      t(`company.access.lost.${step.step}`, { at: isolated(step.at?.fName ?? '') }),
  ]
    .filter(Boolean)
    .join(' · ')
}
