// The model of a chart: what its file says, or what a page wants to show.

export type PlotKind = 'column' | 'bar' | 'line' | 'area' | 'pie' | 'ring' | 'points'

/** Formulas that name cells, or nothing. */
export interface ChartCells {
  readonly name: string
  readonly categories: string
  readonly values: string
  readonly across: string
}

export interface ChartSeries {
  readonly kind: PlotKind
  readonly name: string
  readonly values: readonly (number | undefined)[]
  /** X values of a scatter chart. */
  readonly across?: readonly (number | undefined)[]
  readonly color?: string | undefined
  /** Colours of pie slices. */
  readonly colors?: readonly (string | undefined)[]
  /** The formulas that name the cells of the series in its workbook. */
  readonly cells?: ChartCells
}

export interface Chart {
  readonly title: string
  readonly categories: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly stacked?: 'sum' | 'share' | undefined
  readonly hasLegend: boolean
  readonly isPercent?: boolean
}

/** Default accent colours of office programs, if the theme has none. */
export const defaultChartColors: readonly string[] = ['#4472c4', '#ed7d31', '#a5a5a5', '#ffc000', '#5b9bd5', '#70ad47']
