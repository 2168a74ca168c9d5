// Synchronizes the selection of the editor with the browser.
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/**
 * Reads the browser selection into the editor state. The browser moves the cursor on a key press but fires
 * selectionchange in a later task. A transaction in between (by the next key, or a remote change) would reset the
 * cursor to its old position.
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
