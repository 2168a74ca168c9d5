// The viewer of text documents, laid out in pages of their size: blocks are measured once and distributed to pages.
import type { Block, Flow } from '@cloudoc/contract'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useGestureZoom } from '../controls/gestures.ts'
import { PageBar } from '../controls/page-bar.tsx'
import { PageStrip, usePageStrip } from '../controls/page-strip.tsx'
import { useScrolledPages } from '../controls/scrolled-pages.ts'
import { Blocks, BlockView } from '../rendition/blocks.tsx'
import type { OpenRendition } from '../rendition/rendition.ts'
import { fitWidth, isNarrow, pageViewport, type Zoom, zoomFactor } from '../shared/zoom.ts'

const column = { width: 880, height: Number.POSITIVE_INFINITY, margins: [48, 56, 64, 56] as const }

/** A document without pages uses the width of a phone screen there. */
const telephone = { height: column.height, margins: [24, 16, 80, 16] as const }

/** Renders a text document. */
export function FlowViewer({ flow, rendition }: { readonly flow: Flow; readonly rendition: OpenRendition }): ReactNode {
  const measured = useRef<HTMLDivElement>(null)
  const [pages, setPages] = useState<readonly (readonly Block[])[]>()
  const [zoom, setZoom] = useState<Zoom>('fit')
  const { scroller, viewport, page, goTo } = useScrolledPages(pages?.length ?? 0)
  const size = flow.page ?? (isNarrow(viewport) ? { ...telephone, width: fitWidth(viewport) } : column)
  const [top, right, bottom, left] = size.margins
  const scale = zoomFactor(
    zoom,
    { width: size.width, height: flow.page?.height ?? 1 },
    pageViewport(zoom, viewport),
    1.25,
  )

  const zoomTo = useGestureZoom(scroller, scale, setZoom)
  useLayoutEffect(() => {
    const holder = measured.current
    if (holder !== null) setPages(dealt(flow.blocks, holder, size.height - top - bottom))
  }, [flow, size.height, top, bottom])

  const strip = usePageStrip(flow.page === undefined ? 0 : (pages?.length ?? 0))
  const head = { insetBlockStart: Math.max(16, top / 2 - 8), insetInline: `${left}px ${right}px` }
  const foot = { insetBlockEnd: Math.max(16, bottom / 2 - 8), insetInline: `${left}px ${right}px` }
  const paper = (n: number, zoom: number, isSmall = false): ReactNode => (
    <div
      key={n}
      className="pv-page rd-page"
      {...(isSmall ? { inert: true } : { 'data-page': n + 1 })}
      style={{
        width: size.width,
        minHeight: flow.page?.height,
        zoom,
        padding: `${top}px ${right}px ${bottom}px ${left}px`,
      }}
    >
      {(flow.header?.length ?? 0) > 0 && (
        <div className="rd rd-edge" style={head}>
          <Blocks blocks={flow.header ?? []} rendition={rendition} />
        </div>
      )}
      <div className="rd">
        <Blocks blocks={pages?.[n] ?? []} rendition={rendition} />
      </div>
      {(flow.footer?.length ?? 0) > 0 && (
        <div className="rd rd-edge" style={foot}>
          <Blocks blocks={flow.footer ?? []} rendition={rendition} />
        </div>
      )}
    </div>
  )
  return (
    <>
      {strip?.shown === true && (
        <PageStrip
          pages={pages?.length ?? 0}
          page={page}
          onPage={goTo}
          sizeOf={() => size}
          renderPage={(n, small) => paper(n - 1, small, true)}
        />
      )}
      <div className="pv-scroll" ref={scroller} tabIndex={0}>
        {pages === undefined ? (
          <div ref={measured} className="rd-measure rd" style={{ width: size.width - left - right }}>
            {flow.blocks.map((block, n) => (
              <div key={n}>
                <BlockView block={block} rendition={rendition} />
              </div>
            ))}
          </div>
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

/** Distributes blocks to pages by their position in one long column. */
function dealt(blocks: readonly Block[], holder: HTMLElement, height: number): Block[][] {
  const pages: Block[][] = [[]]
  let start = 0
  for (const [n, block] of blocks.entries()) {
    const element = holder.children[n] as HTMLElement | undefined
    const from = element?.offsetTop ?? 0
    const end = from + (element?.offsetHeight ?? 0)
    const isFull = end - start > height && (pages.at(-1)?.length ?? 0) > 0
    if (isFull || block.is === 'pageBreak') {
      if ((pages.at(-1)?.length ?? 0) > 0) pages.push([])
      start = from
    }
    if (block.is !== 'pageBreak') pages.at(-1)?.push(block)
  }
  if (pages.length > 1 && pages.at(-1)?.length === 0) pages.pop()
  return pages
}
