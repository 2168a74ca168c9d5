// The pages of a document, small, at its side: where one is, and by a click any other. Only those in sight are drawn.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'

/** Pixels that a small page is wide, and the highest it may be. */
export const stripWidth = 96
const highest = 200
/** Pixels beyond the strip within which pages are drawn. */
const margin = 400

interface Size {
  readonly width: number
  readonly height: number
}

interface PageStripProps {
  readonly pages: number
  readonly page: number
  readonly onPage: (page: number) => void
  readonly sizeOf: (page: number) => Size
  /** Draws a page at a part of its size. */
  readonly renderPage: (page: number, scale: number) => ReactNode
}

/** As it was left by the last document. */
let left = false

/** Whether the strip is shown, and what turns that. */
export function useStrip(pages: number): { readonly shown: boolean; readonly toggle: () => void } | undefined {
  const [shown, setShown] = useState(left)
  if (pages < 2) return undefined
  return {
    shown,
    toggle: () => {
      left = !shown
      setShown(left)
    },
  }
}

export function PageStrip({ pages, page, onPage, sizeOf, renderPage }: PageStripProps): ReactNode {
  const t = useT()
  const strip = useRef<HTMLElement>(null)
  useEffect(() => {
    strip.current?.children[page - 1]?.scrollIntoView({ block: 'nearest' })
  }, [page])
  return (
    <nav className="pv-strip" ref={strip} aria-label={t('drive.preview.pages')}>
      {Array.from({ length: pages }, (_, n) => (
        <SmallPage
          key={n}
          number={n + 1}
          strip={strip}
          isHere={n + 1 === page}
          size={sizeOf(n + 1)}
          onGo={() => onPage(n + 1)}
          renderPage={renderPage}
        />
      ))}
    </nav>
  )
}

interface SmallPageProps extends Pick<PageStripProps, 'renderPage'> {
  readonly number: number
  readonly strip: React.RefObject<HTMLElement | null>
  readonly isHere: boolean
  readonly size: Size
  readonly onGo: () => void
}

function SmallPage({ number, strip, isHere, size, onGo, renderPage }: SmallPageProps): ReactNode {
  const t = useT()
  const holder = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const element = holder.current
    if (element === null) return
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root: strip.current,
      rootMargin: `${margin}px 0px`,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [strip])
  const scale = Math.min(stripWidth / size.width, highest / size.height)
  return (
    <div ref={holder} className="pv-strip-page" data-here={isHere}>
      <span
        className="pv-strip-paper"
        style={{ width: size.width * scale, height: size.height * scale }}
        aria-hidden="true"
      >
        {near && renderPage(number, scale)}
      </span>
      <button
        type="button"
        aria-current={isHere ? 'page' : undefined}
        aria-label={t('drive.preview.page', { n: number })}
        onClick={onGo}
      >
        {number}
      </button>
    </div>
  )
}
