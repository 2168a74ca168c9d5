// The drawings over the cells of a sheet: pictures, charts, and a placeholder for other kinds. They are preserved in
// the file.
import type { Corner, Drawing, Workbook } from '@cloudoc/office/workbook'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { DataBarVertical24Regular } from '../../kit/icons.ts'
import type { CellGeometry } from '../grid/grid.tsx'
import { SheetChart } from './sheet-chart.tsx'
import './sheet-drawings.css'

interface DrawingsProps extends CellGeometry {
  readonly book: Workbook
  readonly part: string
  /** Changes a chart title; undefined if titles are read-only. */
  readonly onTitle: ((chart: string, title: string) => void) | undefined
}

/** All drawings of the sheet. */
export function SheetDrawings({ book, part, placeOf, covered, scale, onTitle }: DrawingsProps): ReactNode {
  const at = ({ row, column, down, across }: Corner): { top: number; left: number } => {
    const [from, next] = [placeOf(row, column), placeOf(row + 1, column + 1)]
    // The offset is limited to the size of the cell, which may be smaller than before.
    return { top: Math.min(from.top + down * scale, next.top), left: Math.min(from.left + across * scale, next.left) }
  }
  return book.drawings(part).map((drawing) => {
    const { id, from, to, width, height } = drawing
    const { top, left } = at(from)
    const end = to === undefined ? { top: top + height * scale, left: left + width * scale } : at(to)
    const box = { top, left, width: Math.max(0, end.left - left), height: Math.max(0, end.top - top) }
    if (box.width < 4 || box.height < 4) return null
    const [over, before] = [Math.max(0, covered.top - top), Math.max(0, covered.left - left)]
    const clipPath = over + before > 0 ? `inset(${over}px 0 0 ${before}px)` : undefined
    return (
      <div key={id} className={`sd is-${drawing.shows.kind}`} style={{ ...box, clipPath }}>
        <Shown book={book} shows={drawing.shows} width={box.width} height={box.height} onTitle={onTitle} />
      </div>
    )
  })
}

interface ShownProps {
  readonly book: Workbook
  readonly shows: Drawing['shows']
  readonly width: number
  readonly height: number
  readonly onTitle: DrawingsProps['onTitle']
}

function Shown({ book, shows, width, height, onTitle }: ShownProps): ReactNode {
  const t = useT()
  const [isNaming, setNaming] = useState(false)
  if (shows.kind === 'picture') return <Picture book={book} {...shows} />
  const title = shows.kind === 'chart' ? shows.title : ''
  if (shows.kind === 'chart' && shows.model !== undefined) {
    const titled = title === '' && !isNaming ? 0 : 28
    return (
      <>
        {isNaming ? (
          <TitleField
            title={title}
            done={(words) => {
              setNaming(false)
              if (words.trim() !== '' && words !== title) onTitle?.(shows.part, words)
            }}
          />
        ) : (
          title !== '' && <b>{title}</b>
        )}
        {onTitle !== undefined && !isNaming && (
          <button
            type="button"
            className="sd-title"
            tabIndex={-1}
            aria-label={`${t('editor.sheet.lies.title')} ${title}`}
            title={t('editor.sheet.lies.title')}
            onPointerDown={(event) => event.stopPropagation()}
            onDoubleClick={(event) => event.stopPropagation()}
            onClick={() => setNaming(true)}
          />
        )}
        <SheetChart book={book} chart={shows.model} width={width - 2} height={Math.max(0, height - 2 - titled)} />
      </>
    )
  }
  return (
    <span className="sd-kept">
      <DataBarVertical24Regular />
      {title === '' ? t(`editor.sheet.lies.${shows.kind}`) : title}
      <small>{t('editor.sheet.lies.kept')}</small>
    </span>
  )
}

function TitleField({ title, done }: { readonly title: string; readonly done: (words: string) => void }): ReactNode {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState(title)
  useEffect(() => field.current?.select(), [])
  return (
    <input
      ref={field}
      className="sd-naming"
      aria-label={t('editor.sheet.lies.title')}
      value={words}
      maxLength={255}
      spellCheck={false}
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onChange={(event) => setWords(event.target.value)}
      onBlur={() => done(words)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        event.stopPropagation()
        if (event.key === 'Enter') done(words)
        else if (event.key === 'Escape') done(title)
      }}
    />
  )
}

function Picture({
  book,
  part,
  type,
}: {
  readonly book: Workbook
  readonly part: string
  readonly type: string
}): ReactNode {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const own = URL.createObjectURL(new Blob([book.bytesOf(part) as Uint8Array<ArrayBuffer>], { type }))
    setUrl(own)
    return () => URL.revokeObjectURL(own)
  }, [book, part, type])
  return url === '' ? null : <img src={url} alt="" draggable={false} />
}
