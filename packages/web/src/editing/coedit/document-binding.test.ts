// @vitest-environment happy-dom
// Pages of one document that several write in, whatever they do at once: all show the same, which is what the row says.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { coeditBase, coeditRoot } from '@cloudoc/contract'
import type { Op } from '@cloudoc/office/document'
import { coeditDocument, openDocument, packBase, unpackBase, withStyle } from '@cloudoc/office/document'
import { emptyDocument } from '@cloudoc/server/empty-documents'
import type { Node } from 'prosemirror-model'
import { type Command, TextSelection } from 'prosemirror-state'
import { afterEach, expect, it, vi } from 'vitest'
import * as Y from 'yjs'
import { changeParagraphs, toggleInlineStyle } from '../document/formatting.ts'
import { openPageEditor } from '../document/page-editor.ts'
import { changeTable, insertTable, removeTable } from '../document/tables.ts'
import { createAwareness } from './awareness.ts'
import { baseMainPartOf, bindDocument } from './document-binding.ts'

type Page = ReturnType<typeof write>

/**
 * Undo groups changes by time, so the random generator controls the clock, too. The module reads the clock when it is
 * loaded.
 */
const clock = vi.hoisted(() => {
  const own = { now: 1e12 }
  Date.now = () => own.now
  return own
})

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** The initial server state of a document. */
function begin(bytes: Uint8Array): Uint8Array {
  const document = openDocument(bytes)
  const shared = coeditDocument(document)
  const doc = new Y.Doc()
  doc.clientID = 0
  doc.getMap(coeditBase).set(coeditBase, packBase(shared.beginning()))
  doc.getText(coeditRoot).applyDelta(shared.ops(document.doc.children))
  return Y.encodeStateAsUpdate(doc)
}

/** The page of one user; their updates wait in `sent`. */
function write(bytes: Uint8Array, state: Uint8Array, client: number) {
  const doc = new Y.Doc()
  doc.clientID = client
  doc.on('afterTransaction', (transaction: Y.Transaction) => {
    Object.assign(transaction, { _needFormattingCleanup: false })
  })
  Y.applyUpdate(doc, state, 'server')
  const sent: Uint8Array[] = []
  doc.on('update', (change: Uint8Array, origin: unknown) => {
    if (origin !== 'server') sent.push(change)
  })
  const here = { doc, others: createAwareness(doc, () => undefined) }
  const nothing = (): void => undefined
  const options = {
    label: '',
    isEditable: () => true,
    onChange: nothing,
    onMenu: nothing,
    onMove: nothing,
    onLink: nothing,
    onFailed: nothing,
  }
  const page = openPageEditor(bytes, options, {
    main: baseMainPartOf(here),
    bind: (document) => bindDocument(here, document),
  })
  open.push(page.close)
  return {
    ...here,
    page,
    sent,
    hears: (changes: readonly Uint8Array[]) => {
      doc.transact(() => {
        for (const change of changes) Y.applyUpdate(doc, change)
      }, 'server')
    },
  }
}

/** The document of a page, rebuilt from the whole sequence. */
function read(bytes: Uint8Array, { doc }: Page) {
  const beginning = unpackBase(doc.getMap(coeditBase).get(coeditBase) as Uint8Array)
  const document = openDocument(bytes, beginning.main)
  const now = coeditDocument(document, beginning).read(doc.getText(coeditRoot).toDelta() as Op[])
  return { now, file: document.bytes(now) }
}

/** A document as text; object URLs of pictures differ between pages and are ignored. */
const said = (doc: Node): string =>
  JSON.stringify(doc.toJSON(), (name, value: unknown) => (name === 'image' ? '' : value), 1)

function randomOf(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return Math.floor((state / 0x7fff_ffff) * most)
  }
}

const samples = join(dirname(createRequire(import.meta.url).resolve('mammoth/package.json')), 'test/test-data')
const sample = (name: string): Uint8Array => new Uint8Array(readFileSync(join(samples, name)))

/** A random action of a user. */
function act({ page }: Page, below: (most: number) => number): void {
  const { view } = page
  const { doc } = view.state
  const place = (): number => TextSelection.near(doc.resolve(below(doc.content.size + 1))).from
  const [from, to] = [place(), place()].toSorted((a, b) => a - b)
  if (from === undefined || to === undefined) return
  const { tr } = view.state
  switch (below(9)) {
    case 0:
      view.dispatch(tr.delete(from, Math.min(to, from + below(30))))
      break
    case 1:
      page.undo()
      break
    case 2:
      page.redo()
      break
    case 3:
      view.dispatch(tr.setSelection(TextSelection.create(doc, from, to)))
      page.run(toggleInlineStyle(page.document, below(2) === 0 ? 'b' : 'i'))
      break
    case 4:
      if (doc.resolve(from).parent.isTextblock) view.dispatch(tr.split(from))
      break
    case 5:
      view.dispatch(tr.setSelection(TextSelection.create(doc, from)))
      page.run(changeParagraphs((pPr) => withStyle(pPr, below(2) === 0 ? 'Heading1' : '')))
      break
    case 6:
      page.replaceAll('a', 'ab')
      break
    default:
      view.dispatch(tr.insertText(['字', 'a', '𠮷', ' b\t', 'é'][below(5)] ?? '', from))
  }
}

// [R148] Three people edit real documents at once, also while disconnected: all converge to the same content, which is
// the content of the version.
it.each([
  ['tables.docx', 1],
  ['comments.docx', 2],
  ['tiny-picture.docx', 3],
  ['simple-list.docx', 2],
  ['footnotes.docx', 5],
])(
  '[R148] [R397] three write in %s at once, also while they hear nothing: all show what the row says',
  (name, seed) => {
    const bytes = sample(name)
    const state = begin(bytes)
    const three = [1, 2, 3].map((client) => write(bytes, state, client))
    const below = randomOf(seed)
    const waiting = new Map(three.map((one) => [one, [] as Uint8Array[]]))
    const exchange = (): void => {
      for (const one of three) for (const other of three) if (other !== one) waiting.get(other)?.push(...one.sent)
      for (const one of three) one.sent.splice(0)
    }
    for (let round = 0; round < 60; round += 1) {
      for (const one of three) {
        clock.now += below(400)
        if (below(3) > 0) act(one, below)
        expect(said(one.page.view.state.doc)).toBe(said(read(bytes, one).now))
      }
      exchange()
      for (const one of three) if (below(3) === 0) one.hears(waiting.get(one)?.splice(0) ?? [])
    }
    exchange()
    for (const one of three) one.hears(waiting.get(one)?.splice(0) ?? [])
    const files = three.map((one) => read(bytes, one).file)
    for (const [n, one] of three.entries()) {
      expect(said(one.page.view.state.doc)).toBe(said(read(bytes, one).now))
      expect(one.sent).toEqual([])
      expect(files[n]).toEqual(files[0])
      expect(openDocument(files[n] ?? bytes).doc.textContent).toBe(one.page.view.state.doc.textContent)
    }
  },
)

const two = () => {
  const bytes = new Uint8Array(emptyDocument('docx') ?? [])
  const state = begin(bytes)
  const [hers, his] = [write(bytes, state, 1), write(bytes, state, 2)]
  const exchange = (): void => {
    const [all, more] = [hers.sent.splice(0), his.sent.splice(0)]
    his.hears(all)
    hers.hears(more)
  }
  const textOf = ({ page }: Page): string[] => page.view.state.doc.children.map((node) => node.textContent)
  const types = ({ page: { view } }: Page, words: string, at = view.state.selection.from): void => {
    view.dispatch(view.state.tr.insertText(words, at))
  }
  return { bytes, hers, his, exchange, textOf, types }
}

// [R148] Several people edit one Word document: paragraphs that are split and joined retain the edits of others;
// cursors stay in place; undo affects only one's own edits.
it('[R148] what one writes into a paragraph stays in it while another splits it and joins it', () => {
  const { hers, his, exchange, textOf, types } = two()
  types(hers, '前后', 1)
  exchange()
  hers.page.view.dispatch(hers.page.view.state.tr.split(2))
  types(his, '！', 3)
  exchange()
  expect([textOf(hers), textOf(his)]).toEqual([
    ['前', '后！'],
    ['前', '后！'],
  ])
  hers.page.view.dispatch(hers.page.view.state.tr.join(3))
  types(his, '很', 4)
  exchange()
  expect([textOf(hers), textOf(his)]).toEqual([['前很后！'], ['前很后！']])
})

it('[R148] what one writes into a cell stays in it while another puts rows and columns in and takes them out', () => {
  const { hers, his, exchange, types } = two()
  const cellsOf = ({ page }: Page): string[][] =>
    page.view.state.doc.child(0).children.map((row) => row.children.map((cell) => cell.textContent))
  const runs = ({ page }: Page, at: number, command: Command): void => {
    const { state } = page.view
    page.view.dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(at))))
    page.run(command)
  }
  runs(hers, 1, insertTable(2, 2, 9000))
  exchange()
  for (const [n, words] of ['甲', '乙', '丙', '丁'].entries()) {
    runs(hers, 1, (state) => {
      const places: number[] = []
      state.doc.descendants((node, at) => void (node.isTextblock && places.push(at + 1)))
      types(hers, words, places[n])
      return true
    })
  }
  exchange()
  expect(cellsOf(his)).toEqual([
    ['甲', '乙'],
    ['丙', '丁'],
  ])
  const last = his.page.view.state.doc.child(0).nodeSize - 4
  runs(hers, 4, changeTable('columnBefore'))
  runs(hers, 4, changeTable('rowBelow'))
  types(his, '！', last)
  exchange()
  expect(cellsOf(his)).toEqual([
    ['', '甲', '乙'],
    ['', '', ''],
    ['', '丙', '丁！'],
  ])
  expect(cellsOf(hers)).toEqual(cellsOf(his))
  // If a table is deleted, text typed in it meanwhile remains.
  runs(hers, 4, removeTable)
  types(his, '还在', 4)
  exchange()
  expect(his.page.view.state.doc.textContent).toBe('还在')
  expect(hers.page.view.state.doc.textContent).toBe('还在')
})

it('[R148] half a letter is the same sign for all', () => {
  const { hers, his, exchange, textOf, types } = two()
  types(hers, '\ud842甲', 1)
  types(hers, '𠮷', 3)
  types(hers, '乙', 4)
  exchange()
  expect([textOf(hers), textOf(his)]).toEqual([['\ufffd甲\ufffd乙\ufffd'], ['\ufffd甲\ufffd乙\ufffd']])
})

it('[R148] each takes back what is their own, and stays where they are', () => {
  const { hers, his, exchange, textOf, types } = two()
  types(hers, '甲乙', 1)
  exchange()
  types(his, '丙', 3)
  his.page.view.dispatch(his.page.view.state.tr.setSelection(TextSelection.create(his.page.view.state.doc, 2)))
  exchange()
  types(hers, '新', 1)
  exchange()
  expect(his.page.view.state.selection.from).toBe(3)
  his.page.undo()
  exchange()
  expect([textOf(hers), textOf(his)]).toEqual([['新甲乙'], ['新甲乙']])
  hers.page.undo()
  exchange()
  expect(textOf(his)).toEqual([''])
  hers.page.redo()
  exchange()
  expect(textOf(his)).toEqual(['新甲乙'])
})

it('[R148] where a key has moved the cursor it stays, whatever others write before the page is told of it', () => {
  const { hers, his, exchange, textOf, types } = two()
  types(hers, '甲乙丙', 1)
  exchange()
  const { view } = his.page
  document.body.append(view.dom)
  view.focus()
  // The browser fires the event later.
  const untold = (event: Event): void => event.stopImmediatePropagation()
  window.addEventListener('selectionchange', untold, true)
  const moves = (pos: number): void => {
    const { node, offset } = view.domAtPos(pos)
    document.getSelection()?.collapse(node, offset)
  }
  try {
    moves(2)
    types(hers, '头', 1)
    exchange()
    expect(view.state.selection.from).toBe(3)
    moves(1)
    his.others.set([{ client: 1, userId: 1, name: '林青', cursor: '', canWrite: true }])
    expect(view.state.selection.from).toBe(1)
    types(his, '一')
    exchange()
    expect([textOf(hers), textOf(his)]).toEqual([['一头甲乙丙'], ['一头甲乙丙']])
  } finally {
    window.removeEventListener('selectionchange', untold, true)
  }
})

it('[R148] the others’ cursors stand where they are, by their names', () => {
  const { hers, his, exchange, types } = two()
  types(hers, '甲乙丙', 1)
  exchange()
  his.page.view.dispatch(his.page.view.state.tr.setSelection(TextSelection.create(his.page.view.state.doc, 2, 3)))
  const { cursor } = his.others.getLocalState()
  hers.others.set([{ client: 2, userId: 2, name: '陈默', cursor: JSON.stringify(cursor), canWrite: true }])
  const drawn = (): string => hers.page.view.dom.textContent
  expect(drawn()).toBe('甲乙陈默丙')
  types(hers, '头', 1)
  expect(drawn()).toBe('头甲乙陈默丙')
  hers.others.set([])
  expect(drawn()).toBe('头甲乙丙')
})
