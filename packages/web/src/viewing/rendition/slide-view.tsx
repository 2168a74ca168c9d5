// Renders a slide: each shape at its position.
import type { Slide, SlideShape, Slides } from '@cloudoc/contract'
import { gradientLine } from '@cloudoc/office/presentation'
import { type CSSProperties, type ReactNode, useId } from 'react'
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
          backgroundImage: slide.gradient && cssGradient(slide.gradient),
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

const safeStops = ({ stops }: Gradient): (readonly [at: number, color: string])[] =>
  stops.flatMap(([at, color]) => {
    const safe = safeColor(color)
    return safe === undefined ? [] : [[at, safe] as const]
  })

/** A gradient as a background. The angle of CSS is counted from upwards. */
function cssGradient(gradient: Gradient): string {
  const stops = safeStops(gradient).map(([at, color]) => `${color} ${at * 100}%`)
  return gradient.isRadial === true
    ? `radial-gradient(farthest-corner, ${stops.join(', ')})`
    : `linear-gradient(${gradient.angle + 90}deg, ${stops.join(', ')})`
}

function ShapeView({ shape, rendition }: { readonly shape: SlideShape; readonly rendition: Pictures }): ReactNode {
  const {
    x,
    y,
    width,
    height,
    turn,
    form,
    outline,
    fill,
    gradient,
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
        <Form
          form={form}
          outline={outline}
          width={width}
          height={height}
          fill={safeColor(fill)}
          gradient={gradient}
          line={line}
          flip={flip}
        />
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

type Gradient = NonNullable<SlideShape['gradient']>

interface FormProps {
  readonly form: SlideShape['form']
  readonly outline: SlideShape['outline']
  readonly gradient: SlideShape['gradient']
  readonly width: number
  readonly height: number
  readonly line: SlideShape['line']
  readonly flip: SlideShape['flip']
  readonly fill: string | undefined
}

/** The path of a document: commands of paths only. */
const safePath = (path: string | undefined): string | undefined =>
  path !== undefined && /^[MLQCZ\d. -]*$/.test(path) ? path : undefined

function Form({ form, outline, width, height, fill = 'none', gradient, line, flip }: FormProps): ReactNode {
  const id = useId()
  const path = safePath(outline)
  const look = {
    fill: gradient === undefined ? fill : `url(#${id})`,
    stroke: safeColor(line?.color),
    strokeWidth: line?.width,
  }
  const [across, down] = flip ?? [false, false]
  const points: Readonly<Record<string, string>> = {
    triangle: `${width / 2},0 ${width},${height} 0,${height}`,
    diamond: `${width / 2},0 ${width},${height / 2} ${width / 2},${height} 0,${height / 2}`,
    arrow: `0,0 ${width - height / 2},0 ${width},${height / 2} ${width - height / 2},${height} 0,${height}`,
  }
  const corners = form === undefined ? undefined : points[form]
  return (
    <svg className="rd-form" width={Math.max(1, width)} height={Math.max(1, height)} aria-hidden="true">
      {gradient !== undefined && <GradientDefinition id={id} gradient={gradient} width={width} height={height} />}
      {path !== undefined ? (
        <path {...look} d={path} transform={mirror(width, height, across, down)} />
      ) : form === 'line' ? (
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

const mirror = (width: number, height: number, across: boolean, down: boolean): string | undefined =>
  across || down
    ? `translate(${across ? width : 0} ${down ? height : 0}) scale(${across ? -1 : 1} ${down ? -1 : 1})`
    : undefined

interface GradientDefinitionProps {
  readonly id: string
  readonly gradient: Gradient
  readonly width: number
  readonly height: number
}

function GradientDefinition({ id, gradient, width, height }: GradientDefinitionProps): ReactNode {
  const stops = safeStops(gradient).map(([at, color], n) => <stop key={n} offset={at} stopColor={color} />)
  if (gradient.isRadial === true)
    return (
      <radialGradient id={id} r={Math.SQRT1_2}>
        {stops}
      </radialGradient>
    )
  const [x1, y1, x2, y2] = gradientLine(gradient.angle, width, height)
  return (
    <linearGradient id={id} gradientUnits="userSpaceOnUse" x1={x1} y1={y1} x2={x2} y2={y2}>
      {stops}
    </linearGradient>
  )
}
