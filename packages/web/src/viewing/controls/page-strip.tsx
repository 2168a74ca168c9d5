// The thumbnail strip of a document: shows the current page, and a click goes to another. Only visible thumbnails are
// rendered.
import { type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { type PageHit, type PageHits, PageHitsContext } from '../find/find-source.ts'

/** The width and the maximum height of a thumbnail, in pixels. */
export const pageStripWidth = 96
const highest = 200
/** Thumbnails are smaller beside search matches. */
const foundWidth = 72
/** Thumbnails within this distance of the strip are rendered, in pixels. */
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
  /** Renders a page at a scale. */
  readonly renderPage: (page: number, scale: number) => ReactNode
}

/** The state from the previous document. */
let left = false

/** Whether the strip is visible, and the function that toggles it. */
export function usePageStrip(pages: number): { readonly shown: boolean; readonly toggle: () => void } | undefined {
  const [shown, setShown] = useState(left)
  const found = useContext(PageHitsContext)
  if (pages < 2) return undefined
  return {
    // Search matches are listed beside the thumbnails.
    shown: shown || found !== undefined,
    toggle: () => {
      left = !shown
      setShown(left)
    },
  }
}

export function PageStrip({ pages, page, onPage, sizeOf, renderPage }: PageStripProps): ReactNode {
  const t = useT()
  const strip = useRef<HTMLElement>(null)
  const found = useContext(PageHitsContext)
  const [all, setAll] = useState(false)
  const hits = useMemo(() => Map.groupBy(found?.hits.entries() ?? [], ([, hit]) => hit.page), [found?.hits])
  const here = found?.hits[found.at]?.page ?? page
  const shown = Array.from({ length: pages }, (_, n) => n + 1).filter((n) => found === undefined || all || hits.has(n))
  const place = shown.indexOf(found === undefined ? page : here)
  useEffect(() => {
    strip.current?.querySelectorAll('.pv-strip-page')[place]?.scrollIntoView({ block: 'nearest' })
  }, [place])
  return (
    <nav
      className={found === undefined ? 'pv-strip' : 'pv-strip is-found'}
      ref={strip}
      aria-label={t('drive.preview.pages')}
    >
      {found !== undefined && (
        <p className="pv-strip-found">
          <span role="status">{t('drive.preview.foundOnPages', { n: hits.size, total: found.hits.length })}</span>
          <button type="button" aria-pressed={all} onClick={() => setAll(!all)}>
            {all ? t('drive.preview.onlyFound') : t('drive.preview.allPages', { n: pages })}
          </button>
        </p>
      )}
      {shown.map((n) => (
        <SmallPage
          key={n}
          number={n}
          strip={strip}
          isHere={n === here}
          size={sizeOf(n)}
          onGo={() => onPage(n)}
          renderPage={renderPage}
          hits={hits.get(n)}
          found={found}
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
  /** The matches on the page, with their index. */
  readonly hits: readonly (readonly [number, PageHit])[] | undefined
  readonly found: PageHits | undefined
}

/** The maximum number of matches listed per page. */
const mostTold = 12

function SmallPage({ number, strip, isHere, size, onGo, renderPage, hits = [], found }: SmallPageProps): ReactNode {
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
  const most = found === undefined ? pageStripWidth : foundWidth
  const scale = Math.min(most / size.width, highest / size.height)
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
        aria-label={found === undefined ? t('drive.preview.page', { n: number }) : undefined}
        onClick={onGo}
      >
        {found === undefined ? number : t('drive.preview.pageFound', { n: number, total: hits.length })}
      </button>
      {found !== undefined && (
        <ol className="pv-strip-hits">
          {hits.slice(0, mostTold).map(([hit, { around }]) => (
            <li key={hit}>
              <button type="button" aria-current={hit === found.at} onClick={() => found.go(hit)}>
                {around[0]}
                <mark>{around[1]}</mark>
                {around[2]}
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
