// The keys of the document editor.
import type { Document } from '@cloudoc/office/document'
import { propertiesOf } from '@cloudoc/office/document'
import { chainCommands, splitBlockAs } from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import type { Command, EditorState, Plugin, Transaction } from 'prosemirror-state'
import { align, indentList, leaveList, rPrAt, toggleInlineStyle } from './formatting.ts'
import { goToRegionStart, insertFootnote, selectAllInRegion } from './headers-and-notes.ts'
import { insertPageBreak } from './insertions.ts'
import { clearCells, goToCell } from './tables.ts'

interface PageKeys {
  readonly now: () => Document
  readonly undo: Command
  readonly redo: Command
  /** The user wants to edit a link address. */
  readonly onLink: () => void
}

export function pageKeys({ now, undo, redo, onLink }: PageKeys): Plugin {
  return keymap({
    'Mod-z': undo,
    'Mod-y': redo,
    'Shift-Mod-z': redo,
    'Mod-b': toggleInlineStyle(now, 'b'),
    'Mod-i': toggleInlineStyle(now, 'i'),
    'Mod-u': toggleInlineStyle(now, 'u'),
    'Mod-Shift-x': toggleInlineStyle(now, 'strike'),
    'Mod-k': () => {
      onLink()
      return true
    },
    'Mod-Enter': insertPageBreak,
    'Mod-Home': goToRegionStart,
    'Mod-a': selectAllInRegion,
    'Mod-Alt-f': insertFootnote(now),
    'Mod-l': align('left'),
    'Mod-e': align('center'),
    'Mod-r': align('right'),
    'Mod-j': align('both'),
    Enter: chainCommands(leaveList(now, 'empty'), split(now)),
    'Shift-Enter': (state, dispatch) => {
      dispatch?.(state.tr.replaceSelectionWith(state.schema.node('line', { rPr: rPrAt(state) })).scrollIntoView())
      return true
    },
    Tab: chainCommands(goToCell(1), indentList(now, 1), insertTab),
    'Shift-Tab': chainCommands(goToCell(-1), indentList(now, -1)),
    Backspace: chainCommands(clearCells, leaveList(now, 'atStart')),
    Delete: clearCells,
  })
}

/** Enter starts a paragraph of the same style; after a heading, of the normal one. */
const split =
  (now: () => Document): Command =>
  (state, dispatch) => {
    const marks = state.storedMarks ?? (state.selection.$to.parentOffset > 0 ? state.selection.$from.marks() : null)
    return splitBlockAs((node, atEnd) => {
      const isHeading = (now().styles.paragraph(propertiesOf(String(node.attrs['pPr'] ?? ''))).look.heading ?? 0) > 0
      return { type: node.type, attrs: atEnd && isHeading ? { ...node.attrs, pPr: '' } : node.attrs }
    })(
      state,
      dispatch &&
        ((tr) => dispatch(marks === null ? tr : tr.ensureMarks(marks.filter(({ type }) => type.name === 'look')))),
    )
  }

function insertTab(state: EditorState, dispatch: ((tr: Transaction) => void) | undefined): boolean {
  dispatch?.(state.tr.insertText('\t').scrollIntoView())
  return true
}
