// Where the cursor of a page is, as the browser has it.
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/**
 * Takes in what is selected on the page. The browser moves the cursor with the key and tells of it in a task of its own: what is
 * done in between, by the next key or by what others have written, would put the cursor back where it was.
 */
export function settleSelection(view: EditorView): void {
  const { state } = view
  if (!(state.selection instanceof TextSelection) || view.composing || !view.hasFocus()) return
  const { anchorNode = null, anchorOffset, focusNode = null, focusOffset } = view.dom.ownerDocument.getSelection() ?? {}
  if (anchorNode === null || focusNode === null) return
  if (!view.dom.contains(anchorNode) || !view.dom.contains(focusNode)) return
  const place = (node: Node, offset = 0) => state.doc.resolve(view.posAtDOM(node, offset))
  const selection = TextSelection.between(place(anchorNode, anchorOffset), place(focusNode, focusOffset))
  if (!selection.eq(state.selection)) view.dispatch(state.tr.setSelection(selection))
}
