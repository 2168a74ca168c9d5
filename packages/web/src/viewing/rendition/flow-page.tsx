// A page of a text document on the screen and in print, and its blocks while they are measured.
import type { Flow, FlowSection, PageEdges, PageSize } from '@cloudoc/contract'
import type { CSSProperties, ReactNode, RefObject } from 'react'
import { Blocks, BlockView, PageNumbersContext, type Pictures } from './blocks.tsx'
import { type DealtPage, edgesOn } from './flow-pages.ts'

interface FlowPageProps {
  /** The index of the page. */
  readonly n: number
  readonly pages: readonly DealtPage[]
  readonly sections: readonly FlowSection[]
  readonly size: PageSize
  readonly rendition: Pictures
  readonly className: string
  readonly style: CSSProperties
  /** Further attributes of the element. */
  readonly about?: Readonly<Record<string, unknown>>
}

/** A page with its header and footer. */
export function FlowPage(props: FlowPageProps): ReactNode {
  const { n, pages, sections, size, rendition, className, style, about } = props
  const dealt = pages[n]
  const edges = edgesOn(sections, dealt)
  const padding = size.margins.map((one) => `${one}px`).join(' ')
  return (
    <PageNumbersContext value={{ page: dealt?.number ?? n + 1, pages: pages.length }}>
      <div className={className} {...about} style={{ width: size.width, padding, ...style }}>
        <Edge size={size} edges={edges} at="header" rendition={rendition} />
        <div className="rd">
          <Blocks blocks={dealt?.blocks ?? []} rendition={rendition} />
        </div>
        <Edge size={size} edges={edges} at="footer" rendition={rendition} />
      </div>
    </PageNumbersContext>
  )
}

interface EdgeProps {
  readonly size: PageSize
  readonly edges: PageEdges
  readonly at: 'header' | 'footer'
  readonly rendition: Pictures
}

/** What stands at the head or the foot of a page. */
function Edge({ size: { margins }, edges, at, rendition }: EdgeProps): ReactNode {
  const blocks = edges[at]
  if (blocks.length === 0) return null
  const [top, right, bottom, left] = margins
  const place =
    at === 'header' ? { insetBlockStart: Math.max(16, top / 2 - 8) } : { insetBlockEnd: Math.max(16, bottom / 2 - 8) }
  return (
    <div className="rd rd-edge" style={{ ...place, insetInline: `${left}px ${right}px` }}>
      <Blocks blocks={blocks} rendition={rendition} />
    </div>
  )
}

interface MeasuredProps {
  readonly holder: RefObject<HTMLDivElement | null>
  readonly flow: Flow
  readonly sections: readonly FlowSection[]
  readonly rendition: Pictures
}

/** All blocks in one column as wide as the pages of their section, to measure them. */
export function MeasuredBlocks({ holder, flow, sections, rendition }: MeasuredProps): ReactNode {
  return (
    <div ref={holder} className="rd-measure rd">
      {sections.map(({ from, page: { width, margins } }, n) => (
        <div key={n} style={{ width: width - margins[1] - margins[3] }}>
          {flow.blocks.slice(from, sections[n + 1]?.from).map((block, k) => (
            <div key={k} className="rd-measured">
              <BlockView block={block} rendition={rendition} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
