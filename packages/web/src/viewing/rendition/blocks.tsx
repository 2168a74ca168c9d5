// Renders paragraphs, tables and pictures of a rendition from its structured data. No markup of the document is used.
import type { Block, Missing, Paragraph, Run, Table, TableCell } from '@cloudoc/contract'
import { type CSSProperties, createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { DrawingView } from './drawing-view.tsx'
import { type OpenRendition, safeColor } from './rendition.ts'
import './texts.ts'

/** The source of the pictures. */
export type Pictures = Pick<OpenRendition, 'address'>

interface BlocksProps {
  readonly blocks: readonly Block[]
  readonly rendition: Pictures
}

/** Replaces the rendering of some blocks, for editors. */
export const BlockOverrideContext = createContext<(blocks: readonly Block[]) => ReactNode>(() => undefined)

/** The number of the page that is shown, and the number of pages, for the fields that say them. */
export const PageNumbersContext = createContext<{ readonly page: number; readonly pages: number } | undefined>(
  undefined,
)

export function Blocks({ blocks, rendition }: BlocksProps): ReactNode {
  const instead = useContext(BlockOverrideContext)(blocks)
  return instead === undefined
    ? blocks.map((block, n) => <BlockView key={n} block={block} rendition={rendition} />)
    : instead
}

export function BlockView({ block, rendition }: { readonly block: Block; readonly rendition: Pictures }): ReactNode {
  switch (block.is) {
    case 'text':
      return <ParagraphView paragraph={block} rendition={rendition} />
    case 'table':
      return <TableView table={block} rendition={rendition} />
    case 'rule':
      return <hr className="rd-rule" />
    case 'code':
      return <pre className="rd-code">{block.text}</pre>
    case 'quote':
      return (
        <blockquote className="rd-quote">
          <Blocks blocks={block.blocks} rendition={rendition} />
        </blockquote>
      )
    case 'pageBreak':
      return null
  }
}

const headings = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

function ParagraphView({
  paragraph,
  rendition,
}: {
  readonly paragraph: Paragraph
  readonly rendition: Pictures
}): ReactNode {
  const { heading = 0, align, indent, firstLine, before, after, line, mark, fill, rtl, stops, runs } = paragraph
  const hasStops = stops !== undefined && mark === undefined && runs.some(({ text }) => text?.includes('\t'))
  const Tag = headings[heading] ?? 'p'
  const style: CSSProperties = {
    textAlign: align,
    paddingInlineStart: indent,
    textIndent: mark === undefined ? firstLine : undefined,
    marginBlockStart: before,
    marginBlockEnd: after,
    lineHeight: line === undefined ? undefined : line * 1.25,
    backgroundColor: safeColor(fill),
  }
  const size = runs[0]?.size
  return (
    <Tag className="rd-text" style={style} dir={rtl === true ? 'rtl' : undefined}>
      {mark !== undefined && (
        <span
          className="rd-mark"
          style={{
            marginInlineStart: Math.min(-20, firstLine ?? 0),
            minWidth: Math.max(20, -(firstLine ?? 0)),
            fontSize: size,
            color: safeColor(runs[0]?.color),
          }}
        >
          {mark}
        </span>
      )}
      {runs.length === 0 ? (
        <br />
      ) : hasStops ? (
        <TabbedLines runs={runs} stops={stops} rendition={rendition} />
      ) : (
        runs.map((run, n) => <RunView key={n} run={run} rendition={rendition} />)
      )}
    </Tag>
  )
}

/** Splits runs at a character. */
function splitRuns(runs: readonly Run[], by: string): Run[][] {
  const found: Run[][] = [[]]
  for (const run of runs) {
    const pieces = run.text?.split(by) ?? []
    if (pieces.length < 2) found.at(-1)?.push(run)
    else {
      for (const [n, text] of pieces.entries()) {
        if (n > 0) found.push([])
        if (text !== '') found.at(-1)?.push({ ...run, text })
      }
    }
  }
  return found
}

interface TabbedProps {
  readonly runs: readonly Run[]
  readonly stops: NonNullable<Paragraph['stops']>
  readonly rendition: Pictures
}

/** Lines with tab stops: text stands at, around or before its stop, and leaders fill the room before it. */
function TabbedLines({ runs, stops, rendition }: TabbedProps): ReactNode {
  return splitRuns(runs, '\n').map((line, n) => {
    const pieces = splitRuns(line, '\t')
    // A line has the stops of its tabs in order; behind the last stop text goes on.
    const end = stops[Math.min(stops.length, pieces.length - 1) - 1]
    const width = end === undefined ? undefined : end.align === 'center' ? end.at * 2 : end.at
    const isFree = end === undefined || end.align === 'start'
    return (
      <span key={n} className="rd-tabs-line" style={isFree ? undefined : { width }}>
        {pieces.map((piece, k) => {
          const stop = k === 0 ? undefined : stops[k - 1]
          const next = stops[k]
          const last = stops[k - 1]?.at ?? 0
          const room = next?.align === 'start' && k < pieces.length - 1 ? Math.max(0, next.at - last) : undefined
          return [
            stop !== undefined && stop.align !== 'start' && (
              <span
                key={`${k} leader`}
                className={`rd-leader ${stop.leader === undefined ? '' : `is-${stop.leader}`}`}
              />
            ),
            <span key={k} style={{ minWidth: room }}>
              {piece.map((run, m) => (
                <RunView key={m} run={run} rendition={rendition} />
              ))}
            </span>,
          ]
        })}
        {end?.align === 'center' && <span className="rd-leader" />}
      </span>
    )
  })
}

/** The place of something that cannot be shown, with its name. */
export function MissingView({
  missing,
  className = 'rd-missing',
  style,
}: {
  readonly missing: Pick<Missing, 'what' | 'name'>
  readonly className?: string
  readonly style?: CSSProperties
}): ReactNode {
  const t = useT()
  const said = t(missing.what === 'image' ? 'drive.preview.missingImage' : 'drive.preview.missingObject')
  return (
    <span className={className} style={style} title={said}>
      {missing.name === '' ? said : missing.name}
    </span>
  )
}

function FieldText({ field }: { readonly field: 'page' | 'pages' }): ReactNode {
  const numbers = useContext(PageNumbersContext)
  return numbers?.[field === 'page' ? 'page' : 'pages']
}

function RunView({ run, rendition }: { readonly run: Run; readonly rendition: Pictures }): ReactNode {
  if (run.drawing !== undefined) return <DrawingView drawing={run.drawing} />
  if (run.image !== undefined) {
    const { part, width, height, alt } = run.image
    return (
      <PartImage
        part={part}
        rendition={rendition}
        alt={alt}
        style={{ width: width || undefined, aspectRatio: width && height ? `${width} / ${height}` : undefined }}
      />
    )
  }
  if (run.missing !== undefined) {
    const { width, height } = run.missing
    return (
      <MissingView missing={run.missing} style={{ minWidth: width || undefined, minHeight: height || undefined }} />
    )
  }
  const style: CSSProperties = {
    fontVariantCaps: run.smallCaps === true ? 'small-caps' : undefined,
    textEmphasis: run.stressed === true ? 'dot' : undefined,
    textEmphasisPosition: run.stressed === true ? 'under right' : undefined,
    fontWeight: run.bold === true ? 700 : undefined,
    fontStyle: run.italic === true ? 'italic' : undefined,
    textDecoration: decorationOf(run),
    color: safeColor(run.color),
    backgroundColor: safeColor(run.back),
    // Raised and lowered letters are smaller.
    fontSize: run.raised === undefined ? run.size : run.size === undefined ? '0.65em' : run.size * 0.65,
    lineHeight: run.raised === undefined ? undefined : 0,
    fontFamily: run.mono === true ? 'var(--font-mono)' : undefined,
    verticalAlign: run.raised,
  }
  return (
    <span style={style} title={run.href} className={run.href === undefined ? undefined : 'rd-link'}>
      {run.field !== undefined ? (
        <FieldText field={run.field} />
      ) : run.ruby === undefined ? (
        run.text
      ) : (
        <ruby>
          {run.text}
          <rt>{run.ruby}</rt>
        </ruby>
      )}
    </span>
  )
}

function decorationOf({ underline, strike }: Run): string | undefined {
  const lines = [underline === true ? 'underline' : '', strike === true ? 'line-through' : ''].join(' ').trim()
  return lines === '' ? undefined : lines
}

interface PartImageProps {
  readonly part: number
  readonly rendition: Pictures
  readonly alt?: string
  readonly className?: string
  readonly style?: CSSProperties
}

/** A picture of the document. */
export function PartImage({ part, rendition, alt = '', className = 'rd-image', style }: PartImageProps): ReactNode {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let gone = false
    rendition
      .address(part)
      .then((address) => {
        if (!gone) setUrl(address)
      })
      .catch(() => undefined)
    return () => {
      gone = true
    }
  }, [part, rendition])
  return <img className={className} src={url} alt={alt} style={style} draggable={false} />
}

function TableView({ table, rendition }: { readonly table: Table; readonly rendition: Pictures }): ReactNode {
  const known = table.widths.length > 0 && table.widths.every((width) => width > 0)
  return (
    <table
      className="rd-table"
      style={known ? { width: table.widths.reduce((sum, one) => sum + one, 0), tableLayout: 'fixed' } : undefined}
    >
      {known && (
        <colgroup>
          {table.widths.map((width, n) => (
            <col key={n} style={{ width }} />
          ))}
        </colgroup>
      )}
      <tbody>
        {table.rows.map((row, n) => (
          <tr key={n}>
            {row.map((cell, m) => (
              <td
                key={m}
                colSpan={cell.across}
                rowSpan={cell.down}
                className={classOf(cell)}
                style={{ backgroundColor: safeColor(cell.fill), ...edgesOf(cell.edges) }}
              >
                <Blocks blocks={cell.blocks} rendition={rendition} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function classOf({ head, vertical }: TableCell): string | undefined {
  const names = [head === true ? 'is-head' : '', vertical === undefined ? '' : `is-${vertical}`].join(' ').trim()
  return names === '' ? undefined : names
}

function edgesOf(edges: TableCell['edges']): CSSProperties {
  if (edges === undefined) return {}
  const [top, right, bottom, left] = edges.map((ink) =>
    ink === '' ? 'none' : `1px solid ${safeColor(ink) ?? 'currentColor'}`,
  )
  return { borderTop: top, borderRight: right, borderBottom: bottom, borderLeft: left }
}
