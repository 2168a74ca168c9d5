/*
 * A name of which the middle is left out where there is no room: its end, with the extension, stays right behind the
 * ellipsis. A box that is only narrow ends anywhere within a character, which leaves a gap; so the box is made as wide as
 * the characters that fit. Rooms are measured together once the page is laid out, and nothing is measured in a scroll
 * but rows that have come. The text itself stays whole, for whoever copies it or has it read out.
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

/** How wide the box of a head that has no room for all of it must be to end with the last character that fits. */
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

/** Reads for all names first and writes for all of them then. */
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
