// The viewer of text documents, laid out in pages of their size: blocks are measured once and distributed to pages.
import type { Flow, PageSize } from '@cloudoc/contract'
import { type CSSProperties, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useGestureZoom } from '../controls/gestures.ts'
import { PageBar } from '../controls/page-bar.tsx'
import { PageStrip, usePageStrip } from '../controls/page-strip.tsx'
import { useScrolledPages } from '../controls/scrolled-pages.ts'
import { FlowPage, MeasuredBlocks } from '../rendition/flow-page.tsx'
import { type DealtPage, dealPages, sectionsOf } from '../rendition/flow-pages.ts'
import type { OpenRendition } from '../rendition/rendition.ts'
import { fitWidth, isNarrow, pageViewport, type Zoom, zoomFactor } from '../shared/zoom.ts'

const column = { width: 880, height: Number.POSITIVE_INFINITY, margins: [48, 56, 64, 56] as const }

/** A document without pages uses the width of a phone screen there. */
const telephone = { height: column.height, margins: [24, 16, 80, 16] as const }

/** Renders a text document. */
export function FlowViewer({ flow, rendition }: { readonly flow: Flow; readonly rendition: OpenRendition }): ReactNode {
  const measured = useRef<HTMLDivElement>(null)
  const [pages, setPages] = useState<readonly DealtPage[]>()
  const [zoom, setZoom] = useState<Zoom>('fit')
  const { scroller, viewport, page, goTo } = useScrolledPages(pages?.length ?? 0)
  const narrow = isNarrow(viewport) ? fitWidth(viewport) : undefined
  const plain = useMemo(
    () => flow.page ?? (narrow === undefined ? column : { ...telephone, width: narrow }),
    [flow.page, narrow],
  )
  const sections = useMemo(() => sectionsOf(flow, plain), [flow, plain])
  const sizeOf = (n: number): PageSize => sections[pages?.[n]?.section ?? 0]?.page ?? plain
  const widest = Math.max(...sections.map((one) => one.page.width))
  const scale = zoomFactor(
    zoom,
    { width: widest, height: flow.page === undefined ? 1 : sizeOf(page - 1).height },
    pageViewport(zoom, viewport),
    1.25,
  )

  const zoomTo = useGestureZoom(scroller, scale, setZoom)
  useLayoutEffect(() => {
    const holder = measured.current
    if (holder !== null) setPages(dealPages(flow, sections, holder))
  }, [flow, sections])

  const strip = usePageStrip(flow.page === undefined ? 0 : (pages?.length ?? 0))
  const paper = (n: number, zoom: number, isSmall = false): ReactNode => {
    const place: CSSProperties = { minHeight: flow.page === undefined ? undefined : sizeOf(n).height, zoom }
    const about = isSmall ? { inert: true } : { 'data-page': n + 1 }
    return (
      <FlowPage
        key={n}
        {...{ n, sections, rendition, pages: pages ?? [], style: place, about }}
        size={sizeOf(n)}
        className="pv-page rd-page"
      />
    )
  }
  return (
    <>
      {strip?.shown === true && (
        <PageStrip
          pages={pages?.length ?? 0}
          page={page}
          onPage={goTo}
          sizeOf={(n) => sizeOf(n - 1)}
          renderPage={(n, small) => paper(n - 1, small, true)}
        />
      )}
      <div className="pv-scroll" ref={scroller} tabIndex={0}>
        {pages === undefined ? (
          <MeasuredBlocks holder={measured} flow={flow} sections={sections} rendition={rendition} />
        ) : (
          pages.map((_, n) => paper(n, scale))
        )}
      </div>
      <PageBar
        {...(flow.page === undefined ? {} : { page, pages: pages?.length ?? 0, onPage: goTo })}
        zoom={zoom}
        percent={scale}
        onZoom={zoomTo}
        wholePages={flow.page !== undefined}
        strip={strip}
      />
    </>
  )
}
