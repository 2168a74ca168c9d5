// Fills cells from adjacent ones: numbers, dates and texts with a number are continued as a series, everything else is
// repeated.
import type { Area, Entry } from '@cloudoc/office/workbook'
import { type GridModel, isFilteredOut, mergeAt } from './grid-model.ts'

const lists = [
  '星期一 星期二 星期三 星期四 星期五 星期六 星期日',
  '周一 周二 周三 周四 周五 周六 周日',
  '一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月',
  '第一季度 第二季度 第三季度 第四季度',
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday',
  'Mon Tue Wed Thu Fri Sat Sun',
  'January February March April May June July August September October November December',
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
].map((list) => list.split(' '))

const dayMs = 86_400_000

/** A series: returns the text at `n`, counted from the first source cell; `n` is less than 0 for cells before it. */
type Series = (n: number) => string

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text) && Number.isSafeInteger(Number(text) * 1e6)
const dayOf = (text: string): number | undefined => {
  const [, year, month, day] = /^(\d{4})([/-]\d{1,2})([/-]\d{1,2})$/.exec(text) ?? []
  if (year === undefined) return undefined
  return Date.UTC(Number(year), Number(month?.slice(1)) - 1, Number(day?.slice(1))) / dayMs
}
const writtenDay = (day: number): string => {
  const date = new Date(day * dayMs)
  return `${date.getUTCFullYear()}/${date.getUTCMonth() + 1}/${date.getUTCDate()}`
}
const decimals = (text: string): number => text.split('.')[1]?.length ?? 0

/** The step between numbers; undefined if it is not constant. */
function stepOf(numbers: readonly number[]): number | undefined {
  const [first = 0, second = first] = numbers
  const step = second - first
  return numbers.every((one, n) => Math.abs(one - first - step * n) < 1e-9) ? step : undefined
}

/** Returns the series that continues cells; `single` is the step for a single cell. */
function seriesOf(texts: readonly string[], single: 0 | 1): Series {
  const { length } = texts
  const repeated: Series = (n) => texts[((n % length) + length) % length] ?? ''
  const [first = ''] = texts
  if (texts.every(isNumber)) {
    const step = length === 1 ? single : stepOf(texts.map(Number))
    const most = Math.max(...texts.map(decimals))
    return step === undefined ? repeated : (n) => String(Number((Number(first) + step * n).toFixed(most)))
  }
  const days = texts.map(dayOf)
  if (days.every((one) => one !== undefined)) {
    const step = length === 1 ? 1 : stepOf(days)
    return step === undefined ? repeated : (n) => writtenDay((days[0] ?? 0) + step * n)
  }
  const list = lists.find((one) => texts.every((text) => one.includes(text)))
  if (list !== undefined) {
    const at = texts.map((text) => list.indexOf(text))
    const step = length === 1 ? 1 : stepOf(at.map((one, n) => one + (one < (at[0] ?? 0) && n > 0 ? list.length : 0)))
    if (step === undefined) return repeated
    return (n) => list[((((at[0] ?? 0) + step * n) % list.length) + list.length) % list.length] ?? ''
  }
  // Texts with one number, the last one: 第 3 周, Q1, A-007.
  const parts = texts.map((text) => /^(.*?)(\d{1,9})(\D*)$/s.exec(text))
  const [, head = '', digits = '', tail = ''] = parts[0] ?? []
  if (digits !== '' && parts.every((one) => one?.[1] === head && one[3] === tail) && !first.startsWith('=')) {
    const step = length === 1 ? 1 : stepOf(parts.map((one) => Number(one?.[2])))
    if (step === undefined) return repeated
    const width = digits.startsWith('0') ? digits.length : 0
    return (n) => `${head}${String(Math.abs(Number(digits) + step * n)).padStart(width, '0')}${tail}`
  }
  return repeated
}

/** The entries that fill the rest of `to` from the filled part `from`, vertically or horizontally. */
export function filled(model: GridModel, from: Area, to: Area, { isCopied = false } = {}): Entry[] {
  const isDown = to.bottom > from.bottom || to.top < from.top
  const entries: Entry[] = []
  const lines = isDown ? range(from.left, from.right) : range(from.top, from.bottom)
  const cell = (line: number, at: number) => (isDown ? { row: at, column: line } : { row: line, column: at })
  const [first, last] = isDown ? [from.top, from.bottom] : [from.left, from.right]
  const [begin, end] = isDown ? [to.top, to.bottom] : [to.left, to.right]
  for (const line of lines) {
    if (!isDown && isFilteredOut(model, line)) continue
    const sources = range(first, last).filter((at) => !isDown || !isFilteredOut(model, at))
    const { length } = sources
    if (length === 0) continue
    const texts = sources.map((at) => model.typed(cell(line, at).row, cell(line, at).column))
    const next = isCopied ? undefined : seriesOf(texts, 0)
    const fill = (at: number, n: number): void => {
      const source = cell(line, sources[((n % length) + length) % length] ?? first)
      const target = cell(line, at)
      // Cells covered by a merged cell are not filled.
      const around = mergeAt(model, target.row, target.column)
      if (around !== undefined && (around.top !== target.row || around.left !== target.column)) return
      const text = model.typed(source.row, source.column)
      const moved = text.startsWith('=')
        ? model.relocated(text, target.row - source.row, target.column - source.column)
        : (next?.(n) ?? text)
      entries.push({ ...target, text: moved, like: source })
    }
    let n = length
    for (let at = last + 1; at <= end; at++) if (!isDown || !isFilteredOut(model, at)) fill(at, n++)
    n = -1
    for (let at = first - 1; at >= begin; at--) if (!isDown || !isFilteredOut(model, at)) fill(at, n--)
  }
  return entries
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n)

/**
 * The area while the fill handle is dragged: extended only in the direction in which the pointer is farther outside.
 */
export function dragFillArea(from: Area, row: number, column: number): Area {
  const down = Math.max(row - from.bottom, from.top - row, 0)
  const across = Math.max(column - from.right, from.left - column, 0)
  if (down === 0 && across === 0) return from
  return down >= across
    ? { ...from, top: Math.min(from.top, row), bottom: Math.max(from.bottom, row) }
    : { ...from, left: Math.min(from.left, column), right: Math.max(from.right, column) }
}

/**
 * The area that a double click on the fill handle fills: down to the end of the adjacent column on the left or right.
 */
export function doubleClickFillArea(model: GridModel, from: Area): Area {
  for (const column of [from.left - 1, from.right + 1]) {
    if (column < 0 || model.typed(from.bottom + 1, column) === '') continue
    let { bottom } = from
    const { rows } = model.extent()
    while (bottom + 1 < rows && model.typed(bottom + 1, column) !== '') bottom++
    return { ...from, bottom }
  }
  return from
}

/**
 * Ctrl+D and Ctrl+R: fills an area from its first row or column. A single cell is filled from the cell above or to the
 * left.
 */
export function filledFromEdge(model: GridModel, area: Area, way: 'down' | 'right'): Entry[] {
  const isOne = way === 'down' ? area.top === area.bottom : area.left === area.right
  const edge = way === 'down' ? area.top - Number(isOne) : area.left - Number(isOne)
  if (edge < 0) return []
  const from = way === 'down' ? { ...area, top: edge, bottom: edge } : { ...area, left: edge, right: edge }
  return filled(model, from, way === 'down' ? { ...area, top: edge } : { ...area, left: edge }, { isCopied: true })
}
