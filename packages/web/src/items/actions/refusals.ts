// Refusals of actions, with the next step: what the user can do about the refusal.

import type { ItemRecord } from '@cloudoc/contract'
import { actionsIn } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { refreshDrive } from '../lists/lists.ts'
import type { ActionContext, Reason } from './actions.ts'
import { type ItemAction, type Scene, verdictOf } from './item-action.tsx'
import { isExplained, reasonText } from './reasons.ts'

/** A refused action, its reason and its context. */
export interface Refusal {
  readonly action: Pick<ItemAction, 'id' | 'label'>
  readonly reason: Reason
  /** The items that the action was started for. */
  readonly items: readonly ItemRecord[]
  /** Loads the whole selection. Default: the items are all. */
  readonly withAll?: Scene['withAll']
  /** Reduces the selection to one of the items. */
  readonly selectOne: () => void
  readonly context: ActionContext
}

/** Reasons for which a shortcut does nothing without a message, because there was nothing to act on. */
const silent: readonly Reason[] = ['nothingSelected', 'nothingCopied', 'wrongKind']
/** Reasons that a user with more rights can resolve. */
const liftable: readonly Reason[] = [
  'noPermission',
  'restrictedDocument',
  'readOnlyFolder',
  'readOnlyLibrary',
  'secretLevel',
]

/** Shows why an action was refused and offers the next step. */
export function notifyRefusal({ action, reason, items, withAll, selectOne, context }: Refusal): void {
  if (silent.includes(reason)) return
  const [first] = items
  const text = t('drive.refused', { action: t(action.label).replace('…', ''), reason: reasonText(reason) })
  const lifting = liftingOf({ action, reason, items, context })
  const next =
    reason === 'tooMany'
      ? { text: t('drive.next.selectOne'), run: selectOne }
      : reason === 'notFound'
        ? { text: t('drive.menu.refresh'), run: refreshDrive }
        : lifting !== undefined && first !== undefined
          ? {
              text: t(lifting.label).replace('…', ''),
              run: () => void lifting.run({ ...sceneOf(first), items, withAll: withAll ?? ((act) => void act(items)) }),
            }
          : liftable.includes(reason) && first !== undefined && first.fId > 0
            ? { text: t('drive.next.why'), run: () => void openWindow('drive-why', { item: first }) }
            : undefined
  toast({ kind: 'error', text, ...(next && { action: next }) })
}

/**
 * Explains a disabled menu entry ([R208]). If the state of a single item or missing rights are the reason, it explains
 * why, whom to ask and how. For other reasons it shows the text of the refusal.
 */
export function explainRefusal(refusal: Refusal): void {
  const { action, reason, items } = refusal
  const [first] = items
  if (items.length === 1 && first !== undefined && first.fId > 0 && isExplained(reason))
    void openWindow('drive-why', { item: first, refused: { id: action.id, action: action.label, reason } })
  else notifyRefusal(refusal)
}

/** Returns the action that resolves a refusal, if the items allow one ([R153], [R231]). */
export function liftingOf({
  action,
  reason,
  items,
  context,
}: Pick<Refusal, 'action' | 'reason' | 'items' | 'context'>): ItemAction | undefined {
  const judged = { items, count: items.length, folder: undefined, context }
  return liftingActions(reason, action.id).find((one) => verdictOf(one, judged).enabled)
}

/** Returns the actions that resolve such a refusal of an action, the most specific first. */
export function liftingActions(reason: Reason, refusedId = ''): ItemAction[] {
  const able = actionsIn<ItemAction>('files').filter(({ lifts }) => lifts?.reasons.includes(reason) === true)
  const specific = able.filter(({ lifts }) => lifts?.of?.includes(refusedId) === true)
  return [...specific, ...able.filter(({ lifts }) => lifts?.of === undefined)]
}

/** Returns the context for an action on a single item that is started outside a list. */
export const sceneOf = (item: ItemRecord): Scene => ({
  items: [item],
  withAll: (act) => void act([item]),
  folder: undefined,
  by: 'button',
  page: undefined,
})
