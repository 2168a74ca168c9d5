// One tooltip for the page: an element sets its text with data-tip, and its shortcut with data-tip-hint.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import './tooltip.css'

/** Delay before the tooltip shows, in milliseconds. */
const delayMs = 500
/** Minimum space around the tooltip. */
const gap = 8

/** Shows the tooltip of the hovered or keyboard-focused element. */
export function TooltipLayer(): ReactNode {
  const [target, setTarget] = useState<HTMLElement>()
  const [place, setPlace] = useState<{ left: number; top: number }>()
  const tip = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const named = (event: Event): HTMLElement | undefined =>
      event.target instanceof Element ? (event.target.closest<HTMLElement>('[data-tip]') ?? undefined) : undefined
    const later = (event: Event): void => {
      clearTimeout(timer)
      setTarget(undefined)
      const element = named(event)
      if (element !== undefined) timer = setTimeout(() => setTarget(element), delayMs)
    }
    const onFocus = (event: FocusEvent): void => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) later(event)
    }
    const hide = (): void => {
      clearTimeout(timer)
      setTarget(undefined)
    }
    const hiders = ['pointerdown', 'keydown', 'wheel', 'focusout'] as const
    document.addEventListener('pointerover', later)
    document.addEventListener('focusin', onFocus)
    for (const type of hiders) document.addEventListener(type, hide, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', later)
      document.removeEventListener('focusin', onFocus)
      for (const type of hiders) document.removeEventListener(type, hide, { capture: true })
    }
  }, [])

  useLayoutEffect(() => {
    if (target === undefined || tip.current === null) return setPlace(undefined)
    const box = target.getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height } = tip.current
    const left = Math.max(gap, Math.min(box.left + (box.width - width) / 2, window.innerWidth - width - gap))
    const below = box.bottom + gap
    setPlace({ left, top: below + height > window.innerHeight ? box.top - height - gap : below })
  }, [target])

  if (target === undefined || !target.isConnected) return null
  return (
    <div ref={tip} className="k-tip" role="tooltip" style={place ?? { left: 0, top: 0, visibility: 'hidden' }}>
      {target.dataset.tip}
      {target.dataset.tipHint && <kbd>{target.dataset.tipHint}</kbd>}
    </div>
  )
}
