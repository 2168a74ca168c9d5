// Shows the number of the current match and the match count in the search panel of the text editor.
import { getSearchQuery, searchPanelOpen, setSearchQuery } from '@codemirror/search'
import type { EditorState } from '@codemirror/state'
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { t } from '../../core/i18n/i18n.ts'

/** The maximum number of matches to count. */
const most = 10_000

/** The number of the selected match (0: none), and the count. */
export function matchPosition(state: EditorState): { readonly at: number; readonly count: number } {
  const query = getSearchQuery(state)
  const { from, to } = state.selection.main
  let [at, count] = [0, 0]
  if (!query.valid) return { at, count }
  const cursor = query.getCursor(state)
  for (let next = cursor.next(); next.done !== true && count < most; next = cursor.next()) {
    count += 1
    if (next.value.from === from && next.value.to === to) at = count
  }
  return { at, count }
}

function words(state: EditorState): string {
  if (!getSearchQuery(state).valid) return ''
  const { at, count } = matchPosition(state)
  if (count === 0) return t('editor.find.none')
  const n = count === most ? `${most}+` : count
  return at === 0 ? t('editor.find.count', { n }) : t('editor.find.at', { at, n })
}

/** Shows the count while the search panel is open. */
export const matchCount = ViewPlugin.fromClass(
  class {
    private readonly told = document.createElement('span')

    constructor(view: EditorView) {
      this.told.className = 'ed-find-told'
      this.told.setAttribute('role', 'status')
      if (searchPanelOpen(view.state)) this.say(view)
    }

    update({ view, docChanged, selectionSet, state, startState, transactions }: ViewUpdate): void {
      if (!searchPanelOpen(state)) return
      const isAsked = transactions.some(({ effects }) => effects.some((effect) => effect.is(setSearchQuery)))
      if (docChanged || selectionSet || isAsked || !searchPanelOpen(startState)) this.say(view)
    }

    /** The panel may be created in the same update. */
    private say(view: EditorView): void {
      view.requestMeasure({
        key: this,
        read: () => view.dom.querySelector('.cm-search'),
        write: (bar) => {
          const said = words(view.state)
          if (this.told.textContent !== said) this.told.textContent = said
          if (bar !== null && this.told.parentNode !== bar) bar.append(this.told)
        },
      })
    }
  },
)
