// Drags over the rows: onto a folder row, or into the current folder.
import type { ItemRecord } from '@cloudoc/contract'
import { useEffect, useRef, useState } from 'react'
import type { ActionContext } from '../../../items/actions/actions.ts'
import { type ItemKey, keyOf } from '../../../items/item/item.ts'
import { allowDrop, type DropPlan, endDrag, performDrop, planDrop, useSpring } from '../../drag/drag.ts'

/** Milliseconds without a drag event after which the drag counts as ended. */
const silenceMs = 1000

interface RowDropOptions {
  /** Without a folder, drops are only possible on rows. */
  readonly folder: ItemRecord | undefined
  readonly context: ActionContext
  /** Returns the item under the pointer. */
  readonly itemOf: (event: React.DragEvent) => ItemRecord | undefined
  readonly onOpen: ((item: ItemRecord) => void) | undefined
  readonly onPlan: (plan: DropPlan | undefined) => void
}

/** Returns the target folder of the drop, and the handlers for the element around the rows. */
export function useRowDrops({ folder, context, itemOf, onOpen, onPlan }: RowDropOptions): {
  target: ItemKey | undefined
  handlers: Pick<React.DOMAttributes<HTMLElement>, 'onDragEnd' | 'onDragOver' | 'onDragLeave' | 'onDrop'>
} {
  const [target, setTarget] = useState<ItemKey>()
  const spring = useSpring()
  const silence = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(silence.current), [])

  const planAt = (event: React.DragEvent): DropPlan | undefined => {
    if (folder === undefined) return undefined
    const item = itemOf(event)
    const onFolder = item?.fType === 2 ? planDrop(event, item, context) : undefined
    return onFolder ?? planDrop(event, folder, context)
  }
  // A drag that ends outside the page fires no event. While it lasts, it fires several events per second.
  const show = (plan: DropPlan | undefined): void => {
    clearTimeout(silence.current)
    if (plan !== undefined) silence.current = setTimeout(() => show(undefined), silenceMs)
    const onRow = plan !== undefined && plan.target.fId !== folder?.fId
    setTarget(onRow ? keyOf(plan.target) : undefined)
    if (onRow) spring.rest(keyOf(plan.target), () => onOpen?.(plan.target))
    else spring.leave()
    onPlan(plan)
  }
  return {
    target,
    handlers: {
      onDragEnd() {
        endDrag()
        show(undefined)
      },
      onDragOver(event) {
        const plan = planAt(event)
        allowDrop(event, plan)
        show(plan)
      },
      onDragLeave(event) {
        const to = event.relatedTarget
        if (!(to instanceof Node && event.currentTarget.contains(to))) show(undefined)
      },
      onDrop(event) {
        performDrop(event, planAt(event))
        show(undefined)
      },
    },
  }
}
