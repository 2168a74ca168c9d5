// Headers, footers and notes in the editor: they cannot be moved or deleted, and only accept valid content.
import type { Document } from '@cloudoc/office/document'
import {
  arePiecesInPlace,
  type HeadersAndNotesAttrs,
  headersAndNotesKeys,
  type InsertedPartKind,
  insertedPartPosition,
  orphanedNotes,
} from '@cloudoc/office/document'
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

/** The node view of a header, footer or note, with a read-only label. */
export function headersAndNotesView(node: Node): NodeView {
  const attrs = node.attrs as HeadersAndNotesAttrs
  const dom = document.createElement('section')
  dom.className = `dc-aside is-${attrs.kind}`
  dom.setAttribute('aria-label', nameOf(attrs))
  // The print output uses these attributes.
  dom.dataset['which'] = attrs.which
  if (attrs.n > 0) dom.dataset['n'] = String(attrs.n)
  const name = document.createElement('small')
  name.contentEditable = 'false'
  name.textContent = nameOf(attrs)
  const contentDOM = document.createElement('div')
  dom.append(name, contentDOM)
  return { dom, contentDOM, ignoreMutation: (record) => record.type !== 'selection' && name.contains(record.target) }
}

/** Whether the selection is in the body text, not in a header, footer or note. */
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

/** Marks transactions that insert or remove such a node on purpose. */
const beginning = new PluginKey('beginning')

/**
 * A plugin that prevents adding or removing these nodes, except new ones inserted in the editor and footnotes together
 * with their references. Content that is not valid in its part is refused, with a message.
 */
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
    // Deletes a new footnote when its reference is deleted from the text.
    appendTransaction(all, _, { doc, tr }) {
      if (!all.some((one) => one.docChanged && one.getMeta('history$') === undefined)) return undefined
      const forsaken = orphanedNotes(doc)
      if (forsaken.length === 0) return undefined
      for (const { node, at } of forsaken.toReversed()) tr.delete(at, at + node.nodeSize)
      return tr.setMeta(beginning, true)
    },
  })

/** The position of the header or footer of all pages. */
export function headerFooterAt(doc: Node, kind: InsertedPartKind): number | undefined {
  let found: number | undefined
  doc.forEach(({ type, attrs }, at) => {
    const isEvery = attrs['which'] !== 'first' && attrs['which'] !== 'even'
    if (type.name === 'aside' && attrs['kind'] === kind && isEvery) found ??= at
  })
  return found
}

/** Goes to the header or footer; inserts one if there is none. */
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

/** Inserts a footnote after the selection, and goes to it. */
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

/** The range of the region that contains the cursor: the body text, or a header, footer or note. */
function placeOf({ doc, selection: { $from } }: EditorState): readonly [from: number, to: number] {
  if ($from.depth > 0 && $from.node(1).type.name === 'aside') return [$from.start(1), $from.end(1)]
  let end = 0
  doc.forEach((block, at) => {
    if (block.type.name !== 'aside') end = at + block.nodeSize
  })
  return [0, end]
}

/** Selects the whole region that contains the cursor. */
export const selectAllInRegion: Command = (state, dispatch) => {
  const [from, to] = placeOf(state)
  dispatch?.(state.tr.setSelection(TextSelection.between(state.doc.resolve(from), state.doc.resolve(to))))
  return true
}

/**
 * Goes to the start of the region. It is a command because the editor resets a cursor that the browser moves there
 * shortly after a selection.
 */
export const goToRegionStart: Command = (state, dispatch) => {
  dispatch?.(state.tr.setSelection(Selection.near(state.doc.resolve(placeOf(state)[0]), 1)).scrollIntoView())
  return true
}
