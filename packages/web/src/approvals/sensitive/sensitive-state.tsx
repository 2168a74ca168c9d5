// How the state of a sensitive file and what was found in it are shown.
import type { SensitiveFile, SensitiveHit } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { type ChipTone, StatusChip } from '../../kit/chips.tsx'
import './texts.ts'

const tones: Readonly<Record<SensitiveFile['state'], ChipTone>> = {
  detecting: 'neutral',
  clean: 'neutral',
  noted: 'neutral',
  waiting: 'warning',
  approved: 'success',
  disapproved: 'danger',
  deleted: 'neutral',
  replaced: 'neutral',
}

/** The state in words. A file that could not be inspected and waits for nobody is shown as such. */
export function StateTag({ file }: { readonly file: Pick<SensitiveFile, 'state' | 'outcome'> }): ReactNode {
  const t = useT()
  const isUnread = file.state === 'clean' && file.outcome !== 'inspected'
  return (
    <StatusChip tone={isUnread ? 'warning' : tones[file.state]}>
      {t(`sensitive.state.${isUnread ? 'uninspected' : file.state}`)}
    </StatusChip>
  )
}

type Part =
  | 'idCard'
  | 'bankCard'
  | 'mobile'
  | 'creditCode'
  | 'passport'
  | 'word'
  | 'expression'
  | 'name'
  | 'type'
  | 'uninspected'
/** The name of a condition; of a word the word itself. */
export function partText(t: Translate, { part, label }: { readonly part: string; readonly label: string }): string {
  const name = t(`sensitive.part.${part as Part}`)
  return label === '' || part === 'uninspected' || part === 'type' ? name : `${name} ${label}`
}

/** What was found, in one line; or why nothing could be. */
export function foundText(
  t: Translate,
  { hits, outcome, reason }: Pick<SensitiveFile, 'hits' | 'outcome' | 'reason'>,
): string {
  const found = hits
    .filter(({ part }) => part !== 'uninspected')
    .map(({ part, label, places }) => t('sensitive.hit', { part: partText(t, { part, label }), n: places }))
  const unread =
    reason === ''
      ? []
      : [
          t(outcome === 'partly' ? 'sensitive.partly' : 'sensitive.uninspected', {
            reason: t(`sensitive.reason.${reason}`),
          }),
        ]
  return [...new Set([...found, ...unread])].join('，') || '—'
}

/** The colour of a condition, the same in the text and in the list. */
export const partTone = (part: string): string =>
  part === 'idCard' || part === 'passport'
    ? 'id'
    : part === 'word' || part === 'name' || part === 'expression'
      ? 'word'
      : 'number'

/** What a text is of its document, if pages, sheets and slides do not show it. */
export const hiddenPlaceText = (t: Translate, place: SensitiveHit['place']): string =>
  place === '' ? '' : t(`sensitive.place.${place}`)
