// Sending to another network from item menus ([R161]).

import type { ItemRecord } from '@cloudoc/contract'
import { coversFile, mainServerId } from '@cloudoc/domain'
import { openWindow } from '../core/windows/index.ts'
import { type ItemAction, itemLists } from '../items/actions/item-action.tsx'
import { ArrowSwap20Regular } from '../kit/icons.ts'
import { exchangeRulesNow } from './exchange-queries.ts'

/** Whether a rule lets the user send the item somewhere. A folder is judged by its place; its files follow in the window. */
function isCovered({ fType, fId, path, extName, secretLevel }: ItemRecord): boolean {
  const above = path.split('/').map(Number)
  return exchangeRulesNow().some((rule) =>
    coversFile(fType === 2 ? { ...rule, exts: [] } : rule, {
      path: [...above, fId],
      ext: extName,
      level: fType === 2 ? 0 : secretLevel,
    }),
  )
}

export const exchangeMenu: readonly ItemAction[] = [
  {
    gate: 'exchange',
    count: 'some',
    id: 'exchange-send',
    modules: itemLists,
    on: 'items',
    label: 'exchange.menu.send',
    icon: <ArrowSwap20Regular />,
    show: (item) => item.linkId === 0 && item.serverId === mainServerId && isCovered(item),
    menu: { group: 'together', place: 72 },
    find: true,
    run: ({ withAll }) =>
      withAll((all) => {
        const items = all.filter(({ linkId, serverId }) => linkId === 0 && serverId === mainServerId)
        if (items.length > 0) return openWindow('file-exchange-send', { items })
      }),
  },
]
