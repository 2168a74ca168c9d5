/*
 * Headers, footers, footnotes and endnotes of a document. Each is a region of a part of its own. In the editor they are
 * nodes after the body text, which cannot be added or removed (docs/adr/0159).
 */
import { Fragment, type Node } from 'prosemirror-model'
import { attributeOf, type Package, type Placed, relationsOf, treeOf } from '../package/index.ts'
import { isInsertedPart } from './inserted-parts.ts'
import { addressesOf } from './insertions.ts'
import { elements, type OpaqueAttrs, type Reader } from './model.ts'
import { pictureReader } from './pictures.ts'
import { readBlocks } from './read.ts'
import { writeInside } from './write.ts'

export type HeadersAndNotesKind = 'header' | 'footer' | 'footnote' | 'endnote'

export interface HeadersAndNotesAttrs {
  /** The part that contains it, and the index of its region in that part. */
  readonly part: string
  readonly at: number
  readonly kind: HeadersAndNotesKind
  /** The pages of a header or footer (`w:type`); empty for notes. */
  readonly which: string
  /** The number of a note. */
  readonly n: number
}

interface Part {
  readonly name: string
  readonly reader: Reader
  readonly regions: readonly Placed[]
}

/** The headers and footers that the sections reference, each once, with the type of the first reference. */
function namedIn(xml: string, relations: ReadonlyMap<string, { readonly part: string }>) {
  const found = new Map<string, Pick<HeadersAndNotesAttrs, 'kind' | 'which'>>()
  for (const [tag, kind] of xml.matchAll(/<w:(header|footer)Reference\s[^>]*>/g)) {
    const part = relations.get(attributeOf(tag, 'r:id') ?? '')?.part
    if (part !== undefined && !found.has(part)) {
      found.set(part, { kind: kind as HeadersAndNotesKind, which: attributeOf(tag, 'w:type') ?? 'default' })
    }
  }
  return found
}

/** Reads the headers, footers and notes of the document whose body `like` reads. */
export function readHeadersAndNotes(office: Package, main: string, like: Reader) {
  const relations = relationsOf(office, main)
  const parts: Part[] = []
  const open = (name: string): { readonly reader: Reader; readonly root: Placed; readonly close: () => void } => {
    const xml = office.text(name)
    const pictures = pictureReader(office, relationsOf(office, name))
    const reader = { ...like, xml, refs: new Map(), addresses: addressesOf(office, name), pictures }
    return { reader, root: treeOf(xml), close: () => pictures.close() }
  }
  const closes: (() => void)[] = []
  const nodes: Node[] = []
  const add = (
    name: string,
    regionsOf: (root: Placed) => readonly Placed[],
    of: (at: number) => Omit<HeadersAndNotesAttrs, 'part' | 'at'>,
  ) => {
    if (!office.has(name)) return
    const { reader, root, close } = open(name)
    closes.push(close)
    const regions = regionsOf(root)
    parts.push({ name, reader, regions })
    regions.forEach((region, at) => {
      const blocks = readBlocks(reader, region, region.inner)
      if (blocks.length > 0) nodes.push(like.schema.node('aside', { part: name, at, ...of(at) }, blocks))
    })
  }
  for (const [name, named] of namedIn(like.xml, relations))
    add(
      name,
      (root) => [root],
      () => ({ ...named, n: 0 }),
    )
  for (const kind of ['footnote', 'endnote'] as const) {
    const name = [...relations.values()].find((one) => one.kind === `${kind}s`)?.part
    if (name === undefined) continue
    // Notes with a `w:type` are separator lines between the text and the notes.
    const notes = (root: Placed): readonly Placed[] =>
      elements(root).filter((one) => one.name === `w:${kind}` && one.attributes['w:type'] === undefined)
    add(name, notes, (at) => ({ kind, which: '', n: at + 1 }))
  }
  return {
    nodes,
    /** Returns the edited parts by name. */
    written(doc: Node): ReadonlyMap<string, string> {
      return new Map(
        parts.map(({ name, reader, regions }) => {
          let [made, from] = ['', 0]
          regions.forEach((region, at) => {
            const now = doc.children.find((node) => node.attrs['part'] === name && node.attrs['at'] === at)
            if (now === undefined) return
            made += reader.xml.slice(from, region.inner) + writeInside(reader, region, now.content)
            from = region.outer
          })
          return [name, made + reader.xml.slice(from)]
        }),
      )
    },
    close(): void {
      for (const close of closes) close()
    },
  }
}

/** The body of a document, without headers, footers and notes. */
export const bodyOf = (doc: Node): Fragment =>
  Fragment.fromArray(doc.children.filter(({ type }) => type.name !== 'aside'))

/**
 * Returns a key of the headers, footers and notes of a document: of those in the file or, with `begun`, of those
 * inserted in the editor.
 */
export const headersAndNotesKeys = (doc: Node, begun = false): string =>
  doc.children
    .filter((node) => node.type.name === 'aside' && isInsertedPart(node) === begun)
    .map(({ attrs }) => `${String(attrs['part'])} ${String(attrs['at'])}`)
    .join('\n')

/**
 * The pieces that are valid only in their own part, because they reference relationships or items of that part; by
 * part.
 */
function piecesOf(doc: Node): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const plain = new Set(['mark', 'field', 'deleted', 'formula'])
  doc.forEach((block) => {
    const part = block.type.name === 'aside' ? String(block.attrs['part']) : ''
    const pieces = found.get(part) ?? new Set()
    found.set(part, pieces)
    const look = (node: Node): void => {
      for (const { type, attrs } of node.marks) {
        if (type.name === 'wrap' && /\br:\w+=/.test(String(attrs['open']))) pieces.add(String(attrs['open']))
      }
      if (node.type.name === 'locked') pieces.add(`locked ${String(node.attrs['ref'])}`)
      if (node.type.name === 'kept') {
        const { kind, xml } = node.attrs as OpaqueAttrs
        if (!plain.has(kind) || /\br:\w+=/.test(xml)) pieces.add(xml)
      }
      node.forEach(look)
    }
    look(block)
  })
  return found
}

/** Whether each piece is in the part that it comes from. New pieces may only be in the body. */
export function arePiecesInPlace(asRead: Node, now: Node): boolean {
  const known = piecesOf(asRead)
  return [...piecesOf(now)].every(([part, pieces]) =>
    [...pieces].every((piece) => {
      if (known.get(part)?.has(piece) === true) return true
      return part === '' && ![...known.values()].some((others) => others.has(piece))
    }),
  )
}
