import type { ItemRecord } from '@cloudoc/contract'
import { t } from '../../core/i18n/i18n.ts'

/** What follows the pointer while rows are dragged: the first name, and how many there are. */
export function dragGhost(items: readonly ItemRecord[]): HTMLElement {
  const ghost = document.createElement('div')
  ghost.className = 'dr-ghost'
  const [first] = items
  ghost.textContent = items.length === 1 && first !== undefined ? first.fName : t('drive.items', { n: items.length })
  return ghost
}
