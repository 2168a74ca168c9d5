// Making items favourites ([R238]), by a menu, a key or a drop.
import type { ItemRecord } from '@cloudoc/contract'
import { hasStatus, itemStatus } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { isLink } from '../item/item.ts'
import { onFavoritesChanged } from '../lists/lists.ts'
import { mark } from './operations.ts'

export const isFavorite = (item: ItemRecord): boolean => hasStatus(itemStatus(item.itemStatus), 'favorite')

/** Makes items favourites, or ends that; tells of those that could not be. */
export async function setFavorites(items: readonly ItemRecord[], isOn: boolean): Promise<void> {
  await mark(
    items.filter((item) => !isLink(item) && isFavorite(item) !== isOn),
    ({ fileIdArray, folderIdArray }) => api.setFavorites({ fileIdArray, folderIdArray, favorite: isOn }),
    {
      done: (n) => t(isOn ? 'favorites.added' : 'favorites.removed', { n }),
      failed: (n, reason) => t('favorites.failed', { n, reason }),
    },
    onFavoritesChanged,
  )
}
