/*
 * A Word document that is edited: its blocks as nodes of an editor, each with where it stands in the file; and the file with
 * just those blocks written anew that were touched (docs/adr/0130). What is not known stays as it stands, as one piece.
 */
import { child, children, type Numbering, numberAt, readNumbering, readStyles } from '@cloudoc/domain/office'
import type { Node } from 'prosemirror-model'
import { elements, type KeptAttrs, type Reader, type Source, val } from './document/model.ts'
import { pictureReader } from './document/pictures.ts'
import { readBlocks } from './document/read.ts'
import { schemaOf } from './document/schema.ts'
import { write } from './document/write.ts'
import { isSigned, mainPart, NotEditable, openPackage, relationsOf } from './package.ts'
import { type Placed, treeOf } from './xml.ts'

export type Document = ReturnType<typeof openDocument>

/** Opens a document; `xml` is its main part where that is not what the file has. Throws `NotEditable`. */
export function openDocument(bytes: Uint8Array, own?: string) {
  const office = openPackage(bytes)
  const main = mainPart(office, 'word/document.xml')
  const xml = own ?? office.text(main)
  const root = treeOf(xml)
  const body = elements(root).find(({ name }) => name === 'w:body')
  if (root.name !== 'w:document' || body === undefined) throw new NotEditable('kind', 'no document')
  const relations = relationsOf(office, main)
  const beside = (kind: string): Placed | undefined => {
    const part = [...relations.values()].find((one) => one.kind === kind)?.part
    return part === undefined || !office.has(part) ? undefined : treeOf(office.text(part))
  }
  const stylesTree = beside('styles')
  const styles = readStyles(stylesTree)
  const numberingTree = beside('numbering')
  const schema = schemaOf(styles)
  const sources: Source[] = []
  const originals: Node[] = []
  const pictures = pictureReader(office, relations)
  const reader: Reader = {
    xml,
    tableStyle: tableStyleOf(stylesTree),
    schema,
    sources,
    refs: new Map(),
    originals,
    pictures,
  }
  const blocks = readBlocks(reader, body, body.inner)
  const doc = schema.node('doc', undefined, blocks.length > 0 ? blocks : [schema.node('paragraph')])
  return {
    schema,
    doc,
    styles,
    /** Counts the paragraphs of lists from the first one on. */
    numbering: (): Numbering => readNumbering(numberingTree),
    isSigned: isSigned(office),
    isProtected:
      office.has('word/settings.xml') &&
      /<w:documentProtection\s[^>]*w:enforcement="(?:1|true|on)"/.test(office.text('word/settings.xml')),
    kept: countKept(doc),
    /** Where each block stands in the main part as it was read, by its number. */
    places: (): readonly number[] => sources.map(({ element }) => element.from),
    main: xml,
    /** The styles that a paragraph can take on: their ids, by what they are. */
    headings: headingsOf(stylesTree),
    page: pageOf(body),
    /** The main part as the document stands in the editor. */
    written: (now: Node): string => write(reader, body, now),
    bytes: (now: Node): Uint8Array => {
      const made = write(reader, body, now)
      return made === office.text(main) ? bytes : office.patched(new Map([[main, made]]))
    },
    close: (): void => pictures.close(),
  }
}

/** A draft of a document as a file. */
export function withDocumentDraft(bytes: Uint8Array, draft: string): Uint8Array {
  if (draft === '') return bytes
  const office = openPackage(bytes)
  return office.patched(new Map([[mainPart(office, 'word/document.xml'), draft]]))
}

/** How many pieces there are that can only be kept, marks aside. */
function countKept(doc: Node): number {
  let count = 0
  doc.descendants(({ type, attrs }) => {
    if (type.name === 'locked' || (type.name === 'kept' && (attrs as KeptAttrs).kind !== 'mark')) count++
  })
  return count
}

export interface Heading {
  readonly id: string
  /** 0: the usual one; 1 to 3; 9: the title. */
  readonly level: number
}

function headingsOf(styles: Placed | undefined): Heading[] {
  return children(styles, 'w:style').flatMap((style) => {
    if (style.attributes['w:type'] !== 'paragraph') return []
    const name = val(child(style, 'w:name')).toLowerCase()
    const level = /^heading ([1-3])$/.exec(name)?.[1]
    if (level !== undefined) return [{ id: style.attributes['w:styleId'] ?? '', level: Number(level) }]
    return name === 'title' ? [{ id: style.attributes['w:styleId'] ?? '', level: 9 }] : []
  })
}

/** The style of tables with lines around each cell. */
function tableStyleOf(styles: Placed | undefined): string {
  const found = children(styles, 'w:style').find(
    (style) => style.attributes['w:type'] === 'table' && /^table grid$/i.test(val(child(style, 'w:name'))),
  )
  return found?.attributes['w:styleId'] ?? ''
}

/** The page in pixels. */
function pageOf(body: Placed): {
  readonly width: number
  readonly left: number
  readonly right: number
  readonly top: number
} {
  const section = child(body, 'w:sectPr')
  const ofSection = (name: string, attribute: string, usual: number): number =>
    Math.round((numberAt(child(section, name), attribute) ?? usual) / 15)
  return {
    width: Math.min(1600, Math.max(300, ofSection('w:pgSz', 'w:w', 11_906))),
    left: Math.min(300, ofSection('w:pgMar', 'w:left', 1800)),
    right: Math.min(300, ofSection('w:pgMar', 'w:right', 1800)),
    top: Math.min(200, ofSection('w:pgMar', 'w:top', 1440)),
  }
}
