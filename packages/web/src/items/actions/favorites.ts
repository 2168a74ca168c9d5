// Adding items to the favourites ([R238]) by menu, key or drop.
import type { ItemRecord } from '@cloudoc/contract'
import { hasStatus, itemStatus } from '@cloudoc/domain'
import { t } from '../../core/i18n/i18n.ts'
import { isLink } from '../item/item.ts'
import { onFavoritesChanged } from '../lists/lists.ts'
import { mark } from './operations.ts'

export const isFavorite = (item: ItemRecord): boolean => hasStatus(itemStatus(item.itemStatus), 'favorite')

/** Adds items to the favourites or removes them, and reports the items for which this failed. */
export async function setFavorites(items: readonly ItemRecord[], isOn: boolean): Promise<void> {
  await mark(
    items.filter((item) => !isLink(item) && isFavorite(item) !== isOn),
    ({ fileIdArray, folderIdArray }, on) => on.setFavorites({ fileIdArray, folderIdArray, favorite: isOn }),
    {
      done: (n) => t(isOn ? 'favorites.added' : 'favorites.removed', { n }),
      failed: (n, reason) => t('favorites.failed', { n, reason }),
    },
    onFavoritesChanged,
  )
}
