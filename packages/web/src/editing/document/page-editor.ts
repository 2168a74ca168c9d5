// The document editor: ProseMirror with the extensions for Word documents.
import type { ParagraphStyle } from '@cloudoc/domain/office'
import { type Document, openDocument } from '@cloudoc/office/document'
import { propertiesOf } from '@cloudoc/office/document/formatting'
import { addressOf } from '@cloudoc/office/document/insertions'
import type { OpaqueKind } from '@cloudoc/office/document/model'
import { baseKeymap, chainCommands, splitBlockAs } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { type Command, EditorState, Plugin, PluginKey, TextSelection, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view'
import { t } from '../../core/i18n/i18n.ts'
import { align, type Formatting, formatsAt, indentList, leaveList, rPrAt, toggleInlineStyle } from './formatting.ts'
import {
  goToRegionStart,
  headersAndNotesView,
  insertFootnote,
  protectHeadersAndNotes,
  selectAllInRegion,
} from './headers-and-notes.ts'
import { insertPageBreak, insertPictures, picturesIn, readPictures } from './insertions.ts'
import { opaqueView } from './opaque-view.ts'
import { settleSelection } from './selection.ts'
import { clearCells, goToCell, protectTables, withNormalizedTables } from './tables.ts'
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

/** The maximum size of an inserted picture in bytes; lower for co-editing, because it is sent to all members. */
const heaviest = 1_500_000
const heaviestShared = 120_000

const found = new PluginKey<DecorationSet>('found')

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
  const lists = new Map<string, ParagraphStyle['list']>()
  const listOf = (pPr: string): ParagraphStyle['list'] => {
    if (!lists.has(pPr)) lists.set(pPr, document.styles.paragraph(propertiesOf(pPr)).look.list)
    return lists.get(pPr)
  }
  const numbers = (doc: Node): DecorationSet => {
    const numbering = document.lists.numbering(doc)
    const all: Decoration[] = []
    doc.descendants((node, at) => {
      if (node.type.name !== 'paragraph') return node.type.name !== 'locked'
      const list = listOf(String(node.attrs['pPr']))
      const next = list && numbering.next(list)
      if (list !== undefined && next !== undefined) {
        const indent = String(next.look.indent ?? 24 * (list.level + 1))
        all.push(Decoration.node(at, at + node.nodeSize, { 'data-mark': next.mark, style: `--list:${indent}px` }))
      }
      return false
    })
    return DecorationSet.create(doc, all)
  }
  const stateOf = (): EditorState => {
    return EditorState.create({
      doc: shared?.doc ?? document.doc,
      plugins: [
        shared?.plugin ?? history(),
        keymap({
          'Mod-z': back,
          'Mod-y': forth,
          'Shift-Mod-z': forth,
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
          Enter: chainCommands(leaveList(now, 'empty'), split),
          'Shift-Enter': (state, dispatch) => {
            dispatch?.(state.tr.replaceSelectionWith(state.schema.node('line', { rPr: rPrAt(state) })).scrollIntoView())
            return true
          },
          Tab: chainCommands(goToCell(1), indentList(now, 1), insertTab),
          'Shift-Tab': chainCommands(goToCell(-1), indentList(now, -1)),
          Backspace: chainCommands(clearCells, leaveList(now, 'atStart')),
          Delete: clearCells,
        }),
        keymap(baseKeymap),
        new Plugin({
          key: new PluginKey<DecorationSet>('numbers'),
          state: {
            init: (_, state) => numbers(state.doc),
            apply: (tr, value) => (tr.docChanged ? numbers(tr.doc) : value),
          },
          props: {
            decorations(state) {
              return this.getState(state)
            },
          },
        }),
        new Plugin<DecorationSet>({
          key: found,
          state: {
            init: () => DecorationSet.empty,
            apply(tr, value) {
              const at = tr.getMeta(found) as { readonly from: number; readonly to: number } | null | undefined
              if (at === undefined) return tr.docChanged || tr.selectionSet ? DecorationSet.empty : value
              return at === null
                ? DecorationSet.empty
                : DecorationSet.create(tr.doc, [Decoration.inline(at.from, at.to, { class: 'dc-found' })])
            },
          },
          props: { decorations: (state) => found.getState(state) },
        }),
        protectTables(),
        protectHeadersAndNotes(
          () => document.doc,
          () => onFailed(t('editor.doc.aside.plain')),
        ),
      ],
    })
  }
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
    handleClick(of, at, event) {
      const link = of.state.doc
        .resolve(at)
        .marks()
        .find(({ attrs }) => (attrs['href'] ?? '') !== '')
      const address = addressOf(String(link?.attrs['href'] ?? ''))
      if (address === undefined || !(event.ctrlKey || event.metaKey || !of.editable)) return false
      window.open(address, '_blank', 'noopener')
      return true
    },
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
    readPictures(files, sharing === undefined ? heaviest : heaviestShared)
      .then((pictures) => {
        if (!view.isDestroyed) run(insertPictures(pictures, textWidth() / 15))
      })
      .catch(() => onFailed(t('editor.doc.picture.broken')))
  }
  const run = (command: Command): void => {
    command(view.state, view.dispatch)
    view.focus()
  }
  const places = (text: string): { readonly from: number; readonly to: number }[] => {
    const wanted = text.toLowerCase()
    const all: { from: number; to: number }[] = []
    view.state.doc.descendants((node, at) => {
      if (!node.isTextblock) return true
      const words = node.textBetween(0, node.content.size, '', '\ufffc').toLowerCase()
      for (let n = words.indexOf(wanted); n >= 0; n = words.indexOf(wanted, n + wanted.length)) {
        all.push({ from: at + 1 + n, to: at + 1 + n + wanted.length })
      }
      return false
    })
    return all
  }
  const find = (text: string, step: 1 | -1, from?: number): { at: number; count: number } => {
    const all = places(text)
    const { selection } = view.state
    const here = from ?? (step === 1 ? selection.to : selection.from)
    const next = step === 1 ? all.findIndex((one) => one.from >= here) : all.findLastIndex((one) => one.to <= here)
    const to = next >= 0 ? next : step === 1 ? 0 : all.length - 1
    const place = all[to]
    if (place !== undefined) {
      const tr = view.state.tr.setSelection(TextSelection.create(view.state.doc, place.from, place.to))
      view.dispatch(tr.setMeta(found, place).scrollIntoView())
    }
    return { at: to + 1, count: all.length }
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
      lists.clear()
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
    find,
    replace: (text: string, by: string): { at: number; count: number } => {
      const { from, to } = view.state.selection
      if (places(text).some((one) => one.from === from && one.to === to))
        view.dispatch(view.state.tr.insertText(by, from, to))
      return find(text, 1, from + by.length)
    },
    replaceAll: (text: string, by: string): number => {
      const all = places(text)
      const { tr } = view.state
      for (const { from, to } of all.toReversed()) tr.insertText(by, from, to)
      if (all.length > 0) view.dispatch(tr)
      return all.length
    },
    close: (): void => {
      document.close()
      view.destroy()
    },
  }

  function split(state: EditorState, dispatch: ((tr: Transaction) => void) | undefined): boolean {
    const marks = state.storedMarks ?? (state.selection.$to.parentOffset > 0 ? state.selection.$from.marks() : null)
    return splitBlockAs((node, atEnd) => {
      const isHeading = (document.styles.paragraph(propertiesOf(String(node.attrs['pPr'] ?? ''))).look.heading ?? 0) > 0
      return { type: node.type, attrs: atEnd && isHeading ? { ...node.attrs, pPr: '' } : node.attrs }
    })(
      state,
      dispatch &&
        ((tr) => dispatch(marks === null ? tr : tr.ensureMarks(marks.filter(({ type }) => type.name === 'look')))),
    )
  }
}

function insertTab(state: EditorState, dispatch: ((tr: Transaction) => void) | undefined): boolean {
  dispatch?.(state.tr.insertText('\t').scrollIntoView())
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
