/*
 * Inserting headers, footers and footnotes that a document does not have yet (docs/adr/0170). In the editor an inserted
 * one is an aside node like those from the file, with a part name that does not exist yet. Writing the document adds it
 * to the package; a footnote only if the text still references it. Undo and drafts therefore cover it.
 */
import type { Attrs, Node } from 'prosemirror-model'
import type { Placed } from '../package/index.ts'
import {
  addContentType,
  addRelations,
  attributeOf,
  child,
  children,
  escape,
  type Package,
  type PartChanges,
  relationsOf,
} from '../package/index.ts'
import { type Reader, val } from './model.ts'
import { writeInside } from './write.ts'

/** The kinds that can be inserted. */
export type InsertedPartKind = 'header' | 'footer' | 'footnote'

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const prolog = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const mark = 'new:'

/** Whether an aside node was inserted in the editor. */
export const isInsertedPart = ({ attrs }: Node): boolean => String(attrs['part']).startsWith(mark)

/** The order of the kinds after the body text. */
const ranks = ['header', 'footer', 'footnote', 'endnote']
const rankOf = ({ attrs }: Node): number => ranks.indexOf(String(attrs['kind']))

const headersAndNotesIn = (doc: Node): readonly Node[] => doc.children.filter(({ type }) => type.name === 'aside')

/** The document position for a new aside node: after the others of its kind. */
export function insertedPartPosition(doc: Node, aside: Node): number {
  let at = 0
  for (const block of doc.children) {
    if (block.type.name === 'aside' && rankOf(block) > rankOf(aside)) break
    at += block.nodeSize
  }
  return at
}

const referenceId = (xml: string): string | undefined => /<w:footnoteReference\s[^>]*w:id="(-?\d+)"/.exec(xml)?.[1]

/** The ids of the footnotes that the text references. */
function namedNotes(doc: Node): ReadonlySet<string> {
  const found = new Set<string>()
  doc.forEach((block) => {
    if (block.type.name === 'aside') return
    block.descendants(({ attrs }) => {
      const id = referenceId(String(attrs['xml'] ?? ''))
      if (id !== undefined) found.add(id)
    })
  })
  return found
}

/** Inserted footnotes that the text no longer references, with their positions. */
export function orphanedNotes(doc: Node): readonly { readonly node: Node; readonly at: number }[] {
  const named = namedNotes(doc)
  const found: { node: Node; at: number }[] = []
  doc.forEach((node, at) => {
    const isNote = node.type.name === 'aside' && isInsertedPart(node) && node.attrs['kind'] === 'footnote'
    if (isNote && !named.has(String(node.attrs['at']))) found.push({ node, at })
  })
  return found
}

const style = (styles: Placed | undefined, name: string): string | undefined =>
  children(styles, 'w:style').find((one) => val(child(one, 'w:name')).toLowerCase() === name)?.attributes['w:styleId']

/** Inserts headers, footers and footnotes into a document, and writes the inserted ones. */
export function insertedParts(office: Package, main: string, reader: Reader, styles: Placed | undefined) {
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const notesPart = [...relationsOf(office, main).values()].find(({ kind }) => kind === 'footnotes')?.part
  const notesXml = notesPart !== undefined && office.has(notesPart) ? office.text(notesPart) : undefined
  const { schema } = reader
  const paragraph = (pPr: string, content: readonly Node[] = []): Node => schema.node('paragraph', { pPr }, content)
  const pStyle = (id: string | undefined): string => (id === undefined ? '' : `<w:pStyle w:val="${escape(id)}"/>`)

  /** Whether a kind can be inserted: a header or footer only if there is none for all pages yet. */
  const canBegin = (kind: InsertedPartKind, doc: Node): boolean =>
    kind === 'footnote' ||
    !headersAndNotesIn(doc).some(
      ({ attrs }) => attrs['kind'] === kind && attrs['which'] !== 'first' && attrs['which'] !== 'even',
    )

  const beginNote = (doc: Node): { readonly aside: Node; readonly reference: Attrs } => {
    const begun = headersAndNotesIn(doc).filter(({ attrs }) => attrs['kind'] === 'footnote')
    const known = [...(notesXml ?? '').matchAll(/<w:footnote\s[^>]*>/g)].map(([tag]) => attributeOf(tag, 'w:id'))
    const ids = [
      ...known,
      ...namedNotes(doc),
      ...begun.filter(isInsertedPart).map(({ attrs }) => attrs['at'] as number),
    ]
    const id = Math.max(0, ...ids.map(Number)) + 1
    const n = Math.max(0, ...begun.map(({ attrs }) => Number(attrs['n']))) + 1
    const own = style(styles, 'footnote reference')
    const raised = `<w:rPr>${own === undefined ? '<w:vertAlign w:val="superscript"/>' : `<w:rStyle w:val="${escape(own)}"/>`}</w:rPr>`
    const number = { xml: `<w:r>${raised}<w:footnoteRef/></w:r>`, kind: 'mark' }
    return {
      reference: { xml: `<w:r>${raised}<w:footnoteReference w:id="${id}"/></w:r>`, kind: 'note', text: String(n) },
      aside: schema.node('aside', { part: `${mark}footnote`, at: id, kind: 'footnote', n }, [
        paragraph(pStyle(style(styles, 'footnote text')), [schema.node('kept', number), schema.text(' ')]),
      ]),
    }
  }

  /** Returns the nodes to insert; undefined if the kind cannot be inserted. */
  const begin = (
    kind: InsertedPartKind,
    doc: Node,
  ): { readonly aside: Node; readonly reference?: Attrs } | undefined => {
    if (!canBegin(kind, doc)) return undefined
    if (kind === 'footnote') return beginNote(doc)
    const own = style(styles, kind)
    const pPr = own === undefined ? `<w:jc w:val="${kind === 'header' ? 'center' : 'right'}"/>` : pStyle(own)
    const attrs = { part: `${mark}${kind}`, at: 0, kind, which: 'default' }
    return { aside: schema.node('aside', attrs, [paragraph(pPr)]) }
  }

  const inside = (aside: Node): string => {
    const region = { name: '', attributes: {}, children: [], from: 0, inner: 0, outer: 0, to: 0 }
    const content = writeInside({ ...reader, xml: '', refs: new Map() }, region, aside.content)
    return aside.lastChild?.type.name === 'paragraph' ? content : `${content}<w:p/>`
  }
  const rooted = (root: string, content: string): string =>
    `${prolog}<w:${root} xmlns:w="${word}" xmlns:r="${relationships}">${content}</w:${root}>`

  /** Appends notes to the existing notes. */
  const withNotes = (changes: PartChanges, notes: readonly Node[]): void => {
    const made = notes
      .map((note) => `<w:footnote w:id="${String(note.attrs['at'])}">${inside(note)}</w:footnote>`)
      .join('')
    const part = notesPart ?? `${folder}footnotes.xml`
    if (notesXml !== undefined) {
      const there = changes.get(part)
      const xml = typeof there === 'string' ? there : notesXml
      changes.set(
        part,
        xml.replace(/<\/w:footnotes>\s*$/, (end) => made + end),
      )
      return
    }
    // The separator lines between the text and its notes, which programs expect.
    const lines = [
      ['separator', -1],
      ['continuationSeparator', 0],
    ].map(
      ([type, id]) =>
        `<w:footnote w:type="${type}" w:id="${id}"><w:p><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr><w:r><w:${type}/></w:r></w:p></w:footnote>`,
    )
    changes.set(part, rooted('footnotes', lines.join('') + made))
    addRelations(office, changes, main, [{ id: 'rIdCdFootnotes', kind: 'footnotes', target: 'footnotes.xml' }])
    addContentType(
      office,
      changes,
      { part },
      'application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml',
    )
  }

  /**
   * Adds a header or footer and references it in the first section. Later sections inherit it unless they have their
   * own.
   */
  const withPage = (changes: PartChanges, xml: string, aside: Node): string => {
    const kind = String(aside.attrs['kind'])
    let n = 1
    while (office.has(`${folder}${kind}${n}.xml`)) n++
    const part = `${folder}${kind}${n}.xml`
    const id = `rIdCd${kind === 'header' ? 'Header' : 'Footer'}${n}`
    changes.set(part, rooted(kind === 'header' ? 'hdr' : 'ftr', inside(aside)))
    addRelations(office, changes, main, [{ id, kind, target: `${kind}${n}.xml` }])
    addContentType(
      office,
      changes,
      { part },
      `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`,
    )
    const named = `<w:${kind}Reference xmlns:r="${relationships}" w:type="default" r:id="${id}"/>`
    const section = /<w:sectPr(\s[^>]*?)?(\/?)>/.exec(xml)
    if (section === null) return xml.replace(/<\/w:body>/, (end) => `<w:sectPr>${named}</w:sectPr>${end}`)
    const [tag, attributes = '', isAlone] = section
    const opened = isAlone === '' ? tag + named : `<w:sectPr${attributes}>${named}</w:sectPr>`
    return xml.slice(0, section.index) + opened + xml.slice(section.index + tag.length)
  }

  return {
    canBegin,
    begin,
    /** Writes the inserted items to the package. Returns the main part with their references. */
    written(changes: PartChanges, xml: string, doc: Node): string {
      const forsaken = new Set(orphanedNotes(doc).map(({ node }) => node))
      const begun = headersAndNotesIn(doc).filter((one) => isInsertedPart(one) && !forsaken.has(one))
      const notes = begun.filter(({ attrs }) => attrs['kind'] === 'footnote')
      if (notes.length > 0) withNotes(changes, notes)
      // Each reference is inserted before the existing ones.
      return begun.filter((one) => !notes.includes(one)).reduceRight((made, one) => withPage(changes, made, one), xml)
    },
  }
}
