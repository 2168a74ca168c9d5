// Cell formatting and number formats of workbooks.
import { child, children, colorOf, type Element, fromPoints, numberAt, themeColors, tinted } from '../package/index.ts'
import type { CellStyle } from '../rendition/index.ts'

/** Formats a number with a format code; throws on unsupported codes. */
export type WriteNumber = (code: string, value: number) => string

export interface CellFormat {
  /** Style indexes of the workbook, for text and for number cells. */
  readonly style: number
  readonly numberStyle: number
  /** The cell is visible even without a text. */
  readonly filled: boolean
  readonly format: (value: number) => string
  /** The number format code. */
  readonly code: string
  /** Font name, if it is not the default one. */
  readonly font: string
}

export interface WorkbookStyles {
  /** By the style index in the cells. */
  readonly cells: readonly CellFormat[]
  readonly styles: readonly CellStyle[]
  /** Converts a workbook colour to a CSS colour. */
  readonly color: (element: Element | undefined) => string | undefined
}

type Draft = { -readonly [K in keyof CellStyle]: CellStyle[K] }

/** Built-in number formats that have an index but no code in the file, in the Chinese version of Excel. */
export const builtInFormats: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '¥#,##0;¥-#,##0',
  6: '¥#,##0;[Red]¥-#,##0',
  7: '¥#,##0.00;¥-#,##0.00',
  8: '¥#,##0.00;[Red]¥-#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy/m/d',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy/m/d h:mm',
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: 'm/d/yy',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: '上午/下午h"时"mm"分"',
  35: '上午/下午h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: '#,##0;-#,##0',
  38: '#,##0;[Red]-#,##0',
  39: '#,##0.00;-#,##0.00',
  40: '#,##0.00;[Red]-#,##0.00',
  41: '_ * #,##0_ ;_ * -#,##0_ ;_ * "-"_ ;_ @_ ',
  42: '_ ¥* #,##0_ ;_ ¥* -#,##0_ ;_ ¥* "-"_ ;_ @_ ',
  43: '_ * #,##0.00_ ;_ * -#,##0.00_ ;_ * "-"??_ ;_ @_ ',
  44: '_ ¥* #,##0.00_ ;_ ¥* -#,##0.00_ ;_ ¥* "-"??_ ;_ @_ ',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  52: 'yyyy"年"m"月"',
  53: 'm"月"d"日"',
  54: 'm"月"d"日"',
  55: '上午/下午h"时"mm"分"',
  56: '上午/下午h"时"mm"分"ss"秒"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
}

/** Parses the styles of a workbook. */
export function readWorkbookStyles(
  styles: Element | undefined | '',
  theme: Element | undefined | '',
  since1904: boolean,
  write: WriteNumber,
): WorkbookStyles {
  const root = styles === '' ? undefined : styles
  const colors = themeColors(theme === '' ? undefined : theme)
  const formats = new Map(
    children(child(root, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? 'General',
    ]),
  )
  const fonts = children(child(root, 'fonts'), 'font')
  const fills = children(child(root, 'fills'), 'fill')
  const borders = children(child(root, 'borders'), 'border')
  const found: CellStyle[] = [{}]
  const known = new Map<string, number>([['{}', 0]])
  const numberOf = (style: CellStyle): number => {
    const key = JSON.stringify(style)
    const before = known.get(key)
    if (before !== undefined) return before
    known.set(key, found.length)
    return found.push(style) - 1
  }
  const nameOf = (font: Element | undefined): string => child(font, 'name')?.attributes['val'] ?? ''
  const color = (element: Element | undefined): string | undefined => colorIn(element, colors)
  const cells = children(child(root, 'cellXfs'), 'xf').map((xf): CellFormat => {
    const style: Draft = {}
    const font = fonts[numberAt(xf, 'fontId') ?? 0]
    if (isOn(child(font, 'b'))) style.bold = true
    if (isOn(child(font, 'i'))) style.italic = true
    if (isOn(child(font, 'u'), 'none')) style.underline = true
    if (isOn(child(font, 'strike'))) style.strike = true
    const size = numberAt(child(font, 'sz'), 'val')
    if (size !== undefined && size !== 11) style.size = fromPoints(Math.min(size, 72))
    const ink = color(child(font, 'color'))
    if (ink !== undefined && ink !== '#000000') style.color = ink
    const pattern = child(fills[numberAt(xf, 'fillId') ?? 0], 'patternFill')
    const fill = pattern?.attributes['patternType'] === 'solid' ? color(child(pattern, 'fgColor')) : undefined
    if (fill !== undefined && fill !== '#ffffff') style.fill = fill
    const border = borders[numberAt(xf, 'borderId') ?? 0]
    const lined = lines.filter(([side]) => (child(border, side)?.attributes['style'] ?? 'none') !== 'none')
    if (lined.length > 0) style.borders = lined.map(([, letter]) => letter).join('')
    const alignment = child(xf, 'alignment')
    const across = alignment?.attributes['horizontal']
    if (across === 'center' || across === 'centerContinuous') style.align = 'center'
    else if (across === 'right') style.align = 'end'
    else if (across === 'left') style.align = 'start'
    if (['1', 'true'].includes(alignment?.attributes['wrapText'] ?? '')) style.wrap = true
    const id = numberAt(xf, 'numFmtId') ?? 0
    const code = formats.get(id) ?? builtInFormats[id] ?? 'General'
    return {
      style: numberOf(style),
      numberStyle: numberOf(style.align === undefined ? { ...style, align: 'end' } : style),
      filled: style.fill !== undefined,
      format: formatter(code, since1904, write),
      code,
      font: nameOf(font) === nameOf(fonts[0]) ? '' : nameOf(font),
    }
  })
  return { cells, styles: found, color }
}

const lines = [
  ['top', 't'],
  ['bottom', 'b'],
  ['left', 'l'],
  ['right', 'r'],
] as const

const isOn = (element: Element | undefined, off = '0'): boolean =>
  element !== undefined && ![off, 'false'].includes(element.attributes['val'] ?? '')

function formatter(code: string, since1904: boolean, write: WriteNumber): (value: number) => string {
  // 1904 date system: dates start four years later.
  const days = since1904 && /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')) ? 1462 : 0
  return (value) => {
    try {
      return write(code, value + days)
    } catch {
      return String(value)
    }
  }
}

/** The indexed colour palette of old workbooks. */
const indexed =
  '000000 ffffff ff0000 00ff00 0000ff ffff00 ff00ff 00ffff 000000 ffffff ff0000 00ff00 0000ff ffff00 ff00ff 00ffff 800000 008000 000080 808000 800080 008080 c0c0c0 808080 9999ff 993366 ffffcc ccffff 660066 ff8080 0066cc ccccff 000080 ff00ff ffff00 00ffff 800080 800000 008080 0000ff 00ccff ccffff ccffcc ffff99 99ccff ff99cc cc99ff ffcc99 3366ff 33cccc 99cc00 ffcc00 ff9900 ff6600 666699 969696 003366 339966 003300 333300 993300 993366 333399 333333'.split(
    ' ',
  )

const themeOrder = ['lt1', 'dk1', 'lt2', 'dk2', 'accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6']

function colorIn(element: Element | undefined, colors: ReadonlyMap<string, string>): string | undefined {
  if (element === undefined) return undefined
  const { rgb, theme, indexed: index } = element.attributes
  const plain = rgb === undefined ? undefined : colorOf(rgb.slice(-6))
  const themed = theme === undefined ? undefined : colors.get(themeOrder[Number(theme)] ?? '')
  const base = plain ?? themed ?? (index === undefined ? undefined : colorOf(indexed[Number(index)]))
  return base && tinted(base, numberAt(element, 'tint') ?? 0)
}
