// The workbook viewer: one sheet at a time, with only the visible rows in the DOM; sheet tabs at the bottom.
import type { CellStyle, SheetBody, SheetCell, Sheets } from '@cloudoc/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { FindSourceContext } from '../find/find-source.ts'
import { defaultFindOptions, type FindOptions, matchesIn } from '../find/find-text.ts'
import { PartImage } from '../rendition/blocks.tsx'
import { DrawingView } from '../rendition/drawing-view.tsx'
import { type OpenRendition, safeColor } from '../rendition/rendition.ts'
import { numberInRoom } from '../shared/narrow-number.ts'

const rowHeight = 24
const columnWidth = 88
const headWidth = 52
/** The number of empty rows and columns beyond the used extent. */
const spareRows = 30
const spareColumns = 6
const maxMatches = 5000

interface SheetsViewerProps {
  readonly book: Sheets
  readonly rendition: OpenRendition
  readonly onFail: (error: unknown) => void
}

/** Renders a workbook. */
export function SheetsViewer({ book, rendition, onFail }: SheetsViewerProps): ReactNode {
  const t = useT()
  const id = useId()
  const [at, setAt] = useState(0)
  const [body, setBody] = useState<{ readonly at: number; readonly of: SheetBody }>()
  const { wanted, target } = useFinding(book, rendition, setAt)
  const sheet = book.sheets[at]
  useEffect(() => {
    if (sheet === undefined) return
    let gone = false
    rendition
      .json<SheetBody>(sheet.part)
      .then((of) => {
        if (!gone) setBody({ at, of })
      })
      .catch((error: unknown) => {
        if (!gone) onFail(error)
      })
    return () => {
      gone = true
    }
  }, [sheet, at, rendition, onFail])
  return (
    <div className="rd-book">
      {book.cut && <p className="rd-note">{t('drive.preview.cellLimit')}</p>}
      <TabPanel id={id} chosen={`${at}`} className="rd-sheet-panel">
        {sheet === undefined || body?.at !== at ? (
          <Spinner />
        ) : (
          <Grid
            key={at}
            sheet={sheet}
            body={body.of}
            styles={book.styles}
            rendition={rendition}
            wanted={wanted}
            target={target?.sheet === at ? target : undefined}
          />
        )}
      </TabPanel>
      <div className="rd-tabs">
        <Tabs
          id={id}
          label={t('drive.preview.sheets')}
          tabs={book.sheets.map(({ name }, n) => ({ tab: `${n}`, text: name }))}
          chosen={`${at}`}
          onChoose={(tab) => setAt(Number(tab))}
        />
        <span className="rd-tab-size">{sheet && t('drive.preview.rows', { n: sheet.rows })}</span>
      </div>
    </div>
  )
}

/** The position of a match in a workbook. */
interface Place {
  readonly sheet: number
  readonly row: number
  readonly column: number
}

/** Searches all cells of all sheets, including those that are not rendered. */
function useFinding(
  book: Sheets,
  rendition: OpenRendition,
  goTo: (sheet: number) => void,
): { readonly wanted: Wanted; readonly target: Place | undefined } {
  const register = useContext(FindSourceContext)
  const [wanted, setWanted] = useState<Wanted>({ words: '', how: defaultFindOptions })
  const [target, setTarget] = useState<Place>()
  const go = useEffectEvent(goTo)
  useEffect(() => {
    let places: readonly Place[] = []
    register({
      async find(words, how) {
        setWanted({ words, how })
        if (words === '') setTarget(undefined)
        places = words === '' ? [] : await matchPositions(book, rendition, { words, how })
        return places.length
      },
      show(hit) {
        const place = places[hit]
        if (place === undefined) return
        go(place.sheet)
        setTarget(place)
      },
    })
    return () => register(undefined)
  }, [register, book, rendition])
  return { wanted, target }
}

/** The search; an empty text means none. */
interface Wanted {
  readonly words: string
  readonly how: FindOptions
}

const holds = (text: string, { words, how }: Wanted): boolean => matchesIn(text, words, how, 1).length > 0

async function matchPositions(book: Sheets, rendition: OpenRendition, wanted: Wanted): Promise<Place[]> {
  const places: Place[] = []
  for (const [sheet, { part }] of book.sheets.entries()) {
    const { rows } = await rendition.json<SheetBody>(part)
    for (const [row, cells] of rows) {
      for (const [column, text] of cells) {
        if (!holds(text, wanted)) continue
        if (places.push({ sheet, row, column }) === maxMatches) return places
      }
    }
  }
  return places
}

interface GridProps {
  readonly sheet: Sheets['sheets'][number]
  readonly body: SheetBody
  readonly styles: readonly CellStyle[]
  readonly rendition: OpenRendition
  /** Matching cells are highlighted. */
  readonly wanted: Wanted
  /** Scrolled into view. */
  readonly target: Place | undefined
}

function Grid({ sheet, body, styles, rendition, wanted, target }: GridProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null)
  const columns = Math.max(12, sheet.columns + spareColumns)
  const lefts = useMemo(() => {
    const found = [headWidth]
    for (let n = 0; n < columns; n += 1) found.push((found[n] ?? 0) + (body.widths[n] ?? columnWidth))
    return found
  }, [body, columns])
  const cells = useMemo(() => new Map(body.rows), [body])
  const merges = useMemo(() => new Map(body.merges.map((merge) => [`${merge[0]} ${merge[1]}`, merge])), [body])
  const rows = useVirtualizer({
    count: sheet.rows + spareRows,
    getScrollElement: () => scroller.current,
    estimateSize: (row) => body.heights[row] ?? rowHeight,
    overscan: 20,
    paddingStart: rowHeight,
  })
  useEffect(() => {
    // Does not take the focus from the find field.
    if (document.activeElement?.tagName !== 'INPUT') scroller.current?.focus({ preventScroll: true })
  }, [])
  const bring = useEffectEvent(({ row, column }: Place) => {
    rows.scrollToIndex(row, { align: 'center' })
    const left = lefts[column] ?? 0
    if (scroller.current !== null) scroller.current.scrollLeft = Math.max(0, left - scroller.current.clientWidth / 2)
  })
  useEffect(() => {
    if (target !== undefined) bring(target)
  }, [target])
  const width = lefts.at(-1) ?? 0
  const heightTo = (row: number, to: number): number => {
    let height = 0
    for (let n = row; n <= to; n += 1) height += body.heights[n] ?? rowHeight
    return height
  }
  return (
    <div className="rd-grid" ref={scroller} tabIndex={0} role="grid" aria-label={sheet.name} aria-rowcount={sheet.rows}>
      <div style={{ width, height: rows.getTotalSize(), position: 'relative' }}>
        <div className="rd-columns" role="row" style={{ width }}>
          {lefts.slice(0, -1).map((left, n) => (
            <span key={n} role="columnheader" style={{ insetInlineStart: left, width: (lefts[n + 1] ?? 0) - left }}>
              {columnName(n)}
            </span>
          ))}
        </div>
        {rows.getVirtualItems().map(({ index: row, start, size }) => (
          <div
            key={row}
            className="rd-row"
            role="row"
            aria-rowindex={row + 1}
            style={{ width, height: size, insetBlockStart: start }}
          >
            <span className="rd-row-number" role="rowheader">
              {row + 1}
            </span>
            {cells.get(row)?.map((cell) => {
              const merge = merges.get(`${row} ${cell[0]}`)
              const end = lefts[(merge?.[3] ?? cell[0]) + 1] ?? width
              return (
                <CellView
                  key={cell[0]}
                  cell={cell}
                  style={styles[cell[2]] ?? {}}
                  left={lefts[cell[0]] ?? 0}
                  width={end - (lefts[cell[0]] ?? 0)}
                  height={merge === undefined ? size : heightTo(row, Math.min(merge[2], row + 500))}
                  merged={merge !== undefined}
                  found={
                    !holds(cell[1], wanted)
                      ? ''
                      : target?.row === row && target.column === cell[0]
                        ? ' is-found is-here'
                        : ' is-found'
                  }
                />
              )
            })}
          </div>
        ))}
        {body.drawings?.map(({ drawing, row, column }, n) => (
          <DrawingView
            key={n}
            drawing={drawing}
            className="rd-sheet-image"
            style={{ insetBlockStart: rowHeight + heightTo(0, row - 1), insetInlineStart: lefts[column] ?? 0 }}
          />
        ))}
        {body.images.map((image, n) => (
          <PartImage
            key={n}
            part={image.part}
            rendition={rendition}
            className="rd-sheet-image"
            style={{
              insetBlockStart: rowHeight + heightTo(0, image.row - 1),
              insetInlineStart: lefts[image.column] ?? 0,
              width: image.width,
              height: image.height,
            }}
          />
        ))}
      </div>
    </div>
  )
}

interface CellViewProps {
  readonly cell: SheetCell
  readonly style: CellStyle
  readonly left: number
  readonly width: number
  readonly height: number
  readonly merged: boolean
  readonly found: string
}

/** Padding and border of a cell. */
const cellPadding = 11

function CellView({ cell, style, left, width, height, merged, found }: CellViewProps): ReactNode {
  const [, text, , number] = cell
  const shown = number === undefined ? text : numberInRoom(text, width - cellPadding, style, number === 'general')
  const look: CSSProperties = {
    insetInlineStart: left,
    width,
    height,
    fontWeight: style.bold === true ? 700 : undefined,
    fontStyle: style.italic === true ? 'italic' : undefined,
    fontSize: style.size,
    color: safeColor(style.color),
    backgroundColor: safeColor(style.fill) ?? (merged ? '#ffffff' : undefined),
    justifyContent: style.align === 'center' ? 'center' : style.align === 'end' ? 'flex-end' : undefined,
    // A number is never broken into lines.
    whiteSpace: style.wrap === true && number === undefined ? 'pre-wrap' : undefined,
  }
  return (
    <span
      className={`rd-cell${merged ? ' is-merged' : ''}${found}`}
      role="gridcell"
      style={look}
      title={shown !== text || text.length * 7 > width ? text : undefined}
    >
      {shown}
    </span>
  )
}

/** Returns the name of a column: A, B, … Z, AA and so on. */
export function columnName(n: number): string {
  return n < 26 ? String.fromCharCode(65 + n) : columnName(Math.floor(n / 26) - 1) + String.fromCharCode(65 + (n % 26))
}
