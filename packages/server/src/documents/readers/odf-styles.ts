// Formatting by style name, for all kinds of OpenDocument.
import type { CellStyle, Run } from '@cloudoc/contract'
import { fromPoints, type OfficePackage } from './package.ts'
import { at, child, children, type Element } from './xml.ts'

const mostParents = 10
export const largestSize = 1000

export type Attributes = Readonly<Record<string, string>>
/** Where automatic styles are defined: each of the two files has its own. */
export type Scope = 'content.xml' | 'styles.xml'

/** The styles available to a file of the package. */
export class Styles {
  readonly #named = new Map<string, Element>()
  readonly #lists = new Map<string, Element>()

  constructor(office: OfficePackage, scope: Scope) {
    const common = office.xml('styles.xml')
    const own = scope === 'styles.xml' ? common : office.xml(scope)
    for (const place of [at(common, 'office:styles'), at(own, 'office:automatic-styles')]) {
      for (const one of children(place)) {
        const { 'style:family': family = '', 'style:name': name = '' } = one.attributes
        if (one.name === 'style:style') this.#named.set(`${family} ${name}`, one)
        else if (one.name === 'style:default-style') this.#named.set(`${family} `, one)
        else if (one.name === 'text:list-style') this.#lists.set(name, one)
        else if (one.name.startsWith('draw:')) this.#named.set(`${one.name} ${one.attributes['draw:name']}`, one)
      }
    }
  }

  named(family: string, name: string): Element | undefined {
    return this.#named.get(`${family} ${name}`)
  }

  list(name: string | undefined): Element | undefined {
    return name === undefined ? undefined : this.#lists.get(name)
  }

  /** A style and its ancestors, the root first. */
  chain(family: string, name: string | undefined): Element[] {
    const found: Element[] = []
    let style = name === undefined || name === '' ? undefined : this.named(family, name)
    while (style !== undefined && found.length < mostParents && !found.includes(style)) {
      found.unshift(style)
      const parent = style.attributes['style:parent-style-name']
      style = parent === undefined ? undefined : this.named(family, parent)
    }
    return found
  }

  /** The default style of a family. */
  usual(family: string): Element[] {
    const found = this.named(family, '')
    return found === undefined ? [] : [found]
  }
}

/** The properties of a chain of styles; later ones override earlier ones. */
export function propertiesOf(chain: readonly Element[], properties: string, under: Attributes = {}): Attributes {
  const said: Record<string, string> = { ...under }
  for (const style of chain) {
    const own = child(style, properties)?.attributes ?? {}
    // An explicit colour replaces the window font colour.
    if (own['fo:color'] !== undefined) delete said['style:use-window-font-color']
    for (const [name, value] of Object.entries(own)) {
      const before = /^fo:font-size|^style:font-size/.test(name) ? points(said[name]) : undefined
      const share = /^([\d.]+)%$/.exec(value)
      if (share !== null && before !== undefined) said[name] = `${(before * Number(share[1])) / 100}pt`
      else if (name === 'fo:border' || name === 'fo:padding') {
        for (const side of sides) delete said[`${name}-${side}`]
        said[name] = value
      } else said[name] = value
    }
  }
  return said
}

export const sides = ['top', 'right', 'bottom', 'left'] as const

export const points = (value: string | undefined): number | undefined => {
  const found = /^([\d.]+)pt$/.exec(value ?? '')
  return found === null ? undefined : Number(found[1])
}

export const colourIn = (value: string | undefined): string | undefined =>
  /^#[\da-f]{6}$/i.test(value ?? '') ? value?.toLowerCase() : undefined

export const isLine = (value: string | undefined): boolean => value !== undefined && value !== 'none'

export const alignIn = (value: string | undefined): CellStyle['align'] => aligns[value ?? '']

const aligns: Readonly<Record<string, NonNullable<CellStyle['align']>>> = {
  start: 'start',
  left: 'start',
  center: 'center',
  end: 'end',
  right: 'end',
}

const han = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u
const even = /mono|courier|consolas|menlo/i

/** The formatting of text; East Asian text has properties of its own. */
export function runFormat(words: Attributes, text: string): Omit<Run, 'text'> {
  const isHan = han.test(text)
  const of = (name: 'font-weight' | 'font-style' | 'font-size'): string | undefined =>
    (isHan ? words[`style:${name}-asian`] : undefined) ?? words[`fo:${name}`]
  const [weight, style, size] = [of('font-weight'), of('font-style'), points(of('font-size'))]
  const color = words['style:use-window-font-color'] === 'true' ? undefined : colourIn(words['fo:color'])
  const back = colourIn(words['fo:background-color'])
  const raised = words['style:text-position'] ?? ''
  return {
    ...((weight === 'bold' || Number(weight) >= 600) && { bold: true }),
    ...((style === 'italic' || style === 'oblique') && { italic: true }),
    ...(isLine(words['style:text-underline-style']) && { underline: true }),
    ...(isLine(words['style:text-line-through-style']) && { strike: true }),
    ...(even.test(words['style:font-name'] ?? '') && { mono: true }),
    ...(color !== undefined && { color }),
    ...(back !== undefined && { back }),
    ...(size !== undefined && size > 0 && { size: fromPoints(Math.min(size, largestPoints)) }),
    ...(/^(super|[1-9])/.test(raised) && { raised: 'super' }),
    ...(/^(sub|-[1-9])/.test(raised) && { raised: 'sub' }),
  }
}

const largestPoints = 400
