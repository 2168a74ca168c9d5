export { cellContent, isOn, storedText } from './cell-content.ts'
export { type DrawnStyle, pointsOf } from './cell-formatting.ts'
export {
  type Area,
  areaOf,
  type Content,
  columnName,
  type Entry,
  intersects,
  maxColumns,
  maxRows,
  parseRef,
  refOf,
  relocatedFormula,
} from './cells.ts'
export { type CoeditCell, cellKey, coeditCells, isCellWrite, lengthOfCell, parseCellKey } from './coedit-cells.ts'
export type { Chart, Corner, Drawing } from './drawings.ts'
export { type ColumnFilter, type Filter, type FilteredCell, hiddenRows, type Test } from './filter.ts'
export { parseFormula } from './formula.ts'
export { CellError } from './formula-values.ts'
export { formatNumber } from './number-format.ts'
export { parseStructureOperation } from './parse-structure-operation.ts'
export { builtInFormats, type CellFormat, readWorkbookStyles } from './read-cell-styles.ts'
export { type NameFault, nameFault } from './sheet-names.ts'
export {
  matchesFile,
  rebasedCells,
  rebasedFormula,
  removesCells,
  type SheetRebase,
  sheetNames,
  workbookAfter,
} from './sheet-rebase.ts'
export { type StructureOperation, type StructureRefusal, StructureRefused } from './sheet-structure.ts'
export { type CellFormatting, type FormattingChange, openWorkbook, type Workbook } from './workbook.ts'
export { type CoeditPorts, type History, openHistory, withSheetDraft } from './workbook-history.ts'
