// Kinds of files for collaborative editing, for tests: a random edit of each, and its result.
import { coeditBase, coeditRoot } from '@cloudoc/contract'
import type { Op } from '@cloudoc/office/document'
import { coeditDocument, openDocument, unpackBase } from '@cloudoc/office/document'
import { cellKey, openWorkbook } from '@cloudoc/office/workbook'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type * as Y from 'yjs'
import { emptyDocument } from '../src/documents/empty-documents.ts'

export interface CoeditedKind {
  readonly name: string
  readonly file: () => Buffer<ArrayBuffer>
  /** Makes one small random edit; `below` returns a random integer below its argument. */
  readonly act: (doc: Y.Doc, below: (most: number) => number) => void
  /** The text of a document. */
  readonly textOf: (doc: Y.Doc) => string
  /** The text of a file, in the same form. */
  readonly textOfFile: (file: Buffer) => string
}

const letters = ['一', '二', '三', 'a', '\n', '𠮷', 'é', ' ']
const sheet = 'xl/worksheets/sheet1.xml'
const main = 'word/document.xml'
const columns = ['A', 'B', 'C'] as const
const rows = [1, 2, 3, 4] as const

/** Inserts or deletes a letter at a random position. */
function write(text: Y.Text, below: (most: number) => number, some: readonly string[]): void {
  const at = below(text.length + 1)
  if (below(10) < 3 && text.length > 0) text.delete(Math.min(at, text.length - 1), 1)
  else text.insert(at, some[below(some.length)] ?? 'x')
}

const line = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const cell = (text: string): string => `<w:tc><w:tcPr/>${line(text)}</w:tc>`
const table = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="4000"/><w:gridCol w:w="4000"/></w:tblGrid><w:tr>${cell('甲')}${cell('乙')}</w:tr><w:tr>${cell('丙')}${cell('丁')}</w:tr></w:tbl>`

/** A document with a table. */
function wordFile(): Buffer<ArrayBuffer> {
  const parts = unzipSync(emptyDocument('docx') ?? new Uint8Array())
  const xml = strFromU8(parts[main] ?? new Uint8Array())
  const made = xml.replace('<w:body>', `<w:body>${line('第一条')}${table}${line('第二条')}`)
  return Buffer.from(zipSync({ ...parts, [main]: strToU8(made) }))
}

/** The text of a document, block by block, with the text of its tables in place. */
function documentText(document: ReturnType<typeof openDocument>['doc']): string {
  const words: string[] = []
  document.descendants((node) => {
    if (node.isTextblock) words.push(node.textBetween(0, node.content.size))
    else if (node.type.name === 'row') words.push('|')
    return !node.isTextblock
  })
  return words.join('\n')
}

const word = wordFile()

export const coeditedKinds: readonly CoeditedKind[] = [
  {
    name: 'text.md',
    file: () => Buffer.from('开始\n'),
    act: (doc, below) => write(doc.getText(coeditRoot), below, letters),
    textOf: (doc) => doc.getText(coeditRoot).toJSON(),
    textOfFile: (file) => file.toString(),
  },
  {
    name: 'book.xlsx',
    file: () => Buffer.from(emptyDocument('xlsx') ?? []),
    act(doc, below) {
      const ref = `${columns[below(3)]}${rows[below(4)]}`
      const content =
        below(4) === 0 ? { kind: 'empty' } : { kind: 'text', value: `${letters[below(4)]}${below(1_000_000)}` }
      doc.getMap(coeditRoot).set(cellKey(sheet, ref), { content })
    },
    textOf(doc) {
      const cells = doc.getMap(coeditRoot)
      return cellTexts(
        (ref) => (cells.get(cellKey(sheet, ref)) as { content: { value?: string } } | undefined)?.content.value,
      )
    },
    textOfFile(file) {
      const book = openWorkbook(file)
      return cellTexts((ref) => book.shown(sheet, Number(ref.slice(1)) - 1, columns.indexOf(ref[0] as 'A')).text)
    },
  },
  {
    name: 'word.docx',
    file: () => word,
    act(doc, below) {
      const text = doc.getText(coeditRoot)
      const at = below(text.length)
      const what = below(10)
      if (what === 0) text.insertEmbed(at, { end: ['paragraph', {}] })
      else if (what === 1) text.format(at, 1 + below(3), { look: { rPr: '<w:rPr><w:b/></w:rPr>' } })
      else if (what === 2) text.format(at, 1, { as: ['paragraph', { pPr: '<w:jc w:val="center"/>' }] })
      // Random edits could split a surrogate pair, which no editor does.
      else write(text, below, ['一', '二', 'a', '\t'])
    },
    textOf(doc) {
      const beginning = unpackBase(doc.getMap(coeditBase).get(coeditBase) as Uint8Array)
      const shared = coeditDocument(openDocument(word, beginning.main), beginning)
      return documentText(shared.read(doc.getText(coeditRoot).toDelta() as Op[]))
    },
    textOfFile: (file) => documentText(openDocument(file).doc),
  },
]

const cellTexts = (of: (ref: string) => string | undefined): string =>
  columns.flatMap((column) => rows.map((row) => `${column}${row} ${of(`${column}${row}`) ?? ''}`)).join('\n')
