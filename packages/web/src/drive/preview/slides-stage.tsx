// Slides: all of them at the side, one large, by arrows up and down, the wheel or a click.
import type { Slide, SlideShape, Slides } from '@cloudoc/contract'
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Blocks, PartImage } from './blocks.tsx'
import { PageBar } from './page-bar.tsx'
import { inkOf, type OpenRendition } from './rendition.ts'
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

interface SlideViewProps extends SlidesStageProps {
  readonly slide: Slide
  readonly scale: number
}

function SlideView({ slide, deck, rendition, scale }: SlideViewProps): ReactNode {
  return (
    <div className="rd-slide-frame" style={{ width: deck.width * scale, height: deck.height * scale }}>
      <div
        className="rd-slide rd"
        style={{
          width: deck.width,
          height: deck.height,
          transform: `scale(${scale})`,
          backgroundColor: inkOf(slide.fill) ?? '#ffffff',
        }}
      >
        {slide.image !== undefined && <PartImage part={slide.image} rendition={rendition} className="rd-slide-back" />}
        {slide.shapes.map((shape, n) => (
          <ShapeView key={n} shape={shape} rendition={rendition} />
        ))}
      </div>
    </div>
  )
}

function ShapeView({ shape, rendition }: { readonly shape: SlideShape; readonly rendition: OpenRendition }): ReactNode {
  const { x, y, width, height, turn, form, fill, line, image, blocks, anchor, insets, flip } = shape
  const place: CSSProperties = {
    insetInlineStart: x,
    insetBlockStart: y,
    width,
    height,
    transform: turn === undefined ? undefined : `rotate(${turn}deg)`,
  }
  const anchors = { middle: 'center', bottom: 'flex-end' } as const
  const [top, right, bottom, left] = insets ?? [5, 10, 5, 10]
  return (
    <div className="rd-shape" style={place}>
      {(fill !== undefined || line !== undefined) && (
        <Form form={form} width={width} height={height} fill={inkOf(fill)} line={line} flip={flip} />
      )}
      {image !== undefined && <PartImage part={image} rendition={rendition} className="rd-shape-image" />}
      {blocks !== undefined && (
        <div
          className="rd-shape-words"
          style={{ padding: `${top}px ${right}px ${bottom}px ${left}px`, justifyContent: anchor && anchors[anchor] }}
        >
          <Blocks blocks={blocks} rendition={rendition} />
        </div>
      )}
    </div>
  )
}

interface FormProps {
  readonly form: SlideShape['form']
  readonly width: number
  readonly height: number
  readonly line: SlideShape['line']
  readonly flip: SlideShape['flip']
  readonly fill: string | undefined
}

function Form({ form, width, height, fill = 'none', line, flip }: FormProps): ReactNode {
  const look = { fill, stroke: inkOf(line?.color), strokeWidth: line?.width }
  const [across, down] = flip ?? [false, false]
  const points: Readonly<Record<string, string>> = {
    triangle: `${width / 2},0 ${width},${height} 0,${height}`,
    diamond: `${width / 2},0 ${width},${height / 2} ${width / 2},${height} 0,${height / 2}`,
    arrow: `0,0 ${width - height / 2},0 ${width},${height / 2} ${width - height / 2},${height} 0,${height}`,
  }
  const corners = form === undefined ? undefined : points[form]
  return (
    <svg className="rd-form" width={Math.max(1, width)} height={Math.max(1, height)} aria-hidden="true">
      {form === 'line' ? (
        <line {...look} x1={across ? width : 0} y1={down ? height : 0} x2={across ? 0 : width} y2={down ? 0 : height} />
      ) : form === 'ellipse' ? (
        <ellipse {...look} cx={width / 2} cy={height / 2} rx={width / 2} ry={height / 2} />
      ) : corners !== undefined ? (
        <polygon {...look} points={corners} />
      ) : (
        <rect {...look} width={width} height={height} rx={form === 'round' ? Math.min(width, height) / 8 : 0} />
      )}
    </svg>
  )
}
