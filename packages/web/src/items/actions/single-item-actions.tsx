// The actions on a single item that is shown by itself: in the panel next to a list, and in the previewer.
import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { actionsIn } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import type { ActionContext } from './actions.ts'
import { type ItemAction, verdictOf } from './item-action.tsx'
import { reasonText } from './reasons.ts'

interface SingleItemAction {
  readonly id: string
  readonly icon: ReactNode
  readonly label: string
  readonly hint: string | undefined
  /** The reason why the action is not possible at the moment. */
  readonly why: string | undefined
  readonly run: () => unknown
}

/**
 * Returns the actions that the menu of the item also offers, disabled for the same reasons. Actions that only the
 * previewer has open above it.
 */
export function singleItemActions(
  item: ItemRecord,
  context: ActionContext,
  module: 'shown' | 'previewer' = 'shown',
): SingleItemAction[] {
  const items = [item]
  return actionsIn<ItemAction>(module).flatMap((action) => {
    const { show, enabled, reason } = verdictOf(action, { items, count: 1, folder: undefined, context })
    if (!show) return []
    const { id, icon, label, keys, run } = action
    return {
      ...{ id, icon, label: t(label), hint: keys?.[0] },
      why: enabled || reason === undefined ? undefined : reasonText(reason),
      run: () => run({ items, withAll: (act) => void act(items), folder: undefined, by: 'button', page: undefined }),
    }
  })
}
