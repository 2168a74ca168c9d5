/*
 * Dragging rows onto folders. The dragged items are stored in this module, because a browser reveals the data of a drag
 * only at the drop. The drag data has a private type, so that no other drop target accepts it.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { useEffect, useRef } from 'react'
import { type ActionContext, evaluate, type Reason, rules } from '../../items/actions/actions.ts'
import { copy, move } from '../../items/actions/operations.ts'
import type { ItemKey } from '../../items/item/item.ts'
import { isLink } from '../../items/item/item.ts'
import { carriesFiles, droppedFiles } from '../../transfer/engine/dropped-files.ts'
import { upload } from '../../transfer/tasks/uploads.ts'

const itemsType = 'application/x-cloudoc-items'

let dragged: readonly ItemRecord[] = []

/** The effect of a drop on a folder, or the reason why it is refused. */
export interface DropPlan {
  readonly kind: 'upload' | 'move' | 'copy'
  readonly target: ItemRecord
  readonly reason: Reason | undefined
}

/** Starts dragging rows. `ghost` is the drag image. */
export function startDrag(event: React.DragEvent, items: readonly ItemRecord[], ghost: HTMLElement): void {
  dragged = items
  event.dataTransfer.setData(itemsType, String(items.length))
  event.dataTransfer.effectAllowed = 'copyMove'
  document.body.append(ghost)
  event.dataTransfer.setDragImage(ghost, -12, -12)
  requestAnimationFrame(() => ghost.remove())
}

/** Ends the drag of rows, whether it was dropped or cancelled. */
export function endDrag(): void {
  dragged = []
}

/** Returns the dragged rows. Empty for a foreign drag. */
export function draggedItems(event: React.DragEvent): readonly ItemRecord[] {
  return event.dataTransfer.types.includes(itemsType) ? dragged : []
}

/** Returns the effect of a drop on this target. Undefined if the drag is foreign or has no effect on the target. */
export function planDrop(event: React.DragEvent, target: ItemRecord, context: ActionContext): DropPlan | undefined {
  if (carriesFiles(event.dataTransfer)) {
    return { kind: 'upload', target, reason: evaluate(rules.upload, [target], context).reason }
  }
  if (dragged.length === 0 || !event.dataTransfer.types.includes(itemsType)) return undefined
  const kind = event.ctrlKey || event.metaKey ? 'copy' : 'move'
  if (dragged.some((item) => !isLink(item) && item.fType === 2 && item.fId === target.fId))
    return { kind, target, reason: 'intoItself' }
  if (kind === 'move' && dragged.every((item) => item.parentFolderId === target.fId)) return undefined
  const reason = evaluate(rules[kind], dragged, context).reason ?? evaluate(rules.upload, [target], context).reason
  return { kind, target, reason }
}

/** Milliseconds that a drag hovers over a closed folder before the folder opens. */
const springMs = 700

/** Opens the folder that a drag hovers over. */
export function useSpring(): { rest: (on: ItemKey, open: () => void) => void; leave: () => void } {
  const resting = useRef<{ readonly on: ItemKey; readonly timer: ReturnType<typeof setTimeout> }>(undefined)
  const leave = (): void => {
    clearTimeout(resting.current?.timer)
    resting.current = undefined
  }
  useEffect(() => () => clearTimeout(resting.current?.timer), [])
  return {
    rest(on, open) {
      if (resting.current?.on === on) return
      leave()
      resting.current = { on, timer: setTimeout(open, springMs) }
    },
    leave,
  }
}

/** Sets the drop effect of the browser event. */
export function allowDrop(event: React.DragEvent, plan: DropPlan | undefined): void {
  if (plan === undefined) return
  event.preventDefault()
  event.dataTransfer.dropEffect = plan.reason !== undefined ? 'none' : plan.kind === 'move' ? 'move' : 'copy'
}

/** Performs the planned drop. */
export function performDrop(event: React.DragEvent, plan: DropPlan | undefined): void {
  if (plan === undefined) return
  event.preventDefault()
  event.stopPropagation()
  if (plan.reason !== undefined) return
  const { target } = plan
  if (plan.kind === 'upload') {
    // The file entries must be read before the event handler returns.
    const handed = droppedFiles(event.dataTransfer)
    void handed.then((files) => upload(files, { folderId: target.fId, folderName: target.fName }, 'Drop'))
  } else if (plan.kind === 'copy') void copy(dragged, target)
  else void move(dragged, target)
}
