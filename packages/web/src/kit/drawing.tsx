// A drawing of shapes and texts, such as a chart, as SVG.
import type { Drawing, DrawnMark } from '@cloudoc/office/rendition'
import type { CSSProperties, ReactNode } from 'react'

interface DrawingGraphicProps {
  readonly drawing: Drawing
  /** Admits a colour: those of a document come from the file. */
  readonly color: (color: string | undefined) => string | undefined
  readonly className?: string
  readonly style?: CSSProperties | undefined
  readonly isHidden?: boolean
}

export function DrawingGraphic({ drawing, color, className, style, isHidden }: DrawingGraphicProps): ReactNode {
  const { width, height, marks } = drawing
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      style={style}
      aria-hidden={isHidden}
    >
      {marks.map((mark, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the marks stay in their order
        <Mark key={n} mark={mark} color={color} />
      ))}
    </svg>
  )
}

function Mark({ mark, color }: { readonly mark: DrawnMark } & Pick<DrawingGraphicProps, 'color'>): ReactNode {
  if (mark.path !== undefined) {
    return (
      <path d={mark.path} fill={color(mark.fill) ?? 'none'} stroke={color(mark.line)} strokeWidth={mark.thick}>
        {mark.title !== undefined && <title>{mark.title}</title>}
      </path>
    )
  }
  return (
    <text x={mark.x} y={mark.y} fontSize={mark.size} fill={color(mark.color)} textAnchor={mark.anchor}>
      {mark.text}
    </text>
  )
}
