// Lists of a Word document: which paragraphs belong to a list, and the definitions of new lists.
import type { Node } from 'prosemirror-model'
import { at, child, children, type Placed, treeOf } from '../package/index.ts'
import { propertiesOf } from './formatting.ts'
import { type Numbering, readNumbering } from './list-numbers.ts'
import { elements, val } from './model.ts'

export type ListKind = 'bullet' | 'number'

export type Lists = ReturnType<typeof readLists>

const empty =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"></w:numbering>'

/**
 * New lists have ids from this value on: even ids are bulleted, odd ids are numbered. Every co-editing user therefore
 * knows the kind of a list, independently of the definitions that the file has meanwhile.
 */
const firstOfNew = 10_000
const newKind = (id: number): ListKind => (id % 2 === 0 ? 'bullet' : 'number')

/** The list id of a paragraph; 0 if it is in none. */
export const listIn = (pPr: string): number =>
  pPr.includes('<w:numPr') ? Number(val(at(propertiesOf(pPr), 'w:numPr', 'w:numId')) || 0) : 0

/** Reads the lists of a document from its numbering part; `xml` is undefined if there is none. */
export function readLists(xml: string | undefined) {
  const tree = xml === undefined ? undefined : treeOf(xml)
  const known = new Set(children(tree, 'w:num').map((one) => Number(one.attributes['w:numId'])))
  const isNew = (id: number): boolean => id >= firstOfNew && !known.has(id)
  const newIn = (doc: Node): number[] => {
    const found = new Set<number>()
    doc.descendants((node) => {
      if (node.type.name !== 'paragraph') return true
      const id = listIn(String(node.attrs['pPr']))
      if (isNew(id)) found.add(id)
      return false
    })
    return [...found].sort((a, b) => a - b)
  }
  const defining = (ids: readonly number[]): string => {
    const abstracts = ids.map((id) => abstractOf(id, newKind(id)))
    const nums = ids.map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`)
    const from = xml ?? empty
    const root = treeOf(from)
    const all = elements(root)
    // Abstract definitions must precede all lists, and lists must precede all other elements.
    const lastAbstract = all.findLast(({ name }) => name === 'w:abstractNum' || name === 'w:numPicBullet')
    const lastNum = all.findLast(({ name }) => name === 'w:num')
    const first = lastAbstract?.to ?? root.inner
    const second = lastNum?.to ?? first
    return from.slice(0, first) + abstracts.join('') + from.slice(first, second) + nums.join('') + from.slice(second)
  }
  const trees = new Map<string, Placed>()
  return {
    /** Returns the numbering part with the new lists of a document; undefined if there are none. */
    written(doc: Node): string | undefined {
      const ids = newIn(doc)
      return ids.length === 0 ? undefined : defining(ids)
    },
    /** Returns the counter that numbers the list paragraphs from the first one on. */
    numbering(doc: Node): Numbering {
      const ids = newIn(doc)
      if (ids.length === 0) return readNumbering(tree)
      const key = ids.join(' ')
      const known = trees.get(key) ?? treeOf(defining(ids))
      trees.set(key, known)
      return readNumbering(known)
    },
    kindOf(id: number, level: number): ListKind | undefined {
      if (isNew(id)) return newKind(id)
      const num = children(tree, 'w:num').find((one) => one.attributes['w:numId'] === String(id))
      const abstract = children(tree, 'w:abstractNum').find(
        (one) => one.attributes['w:abstractNumId'] === val(child(num, 'w:abstractNumId')),
      )
      const own = children(abstract, 'w:lvl').find((one) => one.attributes['w:ilvl'] === String(level))
      return own === undefined ? undefined : val(child(own, 'w:numFmt')) === 'bullet' ? 'bullet' : 'number'
    },
    /** Returns the id for a new list. All new bulleted lists share one id. */
    begin(doc: Node, kind: ListKind): number {
      if (kind === 'bullet') return firstOfNew
      const begun = new Set(newIn(doc))
      for (;;) {
        const id = firstOfNew + 1 + 2 * Math.floor(Math.random() * 11_000)
        if (isNew(id) && !begun.has(id)) return id
      }
    },
  }
}

const step = 425
const bullets = ['•', '◦', '▪']
const numbers = [
  ['decimal', '%1.'],
  ['lowerLetter', '%2)'],
  ['lowerRoman', '%3.'],
] as const

function abstractOf(id: number, kind: ListKind): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const [format, text] = numbers[level % 3] ?? numbers[0]
    const look =
      kind === 'bullet'
        ? `<w:numFmt w:val="bullet"/><w:lvlText w:val="${bullets[level % 3]}"/>`
        : `<w:numFmt w:val="${format}"/><w:lvlText w:val="${text.replace(/\d/, String(level + 1))}"/>`
    const place = `<w:pPr><w:ind w:left="${step * (level + 1)}" w:hanging="${step}"/></w:pPr>`
    return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/>${look}<w:lvlJc w:val="left"/>${place}</w:lvl>`
  })
  return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="hybridMultilevel"/>${levels.join('')}</w:abstractNum>`
}
