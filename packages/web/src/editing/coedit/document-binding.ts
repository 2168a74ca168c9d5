/*
 * Binds the ProseMirror page of a Word document to the shared sequence (Yjs). A local transaction becomes a minimal
 * change of the sequence. Remote changes are applied block by block, and the rest of the page does not change. Cursors
 * are relative positions, so they do not move when content is inserted before them.
 */
import { coeditBase, coeditRoot } from '@cloudoc/contract'
import { coeditDocument, positionCount, totalLength, unpackBase } from '@cloudoc/office/coedit-document'
import type { Op } from '@cloudoc/office/coedit-pieces'
import type { Document } from '@cloudoc/office/document'
import { Fragment, type Node } from 'prosemirror-model'
import { Plugin, PluginKey, TextSelection, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import * as Y from 'yjs'
import type { PageBinding } from '../document/page-editor.ts'
import { settleSelection } from '../document/selection.ts'
import type { CoeditSession } from './coedit-session.ts'

/** A part of the sequence, and its blocks: one, unless concurrent edits have broken the structure. */
interface SharedBlock {
  readonly ops: readonly Op[]
  readonly nodes: readonly Node[]
  readonly length: number
}

interface Cursor {
  readonly anchor: Y.RelativePosition
  readonly head: Y.RelativePosition
}

const cursors = new PluginKey<DecorationSet>('cursors of others')
const hold = (ops: readonly Op[], nodes: readonly Node[]): SharedBlock => ({ ops, nodes, length: totalLength(ops) })
const sizeOf = (nodes: readonly Node[]): number => nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0)

/** The main part that a co-edited document was made from. */
export const baseMainPartOf = ({ doc }: Pick<CoeditSession, 'doc'>): string => baseOf(doc).main

function baseOf(doc: Y.Doc): ReturnType<typeof unpackBase> {
  const packed = doc.getMap(coeditBase).get(coeditBase)
  return unpackBase(packed instanceof Uint8Array ? packed : new Uint8Array())
}

/** Binds a page to the shared sequence. */
export function bindDocument(
  { doc: shared, others }: Pick<CoeditSession, 'doc' | 'others'>,
  document: Document,
): PageBinding {
  const text = shared.getText(coeditRoot)
  const codec = coeditDocument(document, baseOf(shared))
  const origin = {}
  const undoing = new Y.UndoManager(text, { trackedOrigins: new Set([origin]) })
  let held = codec.cut(text.toDelta() as Op[]).map((ops) => hold(ops, codec.build(ops)))
  /** The documents that the page has shown since it last matched the sequence. */
  const shown: Node[] = []
  let same = codec.doc(held.flatMap(({ nodes }) => nodes))
  let view: EditorView | undefined
  let own: Cursor | undefined

  /** Sends the local change from one document to the next. */
  const tell = (after: Node): void => {
    let front = 0
    let at = 0
    let child = 0
    for (let one = held[front]; one !== undefined; one = held[++front]) {
      if (one.nodes.some((node, n) => after.maybeChild(child + n) !== node)) break
      at += one.length
      child += one.nodes.length
    }
    let back = 0
    let left = after.childCount
    for (let one = held.at(-1); one !== undefined && held.length - back > front; one = held.at(-1 - ++back)) {
      const from = left - one.nodes.length
      if (from < child || one.nodes.some((node, n) => after.maybeChild(from + n) !== node)) break
      left = from
    }
    const old = held.slice(front, held.length - back)
    const made = after.children
      .slice(child, left)
      .map(wholeLetters)
      .map((node) => hold(codec.ops([node]), [node]))
    const changes = codec.change(
      old.flatMap(({ ops }) => ops),
      made.flatMap(({ ops }) => ops),
    )
    held = [...held.slice(0, front), ...made, ...held.slice(held.length - back)]
    if (changes.length > 0) text.applyDelta(at > 0 ? [{ retain: at }, ...changes] : changes)
  }

  const tellAll = (now: Node): void => {
    const steps = shown.splice(0)
    if (now === same) return
    same = now
    shared.transact(() => {
      for (const step of steps.at(-1) === now ? steps : [now]) tell(step)
    }, origin)
  }

  /** Applies remote changes, and the user's own undo and redo. */
  const take = (_: unknown, { origin: by }: Y.Transaction): void => {
    if (by === origin || view === undefined) return
    const row = codec.cut(text.toDelta() as Op[])
    const most = Math.min(row.length, held.length)
    let front = 0
    while (front < most && isSame(row[front], held[front]?.ops)) front++
    let back = 0
    while (back < most - front && isSame(row.at(-1 - back), held.at(-1 - back)?.ops)) back++
    const made = row.slice(front, row.length - back).map((ops) => hold(ops, codec.build(ops)))
    held = [...held.slice(0, front), ...made, ...held.slice(held.length - back)]
    same = codec.doc(held.flatMap(({ nodes }) => nodes))
    show(view, same, by === undoing)
  }

  const show = (of: EditorView, now: Node, isOwn: boolean): void => {
    const { state } = of
    const tr = state.tr.setMeta(cursors, 'taken').setMeta('addToHistory', false)
    const end = became(tr, now)
    if (end === undefined) {
      same = state.doc
      relink()
      return
    }
    if (isOwn)
      tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(end, tr.doc.content.size)), -1)).scrollIntoView()
    else if (state.selection instanceof TextSelection && own !== undefined) {
      const [anchor, head] = [posOf(own.anchor), posOf(own.head)]
      if (anchor !== undefined && head !== undefined)
        tr.setSelection(TextSelection.between(tr.doc.resolve(anchor), tr.doc.resolve(head)))
    }
    // An equal but different node object would count as a local change.
    same = tr.doc
    relink()
    of.dispatch(tr)
  }

  /** Replaces the node objects in `held` with those of the displayed document. */
  const relink = (): void => {
    let child = 0
    held = held.map((one) => {
      const nodes = one.nodes.map((node, n) => same.maybeChild(child + n) ?? node)
      child += nodes.length
      return nodes.every((node, n) => node === one.nodes[n]) ? one : { ...one, nodes }
    })
  }

  // Conversion between positions in the sequence and on the page.
  const posOf = (relative: Y.RelativePosition): number | undefined => {
    const found = Y.createAbsolutePositionFromRelativePosition(relative, shared)
    return found === null || found.type !== text ? undefined : posAt(found.index)
  }
  const posAt = (index: number): number => {
    let at = 0
    let pos = 0
    for (const { nodes, length } of held) {
      if (index < at + length) return posIn(nodes, index - at, pos)
      at += length
      pos += sizeOf(nodes)
    }
    return Math.max(0, pos - 1)
  }
  const indexAt = (pos: number): number => {
    let at = 0
    let before = 0
    for (const { nodes, length } of held) {
      const size = sizeOf(nodes)
      if (pos < before + size) return at + Math.min(length, indexIn(nodes, pos - before))
      at += length
      before += size
    }
    return at
  }
  const place = (pos: number): Y.RelativePosition => Y.createRelativePositionFromTypeIndex(text, indexAt(pos))
  const tellPlace = ({ state }: EditorView): void => {
    const now = { anchor: place(state.selection.anchor), head: place(state.selection.head) }
    const isSame = own !== undefined && JSON.stringify(own) === JSON.stringify(now)
    own = now
    if (!isSame) others.setLocalStateField('cursor', own)
  }

  const drawn = (doc: Node): DecorationSet => {
    const all: Decoration[] = []
    for (const [client, { user, cursor }] of others.getStates()) {
      const at = readCursor(cursor)
      const [anchor, head] = at === undefined ? [] : [posOf(at.anchor), posOf(at.head)]
      if (anchor === undefined || head === undefined || Math.max(anchor, head) > doc.content.size) continue
      const style = `background:${user.colorLight}`
      if (anchor !== head) all.push(Decoration.inline(Math.min(anchor, head), Math.max(anchor, head), { style }))
      all.push(Decoration.widget(head, () => caretOf(user), { key: `${client} ${user.name}`, side: 10 }))
    }
    return DecorationSet.create(doc, all)
  }

  const plugin = new Plugin<DecorationSet>({
    key: cursors,
    state: {
      init: (_, { doc }) => drawn(doc),
      apply(tr, value) {
        if (tr.docChanged && tr.getMeta(cursors) !== 'taken') shown.push(...tr.docs.slice(1), tr.doc)
        return tr.getMeta(cursors) === undefined ? value.map(tr.mapping, tr.doc) : drawn(tr.doc)
      },
    },
    appendTransaction: (all, before, { doc, tr }) =>
      all.some((one) => one.docChanged && one.getMeta(cursors) !== 'taken') ? mended(tr, before.doc, doc) : undefined,
    props: { decorations: (state) => cursors.getState(state) },
    view(of) {
      view = of
      const draw = (): void => {
        settleSelection(of)
        of.dispatch(of.state.tr.setMeta(cursors, 'drawn'))
      }
      // Runs before a remote change, after which positions on the page no longer match the sequence.
      const settle = ({ origin: by }: Y.Transaction): void => {
        if (by !== origin) settleSelection(of)
      }
      shared.on('beforeTransaction', settle)
      text.observe(take)
      others.on('change', draw)
      tellPlace(of)
      return {
        update(now, before) {
          tellAll(now.state.doc)
          if (!before.selection.eq(now.state.selection) || before.doc !== now.state.doc) tellPlace(now)
        },
        destroy() {
          shared.off('beforeTransaction', settle)
          text.unobserve(take)
          others.off('change', draw)
          undoing.destroy()
          view = undefined
        },
      }
    },
  })
  return {
    doc: same,
    plugin,
    undo: () => undoing.undo() !== null,
    redo: () => undoing.redo() !== null,
  }
}

/** Turns a document into another with a minimal change; returns the end of the new content. */
function became(tr: Transaction, now: Node): number | undefined {
  const start = tr.doc.content.findDiffStart(now.content)
  const ends = tr.doc.content.findDiffEnd(now.content)
  if (start === null || ends === null) return undefined
  const overlap = Math.max(0, start - Math.min(ends.a, ends.b))
  const [from, to] = [ends.a + overlap, ends.b + overlap]
  const before = tr.steps.length
  try {
    tr.replace(start, from, now.slice(start, to))
  } catch {
    // The slice does not fit there: the whole content is replaced.
  }
  if (tr.steps.length === before || !tr.doc.eq(now)) tr.replaceWith(0, tr.doc.content.size, now.content)
  return to
}

/**
 * Replaces a lone surrogate with the replacement character, because it would corrupt the adjacent character in transit.
 */
function wholeLetters(node: Node): Node {
  if (node.text?.isWellFormed() === false) return node.type.schema.text(node.text.toWellFormed(), node.marks)
  const inner = node.children.map(wholeLetters)
  return inner.every((one, n) => one === node.child(n)) ? node : node.copy(Fragment.from(inner))
}

/** The same replacement on the page. */
function mended(tr: Transaction, before: Node, now: Node): Transaction | undefined {
  const known = new Set(before.children)
  now.forEach((block, at) => {
    if (known.has(block)) return
    block.descendants((node, pos) => {
      if (node.text === undefined || node.text.isWellFormed()) return
      const from = at + 1 + pos
      tr.replaceWith(from, from + node.nodeSize, wholeLetters(node))
    })
  })
  return tr.docChanged ? tr : undefined
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => isSame((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]))
  )
}

function posIn(nodes: readonly Node[], index: number, from: number): number {
  let left = index
  let pos = from
  for (const node of nodes) {
    const places = positionCount(node)
    if (left < places) {
      if (node.isTextblock) return pos + 1 + Math.min(left, node.content.size)
      return node.isLeaf || left === 0 ? pos : posIn(node.children, left - 1, pos + 1)
    }
    left -= places
    pos += node.nodeSize
  }
  return Math.max(0, pos - 1)
}

function indexIn(nodes: readonly Node[], offset: number): number {
  let left = offset
  let index = 0
  for (const node of nodes) {
    if (left < node.nodeSize) {
      if (left <= 0 || node.isLeaf) return index
      return index + (node.isTextblock ? Math.min(left - 1, node.content.size) : 1 + indexIn(node.children, left - 1))
    }
    left -= node.nodeSize
    index += positionCount(node)
  }
  return index
}

function readCursor(cursor: unknown): Cursor | undefined {
  if (typeof cursor !== 'object' || cursor === null) return undefined
  const { anchor, head } = cursor as { readonly anchor?: unknown; readonly head?: unknown }
  if (typeof anchor !== 'object' || anchor === null || typeof head !== 'object' || head === null) return undefined
  return { anchor: Y.createRelativePositionFromJSON(anchor), head: Y.createRelativePositionFromJSON(head) }
}

function caretOf({ name, color }: { readonly name: string; readonly color: string }): HTMLElement {
  const caret = document.createElement('span')
  caret.className = 'hr-caret'
  caret.style.borderColor = color
  const label = caret.appendChild(document.createElement('span'))
  label.className = 'hr-caret-name'
  label.style.background = color
  label.textContent = name
  return caret
}
