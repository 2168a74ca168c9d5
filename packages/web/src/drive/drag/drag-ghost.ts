import type { ItemRecord } from '@cloudoc/contract'
import { t } from '../../core/i18n/i18n.ts'

/** The drag image: the first name and the number of dragged rows. */
export function dragGhost(items: readonly ItemRecord[]): HTMLElement {
  const ghost = document.createElement('div')
  ghost.className = 'dr-ghost'
  const [first] = items
  ghost.textContent = items.length === 1 && first !== undefined ? first.fName : t('drive.items', { n: items.length })
  return ghost
}
