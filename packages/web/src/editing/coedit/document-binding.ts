/*
 * Binds the ProseMirror page of a Word document to the shared sequence (Yjs). A local transaction becomes a minimal
 * change of the sequence. Remote changes are applied block by block, and the rest of the page does not change. Cursors
 * are relative positions, so they do not move when content is inserted before them.
 */
import { coeditBase, coeditRoot } from '@cloudoc/contract'
import type { Document, Op } from '@cloudoc/office/document'
import { coeditDocument, unpackBase } from '@cloudoc/office/document'
import { Fragment, type Node } from 'prosemirror-model'
import { Plugin, PluginKey, TextSelection, type Transaction } from 'prosemirror-state'
import type { DecorationSet, EditorView } from 'prosemirror-view'
import * as Y from 'yjs'
import type { PageBinding } from '../document/page-editor.ts'
import { settleSelection } from '../document/selection.ts'
import type { CoeditSession } from './coedit-session.ts'
import { type Cursor, remoteCarets } from './remote-carets.ts'
import { hold, indexAt, posAt, type SharedBlock } from './sequence-positions.ts'

const cursors = new PluginKey<DecorationSet>('cursors of others')
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
    const { front, back, at, made: nodes } = changedBlocks(held, after)
    const old = held.slice(front, held.length - back)
    const made = nodes.map(wholeLetters).map((node) => hold(codec.ops([node]), [node]))
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
    return found === null || found.type !== text ? undefined : posAt(held, found.index)
  }
  const place = (pos: number): Y.RelativePosition => Y.createRelativePositionFromTypeIndex(text, indexAt(held, pos))
  const tellPlace = ({ state }: EditorView): void => {
    const now = { anchor: place(state.selection.anchor), head: place(state.selection.head) }
    const isSame = own !== undefined && JSON.stringify(own) === JSON.stringify(now)
    own = now
    if (!isSame) others.setLocalStateField('cursor', own)
  }

  const plugin = new Plugin<DecorationSet>({
    key: cursors,
    state: {
      init: (_, { doc }) => remoteCarets(others, posOf, doc),
      apply(tr, value) {
        if (tr.docChanged && tr.getMeta(cursors) !== 'taken') shown.push(...tr.docs.slice(1), tr.doc)
        return tr.getMeta(cursors) === undefined ? value.map(tr.mapping, tr.doc) : remoteCarets(others, posOf, tr.doc)
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

interface ChangedBlocks {
  /** The number of equal blocks before and after the change. */
  readonly front: number
  readonly back: number
  /** The index of the change in the sequence. */
  readonly at: number
  readonly made: readonly Node[]
}

/** Compares the blocks with those of a document. */
function changedBlocks(held: readonly SharedBlock[], after: Node): ChangedBlocks {
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
  return { front, back, at, made: after.children.slice(child, left) }
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
