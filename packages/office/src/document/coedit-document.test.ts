// A document as a sequence of characters and pieces: the conversion is lossless, and changes are minimal.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EditorState, type Transaction } from 'prosemirror-state'
import { expect, it } from 'vitest'
import { applied, documentOf, paragraph, placeIn, table } from '../../test/documents.ts'
import { coeditDocument, type DeltaOp, packBase, unpackBase } from './coedit-document.ts'
import { isPiece, isPieceAttribute, type Op } from './coedit-pieces.ts'
import { openDocument } from './document.ts'
import { changedTable } from './tables.ts'

const samples = join(dirname(fileURLToPath(import.meta.url)), '../../../../node_modules/mammoth/test/test-data')
const real = readdirSync(samples).filter((name) => name.endsWith('.docx'))

/** Opens a document and returns its sequence and the result of a change. */
function open(bytes: Uint8Array) {
  const first = openDocument(bytes)
  const beginning = unpackBase(packBase(coeditDocument(first).beginning()))
  const document = openDocument(bytes, beginning.main)
  const shared = coeditDocument(document, beginning)
  const ops = shared.ops(document.doc.children)
  const docOf = shared.read
  const does = (work: (tr: Transaction) => void): DeltaOp[] => {
    const state = EditorState.create({ doc: document.doc })
    const { tr } = state
    work(tr)
    const after = shared.ops(tr.doc.children)
    const changes = shared.change(ops, after)
    expect(docOf(applied(ops, changes)).eq(tr.doc)).toBe(true)
    return changes
  }
  return { document, shared, ops, docOf, does }
}

it.each(real)('[R397] %s comes back from its row byte for byte', (name) => {
  const bytes = new Uint8Array(readFileSync(join(samples, name)))
  const { document, ops, docOf, shared } = open(bytes)
  for (const { insert, attributes = {} } of ops) {
    if (typeof insert !== 'string') expect(isPiece(insert)).toBe(true)
    for (const [look, value] of Object.entries(attributes)) expect(isPieceAttribute(look, value)).toBe(true)
  }
  expect(document.bytes(docOf(ops))).toBe(bytes)
  for (const piece of shared.cut(ops)) expect(shared.build(piece)).toHaveLength(1)
})

it('[R148] a paragraph that is split, joined, or looks otherwise is a piece more, one less, or the same', () => {
  const { document, does } = open(documentOf(paragraph('前后') + paragraph('二') + table))
  const at = placeIn(document.doc, '前后')
  expect(does((tr) => tr.insertText('新', at + 1))).toEqual([{ retain: 1 }, { insert: '新' }])
  expect(does((tr) => tr.split(at + 1))).toEqual([{ retain: 1 }, { insert: { end: 0 } }])
  const joined = does((tr) => tr.join(at + 3))
  expect(joined.filter((change) => 'insert' in change)).toEqual([])
  expect(joined.filter((change) => 'delete' in change)).toEqual([{ delete: 1 }])
  const look = document.schema.mark('look', { rPr: '<w:rPr><w:b/></w:rPr>' })
  expect(does((tr) => tr.addMark(at, at + 1, look))).toEqual([
    { retain: 1, attributes: { look: { rPr: '<w:rPr><w:b/></w:rPr>' } } },
  ])
  const styled = does((tr) => tr.setNodeMarkup(at - 1, null, { ref: 0, pPr: '<w:jc w:val="end"/>' }))
  expect(styled.map((change) => Object.keys(change))).toEqual([['retain'], ['retain', 'attributes']])
  expect(does((tr) => tr.insertText('𠮷', at).insertText('𠮷', at)).at(-1)).toEqual({ insert: '𠮷𠮷' })
})

it.each(['columnAfter', 'columnBefore', 'rowBelow', 'rowAbove'] as const)(
  '[R148] %s: what others write in a table stays where it is',
  (change) => {
    const { document, does } = open(documentOf(table + paragraph('后')))
    const changes = does((tr) => {
      const here = { row: 0, cell: 0 }
      const made = changedTable(document.doc.child(0), here, here, change)
      tr.replaceWith(0, document.doc.child(0).nodeSize, made?.table ?? [])
    })
    expect(changes.some((one) => one.insert !== undefined)).toBe(true)
    expect(changes.filter((one) => one.delete !== undefined)).toEqual([])
  },
)

it('[R148] whatever has come together is a document: what has no place any more stands behind where it was', () => {
  const { ops, docOf } = open(documentOf(paragraph('前') + table + paragraph('后')))
  const isPieceOf = (kind: string) => (op: Op) => typeof op.insert !== 'string' && kind in op.insert
  // One user types into a table that another user deletes.
  const words = ops.filter((op) => typeof op.insert === 'string')
  expect(docOf(words).textContent).toBe('前格一格二后')
  const noRows = ops.filter((op) => typeof op.insert === 'string' || !('close' in op.insert))
  expect(docOf(noRows).textContent).toBe('前格一格二后')
  expect(docOf(ops.filter((op) => !isPieceOf('open')(op))).textContent).toBe('前格一格二后')
  for (let n = 0; n < ops.length; n += 1) docOf(ops.toSpliced(n, 1)).check()
  expect(docOf([]).childCount).toBe(1)
  expect(docOf([{ insert: { end: 99 } }, { insert: { leaf: ['nothing', {}] } }, { insert: 'x' }]).textContent).toBe('x')
})

it('[R148] what is no XML, or no piece, is known before it is written', () => {
  for (const wrong of [
    { end: -1 },
    { end: 1.5 },
    { end: ['paragraph', { pPr: '<w:jc>' }] },
    { leaf: ['kept', { xml: '<w:r/></w:p>' }] },
    { leaf: ['kept', { xml: 'a & b' }] },
    { leaf: ['kept', { xml: '<w:r>&</w:r>' }] },
    { open: ['table', { grid: {} }] },
    { close: 'a table' },
    { end: 0, leaf: 0 },
    { other: 0 },
    'text',
    null,
  ])
    expect(isPiece(wrong)).toBe(false)
  expect(isPiece({ leaf: ['kept', { xml: '<w:r><w:sym w:char="F0"/></w:r>', kind: 'other' }] })).toBe(true)
  expect(isPieceAttribute('wrap', { open: '<w:hyperlink r:id="a">', close: '</w:hyperlink>', id: '1' })).toBe(true)
  expect(isPieceAttribute('wrap', { open: '<w:hyperlink r:id="a">', close: '', id: '1' })).toBe(false)
  expect(isPieceAttribute('look', { rPr: '<w:rPr>' })).toBe(false)
  expect(isPieceAttribute('as', { rPr: '' })).toBe(false)
  expect(isPieceAttribute('look', null)).toBe(true)
})
