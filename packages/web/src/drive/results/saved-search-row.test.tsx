// @vitest-environment happy-dom
// A search that is kept is run, renamed and removed with keys alone, and nothing is done twice.
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, press, render, type, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { SavedSearchRow } from './saved-search-row.tsx'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

// [R241] A saved search is run, renamed and removed beside the results, by keys as well.
test('[R241] a search that is kept is run by Enter, renamed by F2 and removed by Delete, once', async () => {
  signInAs(7)
  const server = fakeApi({ renameSavedSearch: {}, deleteSavedSearch: {}, getSavedSearches: { list: [] } })
  const onGo = vi.fn<() => void>()
  const saved = { searchId: 3, name: '本月合同', query: { keyword: '合同' } }
  await render(<SavedSearchRow saved={saved} isOn={false} onGo={onGo} />, '/doc/folder/search?keyword=x')
  button('本月合同').focus()
  await press('F2')
  await type('搜索的名称', '十一月合同')
  await press('Enter')
  await until(() => server.inputsOf('renameSavedSearch').length === 1)
  expect(server.inputsOf('renameSavedSearch')).toEqual([{ searchId: 3, name: '十一月合同' }])
  // The focus returns to the row, and Escape keeps the old name.
  await until(() => document.activeElement?.textContent?.includes('本月合同') === true)
  await press('F2')
  await type('搜索的名称', '别的')
  await press('Escape')
  await until(() => document.activeElement?.textContent?.includes('本月合同') === true)
  await press('Delete')
  await press('Delete')
  await until(() => server.inputsOf('deleteSavedSearch').length > 0)
  expect(server.inputsOf('deleteSavedSearch')).toEqual([{ searchId: 3 }])
  expect(server.inputsOf('renameSavedSearch')).toHaveLength(1)
})
