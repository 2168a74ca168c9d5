// Renders a chart as the server has drawn it, from structured data. No markup of the document is used.
import type { Drawing } from '@cloudoc/contract'
import type { CSSProperties, ReactNode } from 'react'
import { DrawingGraphic } from '../../kit/drawing.tsx'
import { safeColor } from './rendition.ts'

interface DrawingViewProps {
  readonly drawing: Drawing
  readonly className?: string
  readonly style?: CSSProperties | undefined
}

export function DrawingView({ drawing, className = 'rd-image', style }: DrawingViewProps): ReactNode {
  return <DrawingGraphic drawing={drawing} color={safeColor} className={`${className} rd-drawing`} style={style} />
}
