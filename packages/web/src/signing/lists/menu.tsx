// Signing in item menus ([R157]): sending a file to be signed, and checking the signatures in a PDF.

import { openWindow } from '../../core/windows/index.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { isLink } from '../../items/item/item.ts'
import { CheckmarkStarburst20Regular, Signature20Regular } from '../../kit/icons.ts'

export const signMenu: readonly ItemAction[] = [
  {
    gate: 'launchSign',
    count: 'one',
    writes: true,
    id: 'launch-sign',
    modules: itemLists,
    on: 'items',
    label: 'sign.menu.launch',
    icon: <Signature20Regular />,
    show: (item) => !isLink(item),
    menu: { group: 'together', place: 70 },
    find: true,
    run: ({ items: [item] }) =>
      item &&
      openWindow('cloudoc-sign-launch', {
        file: { fId: item.fId, fName: item.fName, extName: item.extName, secretLevel: item.secretLevel },
      }),
  },
  {
    gate: 'preview',
    count: 'one',
    id: 'check-sign',
    modules: itemLists,
    on: 'items',
    label: 'sign.menu.check',
    icon: <CheckmarkStarburst20Regular />,
    show: (item) => !isLink(item) && item.fType === 1 && item.extName === 'pdf',
    menu: { group: 'together', place: 71 },
    find: true,
    run: ({ items: [item] }) => item && openWindow('sign-check', { fileId: item.fId }),
  },
]
