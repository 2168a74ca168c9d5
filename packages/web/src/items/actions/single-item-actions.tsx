// What can be done with one item where it is shown by itself: in the panel beside a list, and in the previewer.
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
  /** Why it cannot be done now. */
  readonly why: string | undefined
  readonly run: () => unknown
}

/** Those that its menu offers as well, refused where that refuses; those of the previewer alone open over it. */
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
