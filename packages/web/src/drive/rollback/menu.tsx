// Returning a folder to a moment, for the managers of its library.

import { openWindow } from '../../core/windows/index.ts'
import { rules } from '../../items/actions/actions.ts'
import type { ItemAction } from '../../items/actions/item-action.tsx'
import { isFolder, isLink } from '../../items/item/item.ts'
import { History20Regular } from '../../kit/icons.ts'

export const rollbackMenu: readonly ItemAction[] = [
  {
    ...rules.rollBack,
    id: 'rollBack',
    modules: ['files', 'tree'],
    on: 'items',
    label: 'drive.menu.rollBack',
    icon: <History20Regular />,
    help: 'acts',
    find: true,
    show: (item) => isFolder(item) && !isLink(item),
    menu: { group: 'more', place: 80 },
    run: ({ items: [item] }) => item && openWindow('drive-rollback', { item }),
  },
]
