// One page of a PDF with what stands on it: its picture, and places in the coordinates of the file.

import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { IconButton } from '../../kit/button.tsx'
import { ChevronDown20Regular, ChevronUp20Regular, ZoomIn20Regular, ZoomOut20Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { openPdf } from '../../viewing/pdf/pdf.ts'
import { PageStrip } from './page-strip.tsx'
import './pages.css'

/** A rectangle on the screen, in pixels of the shown page. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A rectangle in the file: points from the bottom left. */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Converts between the file and the shown page. */
export interface PageScale {
  readonly width: number
  readonly height: number
  toBox(rect: Rect): Box
  toRect(box: Box): Rect
}

/** How a PDF is got: its address, or its bytes where the address needs a session. */
export type PdfSource = { readonly url: string } | { readonly key: string; readonly load: () => Promise<ArrayBuffer> }

/** Opens a PDF as long as the component is shown. */
export function usePdf(source: PdfSource | undefined, onFail: (error: unknown) => void): PDFDocumentProxy | undefined {
  const [pdf, setPdf] = useState<PDFDocumentProxy>()
  const fail = useEffectEvent(onFail)
  const key = source === undefined ? undefined : 'url' in source ? source.url : source.key
  const open = useEffectEvent(async (isGone: () => boolean) => {
    if (source === undefined) return undefined
    const bytes = 'url' in source ? undefined : await source.load()
    return isGone() ? undefined : openPdf('url' in source ? source.url : '', bytes)
  })
  useEffect(() => {
    if (key === undefined) return undefined
    let gone = false
    let close = (): void => undefined
    void (async () => {
      try {
        const task = await open(() => gone)
        if (task === undefined) return
        close = () => void task.destroy()
        const opened = await task.promise
        if (!gone) setPdf(opened)
      } catch (error) {
        if (!gone) fail(error)
      }
    })()
    return () => {
      gone = true
      setPdf(undefined)
      close()
    }
  }, [key])
  return pdf
}

function scaleOf(page: PDFPageProxy, width: number): PageScale & { readonly scale: number } {
  const flat = page.getViewport({ scale: 1 })
  const scale = width / flat.width
  const view = page.getViewport({ scale })
  return {
    scale,
    width: view.width,
    height: view.height,
    toBox({ x, y, width: w, height: h }) {
      const [x1, y1] = view.convertToViewportPoint(x, y) as [number, number]
      const [x2, y2] = view.convertToViewportPoint(x + w, y + h) as [number, number]
      return { left: Math.min(x1, x2), top: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
    },
    toRect({ left, top, width: w, height: h }) {
      const [x1, y1] = view.convertToPdfPoint(left, top) as [number, number]
      const [x2, y2] = view.convertToPdfPoint(left + w, top + h) as [number, number]
      return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
    },
  }
}

interface PdfPageProps {
  readonly pdf: PDFDocumentProxy
  readonly number: number
  readonly onPage: (number: number) => void
  /** What stands on the page. */
  readonly children: (scale: PageScale) => ReactNode
}

/** How wide a page can be shown, in widths of the room. */
const zooms = [1, 1.5, 2, 3]

/** The words of a page in their order, for those who do not see its picture. */
function usePageText(page: PDFPageProxy | undefined): string {
  const [text, setText] = useState('')
  useEffect(() => {
    let gone = false
    setText('')
    page?.getTextContent().then(
      ({ items }) => {
        const parts = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
        if (!gone) setText(parts.join(''))
      },
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [page])
  return text
}

/** Shows one page as wide as there is room, or wider, with buttons to turn the pages. */
export function PdfPage({ pdf, number, onPage, children }: PdfPageProps): ReactNode {
  const t = useT()
  const room = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const [zoom, setZoom] = useState(0)
  const [page, setPage] = useState<PDFPageProxy>()
  useLayoutEffect(() => {
    const element = room.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.max(120, element.clientWidth - 32)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    let gone = false
    void pdf.getPage(number).then((loaded) => {
      if (!gone) setPage(loaded)
    })
    return () => {
      gone = true
    }
  }, [pdf, number])
  const text = usePageText(page)
  const scale = page === undefined || width === 0 ? undefined : scaleOf(page, width * (zooms[zoom] ?? 1))
  const factor = scale?.scale ?? 0
  useEffect(() => {
    const element = canvas.current
    if (page === undefined || element === null || factor === 0) return undefined
    const dense = Math.min(2, window.devicePixelRatio)
    const viewport = page.getViewport({ scale: factor * dense })
    element.width = Math.floor(viewport.width)
    element.height = Math.floor(viewport.height)
    // Signatures stand in the file as annotations of forms: they are drawn with the page.
    const task = page.render({ canvas: element, viewport })
    task.promise.catch(() => undefined)
    return () => task.cancel()
  }, [page, factor])
  return (
    <div className="sg-pages">
      {pdf.numPages > 1 && page !== undefined && <PageStrip pdf={pdf} number={number} onPage={onPage} />}
      <div className="sg-paper-room" ref={room}>
        {scale === undefined ? (
          <Spinner />
        ) : (
          <div className="sg-paper" style={{ width: scale.width, height: scale.height }}>
            <canvas ref={canvas} aria-label={t('sign.page.of', { page: number, pages: pdf.numPages })} role="img" />
            <p className="sg-page-text">{text}</p>
            {children(scale)}
          </div>
        )}
      </div>
      <div className="sg-page-bar">
        <IconButton
          label={t('sign.page.before')}
          icon={<ChevronUp20Regular />}
          disabled={number <= 1}
          onClick={() => onPage(number - 1)}
        />
        <span>{t('sign.page.of', { page: number, pages: pdf.numPages })}</span>
        <IconButton
          label={t('sign.page.after')}
          icon={<ChevronDown20Regular />}
          disabled={number >= pdf.numPages}
          onClick={() => onPage(number + 1)}
        />
        <IconButton
          label={t('sign.page.smaller')}
          icon={<ZoomOut20Regular />}
          disabled={zoom === 0}
          onClick={() => setZoom(zoom - 1)}
        />
        <IconButton
          label={t('sign.page.larger')}
          icon={<ZoomIn20Regular />}
          disabled={zoom === zooms.length - 1}
          onClick={() => setZoom(zoom + 1)}
        />
      </div>
    </div>
  )
}
