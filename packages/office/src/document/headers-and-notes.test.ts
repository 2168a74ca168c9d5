// Headers, footers and notes: edits are written to their parts, everything else stays byte-identical, and content that
// is not valid there is refused.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Node } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { expect, it } from 'vitest'
import { documentOf, paragraph, placeIn } from '../../test/documents.ts'
import { openDocument, withDocumentDraft } from './document.ts'
import { arePiecesInPlace, headersAndNotesKeys } from './headers-and-notes.ts'

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="r"'
const header = `<w:hdr ${w}>${paragraph('眉')}<w:p><w:r><w:drawing><a:blip r:embed="rId1"/></w:drawing></w:r></w:p></w:hdr>`
const footer = `<w:ftr ${w}><w:p><w:r><w:t>第</w:t></w:r><w:fldSimple w:instr="PAGE"><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p></w:ftr>`
const notes = `<w:footnotes ${w}><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>\n<w:footnote w:id="1"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>注一</w:t></w:r></w:p></w:footnote><w:footnote w:id="2">${paragraph('注二')}</w:footnote></w:footnotes>`
const body = `${paragraph('正文')}<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p><w:sectPr><w:headerReference w:type="first" r:id="h"/><w:footerReference w:type="default" r:id="f"/></w:sectPr>`

function made(): Uint8Array {
  const parts = unzipSync(documentOf(body))
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="x/${kind}" Target="${target}"/>`
  return zipSync({
    ...parts,
    'word/_rels/document.xml.rels': strToU8(
      `<Relationships>${relation('h', 'header', 'header1.xml')}${relation('f', 'footer', 'footer1.xml')}${relation('n', 'footnotes', 'footnotes.xml')}</Relationships>`,
    ),
    'word/header1.xml': strToU8(header),
    'word/footer1.xml': strToU8(footer),
    'word/footnotes.xml': strToU8(notes),
  })
}
const open = (bytes: Uint8Array, draft = '') => openDocument(bytes, draft, { asides: true })
const stateOf = (document: ReturnType<typeof openDocument>) => EditorState.create({ doc: document.doc })
const textOf = (bytes: Uint8Array, part: string): string => strFromU8(unzipSync(bytes)[part] ?? new Uint8Array())
const differing = (before: Uint8Array, after: Uint8Array): string[] => {
  const [old, now] = [unzipSync(before), unzipSync(after)]
  return Object.keys(now).filter((part) => !Buffer.from(old[part] ?? []).equals(now[part] ?? Buffer.of()))
}

// [R171] Text of headers, footers, footnotes and endnotes is edited, each in its part; the rest stays byte for byte.
it('[R171] words of headers, footers and notes are written into their parts; all else stays byte for byte', () => {
  const bytes = made()
  const document = open(bytes)
  expect(headersAndNotesKeys(document.doc)).toBe(
    'word/header1.xml 0\nword/footer1.xml 0\nword/footnotes.xml 0\nword/footnotes.xml 1',
  )
  expect(
    document.doc.children.filter(({ type }) => type.name === 'aside').map(({ attrs }) => String(attrs['which'])),
  ).toEqual(['first', 'default', '', ''])
  expect(document.bytes(document.doc)).toBe(bytes)
  const state = stateOf(document)
  const written = (text: string, put: string): Uint8Array =>
    document.bytes(state.apply(state.tr.insertText(put, placeIn(state.doc, text) + text.length)).doc)
  const inHeader = written('眉', '标')
  expect(differing(bytes, inHeader)).toEqual(['word/header1.xml'])
  expect(textOf(inHeader, 'word/header1.xml')).toBe(
    header.replace('<w:r><w:t>眉</w:t></w:r>', '<w:r><w:t xml:space="preserve">眉标</w:t></w:r>'),
  )
  const inFooter = textOf(written('第', '共'), 'word/footer1.xml')
  expect(inFooter).toBe(footer.replace('<w:t>第</w:t>', '<w:t xml:space="preserve">第共</w:t>'))
  const inNote = written('注二', '改')
  expect(differing(bytes, inNote)).toEqual(['word/footnotes.xml'])
  expect(textOf(inNote, 'word/footnotes.xml')).toBe(
    notes.replace('<w:t>注二</w:t>', '<w:t xml:space="preserve">注二改</w:t>'),
  )
  expect(differing(bytes, written('正文', '改'))).toEqual(['word/document.xml'])
})

it('[R171] a draft keeps what was written into them, and is taken back to the same file', () => {
  const bytes = made()
  const document = open(bytes)
  const state = stateOf(document)
  const draft = document.written(state.apply(state.tr.insertText('标', placeIn(state.doc, '眉') + 1)).doc)
  expect(textOf(withDocumentDraft(bytes, draft), 'word/header1.xml')).toContain('眉标')
  const again = open(bytes, draft)
  const at = placeIn(again.doc, '眉标')
  expect(again.doc.textContent).toContain('眉标')
  const back = stateOf(again)
  expect(differing(bytes, again.bytes(back.apply(back.tr.delete(at + 1, at + 2)).doc))).toEqual(['word/header1.xml'])
})

// [R171] Content allowed only in headers, footers or notes is not inserted elsewhere.
it('[R171] what holds in one part alone does not go into another, and what is new stands in the text', () => {
  const { doc, schema } = open(made())
  const aside = (kind: string): Node => doc.children.find(({ attrs }) => attrs['kind'] === kind) as Node
  const withMore = (kind: string, ...blocks: Node[]): Node =>
    doc.copy(
      doc.content.replaceChild(
        doc.children.indexOf(aside(kind)),
        aside(kind).copy(aside(kind).content.append(schema.node('doc', undefined, blocks).content)),
      ),
    )
  const picture = aside('header').child(1)
  const words = schema.node('paragraph', undefined, [schema.text('字')])
  expect(arePiecesInPlace(doc, doc)).toBe(true)
  expect(arePiecesInPlace(doc, withMore('footer', words))).toBe(true)
  expect(arePiecesInPlace(doc, withMore('header', picture))).toBe(true)
  expect(arePiecesInPlace(doc, withMore('footer', picture))).toBe(false)
  expect(arePiecesInPlace(doc, withMore('footer', doc.child(1)))).toBe(false)
  expect(arePiecesInPlace(doc, doc.copy(doc.content.addToStart(picture)))).toBe(false)
  const fresh = schema.node('paragraph', undefined, [schema.node('kept', { xml: '<w:r/>', kind: 'picture' })])
  expect(arePiecesInPlace(doc, doc.copy(doc.content.addToStart(fresh)))).toBe(true)
  expect(arePiecesInPlace(doc, withMore('header', fresh))).toBe(false)
})

const samples = join(dirname(fileURLToPath(import.meta.url)), '../../../../node_modules/mammoth/test/test-data')

it.each(readdirSync(samples).filter((name) => /note.*\.docx$/.test(name)))(
  '[R171] %s: a word in each paragraph of its notes changes just their part',
  (name) => {
    const bytes = new Uint8Array(readFileSync(join(samples, name)))
    const document = open(bytes)
    const state = stateOf(document)
    let n = 0
    document.doc.forEach((block, at) => {
      if (block.type.name !== 'aside') return
      block.descendants((node, inside) => {
        if (!node.isText || n++ > 20) return
        const now = state.apply(state.tr.insertText('改', at + 1 + inside)).doc
        const after = document.bytes(now)
        expect(differing(bytes, after)).toEqual([block.attrs['part']])
        expect(open(after).doc.textContent).toBe(now.textContent)
      })
    })
    expect(n).toBeGreaterThan(0)
  },
)
