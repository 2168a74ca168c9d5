// Character, paragraph and list formatting: what is set is written in the order that programs expect, and nothing else
// changes.
import { strFromU8, unzipSync } from 'fflate'
import type { Node } from 'prosemirror-model'
import { expect, it } from 'vitest'
import { bodyOf, documentOf } from '../../test/documents.ts'
import { openDocument, withDocumentDraft } from './document.ts'
import {
  withAlign,
  withColor,
  withFont,
  withHighlight,
  withIndent,
  withLineSpacing,
  withList,
  withSize,
  withStyle,
  withToggle,
} from './formatting.ts'
import { listIn } from './lists.ts'

it('[R171] what is set of letters and paragraphs stands in its order; the rest is as it was', () => {
  expect(withToggle('', 'b', '')).toBe('<w:rPr><w:b/></w:rPr>')
  expect(withToggle('<w:rPr><w:rFonts w:ascii="A"/><w:sz w:val="2"/></w:rPr>', 'b', '')).toBe(
    '<w:rPr><w:rFonts w:ascii="A"/><w:b/><w:sz w:val="2"/></w:rPr>',
  )
  expect(withToggle('<w:rPr><w:b/><w:bCs/></w:rPr>', 'b', undefined)).toBe('')
  expect(withToggle('<w:rPr><w:lang w:val="zh"/></w:rPr>', 'u', ' w:val="single"')).toBe(
    '<w:rPr><w:u w:val="single"/><w:lang w:val="zh"/></w:rPr>',
  )
  let rPr = '<w:rPr><w:rStyle w:val="S"/><w:spacing w:val="20"/><w:lang w:val="zh"/></w:rPr>'
  for (const set of [
    (xml: string) => withHighlight(xml, 'yellow'),
    (xml: string) => withSize(xml, 10.5),
    (xml: string) => withColor(xml, 'C00000'),
    (xml: string) => withFont(xml, '宋体'),
    (xml: string) => withFont(xml, 'Arial'),
  ])
    rPr = set(rPr)
  expect(rPr).toBe(
    '<w:rPr><w:rStyle w:val="S"/><w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="宋体" w:cs="Arial"/><w:color w:val="C00000"/><w:spacing w:val="20"/><w:sz w:val="21"/><w:szCs w:val="21"/><w:highlight w:val="yellow"/><w:lang w:val="zh"/></w:rPr>',
  )
  expect(withStyle('<w:pStyle w:val="1"/><w:jc w:val="center"/>', '2')).toBe(
    '<w:pStyle w:val="2"/><w:jc w:val="center"/>',
  )
  expect(withStyle('<w:pStyle w:val="1"/>', '')).toBe('')
  const pPr =
    '<w:spacing w:before="120" w:line="300" w:lineRule="exact"/><w:ind w:leftChars="200" w:left="420" w:firstLine="210"/><w:rPr><w:spacing w:val="5"/></w:rPr>'
  expect(withAlign(withIndent(withLineSpacing(pPr, 1.5), 840), 'both')).toBe(
    '<w:spacing w:before="120" w:line="360" w:lineRule="auto"/><w:ind w:left="840" w:firstLine="210"/><w:jc w:val="both"/><w:rPr><w:spacing w:val="5"/></w:rPr>',
  )
  const listed = withList('<w:pStyle w:val="1"/><w:ind w:left="9"/>', { id: 4, level: 1 }, false)
  expect(listed).toBe('<w:pStyle w:val="1"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr>')
  expect(withList(listed, undefined, true)).toBe('<w:pStyle w:val="1"/><w:numPr><w:numId w:val="0"/></w:numPr>')
})

// [R171] Fonts, paragraphs and lists of a document are formatted; formats are stored where other programs expect them,
// new lists are defined in the package.
it('[R171] lists that are begun are defined in the package, said to whoever looks for them, and kept by a draft', () => {
  const bytes = documentOf('<w:p><w:r><w:t>一</w:t></w:r></w:p><w:p/>')
  const document = openDocument(bytes)
  const { lists, schema, doc } = document
  const listedAs = (id: number, text: string): Node =>
    schema.node('paragraph', { pPr: withList('', { id, level: 0 }, false) }, [schema.text(text)])
  const bullet = lists.begin(doc, 'bullet')
  let now = doc.copy(doc.content.addToEnd(listedAs(bullet, '点')))
  for (const text of ['甲', '乙']) now = now.copy(now.content.addToEnd(listedAs(lists.begin(now, 'number'), text)))
  const marksOf = (of: ReturnType<typeof openDocument>, all: Node): (string | undefined)[] => {
    const numbering = of.lists.numbering(all)
    return all.children
      .slice(2)
      .map(({ attrs }) => numbering.next({ id: String(listIn(String(attrs['pPr']))), level: 0 })?.mark)
  }
  expect(marksOf(document, now)).toEqual(['•', '1.', '1.'])
  const made = document.bytes(now)
  const parts = unzipSync(made)
  const part = (name: string): string => strFromU8(parts[name] ?? new Uint8Array())
  expect(Object.keys(parts).toSorted()).toEqual(
    [...Object.keys(unzipSync(bytes)), 'word/_rels/document.xml.rels', 'word/numbering.xml'].toSorted(),
  )
  expect(part('[Content_Types].xml')).toContain('PartName="/word/numbering.xml"')
  expect(part('word/_rels/document.xml.rels')).toContain('Target="numbering.xml"')
  const again = openDocument(made)
  expect(marksOf(again, again.doc)).toEqual(['•', '1.', '1.'])
  // The kind of a list is the same before and after its definition is in the file.
  expect([again, document].map((one) => one.lists.kindOf(bullet, 0))).toEqual(['bullet', 'bullet'])
  expect(again.bytes(again.doc)).toBe(made)

  const draft = document.written(now)
  expect(unzipSync(withDocumentDraft(bytes, draft))).toEqual(parts)
  const drafted = openDocument(bytes, draft)
  expect(unzipSync(drafted.bytes(drafted.doc))).toEqual(parts)
  expect(drafted.written(drafted.doc)).toBe(draft)
  expect(bodyOf(document.bytes(doc))).toBe(bodyOf(bytes))
})
