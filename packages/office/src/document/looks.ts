// The properties of paragraphs and letters as they stand in the file, changed one at a time.
import { escape } from '../package.ts'
import { type Placed, treeOf } from '../xml.ts'
import { elements } from './model.ts'

const parsedProperties = new Map<string, Placed>()

/** Properties as a tree. */
export function propertiesOf(xml: string): Placed {
  let found = parsedProperties.get(xml)
  if (found === undefined) {
    found = treeOf(xml.startsWith('<w:rPr') ? xml : `<w:pPr>${xml}</w:pPr>`)
    parsedProperties.set(xml, found)
  }
  return found
}

/** The order of what stands in properties: programs are strict about it. */
const orders = {
  run: 'rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath',
  paragraph:
    'pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange',
  cell: 'cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark headers cellIns cellDel cellMerge tcPrChange',
} as const
const ranks = new Map(Object.entries(orders).map(([kind, names]) => [kind, names.split(' ')]))

/** Properties, as they stand between their tags, with one of them set; undefined takes it away. */
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

/** Properties of a run with bold, italic or underline set as wanted; empty where nothing is left. */
export function withLook(rPr: string, name: 'b' | 'i' | 'u', wanted: string | undefined): string {
  const inner = rPr.replace(/^<w:rPr[^>]*>/, '').replace(/<\/w:rPr>$/, '')
  const set = wanted === undefined ? undefined : `<w:${name}${wanted}/>`
  const made = withProperty(inner, 'run', name, set, [`${name}Cs`])
  return made === '' ? '' : `<w:rPr>${made}</w:rPr>`
}

/** Properties of a paragraph with another style; none is the usual one. */
export function withStyle(pPr: string, id: string): string {
  return withProperty(pPr, 'paragraph', 'pStyle', id === '' ? undefined : `<w:pStyle w:val="${escape(id)}"/>`)
}
