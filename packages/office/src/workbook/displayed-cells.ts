// What the editor displays of the cells of a workbook.
import { format } from 'numfmt'
import type { Chart } from '../chart/index.ts'
import { type DrawnStyle, withFormatting } from './cell-formatting.ts'
import type { CellStore } from './cell-store.ts'
import { typedOf } from './cells.ts'
import { currentChart } from './current-chart.ts'
import { parseFormula, type Reference } from './formula.ts'
import { plainNames } from './function-names.ts'
import { formatNumber } from './number-format.ts'
import type { StoredWorkbook } from './read-workbook.ts'
import { keyOf } from './sheet-part.ts'

interface ShownCell {
  readonly text: string
  readonly style: DrawnStyle
  readonly isNumber: boolean
}

export type DisplayedCells = ReturnType<typeof displayedCells>

export function displayedCells({ sheets, looks, since1904 }: StoredWorkbook, store: CellStore) {
  const shown = (path: string, row: number, column: number): ShownCell => {
    const key = keyOf(row, column)
    const { content, formula } = store.at(path, key)
    const look = store.lookAt(path, key)
    const isNumber = content.kind === 'number'
    const stored = looks.styles[(isNumber ? look?.numberStyle : look?.style) ?? 0] ?? {}
    const own = look === undefined || look.font === '' ? stored : { ...stored, font: look.font }
    const style = withFormatting(own, store.overAt(path, key)?.look, isNumber)
    if (content.kind === 'empty') return { text: formula === undefined ? '' : `=${formula}`, style, isNumber }
    if (content.kind === 'boolean') return { text: content.value ? 'TRUE' : 'FALSE', style, isNumber }
    if (content.kind !== 'number') return { text: content.value, style, isNumber }
    return { text: written(content.value, store.codeAt(path, key), look?.format, since1904), style, isNumber }
  }
  /** The contents of the cells that a formula names; undefined if it names no area of a sheet. */
  const contentsOf = (formula: string, most: number): (string | number)[] | undefined => {
    const of = referenceOf(formula)
    const sheet = of && sheets.find(({ name }) => name.toLowerCase() === of.sheet?.toLowerCase())
    if (of === undefined || sheet?.hasCells !== true) return undefined
    const { top, left, bottom, right } = of.area
    const found: (string | number)[] = []
    const { rows } = store.extentOf(sheet.part)
    for (let row = top; row <= Math.min(bottom, Math.max(top, rows)) && found.length < most; row++) {
      for (let column = left; column <= right && found.length < most; column++) {
        const { content } = store.at(sheet.part, keyOf(row, column))
        found.push(content.kind === 'number' ? content.value : shown(sheet.part, row, column).text)
      }
    }
    return found
  }
  return {
    /** The displayed text and style of a cell. */
    shown,
    /** The text in the edit field of a cell. */
    typed(path: string, row: number, column: number): string {
      const key = keyOf(row, column)
      const { content, formula } = store.at(path, key)
      return formula === undefined ? typedOf(content, store.codeAt(path, key), since1904) : `=${plainNames(formula)}`
    },
    /** A chart with the current values of the cells that it references. */
    currentChart: (chart: Chart): Chart => currentChart(chart, contentsOf),
  }
}

/** The single area that a formula references. */
function referenceOf(formula: string): Reference | undefined {
  try {
    const { references } = parseFormula(formula)
    return references.length === 1 ? references[0] : undefined
  } catch {
    return undefined
  }
}

function written(
  value: number,
  code: string,
  own: ((value: number) => string) | undefined,
  since1904: boolean,
): string {
  if (own !== undefined && code !== 'General') {
    try {
      const days = since1904 ? 1462 : 0
      return formatNumber(code, value + (/[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]/g, '')) ? days : 0))
    } catch {
      return own(value)
    }
  }
  return format('General', value, { locale: 'zh-CN' })
}
