// The comment actions of every list of items ([R158], [R237]).

import { openWindow } from '../../core/windows/index.ts'
import { rules } from '../../items/actions/actions.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { isLink } from '../../items/item/item.ts'
import { Comment16Regular, Comment20Regular } from '../../kit/icons.ts'

export const commentMenu: readonly ItemAction[] = [
  {
    ...rules.comment,
    id: 'comment',
    modules: itemLists,
    on: 'items',
    label: 'comments.menu',
    icon: <Comment20Regular />,
    show: (item) => !isLink(item),
    menu: { group: 'together', place: 50 },
    tool: { icon: <Comment16Regular /> },
    find: true,
    run: ({ items: [item] }) => item && openWindow('cloudoc-file-comment', { item }),
  },
]
