/*
 * A name that is shortened in the middle where space is missing. Its end, with the extension, follows right after the
 * ellipsis. A narrow box would cut inside a character and leave a gap, so the box gets the exact width of the
 * characters that fit. All widths are measured in one pass after layout. During scrolling only new rows are measured.
 * The DOM text stays complete for copying and for screen readers.
 */
import { type HTMLAttributes, type ReactNode, useLayoutEffect, useRef } from 'react'
import { nameParts } from './item.ts'

const ellipsis = '…'
const widths = new Map<string, number>()
const heads = new WeakMap<Element, HTMLElement>()
let brush: CanvasRenderingContext2D | null = null

function widthOfEllipsis(font: string): number {
  let width = widths.get(font)
  if (width === undefined) {
    brush ??= document.createElement('canvas').getContext('2d')
    if (brush === null) return 0
    brush.font = font
    width = brush.measureText(ellipsis).width
    widths.set(font, width)
  }
  return width
}

/** Returns the width at which the box of a shortened beginning ends with the last character that fits. */
function fittingWidth(head: HTMLElement): number | undefined {
  const text = head.firstChild
  if (!(text instanceof Text) || head.scrollWidth <= head.clientWidth) return undefined
  const dots = widthOfEllipsis(getComputedStyle(head).font)
  const room = head.getBoundingClientRect().width - dots
  const range = document.createRange()
  range.setStart(text, 0)
  const widthOf = (length: number): number => {
    range.setEnd(text, length)
    return range.getBoundingClientRect().width
  }
  let [fits, tooLong] = [0, text.length]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (widthOf(middle) <= room) fits = middle
    else tooLong = middle
  }
  return Math.ceil((widthOf(fits) + dots) * 8) / 8
}

/** Measures all names before it changes any, to avoid repeated layouts. */
const rooms =
  typeof ResizeObserver === 'undefined'
    ? undefined
    : new ResizeObserver((entries) => {
        const seen = entries.flatMap(({ target }) => heads.get(target) ?? [])
        for (const head of seen) head.style.maxWidth = ''
        const fitting = seen.map((head) => fittingWidth(head))
        for (const [i, head] of seen.entries()) {
          const width = fitting[i]
          if (width !== undefined) head.style.maxWidth = `${width}px`
        }
      })

interface EllipsizedNameProps extends HTMLAttributes<HTMLElement> {
  readonly name: string
  readonly isFolder: boolean
}

/** Shows the name of an item on one line. */
export function EllipsizedName({ name, isFolder, className = '', ...rest }: EllipsizedNameProps): ReactNode {
  const { head, tail } = nameParts(name, isFolder)
  const element = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const first = element.current?.firstElementChild
    const room = element.current?.parentElement
    if (tail === '' || !(first instanceof HTMLElement) || !room) return
    heads.set(room, first)
    rooms?.observe(room)
    return () => rooms?.unobserve(room)
  }, [head, tail])
  return (
    <span ref={element} className={`dr-mid ${className}`} title={name} {...rest}>
      <span>{head}</span>
      {tail !== '' && <span>{tail}</span>}
    </span>
  )
}
