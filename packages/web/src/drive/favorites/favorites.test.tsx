// @vitest-environment happy-dom
// Stars from the menu: what was done, and in the server's words why not.
import { codes } from '@cloudoc/domain'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { cleanUp, render, screenText, until } from '../../../test/render.tsx'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setFavorites } from '../../items/actions/favorites.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { QuickFavorites } from '../tree/quick-lists.tsx'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

// [R238] A favourite beyond the limit is refused with a message.
test('[R238] a favourite that is refused is told with the reason, beside those that were made', async () => {
  const one = { fType: 1 as const, name: '1.docx' }
  const msg = '数量已达上限 (最多收藏 5000 项)'
  const server = fakeApi({
    setFavorites: [
      { ...one, id: 'f1', result: codes.success.code, msg: '' },
      { ...one, id: 'f2', result: codes.tooMany.code, msg },
    ],
  })
  await render(<p>page</p>)
  await setFavorites([sampleItem({ fId: 1 }), sampleItem({ fId: 2 })], true)
  await until(() => screenText().includes('已收藏 1 项'))
  expect(screenText()).toContain(`1 项没有收藏成功：${msg}`)
  expect(server.inputsOf('setFavorites')).toEqual([{ fileIdArray: [1, 2], folderIdArray: [], favorite: true }])
})

// [R238] Favourites expand in the quick access, which accepts dropped items.
test('[R238] favourites unfold in the quick access: folders lead there, files to where they lie', async () => {
  const list = [
    { ...sampleItem({ fId: 7, fType: 2, fName: '华东大区' }), favoriteTime: 2 },
    { ...sampleItem({ fId: 8, fName: '渠道协议.docx', parentFolderId: 9 }), favoriteTime: 1 },
    ...Array.from({ length: 28 }, (_, n) => ({ ...sampleItem({ fId: 10 + n }), favoriteTime: 0 })),
  ]
  fakeApi({ getFavoriteList: { list, total: 30 } })
  await render(<QuickFavorites />)
  await until(() => screenText().includes('华东大区'))
  expect(document.querySelector('a[title="华东大区"]')?.getAttribute('href')).toContain('s0f-7')
  const file = new URL(document.querySelector<HTMLAnchorElement>('a[title="渠道协议.docx"]')?.href ?? '')
  expect(Object.fromEntries(file.searchParams)).toEqual({ itemIdStr: 's0f-9', focusItemIdStr: 's0f8' })
  expect(screenText()).toContain('全部 30 项')
})
