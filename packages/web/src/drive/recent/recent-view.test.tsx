// @vitest-environment happy-dom
// The list of what others changed: what was changed stands in it, and one step leads to both versions beside each other.
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { windowStore } from '../../core/windows/index.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { RecentChange } from './recent-view.tsx'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const change = { changeFrom: 6, changeCount: 1, changeComment: '', changeRestored: 0, isNew: false }
const nothing = { list: [], total: 0 }

// [R249] Changes by others are described, and open both versions side by side.
test('[R249] says what others changed, since which version, and compares with that', async () => {
  signInAs(7)
  const contract = sampleItem({ fId: 8, fName: '渠道协议.docx', version: 7 })
  fakeApi({
    getRecentChange: {
      list: [
        { ...contract, ...change, changeComment: '付款期改为 45 天', isNew: true },
        { ...sampleItem({ fId: 9, fName: '台账.xlsx', version: 9 }), ...change, changeCount: 3 },
        { ...sampleItem({ fId: 10, fName: '图纸.dwg', version: 7 }), ...change, changeRestored: 2 },
        { ...sampleItem({ fId: 11, fName: '纪要.md', version: 1 }), ...change, changeFrom: 0 },
      ],
      total: 4,
    },
    getRecentHistory: nothing,
    getRecentLocked: nothing,
    getRecentSubmit: nothing,
    getItemTags: { list: [] },
  })
  await render(<RecentChange />, '/doc/folder/recently/change')
  await until(() => screenText().includes('纪要'))
  for (const said of [
    '第 6 版 → 第 7 版，“付款期改为 45 天”',
    '保存 3 次，第 6 版 → 第 9 版',
    '第 6 版 → 第 7 版，恢复自第 2 版',
    '新增',
  ])
    expect(screenText()).toContain(said)
  // The drawing cannot be compared, and the minutes have no previous version.
  expect(document.querySelectorAll('.dr-cell-compare button')).toHaveLength(2)
  await click(button('比较'))
  expect(windowStore.getState().open).toMatchObject([
    { name: 'cloudoc-property', props: { item: { fId: 8 }, pair: [6, 7] } },
  ])
})
