// Headers, footers and footnotes that are new in a document: they are added to the package, and nothing else in it
// changes.
import { strFromU8, unzipSync } from 'fflate'
import type { Node } from 'prosemirror-model'
import { expect, it } from 'vitest'
import { documentOf, paragraph, placeIn } from '../../test/documents.ts'
import { openPackage, relationsOf } from '../package/package.ts'
import { openDocument, withDocumentDraft } from './document.ts'
import { type InsertedPartKind, insertedPartPosition, orphanedNotes } from './inserted-parts.ts'

const open = (bytes: Uint8Array, draft = '') => openDocument(bytes, draft, { asides: true })
type Opened = ReturnType<typeof open>
const partsOf = (bytes: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)]))
const differing = (before: Uint8Array, after: Uint8Array): string[] => {
  const [old, now] = [partsOf(before), partsOf(after)]
  return Object.keys(now).filter((part) => old[part] !== now[part])
}

/**
 * Returns the document with an inserted item of a kind that contains one word. A footnote is inserted after the text
 * `behind`.
 */
function withBegun({ begun, schema }: Opened, doc: Node, kind: InsertedPartKind, word: string, behind = ''): Node {
  const made = begun?.begin(kind, doc)
  if (made === undefined) throw new Error(`no ${kind}`)
  const { aside, reference } = made
  const first = aside.child(0)
  const worded = aside.copy(aside.content.replaceChild(0, first.copy(first.content.addToEnd(schema.text(word)))))
  const at = reference === undefined ? 0 : placeIn(doc, behind) + behind.length
  const insert = (into: Node, place: number, node: Node): Node => {
    const $at = into.resolve(place)
    const { parent } = $at
    const grown = parent.copy(
      parent.content.cut(0, $at.parentOffset).addToEnd(node).append(parent.content.cut($at.parentOffset)),
    )
    return parent === into ? grown : into.copy(into.content.replaceChild($at.index(0), grown))
  }
  const numbered = reference === undefined ? doc : insert(doc, at, schema.node('kept', reference))
  return insert(numbered, insertedPartPosition(numbered, worded), worded)
}

// [R171] A header, a footer and a footnote are added to a document without any; parts, relationships and content types
// are created, the rest stays byte for byte; drafts include it.
it('[R171] a header, a footer and a footnote are begun: parts, relations and types for each, all else byte for byte as it was', () => {
  const bytes = documentOf(`${paragraph('正文一')}${paragraph('正文二')}`)
  const document = open(bytes)
  expect(document.bytes(document.doc)).toBe(bytes)
  let { doc } = document
  doc = withBegun(document, doc, 'footnote', '注一', '正文二')
  doc = withBegun(document, doc, 'footer', '脚')
  doc = withBegun(document, doc, 'header', '眉')
  doc = withBegun(document, doc, 'footnote', '注二', '正文一')
  expect(doc.children.flatMap(({ attrs }) => (attrs['kind'] === undefined ? [] : [String(attrs['kind'])]))).toEqual([
    'header',
    'footer',
    'footnote',
    'footnote',
  ])
  const made = document.bytes(doc)
  expect(differing(bytes, made).sort()).toEqual([
    '[Content_Types].xml',
    'word/_rels/document.xml.rels',
    'word/document.xml',
    'word/footer1.xml',
    'word/footnotes.xml',
    'word/header1.xml',
  ])
  const parts = partsOf(made)
  const main = parts['word/document.xml'] ?? ''
  expect(main).toContain(
    '<w:t xml:space="preserve">正文二</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="1"/></w:r>',
  )
  expect(main).toMatch(
    /<w:sectPr><w:(footer|header)Reference [^>]*\/><w:(footer|header)Reference [^>]*\/><\/w:sectPr><\/w:body>/,
  )
  expect(
    [...relationsOf(openPackage(made), 'word/document.xml').values()].map(({ kind, part }) => `${kind} ${part}`).sort(),
  ).toEqual(['footer word/footer1.xml', 'footnotes word/footnotes.xml', 'header word/header1.xml'])
  for (const part of ['footer1', 'header1', 'footnotes'])
    expect(parts['[Content_Types].xml']).toContain(`/word/${part}.xml`)
  expect(parts['word/footnotes.xml']?.match(/w:id="-?\d+"/g)).toEqual(['w:id="-1"', 'w:id="0"', 'w:id="1"', 'w:id="2"'])
  // Read again, they are ordinary headers, footers and footnotes.
  const again = open(made)
  expect(again.doc.textContent).toBe(doc.textContent)
  expect(again.begun?.canBegin('header', again.doc)).toBe(false)
  expect(again.bytes(again.doc)).toBe(made)
})

it('[R171] a footnote more goes behind those that there are; the styles of the document are taken', () => {
  const first = open(documentOf(paragraph('正文')))
  const bytes = first.bytes(withBegun(first, first.doc, 'footnote', '注一', '正文'))
  const document = open(bytes)
  const made = document.bytes(withBegun(document, document.doc, 'footnote', '注二', '正文'))
  expect(differing(bytes, made).sort()).toEqual(['word/document.xml', 'word/footnotes.xml'])
  const [before = '', after = ''] = [bytes, made].map((one) => partsOf(one)['word/footnotes.xml'])
  expect(after.startsWith(before.replace(/<\/w:footnotes>$/, ''))).toBe(true)
  expect(after).toContain('<w:footnote w:id="2">')
})

it('[R171] a footnote whose number is taken out of the text is not written', () => {
  const bytes = documentOf(paragraph('正文'))
  const document = open(bytes)
  const doc = withBegun(document, document.doc, 'footnote', '注', '正文')
  const without = doc.copy(doc.content.replaceChild(0, document.doc.child(0)))
  expect(orphanedNotes(without)).toHaveLength(1)
  expect(partsOf(document.bytes(without))['word/footnotes.xml']).toBeUndefined()
})

it('[R171] a draft has what was begun', () => {
  const bytes = documentOf(`${paragraph('正文')}<w:sectPr w:rsidR="1"><w:pgSz w:w="11906"/></w:sectPr>`)
  const document = open(bytes)
  const doc = withBegun(document, withBegun(document, document.doc, 'header', '眉'), 'footnote', '注', '正文')
  const draft = document.written(doc)
  expect(partsOf(withDocumentDraft(bytes, draft))).toEqual(partsOf(document.bytes(doc)))
  const again = open(bytes, draft)
  expect(again.doc.textContent).toBe(doc.textContent)
  expect(partsOf(again.bytes(again.doc))).toEqual(partsOf(document.bytes(doc)))
  expect(partsOf(document.bytes(doc))['word/document.xml']).toMatch(
    /<w:sectPr w:rsidR="1"><w:headerReference [^>]*\/><w:pgSz w:w="11906"\/><\/w:sectPr>/,
  )
})

it('[R171] what several write has nothing that could be begun', () => {
  expect(openDocument(documentOf(paragraph('正文'))).begun).toBeUndefined()
})
