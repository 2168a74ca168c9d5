// Actions of the history page in addition to those of every list ([R249]).

import { api, mainServer } from '../../core/call/api.ts'
import { rules } from '../../items/actions/actions.ts'
import type { ItemAction } from '../../items/actions/item-action.tsx'
import { notifyFailure } from '../../items/actions/operations.ts'
import { idArrays } from '../../items/item/item.ts'
import { refetchOrdered } from '../../items/lists/lists.ts'
import { BranchCompare20Regular, History20Regular } from '../../kit/icons.ts'
import { compareChange, comparedWith } from './compare-change.tsx'

const at = (list: string): boolean => window.location.pathname.endsWith(`/${list}`)

export const recentMenu: readonly ItemAction[] = [
  {
    ...rules.preview,
    id: 'compareChange',
    modules: ['recent'],
    on: 'items',
    label: 'recent.compare',
    icon: <BranchCompare20Regular />,
    show: (item) => at('change') && comparedWith(item) !== undefined,
    menu: { group: 'open', place: 15 },
    run: ({ items: [item] }) => item && compareChange(item),
  },
  {
    ...rules.favorite,
    id: 'forget',
    linked: true,
    modules: ['recent'],
    on: 'items',
    label: 'recent.forget',
    icon: <History20Regular />,
    show: () => at('history'),
    menu: { group: 'remove', place: 5 },
    run: ({ withAll }) =>
      withAll(async (items) => {
        try {
          const { fileIdArray, folderIdArray } = idArrays(items)
          await api.of(items[0] ?? mainServer).deleteRecentHistory({ fileIdArray, folderIdArray })
          await refetchOrdered('recent')
        } catch (error) {
          notifyFailure(error)
        }
      }),
  },
]
