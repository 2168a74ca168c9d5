// What the editor displays of the cells of a workbook.
import { format } from 'numfmt'
import { type DrawnStyle, withFormatting } from '../cell-formatting.ts'
import { typedOf } from '../cells.ts'
import type { Source } from '../drawings.ts'
import { keyOf } from '../sheet-part.ts'
import type { CellStore } from './cell-store.ts'
import { plainNames } from './function-names.ts'
import { formatNumber } from './number-format.ts'
import type { StoredWorkbook } from './read-workbook.ts'

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
  return {
    /** The displayed text and style of a cell. */
    shown,
    /** The text in the edit field of a cell. */
    typed(path: string, row: number, column: number): string {
      const key = keyOf(row, column)
      const { content, formula } = store.at(path, key)
      return formula === undefined ? typedOf(content, store.codeAt(path, key), since1904) : `=${plainNames(formula)}`
    },
    /**
     * The current values of the cells that a chart references; the values cached in the file if they cannot be found.
     */
    contentsOf({ of, kept }: Source, most: number): readonly (string | number)[] {
      const sheet = of && sheets.find(({ name }) => name.toLowerCase() === of.sheet?.toLowerCase())
      if (of === undefined || sheet?.hasCells !== true) return kept.slice(0, most)
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
    },
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
