// The action "urge" of every list of items ([R156], [R270]).

import { openWindow } from '../../core/windows/index.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { isLink } from '../../items/item/item.ts'
import { Alert16Regular, Alert20Regular } from '../../kit/icons.ts'

/** Items of one urge window; each is an urge of its own. */
const mostUrged = 50

export const urgeMenu: readonly ItemAction[] = [
  {
    gate: 'urge',
    count: 'some',
    writes: true,
    id: 'urge',
    modules: itemLists,
    on: 'items',
    label: 'approvals.urge.menu',
    icon: <Alert20Regular />,
    show: (item) => !isLink(item),
    menu: { group: 'together', place: 40 },
    tool: { icon: <Alert16Regular /> },
    find: true,
    run: ({ withAll }) =>
      withAll((all) => {
        const [item, ...more] = all.filter((one) => !isLink(one)).map(pickItem)
        if (item)
          void openWindow('cloudoc-urge', { item, ...(more.length > 0 && { more: more.slice(0, mostUrged - 1) }) })
      }),
  },
]

const pickItem = ({ serverId, fType, fId, fName }: { serverId: number; fType: 1 | 2; fId: number; fName: string }) => ({
  serverId,
  fType,
  fId,
  fName,
})
