// What the history offers beside what every list does ([R249]).
import { History20Regular, LockOpen20Regular } from '@fluentui/react-icons'
import { api } from '../../core/call/api.ts'
import { sessionStore } from '../../core/session/session.ts'
import { rules } from '../actions/actions.ts'
import type { ItemAction } from '../actions/item-action.ts'
import { tell } from '../actions/operations.ts'
import { idArrays } from '../item/item.ts'
import { refetchOrdered } from '../lists/lists.ts'

const isMine = (editorId: number): boolean => editorId === sessionStore.getState().session?.account.userId

export const recentMenu: readonly ItemAction[] = [
  {
    ...rules.unlock,
    id: 'unlock',
    modules: ['recent'],
    on: 'items',
    label: 'recent.unlock',
    icon: <LockOpen20Regular />,
    show: ({ editorId }) => isMine(editorId),
    menu: { group: 'change', place: 5 },
    run: async ({ items: [item] }) => {
      if (item === undefined) return
      try {
        await api.fileEditUnlock({ fileId: item.fId })
        await refetchOrdered('recent')
      } catch (error) {
        tell(error)
      }
    },
  },
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
