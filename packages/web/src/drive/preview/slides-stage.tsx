// Slides: all of them at the side, one large, by arrows up and down, the wheel or a click.
import type { Slides } from '@cloudoc/contract'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { PageBar } from './page-bar.tsx'
import type { OpenRendition } from './rendition.ts'
import { SlideView } from './slide-view.tsx'
import { isNarrow, nextZoom, type Zoom, zoomFactor } from './zoom.ts'

const thumbWidth = 174

interface SlidesStageProps {
  readonly deck: Slides
  readonly rendition: OpenRendition
}

/** Shows a presentation. */
export function SlidesStage({ deck, rendition }: SlidesStageProps): ReactNode {
  const t = useT()
  const [at, setAt] = useState(0)
  const [zoom, setZoom] = useState<Zoom>('fit')
  const [room, setRoom] = useState({ width: 0, height: 0 })
  const box = useRef<HTMLDivElement>(null)
  const slide = deck.slides[at]
  const scale = zoomFactor(
    zoom,
    deck,
    { width: room.width - (isNarrow(room) ? 16 : 240), height: room.height - (slide?.notes === undefined ? 120 : 220) },
    2,
  )

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    element.focus({ preventScroll: true })
    return () => observer.disconnect()
  }, [])

  const go = (to: number): void => {
    const wanted = Math.max(0, Math.min(deck.slides.length - 1, to))
    setAt(wanted)
    document.querySelector(`[data-slide="${wanted}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, PageDown: 1, ArrowUp: -1, PageUp: -1 }
    const step = steps[event.key]
    if (step === undefined) return
    go(at + step)
    event.preventDefault()
  }
  return (
    <div className="rd-slides" onKeyDown={onKeyDown}>
      <nav className="rd-strip" aria-label={t('drive.preview.slides')}>
        {deck.slides.map((one, n) => (
          <button
            key={n}
            type="button"
            data-slide={n}
            className="rd-strip-slide"
            aria-current={n === at ? 'page' : undefined}
            aria-label={t('drive.preview.slide', { n: n + 1 })}
            onClick={() => setAt(n)}
          >
            <span>{n + 1}</span>
            <SlideView slide={one} deck={deck} rendition={rendition} scale={thumbWidth / deck.width} />
          </button>
        ))}
      </nav>
      <div className="rd-slide-room" ref={box} tabIndex={-1}>
        {slide !== undefined && room.width > 0 && (
          <SlideView slide={slide} deck={deck} rendition={rendition} scale={scale} />
        )}
        {slide?.notes !== undefined && (
          <section className="rd-notes" aria-label={t('drive.preview.notes')}>
            <b>{t('drive.preview.notes')}</b>
            <p>{slide.notes}</p>
          </section>
        )}
      </div>
      <PageBar
        page={at + 1}
        pages={deck.slides.length}
        onPage={(page) => go(page - 1)}
        zoom={zoom}
        percent={scale}
        onZoom={(step) => setZoom(nextZoom(step, scale))}
        onFit={() => setZoom(zoom === 'fit' ? 1 : 'fit')}
      />
    </div>
  )
}
