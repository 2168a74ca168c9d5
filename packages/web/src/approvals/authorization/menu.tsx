// Asking for rights, from the menus of items ([R153]) and from refusals.
import { Key20Regular } from '@fluentui/react-icons'
import { openWindow } from '../../core/windows/index.ts'
import { type ItemAction, itemLists } from '../../drive/index.ts'

const apply: ItemAction = {
  gate: 'applyAuthorization',
  count: 'one',
  writes: true,
  id: 'apply-authorization',
  modules: itemLists,
  on: 'items',
  label: 'approvals.menu.apply',
  icon: <Key20Regular />,
  show: ({ linkId }) => linkId === 0,
  menu: { group: 'save', place: 80 },
  find: true,
  lifts: ['noPermission'],
  run: ({ items: [item] }) => item && openWindow('cloudoc-authorization-apply', { item }),
}

export const authorizationMenu = [apply]
