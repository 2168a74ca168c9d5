// Inserting links, pictures and breaks in the editor.
import { addressOf, linkAttrs, pageBreak, pictureAttrs } from '@cloudoc/office/document'
import { splitBlock } from 'prosemirror-commands'
import type { Mark, Node } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection } from 'prosemirror-state'
import type { InsertedPicture } from '../shared/read-pictures.ts'
import { isInBody } from './headers-and-notes.ts'

interface Span {
  readonly from: number
  readonly to: number
  readonly mark: Mark
}

const isLink = ({ type, attrs }: Mark): boolean =>
  type.name === 'wrap' && String(attrs['open']).startsWith('<w:hyperlink')
const wrapOf = (node: Node | null | undefined): Mark | undefined => node?.marks.find(({ type }) => type.name === 'wrap')

/** The range of the link at the cursor. */
export function linkAt({ selection: { $from } }: EditorState): Span | undefined {
  const { parent, parentOffset } = $from
  const mark = [$from.nodeAfter, $from.nodeBefore].map(wrapOf).find((one) => one !== undefined && isLink(one))
  if (mark === undefined) return undefined
  const has = (node: Node): boolean => mark.isInSet(node.marks)
  let [index, at] = [parent.childBefore(parentOffset).index, 0]
  if (!has(parent.child(index)) && index + 1 < parent.childCount) index++
  let [first, last] = [index, index]
  while (first > 0 && has(parent.child(first - 1))) first--
  while (last + 1 < parent.childCount && has(parent.child(last + 1))) last++
  for (let n = 0; n < first; n++) at += parent.child(n).nodeSize
  let size = 0
  for (let n = first; n <= last; n++) size += parent.child(n).nodeSize
  return { from: $from.start() + at, to: $from.start() + at + size, mark }
}

/**
 * Whether a link can be inserted at the selection: inside one paragraph of the body text, and not in a tracked
 * insertion.
 */
export function canLink(state: EditorState): boolean {
  const { $from, $to, from, to } = state.selection
  // Headers, footers and notes do not support new links.
  if (!isInBody(state) || !$from.parent.isTextblock || !$from.sameParent($to)) return false
  let can = true
  state.doc.nodesBetween(from, to, (node) => {
    const wrap = node.isInline ? wrapOf(node) : undefined
    if (wrap !== undefined && !isLink(wrap)) can = false
  })
  return can
}

/** Creates a link from the selection, changes the link at the cursor, or inserts the address as a link. */
export const setLink =
  (text: string, look: string): Command =>
  (state, dispatch) => {
    const href = addressOf(text)
    const { wrap, look: looks } = state.schema.marks
    if (href === undefined || wrap === undefined || looks === undefined || !canLink(state)) return false
    const { tr, selection } = state
    const here = linkAt(state)
    const { from, to: end } = selection.empty && here !== undefined ? here : selection
    if (from === end) tr.insertText(text.trim(), from)
    const to = from === end ? from + text.trim().length : end
    tr.addMark(from, to, wrap.create(linkAttrs(href)))
    if (here === undefined) tr.addMark(from, to, looks.create({ rPr: look }))
    tr.setSelection(TextSelection.create(tr.doc, to)).removeStoredMark(wrap)
    dispatch?.(tr.scrollIntoView())
    return true
  }

/** Removes a link; its text remains. */
export const removeLink: Command = (state, dispatch) => {
  const here = linkAt(state)
  if (here === undefined) return false
  const { from, to, mark } = here
  const { tr } = state
  tr.removeMark(from, to, mark)
  state.doc.nodesBetween(from, to, (node, at) => {
    const look = node.marks.find(
      ({ type, attrs }) => type.name === 'look' && /Hyperlink|0563C1/i.test(String(attrs['rPr'])),
    )
    if (node.isText && look !== undefined) tr.removeMark(Math.max(from, at), Math.min(to, at + node.nodeSize), look)
  })
  dispatch?.(tr)
  return true
}

/** Inserts a page break. */
export const insertPageBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.isTextblock || !isInBody(state)) return false
  if (dispatch === undefined) return true
  const tr = state.tr.replaceSelectionWith(state.schema.node('kept', pageBreak), false)
  return splitBlock(state.apply(tr), (split) => {
    for (const step of split.steps) tr.step(step)
    dispatch(tr.setSelection(TextSelection.create(tr.doc, split.selection.from)).scrollIntoView())
  })
}

/** Inserts pictures at the cursor, scaled down to the text width. */
export const insertPictures =
  (pictures: readonly InsertedPicture[], widest: number): Command =>
  (state, dispatch) => {
    const nodes = pictures.map(({ data, width, height }) => {
      const scale = Math.min(1, widest / width)
      return state.schema.node('kept', pictureAttrs(data, Math.round(width * scale), Math.round(height * scale)))
    })
    const { tr } = state
    for (const node of nodes) tr.replaceSelectionWith(node, false)
    dispatch?.(tr.scrollIntoView())
    return true
  }

/** The pictures of a paste or drop; empty if the text in the data is meant instead. */
export function picturesIn(data: DataTransfer | null): File[] {
  if (data === null || data.getData('text/plain').trim() !== '') return []
  return [...data.files].filter(({ type }) => type.startsWith('image/'))
}
