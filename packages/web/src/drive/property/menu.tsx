// The property window, in every list of items.

import { openWindow } from '../../core/windows/index.ts'
import { rules } from '../../items/actions/actions.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { isLink } from '../../items/item/item.ts'
import { Info20Regular } from '../../kit/icons.ts'

export const propertyAction: ItemAction = {
  ...rules.property,
  id: 'property',
  modules: itemLists,
  on: 'items',
  label: 'property.menu',
  icon: <Info20Regular />,
  keys: ['Alt+Enter'],
  help: 'acts',
  find: true,
  show: (item) => !isLink(item),
  menu: { group: 'remove', place: 90 },
  run: ({ items: [item] }) => item && openWindow('cloudoc-property', { item }),
}
