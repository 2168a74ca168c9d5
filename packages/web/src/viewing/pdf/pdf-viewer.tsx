// The PDF viewer: a column of pages. Each page is rendered when it comes near the window and released when it is far,
// so a document of a thousand pages costs as much as its visible pages. An invisible text layer allows selection and
// browser search; the text of further pages is added one by one.
import { PasswordResponses, type PDFDocumentProxy, TextLayer } from 'pdfjs-dist'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { Spinner } from '../../kit/spinner.tsx'
import { useGestureZoom } from '../controls/gestures.ts'
import { PageBar } from '../controls/page-bar.tsx'
import { PageStrip, usePageStrip } from '../controls/page-strip.tsx'
import { pageViewport, type Zoom, zoomFactor } from '../shared/zoom.ts'
import { openPdf } from './pdf.ts'
import { PdfPassword } from './pdf-password.tsx'

interface Size {
  readonly width: number
  readonly height: number
}

/** CSS pixels of one PDF point. */
const pointPx = 96 / 72
const gap = 16
/** Pages within this distance of the window are rendered, in pixels. */
const margin = 800
/** The number of pages whose text is laid out without being visible, for browser search. */
const mostTexts = 300
/** The maximum number of pixels of one canvas; larger ones fail or exhaust memory. */
const maxCanvasPixels = 16_000_000

interface PdfViewerProps {
  readonly url: string
  /** The bytes, if they were already requested; they may resolve to undefined. */
  readonly content?: Promise<ArrayBuffer | undefined> | undefined
  readonly onFail: (error: unknown) => void
}

/** A PDF waits for its password; `open` tries one. */
interface Locked {
  readonly open: (password: string) => void
  readonly isWrong: boolean
}

/** Renders a PDF with its toolbar. */
export function PdfViewer({ url, content, onFail }: PdfViewerProps): ReactNode {
  const [pdf, setPdf] = useState<PDFDocumentProxy>()
  const [first, setFirst] = useState<Size>()
  const [locked, setLocked] = useState<Locked>()
  const fail = useEffectEvent(onFail)

  useEffect(() => {
    let task: ReturnType<typeof openPdf> | undefined
    let gone = false
    const open = async (): Promise<void> => {
      const bytes = await content
      if (gone) return
      task = openPdf(url, bytes)
      task.onPassword = (open: (password: string) => void, reason: number) => {
        if (!gone) setLocked({ open, isWrong: reason === PasswordResponses.INCORRECT_PASSWORD })
      }
      const document = await task.promise
      const viewport = (await document.getPage(1)).getViewport({ scale: pointPx })
      if (gone) return
      setFirst({ width: viewport.width, height: viewport.height })
      setPdf(document)
    }
    open().catch((error: unknown) => {
      if (!gone) fail(error)
    })
    return () => {
      gone = true
      void task?.destroy()
    }
  }, [url, content])

  if (pdf === undefined || first === undefined) {
    if (locked === undefined) return <Spinner />
    const onPassword = (password: string): void => {
      setLocked(undefined)
      locked.open(password)
    }
    return <PdfPassword isWrong={locked.isWrong} onPassword={onPassword} />
  }
  return <Pages key={url} pdf={pdf} first={first} />
}

function Pages({ pdf, first }: { readonly pdf: PDFDocumentProxy; readonly first: Size }): ReactNode {
  const scroller = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 })
  const [zoom, setZoom] = useState<Zoom>('fit')
  const [turn, setTurn] = useState(0)
  const [page, setPage] = useState(1)
  const [texts, setTexts] = useState(1)
  const strip = usePageStrip(pdf.numPages)
  const turned: Size = turn % 180 === 0 ? first : { width: first.height, height: first.width }
  const scale = zoomFactor(zoom, turned, pageViewport(zoom, room), 1.25)

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    element.focus({ preventScroll: true })
    return () => observer.disconnect()
  }, [])

  const zoomTo = useGestureZoom(scroller, scale, setZoom)

  const pageAt = useCallback((): number => {
    const element = scroller.current
    if (element === null) return 1
    const middle = element.scrollTop + element.clientHeight / 2
    const pages = [...element.querySelectorAll<HTMLElement>('.pv-page')]
    const below = pages.findIndex((one) => one.offsetTop > middle)
    return below < 0 ? pages.length : Math.max(1, below)
  }, [])

  const goTo = (target: number): void => {
    const element = scroller.current?.querySelectorAll<HTMLElement>('.pv-page')[target - 1]
    if (element !== undefined) scroller.current?.scrollTo({ top: element.offsetTop - gap })
  }

  return (
    <>
      {strip?.shown === true && (
        <PageStrip
          pages={pdf.numPages}
          page={page}
          onPage={goTo}
          sizeOf={() => first}
          renderPage={(n, small) => <SmallDrawing pdf={pdf} number={n} scale={small} />}
        />
      )}
      {/* The scroll container is focusable for keyboard scrolling. */}
      <div className="pv-scroll" ref={scroller} tabIndex={0} onScroll={() => setPage(pageAt())}>
        {room.width > 0 &&
          Array.from({ length: pdf.numPages }, (_, i) => (
            <Page
              key={i}
              pdf={pdf}
              number={i + 1}
              scale={scale}
              turn={turn}
              guess={first}
              scroller={scroller}
              withText={i < texts}
              onText={() => setTexts((before) => Math.max(before, Math.min(i + 2, mostTexts)))}
            />
          ))}
      </div>
      <PageBar
        page={page}
        pages={pdf.numPages}
        onPage={goTo}
        zoom={zoom}
        percent={scale}
        onZoom={zoomTo}
        wholePages
        strip={strip}
        onTurn={() => setTurn((turn + 90) % 360)}
      />
    </>
  )
}

interface SmallDrawingProps {
  readonly pdf: PDFDocumentProxy
  readonly number: number
  readonly scale: number
}

/** The thumbnail of a page; a page with another aspect ratio is fitted into it. */
function SmallDrawing({ pdf, number, scale }: SmallDrawingProps): ReactNode {
  const drawing = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const canvas = drawing.current
    let cancel = (): void => undefined
    let gone = false
    void (async () => {
      const page = await pdf.getPage(number)
      if (gone || canvas === null) return
      const viewport = page.getViewport({ scale: scale * pointPx * window.devicePixelRatio })
      canvas.width = Math.ceil(viewport.width)
      canvas.height = Math.ceil(viewport.height)
      const task = page.render({ canvas, viewport })
      cancel = () => task.cancel()
      await task.promise
    })().catch(() => undefined)
    return () => {
      gone = true
      cancel()
    }
  }, [pdf, number, scale])
  return <canvas ref={drawing} style={{ objectFit: 'contain' }} aria-hidden="true" />
}

interface PageProps {
  readonly pdf: PDFDocumentProxy
  readonly number: number
  readonly scale: number
  readonly turn: number
  readonly guess: Size
  readonly scroller: React.RefObject<HTMLDivElement | null>
  /** The text layer is required although the page is far. */
  readonly withText: boolean
  /** The text layer is complete, or the page has none. */
  readonly onText: () => void
}

function Page({ pdf, number, scale, turn, guess, scroller, withText, onText }: PageProps): ReactNode {
  const holder = useRef<HTMLDivElement>(null)
  const drawing = useRef<HTMLDivElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  const [size, setSize] = useState<Size>(guess)

  useEffect(() => {
    const element = holder.current
    if (element === null) return
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root: scroller.current,
      rootMargin: `${margin}px 0px`,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])

  useEffect(() => {
    const element = drawing.current
    if (!near || element === null) return
    const canvas = document.createElement('canvas')
    let cancel = (): void => undefined
    let gone = false
    void (async () => {
      const page = await pdf.getPage(number)
      if (gone) return
      const flat = page.getViewport({ scale: pointPx })
      setSize({ width: flat.width, height: flat.height })
      const css = page.getViewport({ scale: scale * pointPx, rotation: (page.rotate + turn) % 360 })
      const fit = Math.sqrt(maxCanvasPixels / (css.width * css.height))
      const dense = Math.min(window.devicePixelRatio, fit)
      canvas.width = Math.floor(css.width * dense)
      canvas.height = Math.floor(css.height * dense)
      const task = page.render({ canvas, viewport: css, transform: [dense, 0, 0, dense, 0, 0] })
      cancel = () => task.cancel()
      await task.promise
      // The previous canvas stays, scaled, until the new one is ready.
      if (!gone) element.replaceChildren(canvas)
    })().catch(() => undefined)
    return () => {
      gone = true
      cancel()
    }
  }, [near, pdf, number, scale, turn])

  useEffect(() => {
    if (!near) drawing.current?.replaceChildren()
  }, [near])

  const told = useEffectEvent(onText)
  const wantsText = near || withText
  useEffect(() => {
    const container = text.current
    if (!wantsText || container === null) return
    let layer: TextLayer | undefined
    let gone = false
    void (async () => {
      const page = await pdf.getPage(number)
      if (gone) return
      const viewport = page.getViewport({ scale: scale * pointPx, rotation: (page.rotate + turn) % 360 })
      container.replaceChildren()
      container.style.setProperty('--total-scale-factor', String(viewport.scale))
      layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport })
      await layer.render()
    })()
      .catch(() => undefined)
      .finally(() => {
        if (!gone) told()
      })
    return () => {
      gone = true
      layer?.cancel()
    }
  }, [wantsText, pdf, number, scale, turn])

  const [width, height] = turn % 180 === 0 ? [size.width, size.height] : [size.height, size.width]
  return (
    <div
      ref={holder}
      className="pv-page"
      data-page={number}
      style={{ width: Math.round(width * scale), height: Math.round(height * scale) }}
    >
      <div ref={drawing} />
      <div ref={text} className="pv-text-layer" />
    </div>
  )
}
