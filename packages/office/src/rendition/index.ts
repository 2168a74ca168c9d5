export type { CellStyle } from './cell-style.ts'
export type { Drawing, DrawnMark } from './drawing.ts'
export type { Gradient, Slide, SlideShape, Slides } from './slides.ts'
export type {
  Block,
  Flow,
  FlowSection,
  Missing,
  PageEdges,
  PageSize,
  Paragraph,
  PartNumber,
  Run,
  Table,
  TableCell,
  TabStop,
} from './text.ts'
