// Changes single properties of paragraphs and runs in their XML.
import { escape, type Placed, treeOf } from '../package/index.ts'
import { elements } from './model.ts'

const parsedProperties = new Map<string, Placed>()

/** Parses properties into a tree. */
export function propertiesOf(xml: string): Placed {
  let found = parsedProperties.get(xml)
  if (found === undefined) {
    found = treeOf(xml.startsWith('<w:rPr') ? xml : `<w:pPr>${xml}</w:pPr>`)
    parsedProperties.set(xml, found)
  }
  return found
}

/** The element order in properties. Programs are strict about it. */
const orders = {
  run: 'rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath',
  paragraph:
    'pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange',
  cell: 'cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark headers cellIns cellDel cellMerge tcPrChange',
} as const
const ranks = new Map(Object.entries(orders).map(([kind, names]) => [kind, names.split(' ')]))

/** Returns the inner XML of properties with one property set; undefined removes it. */
export function withProperty(
  inner: string,
  kind: keyof typeof orders,
  name: string,
  xml: string | undefined,
  more: readonly string[] = [],
): string {
  const gone = new Set([name, ...more].map((one) => `w:${one}`))
  const pieces = elements(treeOf(`<p>${inner}</p>`))
    .filter((one) => !gone.has(one.name))
    .map((one) => ({ name: one.name, xml: inner.slice(one.from - 3, one.to - 3) }))
  if (xml !== undefined) {
    const order = ranks.get(kind) ?? []
    const rank = order.indexOf(name)
    const before = pieces.findIndex((one) => order.indexOf(one.name.replace('w:', '')) > rank)
    pieces.splice(before < 0 ? pieces.length : before, 0, { name: `w:${name}`, xml })
  }
  return pieces.map((one) => one.xml).join('')
}

/** Returns run properties with one property set; empty if none is left. */
export function withRun(rPr: string, name: string, xml: string | undefined, more: readonly string[] = []): string {
  const inner = rPr.replace(/^<w:rPr[^>]*>/, '').replace(/<\/w:rPr>$/, '')
  const made = withProperty(inner, 'run', name, xml, more)
  return made === '' ? '' : `<w:rPr>${made}</w:rPr>`
}

/** Returns run properties with bold, italic, underline or strikethrough set. */
export function withToggle(rPr: string, name: 'b' | 'i' | 'u' | 'strike', wanted: string | undefined): string {
  const more = name === 'strike' ? ['dstrike'] : [`${name}Cs`]
  return withRun(rPr, name, wanted === undefined ? undefined : `<w:${name}${wanted}/>`, more)
}

/** Sets the font of a run. A font with Chinese glyphs is set for all scripts. */
export function withFont(rPr: string, font: string): string {
  const old = /<w:rFonts\s[^>]*w:eastAsia="([^"]*)"/.exec(rPr)?.[1]
  const name = escape(font)
  const isChinese = /[\u2e80-\u9fff]/.test(font)
  const east = isChinese ? ` w:eastAsia="${name}"` : old === undefined ? '' : ` w:eastAsia="${old}"`
  return withRun(rPr, 'rFonts', `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"${east} w:cs="${name}"/>`)
}

/** Sets the font size in points. */
export function withSize(rPr: string, points: number): string {
  const half = Math.round(points * 2)
  return withRun(rPr, 'sz', `<w:sz w:val="${half}"/><w:szCs w:val="${half}"/>`, ['szCs'])
}

/** Sets the text color as `rrggbb`; the default color is `auto`. */
export const withColor = (rPr: string, color: string): string => withRun(rPr, 'color', `<w:color w:val="${color}"/>`)

/** Sets the highlight color by its name in Word. */
export const withHighlight = (rPr: string, name: string): string =>
  withRun(rPr, 'highlight', name === 'none' ? undefined : `<w:highlight w:val="${name}"/>`, ['shd'])

/** Returns paragraph properties with another style; an empty id sets the default style. */
export function withStyle(pPr: string, id: string): string {
  return withProperty(pPr, 'paragraph', 'pStyle', id === '' ? undefined : `<w:pStyle w:val="${escape(id)}"/>`)
}

export type Align = 'left' | 'center' | 'right' | 'both'

export const withAlign = (pPr: string, align: Align): string =>
  withProperty(pPr, 'paragraph', 'jc', `<w:jc w:val="${align}"/>`)

/** Sets the list and the level of a paragraph. Undefined removes it from any list, also from the list of its style. */
export function withList(
  pPr: string,
  list: { readonly id: number; readonly level: number } | undefined,
  isByStyle: boolean,
): string {
  const none = isByStyle ? '<w:numPr><w:numId w:val="0"/></w:numPr>' : undefined
  if (list === undefined) return withProperty(pPr, 'paragraph', 'numPr', none)
  const own = `<w:numPr><w:ilvl w:val="${list.level}"/><w:numId w:val="${list.id}"/></w:numPr>`
  // The list defines the indentation.
  return withProperty(withProperty(pPr, 'paragraph', 'numPr', own), 'paragraph', 'ind', undefined)
}

/** The attributes of a property in their XML form, without those that match `without`. */
function attributesIn(pPr: string, name: string, without: RegExp): string {
  const found = elements(propertiesOf(pPr)).find((one) => one.name === name)
  return Object.entries(found?.attributes ?? {})
    .filter(([key]) => !without.test(key))
    .map(([key, value]) => ` ${key}="${escape(value)}"`)
    .join('')
}

/** Sets the indentation of a paragraph in twentieths of a point. The offset of the first line does not change. */
export function withIndent(pPr: string, left: number): string {
  const rest = attributesIn(pPr, 'w:ind', /^w:(?:left|start)(?:Chars)?$/)
  const own = left > 0 || rest !== '' ? `<w:ind w:left="${Math.max(0, left)}"${rest}/>` : undefined
  return withProperty(pPr, 'paragraph', 'ind', own)
}

/** Sets the line spacing as a factor. */
export function withLineSpacing(pPr: string, factor: number): string {
  const rest = attributesIn(pPr, 'w:spacing', /^w:line(?:Rule)?$/)
  const line = Math.round(factor * 240)
  return withProperty(pPr, 'paragraph', 'spacing', `<w:spacing${rest} w:line="${line}" w:lineRule="auto"/>`)
}
