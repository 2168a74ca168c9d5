import type { Translate } from '../../core/i18n/i18n.ts'

/** How many items a list shows, and, where a filter leaves some out, of how many. */
export interface ItemCount {
  readonly total: number
  readonly of: number | undefined
}

export function itemCountText({ total, of }: ItemCount, t: Translate): string {
  return of === undefined ? t('drive.items', { n: total }) : t('drive.itemsOf', { n: total, total: of })
}
