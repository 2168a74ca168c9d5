// Editing a document: unchanged blocks stay byte-identical, whatever they contain.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'
import { EditorState } from 'prosemirror-state'
import { expect, it } from 'vitest'
import { bodyOf, documentOf, paragraph, placeIn, table } from '../../test/documents.ts'
import { openDocument, withDocumentDraft } from './document.ts'

const samples = join(dirname(fileURLToPath(import.meta.url)), '../../../../node_modules/mammoth/test/test-data')
const real = readdirSync(samples).filter((name) => name.endsWith('.docx'))

const placeOf = (document: ReturnType<typeof openDocument>, text: string): number => placeIn(document.doc, text)
const stateOf = (document: ReturnType<typeof openDocument>) => EditorState.create({ doc: document.doc })

const strange = '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r></w:p>'
const section = '<w:sectPr><w:pgSz w:w="12000" w:h="16000"/></w:sectPr>'

it.each(real)('[R171] %s: a word in each paragraph changes just these paragraphs', (name) => {
  const bytes = new Uint8Array(readFileSync(join(samples, name)))
  const document = openDocument(bytes)
  expect(document.bytes(document.doc)).toBe(bytes)
  const first: number[] = []
  document.doc.descendants((node, at) => {
    if (node.isText) first.push(at)
  })
  for (const at of first) {
    const state = stateOf(document)
    const made = document.bytes(state.apply(state.tr.insertText('改', at)).doc)
    const again = openDocument(made)
    expect(again.doc.textContent).toBe(state.apply(state.tr.insertText('改', at)).doc.textContent)
    const [before, after] = [unzipSync(bytes), unzipSync(made)]
    const changed = Object.keys(before).filter(
      (part) => !Buffer.from(before[part] ?? []).equals(after[part] ?? Buffer.of()),
    )
    expect(changed).toHaveLength(1)
    // After undo it is the original document.
    const back = stateOf(again)
    expect(again.written(back.apply(back.tr.delete(at, at + 1)).doc).length).toBeGreaterThan(0)
  }
})

// [R171] A document is edited block by block; untouched blocks stay unchanged.
// [R185] Content of a document that is preserved but not editable is announced above it before typing, with a list.
it('[R171] [R185] what was not touched stays, in tables and around what cannot be edited; a run keeps its look', () => {
  const styled =
    '<w:p w:rsidR="1"><w:pPr><w:jc w:val="center"/></w:pPr><w:bookmarkStart w:id="1" w:name="x"/><w:r w:rsidR="2"><w:rPr><w:color w:val="FF0000"/></w:rPr><w:t>红</w:t><w:tab/><w:t xml:space="preserve"> 字</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>'
  const body = `${paragraph('一')}\n  ${strange}${styled}<w:bookmarkStart w:id="9" w:name="y"/>${table}${paragraph('二')}<w:bookmarkEnd w:id="9"/>${section}`
  const document = openDocument(documentOf(body))
  expect([...document.kept.values()]).toEqual([1])
  const state = stateOf(document)
  const tr = state.tr.insertText('色', placeOf(document, '红') + 1)
  tr.insertText('!', tr.mapping.map(placeOf(document, '格二') + 2))
  expect(bodyOf(document.bytes(state.apply(tr).doc))).toBe(
    body
      .replace(
        /<w:r w:rsidR="2">.*?<\/w:r>/,
        '<w:r><w:rPr><w:color w:val="FF0000"/></w:rPr><w:t xml:space="preserve">红色</w:t><w:tab/><w:t xml:space="preserve"> 字</w:t></w:r>',
      )
      .replace('<w:r><w:t>格二</w:t></w:r>', '<w:r><w:t xml:space="preserve">格二!</w:t></w:r>'),
  )
})

it('paragraphs are split, joined and taken away; marks, comments and sections outlive them, and no identity is there twice', () => {
  const marked =
    '<w:p w14:paraId="M"><w:commentRangeStart w:id="0"/><w:r><w:t>批注</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>'
  const ending = paragraph('节', `<w:pPr><w:pStyle w:val="A"/>${section}</w:pPr>`)
  const body = paragraph('前后') + marked + ending + paragraph('末')
  const document = openDocument(documentOf(body))
  const state = stateOf(document)
  const split = state.apply(state.tr.split(placeOf(document, '前后') + 1)).doc
  expect(bodyOf(document.bytes(split))).toBe(
    `<w:p w14:paraId="前后"><w:r><w:t xml:space="preserve">前</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">后</w:t></w:r></w:p>${marked}${ending}${paragraph('末')}`,
  )
  const from = placeOf(document, '批注') - 2
  const without = state.apply(state.tr.delete(from, placeOf(document, '末') - 1)).doc
  expect(bodyOf(document.bytes(without))).toBe(
    `${paragraph('前后')}<w:commentRangeStart w:id="0"/><w:commentRangeEnd w:id="0"/><w:p><w:pPr>${section}</w:pPr></w:p>${paragraph('末')}`,
  )
  // After a split, the section end stays with the last paragraph.
  const inSection = state.apply(state.tr.split(placeOf(document, '节'))).doc
  expect(bodyOf(document.bytes(inSection))).toContain(
    `<w:p w14:paraId="节"><w:pPr><w:pStyle w:val="A"/></w:pPr></w:p><w:p><w:pPr><w:pStyle w:val="A"/>${section}</w:pPr><w:r>`,
  )
})

// [R171] A ticked box of a symbol font differs from an empty one in the editor too.
it('[R171] symbols are shown as the characters they stand for', () => {
  const symbol = (code: string): string => `<w:r><w:sym w:font="Wingdings" w:char="${code}"/></w:r>`
  const document = openDocument(documentOf(`<w:p>${symbol('F0FE')}${symbol('F0A8')}<w:r><w:t>同意</w:t></w:r></w:p>`))
  const shown: string[] = []
  document.doc.descendants((node) => void (node.type.name === 'kept' && shown.push(String(node.attrs['text']))))
  expect(shown).toEqual(['☑', '☐'])
})

it('fields, links and pictures are one piece; a draft is a document again', () => {
  const field =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>3</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
  const link = '<w:hyperlink r:id="rId7" w:history="1"><w:r><w:t>链接</w:t></w:r></w:hyperlink>'
  const picture = '<w:r><w:drawing><wp:inline/></w:drawing></w:r>'
  const bytes = documentOf(`<w:p><w:r><w:t>第</w:t></w:r>${field}<w:r><w:t>页</w:t></w:r>${link}${picture}</w:p>`)
  const document = openDocument(bytes)
  const state = stateOf(document)
  const now = state.apply(state.tr.insertText('的', placeOf(document, '链接') + 1)).doc
  const made = bodyOf(document.bytes(now))
  expect(made).toBe(
    `<w:p><w:r><w:t xml:space="preserve">第</w:t></w:r>${field}<w:r><w:t xml:space="preserve">页</w:t></w:r>${link.replace('<w:t>链接', '<w:t xml:space="preserve">链的接')}${picture}</w:p>`,
  )
  expect(bodyOf(withDocumentDraft(bytes, document.written(now)))).toBe(made)
})
