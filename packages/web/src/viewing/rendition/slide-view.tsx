// Renders a slide: each shape at its position.
import type { Slide, SlideShape, Slides } from '@cloudoc/contract'
import type { CSSProperties, ReactNode } from 'react'
import { Blocks, MissingView, PartImage, type Pictures } from './blocks.tsx'
import { DrawingView } from './drawing-view.tsx'
import { safeColor } from './rendition.ts'

interface SlideViewProps {
  readonly slide: Slide
  readonly deck: Pick<Slides, 'width' | 'height'>
  readonly rendition: Pictures
  readonly scale: number
}

/** A slide at a scale. */
export function SlideView({ slide, deck, rendition, scale }: SlideViewProps): ReactNode {
  // Whole pixels: with a fraction the background would be visible as a line at the edge.
  const [width, height] = [Math.floor(deck.width * scale), Math.floor(deck.height * scale)]
  return (
    <div className="rd-slide-frame" style={{ width, height }}>
      <div
        className="rd-slide rd"
        style={{
          width: deck.width,
          height: deck.height,
          transform: `scale(${scale})`,
          backgroundColor: safeColor(slide.fill) ?? '#ffffff',
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

function ShapeView({ shape, rendition }: { readonly shape: SlideShape; readonly rendition: Pictures }): ReactNode {
  const {
    x,
    y,
    width,
    height,
    turn,
    form,
    fill,
    line,
    image,
    drawing,
    blocks,
    anchor,
    insets,
    flip,
    vertical,
    missing,
  } = shape
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
        <Form form={form} width={width} height={height} fill={safeColor(fill)} line={line} flip={flip} />
      )}
      {image !== undefined && <PartImage part={image} rendition={rendition} className="rd-shape-image" />}
      {drawing !== undefined && <DrawingView drawing={drawing} className="rd-shape-image" />}
      {missing !== undefined && <MissingView missing={missing} className="rd-missing rd-shape-missing" />}
      {blocks !== undefined && (
        <div
          className={vertical === undefined ? 'rd-shape-words' : `rd-shape-words is-${vertical}`}
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
  const look = { fill, stroke: safeColor(line?.color), strokeWidth: line?.width }
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
