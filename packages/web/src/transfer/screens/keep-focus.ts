/*
 * Keeps the keyboard in a list whose buttons go because they did what they were pressed for: the row gets it that the one
 * with the focus stood in, or of a row that is gone the same button of the row that moved up.
 */

const able = ':is(button, a[href], select, input, [tabindex="0"]):not(:disabled)'
const rows = 'li, [role="listitem"]'

interface Place {
  readonly element: Element
  readonly row: Element | null
  /** Where it stands among what can be focused in its row, its row among the rows, and itself in all. */
  readonly inRow: number
  readonly atRow: number
  readonly at: number
}

/** Watches a container, as the ref of it; answers how to end that. */
export function keepFocus(container: HTMLElement | null): (() => void) | undefined {
  if (container === null) return undefined
  let last: Place | undefined

  const ableIn = (part: Element): HTMLElement[] => [...part.querySelectorAll<HTMLElement>(able)]
  const placeOf = (element: Element): Place => {
    const row = element.closest(rows)
    return {
      element,
      row,
      inRow: row === null ? 0 : ableIn(row).indexOf(element as HTMLElement),
      atRow: row === null ? 0 : [...container.querySelectorAll(rows)].indexOf(row),
      at: ableIn(container).indexOf(element as HTMLElement),
    }
  }
  const near = <T>(all: readonly T[], at: number): T | undefined => all[Math.min(Math.max(at, 0), all.length - 1)]

  const onFocus = ({ target }: FocusEvent): void => {
    last = target === container ? undefined : placeOf(target as Element)
  }
  // Who clicks beside it has left it.
  const onPointer = ({ target }: PointerEvent): void => {
    if ((target as Element).closest(able) === null) last = undefined
  }
  const onChange = (): void => {
    if (last === undefined) return
    const { element, row, inRow, atRow, at } = last
    if (element.isConnected && !element.matches(':disabled')) {
      if (document.activeElement === element) last = placeOf(element)
      return
    }
    // The focus is somewhere else by now, perhaps in a window over this one.
    if (document.activeElement !== document.body && document.activeElement !== element) return
    const moved = row && near([...container.querySelectorAll(rows)], atRow)
    const inPlace = row?.isConnected ? ableIn(row)[0] : moved && near(ableIn(moved), inRow)
    const next = inPlace ?? near(ableIn(container), at) ?? container
    last = undefined
    next.focus()
  }

  const observer = new MutationObserver(onChange)
  observer.observe(container, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
  container.addEventListener('focusin', onFocus)
  container.addEventListener('pointerdown', onPointer)
  return () => {
    observer.disconnect()
    container.removeEventListener('focusin', onFocus)
    container.removeEventListener('pointerdown', onPointer)
  }
}
