// @vitest-environment happy-dom
// The files view while the server takes its time: nothing of it stands empty.
import { rightsGroup } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { act, cleanUp, element, render, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { folderPath, itemIdStr } from '../../items/item/item.ts'
import { itemRecord } from '../../items/item/item-record.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { forgetDrive } from '../../items/lists/lists.ts'
import { SharedWithMe } from '../rights/shared-view.tsx'
import { FilesView } from './files-view.tsx'

beforeAll(loadSignedIn)
beforeEach(() => signInAs(7))
afterEach(async () => {
  forgetDrive()
  await cleanUp()
  vi.unstubAllGlobals()
})

const never = (): Promise<never> => new Promise(() => undefined)
const noRows = { list: [], total: 0 }

it.each([
  ['the own library is looked for', FilesView, '/doc/folder/files'],
  [
    'the place of an item is looked for',
    FilesView,
    `/doc/folder/files?itemIdStr=${itemIdStr({ serverId: 0, fType: 1, fId: 5 })}`,
  ],
  ['the rows come before their folder', FilesView, folderPath({ serverId: 0, fId: 5 })],
  ['what is shared is read', SharedWithMe, '/doc/folder/share/permission-shared'],
])('[R390] bars stand for the rows while %s', async (_, Screen, address) => {
  fakeApi({
    getRootFolderSetting: never,
    getItemListByItemIdStr: never,
    getFolderInfo: never,
    getSubItemList3: { ...noRows, from: 0, next: null },
    getSharedToMeList: never,
    getFavoriteList: noRows,
    getTagList: { list: [] },
    getCounters: { list: [] },
  })
  await render(<Screen />, address)
  await until(() => document.querySelector('.dr-skeleton') !== null)
})

describe('a folder with two files', () => {
  const folder = itemRecord({ fId: 5, fName: '资料', fType: 2, parentFolderId: 1, rights: rightsGroup.full })
  const files = [6, 7].map((fId) => sampleItem({ fId, fName: `报告 ${fId}.txt`, fType: 1, parentFolderId: 5 }))
  const answers = {
    getRootFolderSetting: never,
    getFolderInfo2: { folder, ancestors: [] },
    getSubItemList3: { list: files, total: 2, from: 0, next: null },
    getFavoriteList: noRows,
    getTagList: { list: [] },
    getCounters: { list: [] },
  }

  it('is selected as a whole by Ctrl+A after the view was switched by its button', async () => {
    fakeApi(answers as never)
    await render(<FilesView />, folderPath({ serverId: 0, fId: 5 }))
    await until(() => document.querySelector('.dr-grid') !== null)
    const tile = element('.dr-views [aria-label=图标]')
    await act(async () => tile.focus())
    const key = new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, cancelable: true })
    await act(async () => void tile.dispatchEvent(key))
    expect(key.defaultPrevented).toBe(true)
    await until(() => document.querySelector('.dr-grid.has-selection') !== null)
  })

  it('opens its comments if its address says so', async () => {
    fakeApi(answers as never)
    await render(
      <FilesView />,
      `${folderPath({ serverId: 0, fId: 5 }, { serverId: 0, fType: 1, fId: 6 })}&panel=comments`,
    )
    await until(() => document.querySelector('.dr-info [role=tab][aria-selected=true]') !== null)
    expect(element('.dr-info [role=tab][aria-selected=true]').textContent).toContain('评论')
  })
})
