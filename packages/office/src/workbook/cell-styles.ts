// The styles part of a workbook. New cell styles are added; existing styles are unchanged.
import { child, escape, type Placed, prefixOf, spliced, treeOf, withAttribute } from '../package/index.ts'
import type { CellFormatting } from './cell-formatting.ts'

const isElement = (one: Placed | string): one is Placed => typeof one !== 'string'

/** The required order of the style lists and of the elements of a font. */
const listOrder = ['numFmts', 'fonts', 'fills', 'borders', 'cellStyleXfs', 'cellXfs']
const fontOrder = 'b i strike condense extend outline shadow u vertAlign sz color name family charset scheme'.split(' ')

/**
 * The formatting to apply to a cell: optionally the style of another cell as the base, then a built-in number format
 * and formatting changes.
 */
export interface StyleRequest {
  readonly base?: number
  readonly format?: number
  readonly look?: CellFormatting
}

export type CellStyles = ReturnType<typeof openStyles>

/** Reads the styles part. */
export function openStyles(xml: string) {
  const prefix = prefixOf(xml, 'styleSheet')
  const tree = treeOf(xml, prefix)
  const listOf = (name: string): Placed | undefined => tree.children.filter(isElement).find((one) => one.name === name)
  const elements = (list: Placed | undefined): Placed[] => list?.children.filter(isElement) ?? []
  const own = elements(listOf('cellXfs'))
  const added = new Map<string, number>()
  const fresh = new Map<string, string[]>()
  const raw = (one: Placed): string => xml.slice(one.from, one.to)

  /** Returns the index of an element in its list. Appends the element if the list does not contain it. */
  const numberOf = (name: string, made: string): number => {
    const list = fresh.get(name) ?? []
    fresh.set(name, list)
    const before = elements(listOf(name))
    const known = before.findIndex((one) => raw(one) === made)
    if (known >= 0) return known
    const usual = before.length === 0 ? (usualOf[name]?.(prefix) ?? []) : []
    if (list.length === 0) list.push(...usual)
    const at = list.indexOf(made)
    return before.length + (at >= 0 ? at : list.push(made) - 1)
  }
  const fontWith = (id: number, look: CellFormatting): number => {
    const base = elements(listOf('fonts'))[id]
    const pieces = new Map<string, string>((base?.children ?? []).filter(isElement).map((one) => [one.name, raw(one)]))
    const turn = (name: string, is: boolean | undefined): void => {
      if (is === true) pieces.set(name, `<${prefix}${name}/>`)
      else if (is === false) pieces.delete(name)
    }
    turn('b', look.bold)
    turn('i', look.italic)
    turn('u', look.underline)
    turn('strike', look.strike)
    if (look.color === '') pieces.delete('color')
    else if (look.color !== undefined) pieces.set('color', `<${prefix}color rgb="FF${look.color}"/>`)
    if (look.size !== undefined) pieces.set('sz', `<${prefix}sz val="${look.size}"/>`)
    if (look.font !== undefined) {
      // A theme font would take precedence over the named font.
      for (const name of ['scheme', 'family', 'charset']) pieces.delete(name)
      const usual = elements(listOf('fonts'))[0]
        ?.children.filter(isElement)
        .find((one) => one.name === 'name')
      if (look.font !== '') pieces.set('name', `<${prefix}name val="${escape(look.font)}"/>`)
      else if (usual === undefined) pieces.delete('name')
      else pieces.set('name', raw(usual))
    }
    const inOrder = [...pieces].sort(([a], [b]) => fontOrder.indexOf(a) - fontOrder.indexOf(b))
    return numberOf('fonts', `<${prefix}font>${inOrder.map(([, piece]) => piece).join('')}</${prefix}font>`)
  }
  const fillOf = (color: string): number =>
    color === ''
      ? 0
      : numberOf(
          'fills',
          `<${prefix}fill><${prefix}patternFill patternType="solid"><${prefix}fgColor rgb="FF${color}"/><${prefix}bgColor indexed="64"/></${prefix}patternFill></${prefix}fill>`,
        )
  /** Keeps existing border lines on the sides that have one. */
  const borderOf = (id: number, sides: string): number => {
    if (sides === '') return 0
    const base = elements(listOf('borders'))[id]?.children.filter(isElement) ?? []
    const line = (side: string): string => {
      const before = base.find((one) => one.name === side)
      if (!sides.includes(side.slice(0, 1))) return `<${prefix}${side}/>`
      if (before !== undefined && (before.attributes['style'] ?? 'none') !== 'none') return raw(before)
      return `<${prefix}${side} style="thin"><${prefix}color auto="1"/></${prefix}${side}>`
    }
    const made = ['left', 'right', 'top', 'bottom'].map(line).join('')
    return numberOf('borders', `<${prefix}border>${made}<${prefix}diagonal/></${prefix}border>`)
  }
  const alignmentOf = (from: Placed, { align, wrap }: CellFormatting): string => {
    const before = from.children.filter(isElement).find((one) => one.name === 'alignment')
    let tag = before === undefined ? `<${prefix}alignment/>` : xml.slice(before.from, before.inner)
    if (align !== undefined) tag = withAttribute(tag, 'horizontal', align || undefined)
    if (wrap !== undefined) tag = withAttribute(tag, 'wrapText', wrap ? '1' : undefined)
    return tag.replace(/\s*\/?>$/, '/>')
  }

  return {
    tree,
    /** The styles whose cells may be edited while the sheet is protected. */
    unlocked: new Set(own.flatMap((xf, n) => (child(xf, 'protection')?.attributes['locked'] === '0' ? [n] : []))),
    /** Returns the number of the style `before` with the given formatting applied. */
    with(before: number, { base = before, format, look = {} }: StyleRequest): number {
      const style = own[base] === undefined ? before : base
      const from = own[style]
      if (from === undefined || (format === undefined && Object.keys(look).length === 0)) return style
      const name = `${style} ${JSON.stringify([format, look])}`
      const known = added.get(name)
      if (known !== undefined) return known
      const attributes: [string, number, string][] = []
      const { bold, italic, underline, strike, color, fill, borders, align, wrap, font, size } = look
      if (format !== undefined) attributes.push(['numFmtId', format, 'applyNumberFormat'])
      if ([bold, italic, underline, strike, color, font, size].some((one) => one !== undefined)) {
        const id = Number(from.attributes['fontId'] ?? 0)
        attributes.push(['fontId', fontWith(id, look), 'applyFont'])
      }
      if (fill !== undefined) attributes.push(['fillId', fillOf(fill), 'applyFill'])
      if (borders !== undefined) {
        const sides = borders === true ? 'tblr' : borders === false ? '' : borders
        attributes.push(['borderId', borderOf(Number(from.attributes['borderId'] ?? 0), sides), 'applyBorder'])
      }
      let tag = xml.slice(from.from, from.inner)
      for (const [id, value, applies] of attributes) {
        tag = withAttribute(withAttribute(tag, id, String(value)), applies, '1')
      }
      let made = tag + xml.slice(from.inner, from.to)
      if (align !== undefined || wrap !== undefined) {
        tag = withAttribute(tag, 'applyAlignment', '1').replace(/\s*\/?>$/, '>')
        const rest = from.children.filter(isElement).filter((one) => one.name !== 'alignment')
        made = `${tag}${alignmentOf(from, look)}${rest.map(raw).join('')}</${prefix}xf>`
      }
      const list = fresh.get('cellXfs') ?? []
      fresh.set('cellXfs', list)
      const at = own.length + list.push(made) - 1
      added.set(name, at)
      return at
    },
    /** Returns the part with the added styles; undefined if none was added. */
    made(): string | undefined {
      if (added.size === 0) return undefined
      return spliced(
        xml,
        [...fresh].flatMap(([name, all]) => {
          if (all.length === 0) return []
          const list = listOf(name)
          const count = elements(list).length + all.length
          if (list === undefined) {
            const behind = listOrder.slice(listOrder.indexOf(name) + 1)
            const next = behind.map(listOf).find((one) => one !== undefined)
            const at = next?.from ?? tree.outer
            return [{ from: at, to: at, by: `<${prefix}${name} count="${count}">${all.join('')}</${prefix}${name}>` }]
          }
          const tag = withAttribute(xml.slice(list.from, list.inner), 'count', String(count))
          if (list.inner === list.to) {
            const by = `${tag.replace(/\s*\/>$/, '>')}${all.join('')}</${prefix}${name}>`
            return [{ from: list.from, to: list.to, by }]
          }
          return [
            { from: list.from, to: list.inner, by: tag },
            { from: list.outer, to: list.outer, by: all.join('') },
          ]
        }),
      )
    },
  }
}

/** The default entries of a missing style list, which readers of the format expect. */
const usualOf: Readonly<Record<string, (prefix: string) => string[]>> = {
  fonts: (prefix) => [`<${prefix}font/>`],
  fills: (prefix) =>
    ['none', 'gray125'].map((type) => `<${prefix}fill><${prefix}patternFill patternType="${type}"/></${prefix}fill>`),
  borders: (prefix) => [
    `<${prefix}border><${prefix}left/><${prefix}right/><${prefix}top/><${prefix}bottom/><${prefix}diagonal/></${prefix}border>`,
  ],
}
