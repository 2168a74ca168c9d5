// The viewer of pages that the server has rendered as pictures.
import type { Pages, PageWord } from '@cloudoc/contract'
import { Fragment, memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { useGestureZoom } from '../controls/gestures.ts'
import { PageBar } from '../controls/page-bar.tsx'
import { PageStrip, usePageStrip } from '../controls/page-strip.tsx'
import { useScrolledPages } from '../controls/scrolled-pages.ts'
import { PartImage, type Pictures } from '../rendition/blocks.tsx'
import '../rendition/texts.ts'
import { pageViewport, type Zoom, zoomFactor } from '../shared/zoom.ts'

const a4 = { width: 794, height: 1123 }
/** Pages within this distance of the window are loaded, in pixels. */
const margin = 1200
/** The number of pages whose text is searchable before the user has scrolled near them. */
const mostWordsFar = 200
/** The most replaced faces that are named. */
const facesNamed = 12

export interface PagesViewerProps {
  readonly pages: Pages
  readonly rendition: Pictures
}

/** Renders pages as pictures. */
export function PagesViewer({ pages, rendition }: PagesViewerProps): ReactNode {
  const t = useT()
  const [zoom, setZoom] = useState<Zoom>('fit')
  // Pages that are not rendered yet have placeholders of the size of the first page.
  const count = Math.max(pages.some?.pages ?? 0, pages.pages.length)
  const { scroller, viewport, page, goTo } = useScrolledPages(count)
  const strip = usePageStrip(count)
  const { replacedFaces: replaced = [] } = pages
  const [shown = a4] = pages.pages
  const first = { width: shown.width, height: shown.height, text: '', words: [] }
  const scale = zoomFactor(zoom, { width: first.width, height: first.height }, pageViewport(zoom, viewport), 1.25)
  const zoomTo = useGestureZoom(scroller, scale, setZoom)
  return (
    <>
      {strip?.shown === true && (
        <PageStrip
          pages={count}
          page={page}
          onPage={goTo}
          sizeOf={(n) => pages.pages[n - 1] ?? first}
          renderPage={(n) => {
            const one = pages.pages[n - 1]
            return one && <PartImage part={one.part} rendition={rendition} className="rd-page-image" />
          }}
        />
      )}
      <div className="pv-scroll" ref={scroller} tabIndex={0}>
        {replaced.length > 0 && (
          <p className="rd-note" role="note">
            {t('drive.preview.replacedFaces', { faces: replaced.slice(0, facesNamed).join(t('drive.preview.listed')) })}
          </p>
        )}
        {viewport.width > 0 &&
          Array.from({ length: count }, (_, n) => pages.pages[n] ?? { ...first, part: undefined }).map(
            ({ part, width, height, text, words = [] }, n) => (
              <PagePicture
                key={n}
                number={n + 1}
                part={part}
                text={words.length === 0 ? text : ''}
                words={words}
                scale={scale}
                width={width * scale}
                height={height * scale}
                rendition={rendition}
              />
            ),
          )}
        {pages.of > count && <p className="rd-note">{t('drive.preview.onlyPages', { n: count, total: pages.of })}</p>}
      </div>
      <PageBar
        page={page}
        pages={count}
        onPage={goTo}
        zoom={zoom}
        percent={scale}
        onZoom={zoomTo}
        wholePages
        strip={strip}
      />
    </>
  )
}

interface PagePictureProps {
  readonly number: number
  /** Undefined while the page is not rendered yet. */
  readonly part: number | undefined
  /** For screen readers, if there is no text layer. */
  readonly text: string
  readonly words: readonly PageWord[]
  readonly scale: number
  readonly width: number
  readonly height: number
  readonly rendition: Pictures
}

function PagePicture({ number, part, text, words, scale, width, height, rendition }: PagePictureProps): ReactNode {
  const holder = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(number === 1)
  useEffect(() => {
    const element = holder.current
    if (element === null) return
    const observer = new IntersectionObserver(
      ([entry]) => setNear((before) => before || (entry?.isIntersecting ?? false)),
      { rootMargin: `${margin}px 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={holder} className="pv-page" data-page={number} style={{ width, height }}>
      {near && part === undefined && <Spinner />}
      {near && part !== undefined && (
        <PartImage part={part} rendition={rendition} alt={text} className="rd-page-image" />
      )}
      {(near || number <= mostWordsFar) && (
        <p className="rd-words" style={{ transform: `scale(${scale})` }}>
          <Words words={words} />
        </p>
      )}
    </div>
  )
}

let ruler: CanvasRenderingContext2D | null | undefined

/** The horizontal scale of a text on the page relative to the font of the text layer. */
function stretchOf(text: string, width: number, height: number): number {
  ruler ??= document.createElement('canvas').getContext('2d')
  if (!ruler) return 1
  ruler.font = `${height}px sans-serif`
  const usual = ruler.measureText(text).width
  return usual > 0 && width > 0 ? width / usual : 1
}

/** The invisible text layer over a page picture, for search and selection. */
const Words = memo(function Words({ words }: { readonly words: readonly PageWord[] }): ReactNode {
  return words.map(([text, left, top, width, height, ends], n) => (
    <Fragment key={n}>
      {text !== '' && (
        <span style={{ left, top, fontSize: height, transform: `scaleX(${stretchOf(text, width, height)})` }}>
          {text}
        </span>
      )}
      {ends === 1 && <br />}
    </Fragment>
  ))
})
