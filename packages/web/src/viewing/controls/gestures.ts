/*
 * Touch and wheel gestures of the viewers. Two fingers, or Ctrl with the wheel, zoom towards the pointer. A swipe goes
 * to the next file, a tap hides the toolbars. One finger scrolls as usual.
 */
import { type RefObject, type TouchEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Zoom } from '../shared/zoom.ts'

const least = 0.05
const most = 8
const clamped = (factor: number): number => Math.max(least, Math.min(most, factor))

/** The point of the content that stays under the fingers while zooming. */
interface ZoomAnchor {
  readonly element: Element
  /** As a fraction of the width and height. */
  readonly across: number
  readonly down: number
  readonly x: number
  readonly y: number
}

function zoomAnchorAt(room: HTMLElement, x: number, y: number): ZoomAnchor {
  const found = document.elementFromPoint(x, y)?.closest('[data-page], .pv-canvas, .rd-slide')
  const element = found && room.contains(found) ? found : (room.firstElementChild ?? room)
  const { left, top, width, height } = element.getBoundingClientRect()
  return { element, across: (x - left) / (width || 1), down: (y - top) / (height || 1), x, y }
}

const middleOf = ([one, other]: readonly Touch[]): { x: number; y: number; apart: number } => {
  const [ax = 0, ay = 0] = [one?.clientX, one?.clientY]
  const [bx = ax, by = ay] = [other?.clientX, other?.clientY]
  return { x: (ax + bx) / 2, y: (ay + by) / 2, apart: Math.hypot(ax - bx, ay - by) }
}

/**
 * Zooms by two fingers and by Ctrl with the wheel; with `wheelAlone` by the wheel alone, if there is nothing else to
 * scroll. Returns the function for other zooming, which preserves the center.
 */
export function useGestureZoom(
  room: RefObject<HTMLElement | null>,
  factor: number,
  onZoom: (zoom: Zoom) => void,
  wheelAlone = false,
): (zoom: Zoom) => void {
  const held = useRef<ZoomAnchor>(undefined)
  const pinch = useRef<{ readonly held: ZoomAnchor; readonly apart: number; readonly factor: number }>(undefined)
  useLayoutEffect(() => {
    const { current: element } = room
    const { current: place } = held
    held.current = undefined
    if (element === null || place === undefined) return
    const { left, top, width, height } = place.element.getBoundingClientRect()
    element.scrollBy({ left: left + place.across * width - place.x, top: top + place.down * height - place.y })
  }, [room, factor])
  const zoom = (to: number, place: ZoomAnchor): void => {
    held.current = place
    onZoom(clamped(to))
  }
  const onWheel = useEffectEvent((event: WheelEvent, element: HTMLElement): void => {
    if (!wheelAlone && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    // A touchpad pinch arrives as small wheel events with Ctrl.
    const slowness = event.ctrlKey && Math.abs(event.deltaY) < 50 ? 100 : 400
    zoom(factor * Math.exp(-event.deltaY / slowness), zoomAnchorAt(element, event.clientX, event.clientY))
  })
  const onTouch = useEffectEvent((event: globalThis.TouchEvent, element: HTMLElement): void => {
    if (event.touches.length !== 2) {
      pinch.current = undefined
      return
    }
    const { x, y, apart } = middleOf([...event.touches])
    pinch.current ??= { held: zoomAnchorAt(element, x, y), apart: apart || 1, factor }
    if (event.type !== 'touchmove') return
    if (event.cancelable) event.preventDefault()
    zoom((pinch.current.factor * apart) / pinch.current.apart, { ...pinch.current.held, x, y })
  })
  useEffect(() => {
    const { current: element } = room
    if (element === null) return
    const ended = new AbortController()
    const { signal } = ended
    // These listeners are passive by default, and could not prevent the page zoom.
    element.addEventListener('wheel', (event) => onWheel(event, element), { passive: false, signal })
    for (const kind of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const)
      element.addEventListener(kind, (event) => onTouch(event, element), { passive: false, signal })
    return () => ended.abort()
  }, [room])
  return (to) => {
    const { left, top, width, height } = room.current?.getBoundingClientRect() ?? new DOMRect()
    if (room.current !== null) held.current = zoomAnchorAt(room.current, left + width / 2, top + height / 2)
    onZoom(to)
  }
}

interface Swiping {
  /** Goes to the next (1) or previous (-1) one; returns whether there was one. */
  readonly onSwipe: (by: 1 | -1) => boolean
  readonly onTap?: () => void
}

interface TouchStart {
  readonly x: number
  readonly y: number
  readonly at: number
  /** Whether the content can be scrolled further on either side. */
  readonly before: boolean
  readonly after: boolean
}

const farPx = 60
const tapPx = 10
const swipeMs = 700
const tapMs = 300
/** Elements with their own touch behavior. */
const own =
  'button, a, input, select, textarea, video, audio, iframe, nav, [role="row"], [role="gridcell"], [role="toolbar"]'

function touchStartAt(
  target: Element,
  within: Element,
  { clientX: x, clientY: y }: Touch | React.Touch,
  at: number,
): TouchStart {
  let [before, after] = [false, false]
  for (let element: Element | null = target; element !== null && element !== within; element = element.parentElement) {
    const { scrollLeft, scrollWidth, clientWidth } = element
    if (scrollWidth <= clientWidth + 1 || !/auto|scroll/.test(getComputedStyle(element).overflowX)) continue
    before ||= scrollLeft > 1
    after ||= scrollLeft < scrollWidth - clientWidth - 1
  }
  return { x, y, at, before, after }
}

/** The swipe and tap gestures of one finger. A nested viewer that handles a swipe stops its propagation. */
export function useSwipes({ onSwipe, onTap }: Swiping): {
  readonly onTouchStart: (event: TouchEvent) => void
  readonly onTouchEnd: (event: TouchEvent) => void
} {
  const begun = useRef<TouchStart>(undefined)
  return {
    onTouchStart(event) {
      const touch = event.touches[0]
      const target = event.target as Element
      begun.current =
        event.touches.length === 1 && touch !== undefined && target.closest(own) === null
          ? touchStartAt(target, event.currentTarget, touch, event.timeStamp)
          : undefined
    },
    onTouchEnd(event) {
      const { current: start } = begun
      const touch = event.changedTouches[0]
      begun.current = undefined
      if (start === undefined || touch === undefined || getSelection()?.isCollapsed === false) return
      const [right, down] = [touch.clientX - start.x, touch.clientY - start.y]
      const ms = event.timeStamp - start.at
      if (Math.hypot(right, down) < tapPx) {
        if (ms < tapMs) onTap?.()
        return
      }
      if (ms > swipeMs || Math.abs(right) < farPx || Math.abs(right) < 2 * Math.abs(down)) return
      if (right < 0 ? start.after : start.before) return
      if (onSwipe(right < 0 ? 1 : -1)) event.stopPropagation()
    },
  }
}
