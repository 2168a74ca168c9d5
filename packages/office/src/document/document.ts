/*
 * A Word document for editing. Its blocks are editor nodes with their source locations. Saving rewrites only the
 * changed blocks of the file (docs/adr/0130). Unknown content is one opaque piece that is preserved unchanged.
 */
import type { Node } from 'prosemirror-model'
import {
  attributeOf,
  changesOf,
  child,
  children,
  draftOf,
  escape,
  isSigned,
  mainPart,
  NotEditable,
  numberAt,
  openPackage,
  type PartChanges,
  type Placed,
  relationsOf,
  setNumbering,
  treeOf,
} from '../package/index.ts'
import { bodyOf, readHeadersAndNotes } from './headers-and-notes.ts'
import { insertedParts } from './inserted-parts.ts'
import { addressesOf, writeInsertions } from './insertions.ts'
import { readLists } from './lists.ts'
import { elements, type OpaqueAttrs, type OpaqueKind, type Reader, type Source, val } from './model.ts'
import { readStyles } from './paragraph-styles.ts'
import { pictureReader } from './pictures.ts'
import { readBlocks } from './read.ts'
import { schemaOf } from './schema.ts'
import { write } from './write.ts'

export type Document = ReturnType<typeof openDocument>

/**
 * Opens a document, optionally with a draft, and optionally with its headers, footers and notes. Throws `NotEditable`.
 */
export function openDocument(bytes: Uint8Array, draft = '', { asides: withAsides = false } = {}) {
  const base = openPackage(bytes)
  const main = mainPart(base, 'word/document.xml')
  const drafted: PartChanges = draft === '' ? new Map() : changesOf(main, draft)
  const office = draft === '' ? base : openPackage(base.patched(drafted))
  const xml = office.text(main)
  const root = treeOf(xml)
  const body = elements(root).find(({ name }) => name === 'w:body')
  if (root.name !== 'w:document' || body === undefined) throw new NotEditable('kind', 'no document')
  const relations = relationsOf(office, main)
  const beside = (kind: string): string | undefined => {
    const part = [...relations.values()].find((one) => one.kind === kind)?.part
    return part === undefined || !office.has(part) ? undefined : office.text(part)
  }
  const stylesXml = beside('styles')
  const stylesTree = stylesXml === undefined ? undefined : treeOf(stylesXml)
  const styles = readStyles(stylesTree)
  const lists = readLists(beside('numbering'))
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
    addresses: addressesOf(office, main),
    pictures,
  }
  const blocks = readBlocks(reader, body, body.inner)
  const asides = withAsides ? readHeadersAndNotes(office, main, reader) : undefined
  const begun = withAsides ? insertedParts(office, main, reader, stylesTree) : undefined
  const text = blocks.length > 0 ? blocks : [schema.node('paragraph')]
  const doc = schema.node('doc', undefined, [...text, ...(asides?.nodes ?? [])])
  /** Serializes the document: its main part, and all parts that differ from the file. */
  const made = (now: Node): { readonly xml: string; readonly changes: PartChanges } => {
    const text = write(reader, body, bodyOf(now))
    const changes: PartChanges = new Map(drafted)
    const numbering = lists.written(now)
    if (numbering !== undefined) setNumbering(office, changes, main, numbering)
    writeInsertions(office, changes, main, now)
    for (const [part, xml] of asides?.written(now) ?? []) changes.set(part, xml)
    const written = begun?.written(changes, text, now) ?? text
    changes.set(main, written)
    for (const [part, xml] of changes) {
      if (typeof xml === 'string' && base.has(part) && base.text(part) === xml) changes.delete(part)
    }
    return { xml: written, changes }
  }
  return {
    schema,
    doc,
    styles,
    lists,
    /** The headers, footers and notes that can be inserted; undefined if only the body was opened. */
    begun,
    isSigned: isSigned(office),
    isProtected:
      office.has('word/settings.xml') &&
      /<w:documentProtection\s[^>]*w:enforcement="(?:1|true|on)"/.test(office.text('word/settings.xml')),
    /** The number of opaque pieces of each kind, without marks. */
    kept: opaqueIn(doc),
    /** The offset of each source block in the main part, by its ref. */
    places: (): readonly number[] => sources.map(({ element }) => element.from),
    main: xml,
    /** The ids of the heading styles. */
    headings: headingsOf(stylesTree),
    /** The character formatting of links. */
    linkLook: linkStyleOf(stylesTree),
    /** The display name of a style. */
    styleName: (id: string): string =>
      val(
        child(
          children(stylesTree, 'w:style').find((style) => style.attributes['w:styleId'] === id),
          'w:name',
        ),
      ) || id,
    /** The font names that occur in the document. */
    fonts: fontsIn(`${stylesXml ?? ''}${xml}`),
    page: pageOf(body),
    /** Serializes the document in the editor as a draft. */
    written: (now: Node): string => {
      const { xml: written, changes } = made(now)
      return draftOf(main, written, changes)
    },
    bytes: (now: Node): Uint8Array => {
      const { changes } = made(now)
      return changes.size === 0 ? bytes : base.patched(changes)
    },
    close(): void {
      pictures.close()
      asides?.close()
    },
  }
}

/** Returns the file of a document with a draft applied. */
export function withDocumentDraft(bytes: Uint8Array, draft: string): Uint8Array {
  if (draft === '') return bytes
  const office = openPackage(bytes)
  return office.patched(changesOf(mainPart(office, 'word/document.xml'), draft))
}

function opaqueIn(doc: Node): ReadonlyMap<OpaqueKind | 'block', number> {
  const found = new Map<OpaqueKind | 'block', number>()
  doc.descendants(({ type, attrs }) => {
    const kind = type.name === 'locked' ? 'block' : type.name === 'kept' ? (attrs as OpaqueAttrs).kind : 'mark'
    if (kind !== 'mark') found.set(kind, (found.get(kind) ?? 0) + 1)
  })
  return found
}

export interface Heading {
  readonly id: string
  /** 0: body text; 1 to 3: heading levels; 9: title. */
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

function linkStyleOf(styles: Placed | undefined): string {
  const found = children(styles, 'w:style').find(
    (style) => style.attributes['w:type'] === 'character' && /^hyperlink$/i.test(val(child(style, 'w:name'))),
  )?.attributes['w:styleId']
  return found === undefined
    ? '<w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr>'
    : `<w:rPr><w:rStyle w:val="${escape(found)}"/></w:rPr>`
}

function fontsIn(xml: string): readonly string[] {
  const found = new Set<string>()
  for (const [tag] of xml.matchAll(/<w:rFonts\s[^>]*>/g)) {
    for (const name of ['w:eastAsia', 'w:ascii']) {
      const font = attributeOf(tag, name)
      if (font !== undefined && font !== '') found.add(font)
    }
  }
  return [...found].slice(0, 40)
}

/** The id of the table style with grid lines. */
function tableStyleOf(styles: Placed | undefined): string {
  const found = children(styles, 'w:style').find(
    (style) => style.attributes['w:type'] === 'table' && /^table grid$/i.test(val(child(style, 'w:name'))),
  )
  return found?.attributes['w:styleId'] ?? ''
}

/** The page size and margins in pixels. */
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
