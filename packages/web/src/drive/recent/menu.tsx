// What the history offers beside what every list does ([R249]).
import { History20Regular } from '@fluentui/react-icons'
import { api } from '../../core/call/api.ts'
import { rules } from '../actions/actions.ts'
import type { ItemAction } from '../actions/item-action.tsx'
import { tell } from '../actions/operations.ts'
import { idArrays } from '../item/item.ts'
import { refetchOrdered } from '../lists/lists.ts'

export const recentMenu: readonly ItemAction[] = [
  {
    ...rules.favorite,
    id: 'forget',
    modules: ['recent'],
    on: 'items',
    label: 'recent.forget',
    icon: <History20Regular />,
    show: () => window.location.pathname.endsWith('/history'),
    menu: { group: 'remove', place: 5 },
    run: ({ withAll }) =>
      withAll(async (items) => {
        try {
          const { fileIdArray, folderIdArray } = idArrays(items)
          await api.deleteRecentHistory({ fileIdArray, folderIdArray })
          await refetchOrdered('recent')
        } catch (error) {
          tell(error)
        }
      }),
  },
]
