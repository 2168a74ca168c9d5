// @vitest-environment happy-dom
// Stars from the menu: what was done, and in the server's words why not.
import { codes } from '@cloudoc/domain'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { cleanUp, render, screenText, until } from '../../../test/render.tsx'
import { loadSignedIn } from '../../app/join.ts'
import { setFavorites } from '../actions/favorites.ts'
import { sampleItem } from '../item/sample-item.ts'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

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
