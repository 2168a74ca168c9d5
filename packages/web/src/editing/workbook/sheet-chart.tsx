// Renders a chart of a sheet from the current cell values. Detailed formatting is not rendered, and remains in the file.
import { type Chart, drawChart } from '@cloudoc/office/chart'
import type { Workbook } from '@cloudoc/office/workbook'
import type { ReactNode } from 'react'
import { DrawingGraphic } from '../../kit/drawing.tsx'
import { safeColor } from '../../viewing/rendition/rendition.ts'

interface SheetChartProps {
  readonly book: Workbook
  readonly chart: Chart
  readonly width: number
  readonly height: number
}

export function SheetChart({ book, chart, width, height }: SheetChartProps): ReactNode {
  // The title is a field of the sheet, and a small chart has no room for a legend.
  const shown = { ...book.currentChart(chart), title: '', hasLegend: chart.hasLegend && height > 120 }
  return <DrawingGraphic drawing={drawChart(shown, width, height, { isBare: true })} color={safeColor} isHidden />
}
