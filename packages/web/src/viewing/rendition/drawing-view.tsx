// Renders a chart as the server has drawn it, from structured data. No markup of the document is used.
import type { Drawing, DrawnMark } from '@cloudoc/contract'
import type { CSSProperties, ReactNode } from 'react'
import { safeColor } from './rendition.ts'

interface DrawingViewProps {
  readonly drawing: Drawing
  readonly className?: string
  readonly style?: CSSProperties
}

export function DrawingView({ drawing, className = 'rd-image', style }: DrawingViewProps): ReactNode {
  const { width, height, marks } = drawing
  return (
    <svg
      className={`${className} rd-drawing`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      style={style}
    >
      {marks.map((mark, n) => (
        <MarkView key={n} mark={mark} />
      ))}
    </svg>
  )
}

function MarkView({ mark }: { readonly mark: DrawnMark }): ReactNode {
  if (mark.path !== undefined) {
    return (
      <path
        d={mark.path}
        fill={safeColor(mark.fill) ?? 'none'}
        stroke={safeColor(mark.line)}
        strokeWidth={mark.thick}
      />
    )
  }
  return (
    <text x={mark.x} y={mark.y} fontSize={mark.size} fill={safeColor(mark.color)} textAnchor={mark.anchor}>
      {mark.text}
    </text>
  )
}
