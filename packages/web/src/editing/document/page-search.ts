// Find and replace in the document editor.
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'

const found = new PluginKey<DecorationSet>('found')

/** Marks the text that was found, until the next change. */
export const foundPlugin = (): Plugin =>
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
  })

interface Found {
  readonly at: number
  readonly count: number
}

interface PageSearch {
  readonly find: (text: string, step: 1 | -1, from?: number) => Found
  readonly replace: (text: string, by: string) => Found
  readonly replaceAll: (text: string, by: string) => number
}

export function pageSearch(view: EditorView): PageSearch {
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
  const find: PageSearch['find'] = (text, step, from) => {
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
  return {
    find,
    replace(text, by) {
      const { from, to } = view.state.selection
      if (places(text).some((one) => one.from === from && one.to === to))
        view.dispatch(view.state.tr.insertText(by, from, to))
      return find(text, 1, from + by.length)
    },
    replaceAll(text, by) {
      const all = places(text)
      const { tr } = view.state
      for (const { from, to } of all.toReversed()) tr.insertText(by, from, to)
      if (all.length > 0) view.dispatch(tr)
      return all.length
    },
  }
}
