/*
 * Dragging rows onto folders. The dragged items are stored in this module, because a browser reveals the data of a drag
 * only at the drop. The drag data has a private type, so that no other drop target accepts it. Beside it the items are
 * handed over as a link file, for other windows and programs ([R131]).
 */
import type { ItemRecord } from '@cloudoc/contract'
import { type CloudLink, mainServerId } from '@cloudoc/domain'
import { useEffect, useRef } from 'react'
import { openWindow } from '../../core/windows/index.ts'
import { type ActionContext, evaluate, type Reason, rules } from '../../items/actions/actions.ts'
import { copy, move } from '../../items/actions/operations.ts'
import { type ItemKey, isLink, keyOf } from '../../items/item/item.ts'
import { carriesCloudLink, linkOfDrag, linkOfFiles, offerCloudLink } from '../../items/link-files/cloud-links.ts'
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
  offerCloudLink(event.dataTransfer, items)
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
    // Uploads go to the server of the page.
    if (target.serverId !== mainServerId) return undefined
    return { kind: 'upload', target, reason: evaluate(rules.upload, [target], context).reason }
  }
  if (dragged.length === 0 && carriesCloudLink(event.dataTransfer)) {
    return { kind: 'copy', target, reason: evaluate(rules.upload, [target], context).reason }
  }
  if (dragged.length === 0 || !event.dataTransfer.types.includes(itemsType)) return undefined
  // Between servers, as between drives of a computer, a drop copies, and moves with Shift ([R123]).
  const isAcross = dragged.some(({ serverId }) => serverId !== target.serverId)
  const isCopy = isAcross ? !event.shiftKey : event.ctrlKey || event.metaKey
  const kind = isCopy ? 'copy' : 'move'
  if (dragged.some((item) => !isLink(item) && keyOf(item) === keyOf(target)))
    return { kind, target, reason: 'intoItself' }
  const isHere = dragged.every(
    ({ serverId, parentFolderId }) => serverId === target.serverId && parentFolderId === target.fId,
  )
  if (kind === 'move' && isHere) return undefined
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
    void linkOfFiles([...event.dataTransfer.files]).then(async (link) => {
      if (link !== undefined) return copyLinked(link, target)
      return upload(await handed, { folderId: target.fId, folderName: target.fName }, 'Drop')
    })
  } else if (dragged.length === 0) {
    const link = linkOfDrag(event.dataTransfer)
    if (link !== undefined) void copyLinked(link, target)
  } else if (plan.kind === 'copy') void copy(dragged, target)
  else void move(dragged, target)
}

/** Shows the items of a link file, and copies those that the user chooses. */
async function copyLinked({ items }: CloudLink, target: ItemRecord): Promise<void> {
  const chosen = await openWindow('cloudoc-dmcdFilelist', { items, use: 'copy', target: target.fName })
  if (chosen !== undefined) await copy(chosen, target)
}
