// Drags over the rows: onto a folder among them, or into the folder that they are in.
import type { ItemRecord } from '@cloudoc/contract'
import { useEffect, useRef, useState } from 'react'
import type { ActionContext } from '../../../items/actions/actions.ts'
import { type ItemKey, keyOf } from '../../../items/item/item.ts'
import { allowDrop, type DropPlan, endDrag, performDrop, planDrop, useSpring } from '../../drag/drag.ts'

/** Milliseconds without a word of a drag after which it is over. */
const silenceMs = 1000

interface RowDropOptions {
  /** Without one nothing can be dropped. */
  readonly folder: ItemRecord | undefined
  readonly context: ActionContext
  /** The item under the pointer. */
  readonly itemOf: (event: React.DragEvent) => ItemRecord | undefined
  readonly onOpen: ((item: ItemRecord) => void) | undefined
  readonly onPlan: (plan: DropPlan | undefined) => void
}

/** The folder that a drop would land in, and what the element around the rows listens to. */
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
  // A drag that ends outside of the page tells nobody; while it lasts, it speaks several times a second.
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
