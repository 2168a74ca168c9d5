/*
 * Keeps the focus in a list whose buttons disappear after they are pressed. The focus moves to another element of the
 * same row. If the row is gone, it moves to the same button of the next row.
 */

const able = ':is(button, a[href], select, input, [tabindex="0"]):not(:disabled)'
const rows = 'li, [role="listitem"]'

interface Place {
  readonly element: Element
  readonly row: Element | null
  /** The position of the element in its row, of the row in the list, and of the element in the whole list. */
  readonly inRow: number
  readonly atRow: number
  readonly at: number
}

/** Watches a container, as its ref callback. Returns the cleanup function. */
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
  // A click outside means that the user has left the element.
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
    // The focus has moved elsewhere, for example into a window above.
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
