// Permission requests from item menus ([R153]) and from refusals.
import type { ItemRecord } from '@cloudoc/contract'
import { groupRights, hasRight, rights } from '@cloudoc/domain'
import { openWindow } from '../../core/windows/index.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { Key20Regular } from '../../kit/icons.ts'
import { printRights } from './rights-labels.ts'

/** A user who may download has all that can be requested for a restricted document, except the right to edit ([R206]). */
function neededFor({ docFlag, rights: own }: ItemRecord): { right?: number } {
  if ((docFlag & 1) === 0 || !hasRight(rights(own), 'download')) return {}
  return { right: groupRights('edit', { printRights: printRights() }) }
}

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
  lifts: { reasons: ['noPermission', 'restrictedDocument'] },
  run: ({ items: [item] }) => item && openWindow('cloudoc-authorization-apply', { item, ...neededFor(item) }),
}

export const authorizationMenu = [apply]
