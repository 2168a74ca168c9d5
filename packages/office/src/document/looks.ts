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

/** The order of what stands in properties of runs: programs are strict about it. */
const order =
  'rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath'.split(
    ' ',
  )

/** Properties of a run with bold, italic or underline set as wanted; empty where nothing is left. */
export function withLook(rPr: string, name: 'b' | 'i' | 'u', wanted: string | undefined): string {
  const tree = rPr === '' ? undefined : treeOf(rPr)
  const gone = new Set([`w:${name}`, `w:${name}Cs`])
  const kept = tree === undefined ? [] : elements(tree).filter((one) => !gone.has(one.name))
  const pieces = kept.map((one) => ({ name: one.name, xml: rPr.slice(one.from, one.to) }))
  if (wanted !== undefined) {
    const rank = order.indexOf(name)
    const before = pieces.findIndex((one) => order.indexOf(one.name.replace('w:', '')) > rank)
    pieces.splice(before < 0 ? pieces.length : before, 0, { name: `w:${name}`, xml: `<w:${name}${wanted}/>` })
  }
  return pieces.length === 0 ? '' : `<w:rPr>${pieces.map((one) => one.xml).join('')}</w:rPr>`
}

/** Properties of a paragraph with another style; none is the usual one. */
export function withStyle(pPr: string, id: string): string {
  const bare = pPr.replace(/<w:pStyle\s[^>]*\/>/, '')
  return id === '' ? bare : `<w:pStyle w:val="${escape(id)}"/>${bare}`
}
