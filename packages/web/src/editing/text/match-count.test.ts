// @vitest-environment happy-dom
import { openSearchPanel, SearchQuery, search, setSearchQuery } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { beforeAll, expect, test, vi } from 'vitest'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { matchCount, matchPosition } from './match-count.ts'

beforeAll(async () => {
  void setLocale('zh')
  await loadSignedIn()
})

// [R171] Search hits in a text are counted in the bar, as in the other editors.
test('[R171] the bar of a text says which of how many places one is at, also while it is written in', async () => {
  const state = EditorState.create({ doc: '合同 合 Aa\n合 a', extensions: [search({ top: true }), matchCount] })
  const view = new EditorView({ parent: document.body, state })
  openSearchPanel(view)
  const asks = (text: string, caseSensitive = false): void =>
    view.dispatch({ effects: setSearchQuery.of(new SearchQuery({ search: text, caseSensitive })) })
  const says = (words: string) =>
    vi.waitFor(() => expect(view.dom.querySelector('.cm-search [role=status]')?.textContent).toBe(words), 60_000)
  asks('合')
  await says('共 3 处')
  view.dispatch({ selection: { anchor: 3, head: 4 } })
  await says('第 2 处，共 3 处')
  view.dispatch({ changes: { from: 0, insert: '合' } })
  await says('第 3 处，共 4 处')
  asks('没有')
  await says('没有找到')
  asks('a')
  expect(matchPosition(view.state).count).toBe(3)
  asks('a', true)
  expect(matchPosition(view.state).count).toBe(2)
  asks('')
  await says('')
  view.destroy()
})
