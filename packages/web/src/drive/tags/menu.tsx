// Tag actions in every list of items ([R158], [R236]).

import { openWindow } from '../../core/windows/index.ts'
import { rules } from '../../items/actions/actions.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { isLink } from '../../items/item/item.ts'
import { Tag16Regular, Tag20Regular } from '../../kit/icons.ts'

export const tagMenu: readonly ItemAction[] = [
  {
    ...rules.tag,
    id: 'tag',
    modules: itemLists,
    on: 'items',
    label: 'tags.menu',
    icon: <Tag20Regular />,
    show: (item) => !isLink(item),
    menu: { group: 'more', place: 30 },
    tool: { icon: <Tag16Regular /> },
    find: true,
    run: ({ withAll }) => withAll((items) => openWindow('cloudoc-file-tag', { items })),
  },
]
