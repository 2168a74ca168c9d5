// Why something is not done, with the next step: what a person can do about it from here.

import type { ItemRecord } from '@cloudoc/contract'
import { hasStatus, itemStatus } from '@cloudoc/domain'
import { actionsIn } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { refreshDrive } from '../lists/lists.ts'
import type { Reason } from './actions.ts'
import type { ItemAction, Scene } from './item-action.tsx'
import { isExplained, reasonText } from './reasons.ts'

/** What lies between a person and an action, and where that is. */
export interface Refusal {
  readonly action: Pick<ItemAction, 'label'>
  readonly reason: Reason
  /** The items that it was meant for. */
  readonly items: readonly ItemRecord[]
  /** Leaves one of them selected. */
  readonly selectOne: () => void
}

/** Those whose key did nothing because there was nothing to do it with. */
const silent: readonly Reason[] = ['nothingSelected', 'nothingCopied', 'wrongKind']
/** Those that somebody with more rights can lift. */
const liftable: readonly Reason[] = ['noPermission', 'readOnlyFolder', 'readOnlyLibrary', 'secretLevel']

/** Says why an action was refused, and offers what can be done about it. */
export function notifyRefusal({ action, reason, items, selectOne }: Refusal): void {
  if (silent.includes(reason)) return
  const [first] = items
  const text = t('drive.refused', { action: t(action.label).replace('…', ''), reason: reasonText(reason) })
  const lifting = first === undefined ? undefined : actionThatLifts(reason, first)
  const next =
    reason === 'tooMany'
      ? { text: t('drive.next.selectOne'), run: selectOne }
      : reason === 'notFound'
        ? { text: t('drive.menu.refresh'), run: refreshDrive }
        : lifting !== undefined && first !== undefined
          ? { text: t(lifting.label).replace('…', ''), run: () => void lifting.run(sceneOf(first)) }
          : liftable.includes(reason) && first !== undefined && first.fId > 0
            ? { text: t('drive.next.why'), run: () => void openWindow('drive-why', { item: first }) }
            : undefined
  toast({ kind: 'error', text, ...(next && { action: next }) })
}

/**
 * The explanation of an entry that cannot be chosen ([R208]): where a state of one item or somebody's rights stand in the
 * way, why that is, whom to ask and how; of anything else, the words of the refusal.
 */
export function explainRefusal(refusal: Refusal): void {
  const { action, reason, items } = refusal
  const [first] = items
  if (items.length === 1 && first !== undefined && first.fId > 0 && isExplained(reason))
    void openWindow('drive-why', { item: first, refused: { action: action.label, reason } })
  else notifyRefusal(refusal)
}

/** What leads out of a refusal, where the item is open to it: the server says so by a bit ([R153]). */
function actionThatLifts(reason: Reason, item: ItemRecord): ItemAction | undefined {
  return hasStatus(itemStatus(item.itemStatus), 'applyAuthorization') ? liftingAction(reason) : undefined
}

/** What leads out of such a refusal, where an item is open to it. */
export function liftingAction(reason: Reason): ItemAction | undefined {
  return actionsIn<ItemAction>('files').find(({ lifts }) => lifts?.includes(reason) === true)
}

/** An item alone, for an action that is asked for elsewhere than in a list. */
export const sceneOf = (item: ItemRecord): Scene => ({
  items: [item],
  withAll: (act) => void act([item]),
  folder: undefined,
  by: 'button',
  page: undefined,
})
