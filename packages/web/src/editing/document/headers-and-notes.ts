// Headers, footers and notes on the page: they stay where they are, and hold what may stand in them.
import type { Document } from '@cloudoc/office/document'
import {
  arePiecesInPlace,
  type HeadersAndNotesAttrs,
  headersAndNotesKeys,
} from '@cloudoc/office/document/headers-and-notes'
import { type InsertedPartKind, insertedPartPosition, orphanedNotes } from '@cloudoc/office/document/inserted-parts'
import type { Node } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  Plugin,
  PluginKey,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import type { NodeView } from 'prosemirror-view'
import { t } from '../../core/i18n/i18n.ts'
import '../shared/office-texts.ts'

const nameOf = ({ kind, which, n }: HeadersAndNotesAttrs): string => {
  if (kind === 'footnote' || kind === 'endnote') return t(`editor.doc.aside.${kind}`, { n })
  return t(which === 'first' || which === 'even' ? `editor.doc.aside.${kind}.${which}` : `editor.doc.aside.${kind}`)
}

/** How one is shown: with its name, which cannot be written into. */
export function headersAndNotesView(node: Node): NodeView {
  const attrs = node.attrs as HeadersAndNotesAttrs
  const dom = document.createElement('section')
  dom.className = `dc-aside is-${attrs.kind}`
  dom.setAttribute('aria-label', nameOf(attrs))
  // What is printed stands by these.
  dom.dataset['which'] = attrs.which
  if (attrs.n > 0) dom.dataset['n'] = String(attrs.n)
  const name = document.createElement('small')
  name.contentEditable = 'false'
  name.textContent = nameOf(attrs)
  const contentDOM = document.createElement('div')
  dom.append(name, contentDOM)
  return { dom, contentDOM, ignoreMutation: (record) => record.type !== 'selection' && name.contains(record.target) }
}

/** Whether one is in the text, and not beside it. */
export const isInBody = ({ selection: { $from, $to } }: EditorState): boolean =>
  [$from, $to].every((at) => at.depth === 0 || at.node(1).type.name !== 'aside')

const bringsPieces = (tr: Transaction): boolean =>
  tr.steps.some((step) => {
    const { slice } = step as { readonly slice?: { readonly content: Node['content'] } }
    let found = false
    slice?.content.descendants(({ type, marks }) => {
      if (type.name === 'kept' || type.name === 'locked' || marks.some((mark) => mark.type.name === 'wrap'))
        found = true
    })
    return found || 'mark' in step
  })

/** What puts one in or takes one away that was begun. */
const beginning = new PluginKey('beginning')

/** None is put in or taken out but those that are begun here, and footnotes with their numbers; what would stand where it may not is left, and why is said. */
export const protectHeadersAndNotes = (asRead: () => Node, refused: () => void): Plugin =>
  new Plugin({
    filterTransaction(tr, state) {
      if (
        !tr.docChanged ||
        headersAndNotesKeys(state.doc) + headersAndNotesKeys(tr.doc) + headersAndNotesKeys(state.doc, true) === ''
      )
        return true
      if (headersAndNotesKeys(tr.doc) !== headersAndNotesKeys(state.doc)) return false
      const isBegun = tr.getMeta(beginning) === true || tr.getMeta('history$') !== undefined
      if (!isBegun && headersAndNotesKeys(tr.doc, true) !== headersAndNotesKeys(state.doc, true)) return false
      if (!bringsPieces(tr) || arePiecesInPlace(asRead(), tr.doc)) return true
      refused()
      return false
    },
    // A note whose number is taken out of the text goes with it.
    appendTransaction(all, _, { doc, tr }) {
      if (!all.some((one) => one.docChanged && one.getMeta('history$') === undefined)) return undefined
      const forsaken = orphanedNotes(doc)
      if (forsaken.length === 0) return undefined
      for (const { node, at } of forsaken.toReversed()) tr.delete(at, at + node.nodeSize)
      return tr.setMeta(beginning, true)
    },
  })

/** Where one of a kind stands that is on every page. */
export function headerFooterAt(doc: Node, kind: InsertedPartKind): number | undefined {
  let found: number | undefined
  doc.forEach(({ type, attrs }, at) => {
    const isEvery = attrs['which'] !== 'first' && attrs['which'] !== 'even'
    if (type.name === 'aside' && attrs['kind'] === kind && isEvery) found ??= at
  })
  return found
}

/** Goes to the header or footer, which is begun where there is none. */
export const goToHeaderFooter =
  (document: () => Document, kind: 'header' | 'footer'): Command =>
  (state, dispatch) => {
    const there = headerFooterAt(state.doc, kind)
    const aside = there === undefined ? document().begun?.begin(kind, state.doc)?.aside : undefined
    if (there === undefined && aside === undefined) return false
    const { tr } = state
    const at = there ?? (aside === undefined ? 0 : insertedPartPosition(state.doc, aside))
    if (aside !== undefined) tr.insert(at, aside).setMeta(beginning, true)
    dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))).scrollIntoView())
    return true
  }

/** Puts a footnote in behind what is selected, and goes to it. */
export const insertFootnote =
  (document: () => Document): Command =>
  (state, dispatch) => {
    const { $to } = state.selection
    const made = isInBody(state) && $to.parent.isTextblock ? document().begun?.begin('footnote', state.doc) : undefined
    if (made?.reference === undefined) return false
    const { tr, schema } = state
    tr.insert($to.pos, schema.node('kept', made.reference))
    const at = insertedPartPosition(tr.doc, made.aside)
    tr.insert(at, made.aside).setMeta(beginning, true)
    const end = at + made.aside.nodeSize - 1
    dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(end), -1)).scrollIntoView())
    return true
  }

/** Where one is: the text, or what stands beside it. */
function placeOf({ doc, selection: { $from } }: EditorState): readonly [from: number, to: number] {
  if ($from.depth > 0 && $from.node(1).type.name === 'aside') return [$from.start(1), $from.end(1)]
  let end = 0
  doc.forEach((block, at) => {
    if (block.type.name !== 'aside') end = at + block.nodeSize
  })
  return [0, end]
}

/** Everything of where one is. */
export const selectAllInRegion: Command = (state, dispatch) => {
  const [from, to] = placeOf(state)
  dispatch?.(state.tr.setSelection(TextSelection.between(state.doc.resolve(from), state.doc.resolve(to))))
  return true
}

/** The beginning of where one is. The surface takes a cursor that the browser moves there for one that it has lost, soon after it was chosen. */
export const goToRegionStart: Command = (state, dispatch) => {
  dispatch?.(state.tr.setSelection(Selection.near(state.doc.resolve(placeOf(state)[0]), 1)).scrollIntoView())
  return true
}
