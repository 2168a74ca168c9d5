// The text editor: CodeMirror with the labels and colors of the product.

import { commonLineEnd, differenceOf, splitLines } from '@cloudoc/domain'
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from '@codemirror/commands'
import { bracketMatching, indentOnInput, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { ChangeSet, Compartment, EditorState, type Extension, Text, Transaction } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { type PlainTextKey, t } from '../../core/i18n/i18n.ts'
import { loadLanguage } from '../../viewing/shared/code-languages.ts'
import { matchCount } from './match-count.ts'

/** The translations of the CodeMirror phrases. */
const phrases: Readonly<Record<string, PlainTextKey>> = {
  Find: 'editor.find.what',
  Replace: 'editor.find.with',
  next: 'editor.find.next',
  previous: 'editor.find.previous',
  all: 'editor.find.all',
  'match case': 'editor.find.case',
  'by word': 'editor.find.word',
  regexp: 'editor.find.regexp',
  replace: 'editor.find.replace',
  'replace all': 'editor.find.replaceAll',
  close: 'editor.find.close',
}

export interface CodeMirrorOptions {
  readonly parent: HTMLElement
  readonly text: string
  readonly ext: string
  readonly label: string
  readonly onChange: () => void
  /** The co-editing binding: it provides the text, and undo and redo of the own steps. */
  readonly shared?: { readonly binding: Extension; readonly undo: () => void; readonly redo: () => void }
  readonly onMove: (line: number, column: number) => void
}

export type CodeMirrorEditor = ReturnType<typeof openCodeMirror>

/** Opens a text editor. It is read-only until `setReadOnly(false)`. */
export function openCodeMirror({ parent, text, ext, label, onChange, onMove, shared }: CodeMirrorOptions) {
  const first = splitLines(text)
  const before = Text.of(first.lines)
  const usual = commonLineEnd(first.ends)
  let changes = ChangeSet.empty(before.length)
  const writing = new Compartment()
  const language = new Compartment()
  const sized = new Compartment()
  const asReadOnly = (is: boolean) => [EditorState.readOnly.of(is), EditorView.editable.of(!is)]
  const view = new EditorView({
    parent,
    doc: before,
    extensions: [
      lineNumbers(),
      shared?.binding ?? [history(), keymap.of(historyKeymap)],
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      matchCount,
      syntaxHighlighting(classHighlighter),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorState.phrases.of(Object.fromEntries(Object.entries(phrases).map(([own, key]) => [own, t(key)]))),
      keymap.of([...searchKeymap, { key: 'Mod-h', run: openSearchPanel, preventDefault: true }]),
      keymap.of([indentWithTab, ...defaultKeymap]),
      writing.of(asReadOnly(true)),
      language.of([]),
      sized.of([]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          changes = changes.compose(update.changes)
          onChange()
        }
        if (update.docChanged || update.selectionSet) {
          const { head } = update.state.selection.main
          const line = update.state.doc.lineAt(head)
          onMove(line.number, head - line.from + 1)
        }
      }),
    ],
  })
  void loadLanguage(ext).then((parser) => {
    if (parser !== undefined) view.dispatch({ effects: language.reconfigure(StreamLanguage.define(parser)) })
  })

  return {
    /** The text with its original line ends; new lines get the most common one. */
    text: (): string => joinLines(first.ends, usual, before, changes, view.state.doc),
    /** Replaces the text as one undo step. */
    replace(made: string): void {
      const now = view.state.doc.toString()
      view.dispatch({ changes: differenceOf(now, splitLines(made).lines.join('\n')), scrollIntoView: true })
    },
    /** Shows another reading of the text, which is no edit: nothing to undo, and the first text has its line ends. */
    show(made: string): void {
      const insert = splitLines(made).lines.join('\n')
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert },
        annotations: Transaction.addToHistory.of(false),
      })
      if (made === text) changes = ChangeSet.empty(view.state.doc.length)
    },
    setReadOnly: (is: boolean): void => view.dispatch({ effects: writing.reconfigure(asReadOnly(is)) }),
    find: (): void => void openSearchPanel(view),
    undo: (): void => (shared === undefined ? void undo(view) : shared.undo()),
    redo: (): void => (shared === undefined ? void redo(view) : shared.redo()),
    focus: (): void => view.focus(),
    /** Its size has changed: forces CodeMirror to measure the line heights again, even if no line has changed. */
    measure: (): void => view.dispatch({ effects: sized.reconfigure(EditorView.theme({})) }),
    close: (): void => view.destroy(),
  }
}

/** Joins lines with their line ends; unchanged lines keep their original ones. */
export function joinLines(
  ends: readonly string[],
  usual: string,
  before: Text,
  changes: ChangeSet,
  after: Text,
): string {
  const lines = after.toJSON()
  if (ends.every((end) => end === usual)) return lines.join(usual)
  const now = Array.from({ length: lines.length - 1 }, () => usual)
  changes.iterGaps((from, to, length) => {
    const end = from + length
    for (let line = before.lineAt(from); line.to < end; line = before.line(line.number + 1)) {
      const kept = ends[line.number - 1]
      if (kept !== undefined) now[after.lineAt(to + line.to - from).number - 1] = kept
    }
  })
  return lines.map((line, i) => line + (now[i] ?? '')).join('')
}
