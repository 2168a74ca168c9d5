// Character and paragraph formatting in the editor: reading and changing it.
import type { Document, ParagraphStyle, RunStyle } from '@cloudoc/office/document'
import {
  type Align,
  type ListKind,
  listIn,
  propertiesOf,
  withAlign,
  withIndent,
  withList,
  withToggle,
} from '@cloudoc/office/document'
import type { Node } from 'prosemirror-model'
import type { Command, EditorState } from 'prosemirror-state'

export type InlineStyle = 'b' | 'i' | 'u' | 'strike'

const names = { b: 'bold', i: 'italic', u: 'underline', strike: 'strike' } as const

/**
 * The formatting of the selection: toggles are on if the whole selection has them; the other values are those at its
 * start.
 */
export interface Formatting {
  readonly on: Readonly<Record<InlineStyle, boolean>>
  readonly run: RunStyle
  readonly font: string
  readonly align: Align
  readonly list: ListKind | undefined
  /** Line spacing as a factor. */
  readonly line: number
  readonly style: string
}

const pPrOf = (node: Node | null | undefined): string => String(node?.attrs['pPr'] ?? '')
export const rPrOf = (node: Node): string =>
  String(node.marks.find(({ type }) => type.name === 'look')?.attrs['rPr'] ?? '')

/** The run properties of newly typed text. */
export function rPrAt(state: EditorState): string {
  const marks = state.storedMarks ?? state.selection.$from.marks()
  return String(marks.find(({ type }) => type.name === 'look')?.attrs['rPr'] ?? '')
}

/** The runs of the selection, each with its paragraph properties. */
function runsOf(state: EditorState): { readonly rPr: string; readonly pPr: string }[] {
  const { from, to, empty, $from } = state.selection
  const here = { rPr: rPrAt(state), pPr: pPrOf($from.parent) }
  if (empty) return [here]
  const runs: { rPr: string; pPr: string }[] = []
  state.doc.nodesBetween(from, to, (node, _, parent) => {
    if (node.isText) runs.push({ rPr: rPrOf(node), pPr: pPrOf(parent) })
  })
  return runs.length > 0 ? runs : [here]
}

export function formatsAt({ styles, lists }: Document, state: EditorState): Formatting {
  const runs = runsOf(state).map(({ rPr, pPr }) => {
    const { run: around } = styles.paragraph(propertiesOf(pPr))
    return rPr === '' ? around : styles.run(propertiesOf(rPr), around)
  })
  const isOn = (look: InlineStyle): boolean => runs.every((run) => run[names[look]] === true)
  const [first = { rPr: '', pPr: '' }] = runsOf(state)
  const { look } = styles.paragraph(propertiesOf(first.pPr))
  const around = styles.fonts(undefined, propertiesOf(first.pPr))
  const own = first.rPr === '' ? {} : styles.fonts(propertiesOf(first.rPr))
  return {
    on: { b: isOn('b'), i: isOn('i'), u: isOn('u'), strike: isOn('strike') },
    run: runs[0] ?? {},
    font: own.chinese ?? own.latin ?? around.chinese ?? around.latin ?? '',
    align:
      look.align === undefined ? 'left' : ({ center: 'center', end: 'right', justify: 'both' } as const)[look.align],
    list: look.list && lists.kindOf(Number(look.list.id), look.list.level),
    line: look.line ?? 1,
    style: /<w:pStyle\s[^>]*w:val="([^"]*)"/.exec(pPrOf(state.selection.$from.parent))?.[1] ?? '',
  }
}

/** Changes the properties of the selected runs, or of the text typed next. */
export const changeRuns =
  (change: (rPr: string, pPr: string) => string): Command =>
  (state, dispatch) => {
    const { look: type } = state.schema.marks
    if (type === undefined) return false
    const { tr, selection } = state
    if (selection.empty) {
      const rPr = change(rPrAt(state), pPrOf(selection.$from.parent))
      dispatch?.(rPr === '' ? tr.removeStoredMark(type) : tr.addStoredMark(type.create({ rPr })))
      return true
    }
    state.doc.nodesBetween(selection.from, selection.to, (node, at, parent) => {
      if (!node.isText) return
      const [from, to] = [Math.max(at, selection.from), Math.min(at + node.nodeSize, selection.to)]
      const rPr = change(rPrOf(node), pPrOf(parent))
      tr.removeMark(from, to, type)
      if (rPr !== '') tr.addMark(from, to, type.create({ rPr }))
    })
    dispatch?.(tr.scrollIntoView())
    return true
  }

/** Toggles a format: off if the whole selection has it, otherwise on. */
export const toggleInlineStyle =
  (document: () => Document, look: InlineStyle): Command =>
  (state, dispatch) => {
    const wanted = !formatsAt(document(), state).on[look]
    const { styles } = document()
    return changeRuns((rPr, pPr) => {
      const set = withToggle(rPr, look, wanted ? (look === 'u' ? ' w:val="single"' : '') : undefined)
      // A format that comes from the style is explicitly turned off.
      const isByStyle = styles.paragraph(propertiesOf(pPr)).run[names[look]] === true
      return wanted || !isByStyle ? set : withToggle(rPr, look, look === 'u' ? ' w:val="none"' : ' w:val="0"')
    })(state, dispatch)
  }

/** Changes the properties of the selected paragraphs. */
export const changeParagraphs =
  (change: (pPr: string) => string): Command =>
  (state, dispatch) => {
    const { tr, selection, doc } = state
    doc.nodesBetween(selection.from, selection.to, (node, at) => {
      if (node.type.name !== 'paragraph') return
      const pPr = change(pPrOf(node))
      if (pPr !== pPrOf(node)) tr.setNodeMarkup(at, null, { ...node.attrs, pPr })
    })
    dispatch?.(tr.setStoredMarks(state.storedMarks))
    return true
  }

export const align = (to: Align): Command => changeParagraphs((pPr) => withAlign(pPr, to))

const lookOf = (document: Document, pPr: string): ParagraphStyle => document.styles.paragraph(propertiesOf(pPr)).look
const isListByStyle = (document: Document, pPr: string): boolean =>
  lookOf(document, withList(pPr, undefined, false)).list !== undefined

/**
 * Turns the selected paragraphs into a list, or a list into paragraphs; continues the preceding list of the same kind.
 */
export const toggleList =
  (document: () => Document, kind: ListKind): Command =>
  (state, dispatch) => {
    const now = document()
    const { $from } = state.selection
    if (formatsAt(now, state).list === kind)
      return changeParagraphs((pPr) => withList(pPr, undefined, isListByStyle(now, pPr)))(state, dispatch)
    const before = $from.depth > 0 ? state.doc.resolve($from.before()).nodeBefore : null
    const beside = before?.type.name === 'paragraph' ? listIn(pPrOf(before)) : 0
    const goesOn = beside > 0 && now.lists.kindOf(beside, 0) === kind
    const id = goesOn ? beside : now.lists.begin(state.doc, kind)
    return changeParagraphs((pPr) => withList(pPr, { id, level: lookOf(now, pPr).list?.level ?? 0 }, false))(
      state,
      dispatch,
    )
  }

const step = 420

/** Changes the indentation: of list paragraphs by a level, of others by two characters. */
export const indent =
  (document: () => Document, by: 1 | -1): Command =>
  (state, dispatch) =>
    changeParagraphs((pPr) => {
      const look = lookOf(document(), pPr)
      if (look.list === undefined) return withIndent(pPr, Math.round((look.indent ?? 0) * 15) + by * step)
      const level = Math.max(0, Math.min(8, look.list.level + by))
      return withList(pPr, { id: Number(look.list.id), level }, false)
    })(state, dispatch)

/** Tab and Shift+Tab at the start of a list paragraph. */
export const indentList =
  (document: () => Document, by: 1 | -1): Command =>
  (state, dispatch) => {
    const { $from, empty } = state.selection
    const isAtStart = !empty || $from.parentOffset === 0
    if (!isAtStart || formatsAt(document(), state).list === undefined) return false
    return indent(document, by)(state, dispatch)
  }

/** Enter in an empty list paragraph, or Backspace at its start, removes it from the list. */
export const leaveList =
  (document: () => Document, when: 'empty' | 'atStart'): Command =>
  (state, dispatch) => {
    const { $from, empty } = state.selection
    if (!empty || $from.parentOffset > 0 || (when === 'empty' && $from.parent.content.size > 0)) return false
    const now = document()
    if (formatsAt(now, state).list === undefined) return false
    return changeParagraphs((pPr) => withList(pPr, undefined, isListByStyle(now, pPr)))(state, dispatch)
  }
