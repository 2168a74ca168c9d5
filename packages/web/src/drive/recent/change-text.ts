// The text for changes by other users: the versions from and to, the number of changes, and their description.
import type { ItemRecord } from '@cloudoc/contract'
import { t } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { type Change, rowDetailsOf } from '../../items/lists/ordered-source.ts'

export function changeText(item: ItemRecord): string {
  const { change } = rowDetailsOf('change', item)
  return change === undefined
    ? ''
    : [steps(change, item.version), changeComment(change)].filter(Boolean).join(t('recent.comma'))
}

function steps({ changeFrom: from, changeCount: n }: Change, to: number): string {
  if (from === 0) return n === 1 ? t('recent.changed.added') : t('recent.changed.addedTo', { n: to })
  return n === 1 ? t('recent.changed.from', { from, to }) : t('recent.changed.times', { n, from, to })
}

function changeComment({ changeRestored: n, changeComment: comment }: Change): string {
  if (n > 0) return t('recent.changed.restored', { n })
  return comment === '' ? '' : t('recent.changed.said', { comment: isolated(comment) })
}
