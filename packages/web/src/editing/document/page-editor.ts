// The document editor: ProseMirror with the extensions for Word documents.
import type { OpaqueKind } from '@cloudoc/office/document'
import { addressOf, type Document, openDocument } from '@cloudoc/office/document'
import { baseKeymap } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { type Command, EditorState, type Plugin, TextSelection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { t } from '../../core/i18n/i18n.ts'
import { heaviestPicture, heaviestSharedPicture, readPictures } from '../shared/read-pictures.ts'
import { type Formatting, formatsAt } from './formatting.ts'
import { headersAndNotesView, protectHeadersAndNotes } from './headers-and-notes.ts'
import { insertPictures, picturesIn } from './insertions.ts'
import { listNumbers } from './list-numbers.ts'
import { opaqueView } from './opaque-view.ts'
import { pageKeys } from './page-keys.ts'
import { foundPlugin, pageSearch } from './page-search.ts'
import { settleSelection } from './selection.ts'
import { clearCells, protectTables, withNormalizedTables } from './tables.ts'
import '../shared/office-texts.ts'

interface PageOptions {
  readonly label: string
  readonly isEditable: () => boolean
  readonly onChange: () => void
  /** The user opens the context menu. */
  readonly onMenu: (event: MouseEvent) => void
  /** The user wants to edit a link address. */
  readonly onLink: () => void
  readonly onFailed: (why: string) => void
  /** The text or the selection has changed. */
  readonly onMove: () => void
}

/** A co-edited document: its content, the plugin that binds it, and undo and redo of the own steps. */
export interface PageBinding {
  readonly doc: Node
  readonly plugin: Plugin
  readonly undo: () => boolean
  readonly redo: () => boolean
}

/** The main part that the co-edited document was made from, and the binding. */
export interface PageSharing {
  readonly main: string
  readonly bind: (document: Document) => PageBinding
}

export type PageEditor = ReturnType<typeof openPageEditor>

/** Opens a document in an editor. */
export function openPageEditor(
  bytes: Uint8Array,
  { label, isEditable, onChange, onMove, onMenu, onLink, onFailed }: PageOptions,
  sharing?: PageSharing,
) {
  let base = bytes
  // Only the body text is co-edited.
  const withAsides = { asides: sharing === undefined }
  let document = openDocument(bytes, sharing?.main, withAsides)
  const shared = sharing?.bind(document)
  const [back, forth]: readonly [Command, Command] = shared === undefined ? [undo, redo] : [shared.undo, shared.redo]
  let wasRestored = false
  const now = (): Document => document
  const numbers = listNumbers(now)
  const stateOf = (): EditorState =>
    EditorState.create({
      doc: shared?.doc ?? document.doc,
      plugins: [
        shared?.plugin ?? history(),
        pageKeys({ now, undo: back, redo: forth, onLink }),
        keymap(baseKeymap),
        numbers.plugin(),
        foundPlugin(),
        protectTables(),
        protectHeadersAndNotes(
          () => document.doc,
          () => onFailed(t('editor.doc.aside.plain')),
        ),
      ],
    })
  const textWidth = (): number => {
    const { width, left, right } = document.page
    return (width - left - right) * 15
  }
  let copied: { readonly text: string; readonly slice: Slice } | undefined
  const view = new EditorView(null, {
    state: stateOf(),
    editable: isEditable,
    attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true', spellcheck: 'false' },
    nodeViews: {
      kept: opaqueView,
      aside: headersAndNotesView,
      locked: (node) => ({ dom: lockedDom(node) }),
    },
    handleDOMEvents: {
      keydown(of, event) {
        if (event.ctrlKey || event.metaKey) settleSelection(of)
        return false
      },
      copy: (of) => remember(of),
      cut(of) {
        remember(of)
        // The clipboard event must be handled first.
        queueMicrotask(() => clearCells(of.state, of.dispatch))
        return false
      },
      compositionstart(of) {
        clearCells(of.state, of.dispatch)
        return false
      },
      contextmenu(_, event) {
        if (!event.shiftKey) onMenu(event)
        return !event.shiftKey
      },
    },
    handleTextInput(of, _from, _to, text) {
      if (!clearCells(of.state, of.dispatch)) return false
      of.dispatch(of.state.tr.insertText(text).scrollIntoView())
      return true
    },
    transformPasted: (slice) => withNormalizedTables(slice, textWidth()),
    handlePaste(of, event) {
      const pictures = picturesIn(event.clipboardData)
      if (pictures.length > 0) {
        put(pictures)
        return true
      }
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (copied === undefined || plain(copied.text) !== plain(text)) return false
      const slice = withNormalizedTables(withoutDoubles(of.state.doc, copied.slice), textWidth())
      of.dispatch(of.state.tr.replaceSelection(slice).scrollIntoView())
      return true
    },
    handleDrop(of, event) {
      const pictures = picturesIn(event.dataTransfer)
      if (pictures.length === 0) return false
      const at = of.posAtCoords({ left: event.clientX, top: event.clientY })
      if (at !== null) of.dispatch(of.state.tr.setSelection(TextSelection.near(of.state.doc.resolve(at.pos))))
      put(pictures)
      return true
    },
    handleClick: openLink,
    dispatchTransaction(tr) {
      view.updateState(view.state.apply(tr))
      if (tr.docChanged) onChange()
      onMove()
    },
  })
  const remember = (of: EditorView): boolean => {
    const { from, to } = of.state.selection
    copied = { text: of.state.doc.textBetween(from, to, '\n\n'), slice: of.state.selection.content() }
    return false
  }

  const put = (files: readonly File[]): void => {
    readPictures(files, sharing === undefined ? heaviestPicture : heaviestSharedPicture)
      .then((pictures) => {
        if (!view.isDestroyed) run(insertPictures(pictures, textWidth() / 15))
      })
      .catch(() => onFailed(t('editor.doc.picture.broken')))
  }
  const run = (command: Command): void => {
    command(view.state, view.dispatch)
    view.focus()
  }
  const isTouched = (): boolean => wasRestored || !view.state.doc.eq(document.doc)
  return {
    view,
    document: (): Document => document,
    state: (): EditorState => view.state,
    draft: (): string => (isTouched() ? document.written(view.state.doc) : ''),
    bytes: (): Uint8Array => document.bytes(view.state.doc),
    restore: (draft: string, other: Uint8Array | undefined): void => {
      base = other ?? base
      document.close()
      document = openDocument(base, draft, withAsides)
      wasRestored = true
      numbers.forget()
      view.updateState(stateOf())
      onChange()
      onMove()
    },
    /** Called when `isEditable` has changed. */
    refresh: (): void => view.setProps({ editable: isEditable }),
    run,
    putPictures: put,
    /** The text width in twentieths of a point. */
    textWidth,
    undo: (): void => run(back),
    redo: (): void => run(forth),
    formats: (): Formatting => formatsAt(document, view.state),
    ...pageSearch(view),
    close: (): void => {
      document.close()
      view.destroy()
    },
  }
}

/** Opens the link at a position; in an editable document only with Ctrl. */
function openLink(of: EditorView, at: number, event: MouseEvent): boolean {
  const link = of.state.doc
    .resolve(at)
    .marks()
    .find(({ attrs }) => (attrs['href'] ?? '') !== '')
  const address = addressOf(String(link?.attrs['href'] ?? ''))
  if (address === undefined || !(event.ctrlKey || event.metaKey || !of.editable)) return false
  window.open(address, '_blank', 'noopener')
  return true
}

const plain = (text: string): string => text.replace(/\s+/g, '')

/** Removes pieces from a pasted slice that may occur only once in a file and still exist: notes, marks and fields. */
function withoutDoubles(doc: Node, slice: Slice): Slice {
  const there = new Set<unknown>()
  doc.descendants((node) => {
    if (node.type.name === 'kept') there.add(node.attrs['xml'])
  })
  const pass = (fragment: Fragment): Fragment => {
    const nodes: Node[] = []
    fragment.forEach((node) => {
      const kind = node.attrs['kind'] as OpaqueKind | undefined
      if (node.type.name === 'kept' && kind !== 'picture' && there.has(node.attrs['xml'])) return
      nodes.push(node.isText ? node : node.copy(pass(node.content)))
    })
    return Fragment.fromArray(nodes)
  }
  return new Slice(pass(slice.content), slice.openStart, slice.openEnd)
}

function lockedDom(node: Node): HTMLElement {
  const block = document.createElement('div')
  block.className = 'dc-locked'
  block.textContent = String(node.attrs['text'])
  block.dataset['why'] = t('editor.doc.locked')
  return block
}
