// Co-editing a text file.
import { coeditRoot } from '@cloudoc/contract'
import { extNameOf, writeText } from '@cloudoc/domain'
import { keymap } from '@codemirror/view'
import { type ReactNode, useSyncExternalStore } from 'react'
import { yCollab, yUndoManagerKeymap } from 'y-codemirror.next'
import * as Y from 'yjs'
import { createStore } from 'zustand/vanilla'
import { useT } from '../../core/i18n/i18n.ts'
import { printText } from '../shared/print.ts'
import { openCodeMirror } from '../text/code-mirror.ts'
import type { CoeditAdapter } from './coedit-adapter.ts'

const ends: Readonly<Record<string, string>> = { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' }

export const textAdapter: CoeditAdapter = {
  merges: true,
  async open({ item, joined: { form }, session, parent, onChange }) {
    const text = session.doc.getText(coeditRoot)
    const undoing = new Y.UndoManager(text)
    const at = createStore(() => ({ line: 1, column: 1 }))
    const surface = openCodeMirror({
      parent,
      text: text.toJSON(),
      ext: extNameOf(item.fName),
      label: item.fName,
      onMove: (line, column) => at.setState({ line, column }),
      onChange,
      shared: {
        binding: [yCollab(text, session.others, { undoManager: undoing }), keymap.of(yUndoManagerKeymap)],
        undo: () => undoing.undo(),
        redo: () => undoing.redo(),
      },
    })
    return {
      ...surface,
      print: () => printText(item.fName, text.toJSON()),
      draft: () => text.toJSON(),
      bytes: () => writeText(text.toJSON().replaceAll('\n', form.end), form),
      Foot(): ReactNode {
        const t = useT()
        const place = useSyncExternalStore(at.subscribe, at.getState)
        return (
          <>
            <span>{t('editor.at', place)}</span>
            <span>{`${form.encoding.toUpperCase()}${form.hasMark ? ' BOM' : ''}`}</span>
            <span>{ends[form.end] ?? 'LF'}</span>
          </>
        )
      },
    }
  },
}
