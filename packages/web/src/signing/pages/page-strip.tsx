// The pages of a PDF as small pictures, to turn to one of them. Each is drawn when it comes into sight.
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import './pages.css'

interface PageStripProps {
  readonly pdf: PDFDocumentProxy
  readonly number: number
  readonly onPage: (number: number) => void
}

const thumbWidth = 72

export function PageStrip({ pdf, number, onPage }: PageStripProps): ReactNode {
  const t = useT()
  const strip = useRef<HTMLElement>(null)
  useEffect(() => {
    strip.current?.children[number - 1]?.scrollIntoView({ block: 'nearest' })
  }, [number])
  return (
    <nav className="sg-strip" ref={strip} aria-label={t('sign.page.strip')}>
      {Array.from({ length: pdf.numPages }, (_, n) => (
        <button
          key={n}
          type="button"
          aria-current={n + 1 === number ? 'page' : undefined}
          aria-label={t('sign.page.of', { page: n + 1, pages: pdf.numPages })}
          onClick={() => onPage(n + 1)}
        >
          <Thumb pdf={pdf} number={n + 1} />
          <small>{n + 1}</small>
        </button>
      ))}
    </nav>
  )
}

function Thumb({ pdf, number }: Pick<PageStripProps, 'pdf' | 'number'>): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = canvas.current
    if (element === null || isSeen) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isSeen])
  useEffect(() => {
    if (!isSeen) return undefined
    let gone = false
    let stop = (): void => undefined
    const draw = async (): Promise<void> => {
      const page = await pdf.getPage(number)
      const element = canvas.current
      if (gone || element === null) return
      const dense = Math.min(2, window.devicePixelRatio)
      const viewport = page.getViewport({ scale: (thumbWidth * dense) / page.getViewport({ scale: 1 }).width })
      element.width = Math.floor(viewport.width)
      element.height = Math.floor(viewport.height)
      const task = page.render({ canvas: element, viewport })
      stop = () => task.cancel()
      await task.promise
    }
    // A page that cannot be drawn stays white here; the large one says so.
    draw().catch(() => undefined)
    return () => {
      gone = true
      stop()
    }
  }, [pdf, number, isSeen])
  return <canvas ref={canvas} width={thumbWidth} height={Math.round(thumbWidth * Math.SQRT2)} />
}
