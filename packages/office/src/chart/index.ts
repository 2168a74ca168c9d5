export { type Chart, type ChartSeries, defaultChartColors, type PlotKind } from './chart.ts'
export { type ChartLook, drawChart } from './draw-chart.ts'
export { parseChart, readChart } from './read-chart.ts'
