/*
 * Rubber-band selection: a rectangle drawn over the rows with the pointer. The covered rows are computed from the
 * layout, not from the DOM, so the rectangle may include rows that are scrolled out of view. Near or beyond an edge,
 * the list scrolls, faster with more distance.
 */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Modifiers } from '../../../items/lists/selection.ts'

/** A rectangle in the coordinates of the scrolled content. */
export interface Band {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface BandHandlers {
  readonly begin: () => void
  readonly cover: (band: Band, modifiers: Modifiers) => void
  /** The user cancelled the band: the selection is restored. */
  readonly cancel: () => void
}

/** Pixels of movement before a press becomes a band. */
const slack = 4
/** The width in pixels of the scroll zone at the edges, and the scroll speed per frame for each pixel of depth. */
const edge = 24
const speed = 0.4

/**
 * Returns the current band and the handler that starts one. `endedRef` tells whether a click is only the end of a band.
 */
export function useRubberBand(scroller: RefObject<HTMLElement | null>, handlers: BandHandlers) {
  const [band, setBand] = useState<Band>()
  const endedRef = useRef(false)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const onPointerDown = (event: PointerEvent): void => {
    endedRef.current = false
    const element = scroller.current
    if (event.button !== 0 || event.pointerType === 'touch' || element === null) return
    const box = element.getBoundingClientRect()
    const contentX = (clientX: number): number => clientX - box.left
    const contentY = (clientY: number): number => clientY - box.top + element.scrollTop
    const from = { x: contentX(event.clientX), y: contentY(event.clientY) }
    // Ignores a press on the scroll bar.
    if (from.x >= element.clientWidth) return
    let at = { x: event.clientX, y: event.clientY }
    let modifiers: Modifiers = { toggle: event.ctrlKey || event.metaKey, extend: event.shiftKey }
    let drawing = false
    let frame = 0

    const draw = (): void => {
      const to = {
        x: Math.max(0, Math.min(element.clientWidth, contentX(at.x))),
        y: Math.max(0, Math.min(element.scrollHeight, contentY(at.y))),
      }
      const next = {
        left: Math.min(from.x, to.x),
        top: Math.min(from.y, to.y),
        right: Math.max(from.x, to.x),
        bottom: Math.max(from.y, to.y),
      }
      setBand(next)
      handlers.cover(next, modifiers)
    }
    const scroll = (): void => {
      const depth =
        at.y < box.top + edge ? at.y - box.top - edge : at.y > box.bottom - edge ? at.y - box.bottom + edge : 0
      const before = element.scrollTop
      element.scrollTop += depth * speed
      if (element.scrollTop !== before) draw()
      frame = requestAnimationFrame(scroll)
    }
    const move = (moved: globalThis.PointerEvent): void => {
      at = { x: moved.clientX, y: moved.clientY }
      modifiers = { toggle: moved.ctrlKey || moved.metaKey, extend: moved.shiftKey }
      if (!drawing) {
        if (Math.hypot(at.x - event.clientX, at.y - event.clientY) < slack) return
        drawing = true
        endedRef.current = true
        element.setPointerCapture(event.pointerId)
        handlers.begin()
        frame = requestAnimationFrame(scroll)
      }
      draw()
    }
    const end = (): void => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
      window.removeEventListener('keydown', onKey, true)
      cancelAnimationFrame(frame)
      setBand(undefined)
      stop.current = undefined
    }
    const onKey = (pressed: KeyboardEvent): void => {
      if (pressed.key !== 'Escape' || !drawing) return
      pressed.preventDefault()
      pressed.stopPropagation()
      end()
      handlers.cancel()
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
    window.addEventListener('keydown', onKey, true)
    stop.current = end
  }
  return { band, endedRef, onPointerDown }
}
