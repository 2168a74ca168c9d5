// Inserting headers, footers and notes in the editor: undo removes them, and a note is deleted with its reference.
import { openDocument } from '@cloudoc/office/document'
import { strToU8, zipSync } from 'fflate'
import { history, redo, undo } from 'prosemirror-history'
import { type Command, EditorState, TextSelection } from 'prosemirror-state'
import { expect, it } from 'vitest'
import { goToHeaderFooter, insertFootnote, protectHeadersAndNotes } from './headers-and-notes.ts'

const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** An editor with a document of one paragraph. */
function page() {
  const bytes = zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    '_rels/.rels': strToU8(
      `<Relationships xmlns="${relationships}"><Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': strToU8(
      `<w:document xmlns:w="${w}"><w:body><w:p><w:r><w:t>正文</w:t></w:r></w:p></w:body></w:document>`,
    ),
  })
  const document = openDocument(bytes, '', { asides: true })
  let state = EditorState.create({
    doc: document.doc,
    plugins: [
      history({ newGroupDelay: 0 }),
      protectHeadersAndNotes(
        () => document.doc,
        () => undefined,
      ),
    ],
  })
  const run = (command: Command): boolean => command(state, (tr) => (state = state.apply(tr)))
  return {
    document: () => document,
    run,
    kinds: () =>
      state.doc.children.flatMap(({ attrs }) => (attrs['kind'] === undefined ? [] : [String(attrs['kind'])])),
    /** The kind of the region that contains the cursor. */
    here: () => String(state.selection.$from.node(1).attrs['kind'] ?? 'text'),
    type: (text: string) => (state = state.apply(state.tr.insertText(text))),
    remove: (from: number, to: number) => (state = state.apply(state.tr.delete(from, to))),
    goTo: (at: number) => (state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)))),
    text: () => state.doc.textContent,
    size: () => state.doc.content.size,
  }
}

// [R171] Adding a header, footer or note is undone, and a footnote is removed and restored with its number.
it('[R171] a footnote is begun where one is, typed into, and undone and done again with its number', () => {
  const { document, run, kinds, here, type, goTo, text } = page()
  goTo(3)
  expect(run(insertFootnote(document))).toBe(true)
  expect([kinds(), here()]).toEqual([['footnote'], 'footnote'])
  type('注')
  expect(text()).toBe('正文 注')
  // A note cannot be inserted into a note.
  expect(run(insertFootnote(document))).toBe(false)
  run(undo)
  run(undo)
  expect([kinds(), text()]).toEqual([[], '正文'])
  run(redo)
  run(redo)
  expect([kinds(), text()]).toEqual([['footnote'], '正文 注'])
})

it('[R171] a footnote goes with its number, and comes back with it', () => {
  const { document, run, kinds, goTo, remove } = page()
  goTo(3)
  run(insertFootnote(document))
  remove(3, 4)
  expect(kinds()).toEqual([])
  run(undo)
  expect(kinds()).toEqual(['footnote'])
})

it('[R171] header and footer are begun once and gone to afterwards; deleting across them takes none away', () => {
  const { document, run, kinds, here, type, text, remove, size, goTo } = page()
  expect(run(goToHeaderFooter(document, 'footer'))).toBe(true)
  expect(run(goToHeaderFooter(document, 'header'))).toBe(true)
  type('眉')
  goTo(1)
  run(goToHeaderFooter(document, 'footer'))
  type('脚')
  expect([kinds(), here(), text()]).toEqual([['header', 'footer'], 'footer', '正文眉脚'])
  remove(0, size())
  expect([kinds(), text()]).toEqual([['header', 'footer'], '正文眉脚'])
})
