import type { Translate } from '../../core/i18n/i18n.ts'

/** The number of items in a list, and the total if a filter is set. */
export interface ItemCount {
  readonly total: number
  readonly of: number | undefined
}

export function itemCountText({ total, of }: ItemCount, t: Translate): string {
  return of === undefined ? t('drive.items', { n: total }) : t('drive.itemsOf', { n: total, total: of })
}
