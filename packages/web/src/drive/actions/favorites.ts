// Making items favourites ([R238]), by a menu, a key or a drop.
import type { ItemRecord } from '@cloudoc/contract'
import { codeOf, codes, codeText, hasStatus, itemStatus } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { idArrays, isLink } from '../item/item.ts'
import { onFavoritesChanged } from '../lists/lists.ts'
import { tell } from './operations.ts'

/** Items of one call. */
const atOnce = 200

export const isFavorite = (item: ItemRecord): boolean => hasStatus(itemStatus(item.itemStatus), 'favorite')

/** Makes items favourites, or ends that; tells of those that could not be. */
export async function setFavorites(items: readonly ItemRecord[], isOn: boolean): Promise<void> {
  const wanted = items.filter((item) => !isLink(item) && isFavorite(item) !== isOn)
  try {
    let done = 0
    let refused: number | undefined
    for (let at = 0; at < wanted.length; at += atOnce) {
      const { fileIdArray, folderIdArray } = idArrays(wanted.slice(at, at + atOnce))
      const answers = await api.setFavorites({ fileIdArray, folderIdArray, favorite: isOn })
      const failed = answers.filter(({ result }) => result !== codes.success.code)
      done += answers.length - failed.length
      refused ??= failed[0]?.result
    }
    for (const item of wanted) onFavoritesChanged(item)
    if (done > 0) toast({ kind: 'success', text: t(isOn ? 'favorites.added' : 'favorites.removed', { n: done }) })
    if (refused !== undefined && codeOf(refused) !== undefined) {
      const reason = codeText(refused, currentLocale())
      toast({ kind: 'error', text: t('favorites.failed', { n: wanted.length - done, reason }) })
    }
  } catch (error) {
    tell(error)
  }
}
