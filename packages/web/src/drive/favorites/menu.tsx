// The favourite actions of every list of items ([R238]), and the actions that all lists of items from different folders
// share.

import { rules } from '../../items/actions/actions.ts'
import { isFavorite, setFavorites } from '../../items/actions/favorites.ts'
import { flatLists, type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { isLink } from '../../items/item/item.ts'
import { FolderArrowUp20Regular, FolderOpen20Regular, Star20Regular, StarOff20Regular } from '../../kit/icons.ts'
import type { FlatListPage } from '../files/grid/use-flat-list-page.ts'

export const favoriteMenu: readonly ItemAction<never>[] = [
  {
    ...rules.open,
    id: 'open',
    linked: true,
    modules: flatLists,
    on: 'items',
    label: 'drive.menu.open',
    icon: <FolderOpen20Regular />,
    keys: ['Enter'],
    menu: { group: 'open', place: 10 },
    run: ({ items: [item], page }) => item && page.open(item),
  } satisfies ItemAction<FlatListPage>,
  {
    ...rules.open,
    id: 'locate',
    linked: true,
    modules: flatLists,
    on: 'items',
    label: 'drive.menu.locate',
    icon: <FolderArrowUp20Regular />,
    menu: { group: 'open', place: 30 },
    run: ({ items: [item], page }) => item && page.locate(item),
  } satisfies ItemAction<FlatListPage>,
  {
    ...rules.favorite,
    id: 'favorite',
    linked: true,
    modules: itemLists,
    on: 'items',
    label: 'favorites.add',
    icon: <Star20Regular />,
    show: (item) => !isLink(item) && !isFavorite(item),
    menu: { group: 'more', place: 20 },
    find: true,
    run: ({ withAll }) => withAll((items) => setFavorites(items, true)),
  } satisfies ItemAction,
  {
    ...rules.favorite,
    id: 'unfavorite',
    linked: true,
    modules: itemLists,
    on: 'items',
    label: 'favorites.remove',
    icon: <StarOff20Regular />,
    show: (item) => !isLink(item) && isFavorite(item),
    menu: { group: 'more', place: 20 },
    find: true,
    run: ({ withAll }) => withAll((items) => setFavorites(items, false)),
  } satisfies ItemAction,
]
