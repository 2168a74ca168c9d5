// Headers, footers and notes on the page: they stay where they are, and hold what may stand in them.
import { type AsideAttrs, asideKeys, standsWhereItMay } from '@cloudoc/office/document/asides'
import type { Node } from 'prosemirror-model'
import { type Command, type EditorState, Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import type { NodeView } from 'prosemirror-view'
import { t } from '../../../core/i18n/i18n.ts'
import '../office-texts.ts'

const nameOf = ({ kind, which, n }: AsideAttrs): string => {
  if (kind === 'footnote' || kind === 'endnote') return t(`editor.doc.aside.${kind}`, { n })
  return t(which === 'first' || which === 'even' ? `editor.doc.aside.${kind}.${which}` : `editor.doc.aside.${kind}`)
}

/** How one is shown: with its name, which cannot be written into. */
export function asideView(node: Node): NodeView {
  const attrs = node.attrs as AsideAttrs
  const dom = document.createElement('section')
  dom.className = `dc-aside is-${attrs.kind}`
  dom.setAttribute('aria-label', nameOf(attrs))
  // What is printed stands by these.
  dom.dataset['which'] = attrs.which
  if (attrs.n > 0) dom.dataset['n'] = String(attrs.n)
  const name = document.createElement('small')
  name.contentEditable = 'false'
  name.textContent = nameOf(attrs)
  const contentDOM = document.createElement('div')
  dom.append(name, contentDOM)
  return { dom, contentDOM, ignoreMutation: (record) => record.type !== 'selection' && name.contains(record.target) }
}

/** Whether one is in the text, and not beside it. */
export const isInText = ({ selection: { $from, $to } }: EditorState): boolean =>
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

/** None is put in or taken out; what would stand where it may not is left, and why is said. */
export const keepAsides = (asRead: () => Node, refused: () => void): Plugin =>
  new Plugin({
    filterTransaction(tr, state) {
      if (!tr.docChanged || asideKeys(state.doc) === '') return true
      if (asideKeys(tr.doc) !== asideKeys(state.doc)) return false
      if (!bringsPieces(tr) || standsWhereItMay(asRead(), tr.doc)) return true
      refused()
      return false
    },
  })

/** Everything of where one is: of the text, or of what stands beside it. */
export const selectAllHere: Command = (state, dispatch) => {
  const { doc, selection } = state
  const { $from } = selection
  const here = $from.depth > 0 ? $from.node(1) : undefined
  let end = 0
  doc.forEach((block, at) => {
    if (block.type.name !== 'aside') end = at + block.nodeSize
  })
  const [from, to] = here?.type.name === 'aside' ? [$from.start(1), $from.end(1)] : [0, end]
  dispatch?.(state.tr.setSelection(TextSelection.between(doc.resolve(from), doc.resolve(to))))
  return true
}
