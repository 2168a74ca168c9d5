// A second click on the name of the only selected row, after a pause, starts a rename. A double click opens the row.
import { useEffect, useRef } from 'react'
import type { ItemKey } from '../../../items/item/item.ts'

/** The range of milliseconds between two clicks that starts a rename. */
const pauseMs = { least: 500, most: 1200 } as const

/** Returns the click handler of a row. `stop` cancels the rename when the clicks turn out to be a double click. */
export function useSecondClick(onRename: () => void): {
  clicked: (event: React.MouseEvent, key: ItemKey, isOnlyOne: boolean) => void
  stop: () => void
} {
  const first = useRef<{ readonly key: ItemKey; readonly at: number }>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = (): void => clearTimeout(timer.current)
  useEffect(() => stop, [])
  return {
    stop,
    clicked(event, key, isOnlyOne) {
      stop()
      const before = first.current
      first.current = { key, at: event.timeStamp }
      const pause = event.timeStamp - (before?.at ?? 0)
      const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey
      const onName = event.target instanceof Element && event.target.closest('.dr-name') !== null
      if (!plain || !onName || event.detail > 1 || before?.key !== key || !isOnlyOne) return
      if (pause < pauseMs.least || pause > pauseMs.most) return
      first.current = undefined
      timer.current = setTimeout(onRename, pauseMs.least)
    },
  }
}
