// Prints text, tables and slides of a rendition.
import type { Block, CellStyle, Flow, Mail, PageSize, SheetBody, SheetCell, Sheets } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { type CSSProperties, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { Blocks, PartImage, type Pictures } from '../rendition/blocks.tsx'
import { DrawingView } from '../rendition/drawing-view.tsx'
import { FlowPage, MeasuredBlocks } from '../rendition/flow-page.tsx'
import { type DealtPage, dealPages, sectionsOf } from '../rendition/flow-pages.ts'
import { type OpenRendition, safeColor } from '../rendition/rendition.ts'
import { SlideView } from '../rendition/slide-view.tsx'
import { loadLanguage } from '../shared/code-languages.ts'
import { numberInRoom } from '../shared/narrow-number.ts'
import { colored } from '../viewers/code-viewer.tsx'
import '../rendition/rendition.css'

/** With more cells than this a browser takes too long to lay out the page. */
const mostCells = 60_000
/** The maximum number of consecutive blank rows to print. */
const mostBlank = 50
/** The printable width of A4 in CSS pixels, in portrait and landscape. */
const room = { upright: 718, across: 1047 }
const [rowHeight, columnWidth] = [24, 88]
/** Padding and borders of a cell. */
const cellPadding = 10

/** The document styles; the other styles of the page are not used for printing. */
const ofDocuments = /\.rd|tok-|:root/
const pageCss = `@page { margin: 10mm } @page across { size: A4 landscape; margin: 10mm }
html, body { margin: 0; background: #fff; color: #1d2129; -webkit-print-color-adjust: exact; print-color-adjust: exact }
.op-across { page: across }
.op-next { break-before: page }
.op-break { break-after: page }
.op-slide { break-inside: avoid; break-after: page }
.op-slide:last-child { break-after: auto }
.op-page { width: 100%; border-collapse: collapse }
.op-page > * > tr > td { padding: 0 }
.op-edge { padding-block-end: 12px; color: #5e6b7b; font-size: 12px }
.op-sheet { border-collapse: collapse; table-layout: fixed; font: 13px / 1.4 var(--font-ui) }
.op-sheet td { padding: 1px 4px; overflow: hidden; border: 1px solid #d0d3da; white-space: nowrap }
.op-text { margin: 0; font: 12px / 18px var(--font-mono); white-space: pre-wrap; overflow-wrap: anywhere }
h2.op-name { margin: 0 0 8px; font: 600 15px / 22px var(--font-ui) }
tr { break-inside: avoid }`

/** Renders a text. */
export async function printableText(page: Document, text: string, ext: string): Promise<void> {
  const parser = await loadLanguage(ext)
  return draw(page, () => <pre className="pv-text op-text">{colored(text, parser)}</pre>)
}

/** Renders a rendition with all of its pictures. */
export async function printableRendition(page: Document, rendition: OpenRendition): Promise<void> {
  const { body } = rendition
  switch (body.kind) {
    case 'flow':
      if (body.page === undefined || !differs(body))
        return draw(page, (pictures) => <PrintedFlow flow={body} rendition={pictures} />, rendition, sizeOf(body))
      return draw(
        page,
        (pictures) => <PrintedPages flow={body} plain={body.page ?? a4} rendition={pictures} />,
        rendition,
        sectionSizes(body),
      )
    case 'slides':
      return draw(
        page,
        (pictures) =>
          body.slides.map((slide, n) => (
            <div key={n} className="op-slide">
              <SlideView slide={slide} deck={body} rendition={pictures} scale={1} />
            </div>
          )),
        rendition,
        `@page { size: ${body.width}px ${body.height}px; margin: 0 }`,
      )
    case 'sheets': {
      const bodies = await Promise.all(body.sheets.map(({ part }) => rendition.json<SheetBody>(part)))
      return draw(page, (pictures) => <PrintedWorkbook book={body} bodies={bodies} rendition={pictures} />, rendition)
    }
    case 'mail':
      return draw(page, (pictures) => <PrintedMail mail={body} rendition={pictures} />, rendition)
    case 'text':
      return printableText(page, await rendition.text(body.part), body.language)
    case 'pages':
    case 'picture':
    case 'pdf':
    case 'listing':
      throw new Error(`nothing is drawn of ${body.kind}`)
  }
}

async function draw(
  page: Document,
  content: (pictures: Pictures) => ReactNode,
  from?: Pictures,
  more = '',
): Promise<void> {
  const style = page.createElement('style')
  style.textContent = `${stylesOf(document)}\n${pageCss}\n${more}`
  page.head.append(style)
  const asked: Promise<string>[] = []
  const pictures: Pictures = {
    address(part) {
      const answer = from?.address(part) ?? Promise.reject(new Error(`no part ${part}`))
      asked.push(answer)
      return answer
    },
  }
  const holder = page.createElement('div')
  page.body.append(holder)
  flushSync(() => createRoot(holder).render(content(pictures)))
  // Loading a picture may request another one.
  for (let known = -1; known < asked.length; ) {
    known = asked.length
    await Promise.allSettled(asked)
    await new Promise((resolve) => setTimeout(resolve))
  }
}

function stylesOf(from: Document): string {
  const rules = [...from.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  return rules
    .map(({ cssText }) => cssText)
    .filter((text) => ofDocuments.test(text))
    .join('\n')
}

const sizeOf = ({ page }: Flow): string => {
  if (page === undefined) return ''
  const margins = page.margins.map((one) => `${one}px`).join(' ')
  return `@page { size: ${page.width}px ${page.height}px; margin: ${margins} }`
}

interface PrintProps {
  readonly rendition: Pictures
}

const a4: PageSize = { width: 794, height: 1123, margins: [96, 96, 96, 96] }

/** Whether the pages differ by more than their text, by section or by number, so that each is printed as one. */
function differs({ header = [], footer = [], sections }: Flow): boolean {
  const says = (one: Block): boolean => one.is === 'text' && one.runs.some(({ field }) => field !== undefined)
  return sections !== undefined || [...header, ...footer].some(says)
}

const sectionSizes = (flow: Flow): string =>
  sectionsOf(flow, a4)
    .map(({ page }, n) => `@page section${n} { size: ${page.width}px ${page.height}px; margin: 0 }`)
    .join('\n')

/** Pages as on the screen, each with the header, footer and size of its section. */
function PrintedPages({
  flow,
  plain,
  rendition,
}: PrintProps & { readonly flow: Flow; readonly plain: PageSize }): ReactNode {
  const holder = useRef<HTMLDivElement>(null)
  const [pages, setPages] = useState<readonly DealtPage[]>()
  const sections = useMemo(() => sectionsOf(flow, plain), [flow, plain])
  useLayoutEffect(() => {
    if (holder.current !== null) setPages(dealPages(flow, sections, holder.current))
  }, [flow, sections])
  if (pages === undefined) return <MeasuredBlocks {...{ holder, flow, sections, rendition }} />
  return pages.map((one, n) => {
    const size = sections[one.section]?.page ?? plain
    // One pixel less than the paper, so that rounding adds no empty page.
    const style = { page: `section${one.section}`, position: 'relative', minHeight: size.height - 1 } as const
    const last = n === pages.length - 1 ? '' : 'op-break'
    return <FlowPage key={n} {...{ n, pages, sections, size, rendition, style }} className={`rd-page ${last}`} />
  })
}

/** Header and footer are table head and foot rows, which repeat on each page. */
function PrintedFlow({ flow, rendition }: PrintProps & { readonly flow: Flow }): ReactNode {
  const { header = [], footer = [], blocks } = flow
  const edge = (edges: typeof header): ReactNode => (
    <tr>
      <td className="rd op-edge">
        <Blocks blocks={edges} rendition={rendition} />
      </td>
    </tr>
  )
  return (
    <table className="op-page">
      {header.length > 0 && <thead>{edge(header)}</thead>}
      <tbody>
        <tr style={{ breakInside: 'auto' }}>
          <td className="rd">
            {blocks.map((block, n) =>
              block.is === 'pageBreak' ? (
                <div key={n} className="op-next" />
              ) : (
                <Blocks key={n} blocks={[block]} rendition={rendition} />
              ),
            )}
          </td>
        </tr>
      </tbody>
      {footer.length > 0 && <tfoot>{edge(footer)}</tfoot>}
    </table>
  )
}

interface BookProps extends PrintProps {
  readonly book: Sheets
  readonly bodies: readonly SheetBody[]
}

function PrintedWorkbook({ book, bodies, rendition }: BookProps): ReactNode {
  const { shown, isCut } = fitting(bodies)
  return (
    <>
      {shown.map((body, n) => (
        <PrintedSheet
          key={n}
          name={book.sheets.length > 1 ? (book.sheets[n]?.name ?? '') : ''}
          body={body}
          styles={book.styles}
          isFirst={n === 0}
          rendition={rendition}
        />
      ))}
      {(book.cut || isCut) && <p className="rd-note">{t('drive.preview.cellLimit')}</p>}
    </>
  )
}

interface SheetProps extends PrintProps {
  readonly name: string
  readonly body: SheetBody
  readonly styles: readonly CellStyle[]
  readonly isFirst: boolean
}

function PrintedSheet({ name, body, styles, isFirst, rendition }: SheetProps): ReactNode {
  if (body.rows.length + body.images.length + (body.drawings?.length ?? 0) === 0) return null
  const columns = Array.from({ length: columnsOf(body) }, (_, n) => body.widths[n] ?? columnWidth)
  const width = columns.reduce((sum, one) => sum + one, 0)
  const isAcross = width > room.upright
  const zoom = Math.min(1, (isAcross ? room.across : room.upright) / Math.max(1, width))
  const merges = new Map(body.merges.map((merge) => [`${merge[0]} ${merge[1]}`, merge]))
  const under = coveredBy(body)
  return (
    <section className={`${isFirst ? '' : 'op-next'} ${isAcross ? 'op-across' : ''}`}>
      {name !== '' && <h2 className="op-name">{name}</h2>}
      <table className="op-sheet" style={{ width, zoom }}>
        <colgroup>
          {columns.map((one, n) => (
            <col key={n} style={{ width: one }} />
          ))}
        </colgroup>
        <tbody>
          {withBlanks(body).map(([at, of]) => (
            <tr key={at} style={{ height: body.heights[at] ?? rowHeight }}>
              {rowOf(of, columns.length).map(([column, cell], n, all) => {
                if (under.has(`${at} ${column}`)) return null
                const merge = merges.get(`${at} ${column}`)
                const last = Math.min(merge?.[3] ?? column, columns.length - 1)
                const style = styles[cell?.[2] ?? 0] ?? {}
                return (
                  <td
                    key={column}
                    style={lookOf(style, (all[n + 1]?.[1]?.[1] ?? '') === '')}
                    {...(merge && {
                      rowSpan: merge[2] - at + 1,
                      colSpan: last - column + 1,
                    })}
                  >
                    {cell && printedText(cell, style, columns.slice(column, last + 1))}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {body.drawings?.map(({ drawing }, n) => (
        <DrawingView key={n} drawing={drawing} style={{ maxWidth: '100%' }} />
      ))}
      {body.images.map(({ part, width: wide, height }, n) => (
        <PartImage key={n} part={part} rendition={rendition} style={{ width: wide, height, maxWidth: '100%' }} />
      ))}
    </section>
  )
}

/** The number of used columns. */
const columnsOf = ({ rows }: SheetBody): number =>
  rows.reduce((most, [, cells]) => Math.max(most, (cells.at(-1)?.[0] ?? -1) + 1), 0)

type SheetRow = SheetBody['rows'][number]

/** The rows, with a limited number of blank rows between them. */
function withBlanks({ rows }: SheetBody): SheetRow[] {
  return rows.flatMap((row, n) => {
    const from = (rows[n - 1]?.[0] ?? -1) + 1
    const blank = Array.from({ length: Math.min(mostBlank, row[0] - from) }, (_, k): SheetRow => [from + k, []])
    return [...blank, row]
  })
}

/** The first rows of each sheet, up to the total cell limit. */
function fitting(bodies: readonly SheetBody[]): { readonly shown: SheetBody[]; readonly isCut: boolean } {
  let left = mostCells
  const shown = bodies.map((body) => {
    const columns = columnsOf(body)
    const rows = body.rows.filter(() => {
      left -= columns
      return left >= 0
    })
    return { ...body, rows }
  })
  return { shown, isCut: left < 0 }
}

/** The cells of a row, including empty ones. */
function rowOf(
  cells: readonly SheetCell[],
  columns: number,
): (readonly [column: number, cell: SheetCell | undefined])[] {
  const byColumn = new Map(cells.map((cell) => [cell[0], cell]))
  return Array.from({ length: columns }, (_, column) => [column, byColumn.get(column)] as const)
}

/** The cells covered by merged cells. */
function coveredBy({ merges }: SheetBody): ReadonlySet<string> {
  const covered = new Set<string>()
  for (const [row, column, toRow, toColumn] of merges) {
    for (let y = row; y <= Math.min(toRow, row + 1000); y += 1) {
      for (let x = column; x <= Math.min(toColumn, column + 200); x += 1)
        if (y !== row || x !== column) covered.add(`${y} ${x}`)
    }
  }
  return covered
}

/** The text of a cell; a number that does not fit is no shorter number. */
function printedText([, text, , number]: SheetCell, style: CellStyle, columns: readonly number[]): string {
  if (number === undefined) return text
  const room = columns.reduce((sum, one) => sum + one, 0) - cellPadding
  return numberInRoom(text, room, style, number === 'general')
}

/** Text overflows into empty cells. */
function lookOf({ bold, italic, size, color, fill, align, wrap }: CellStyle, runsOn: boolean): CSSProperties {
  return {
    overflow: runsOn ? 'visible' : undefined,
    fontWeight: bold === true ? 700 : undefined,
    fontStyle: italic === true ? 'italic' : undefined,
    fontSize: size,
    color: safeColor(color),
    backgroundColor: safeColor(fill),
    textAlign: align,
    whiteSpace: wrap === true ? 'pre-wrap' : undefined,
  }
}

function PrintedMail({ mail, rendition }: PrintProps & { readonly mail: Mail }): ReactNode {
  const { subject, from, to, cc, date, blocks, attachments } = mail
  const written = new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <article className="rd">
      <h1 className="rd-text">{subject || t('drive.preview.noSubject')}</h1>
      <p>
        <b>{from}</b> {date > 0 && written.format(date)}
        <br />
        {t('drive.preview.mailTo')} {to} {cc !== '' && `${t('drive.preview.mailCc')} ${cc}`}
      </p>
      <hr className="rd-rule" />
      <Blocks blocks={blocks} rendition={rendition} />
      {attachments.length > 0 && (
        <>
          <hr className="rd-rule" />
          <b>{t('drive.preview.attachments', { n: attachments.length })}</b>
          <ul>
            {attachments.map(({ name, size }, n) => (
              <li key={n}>
                {name} {formatSize(size)}
              </li>
            ))}
          </ul>
        </>
      )}
    </article>
  )
}
