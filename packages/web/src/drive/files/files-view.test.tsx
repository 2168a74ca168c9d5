// @vitest-environment happy-dom
// The files view while the server takes its time: nothing of it stands empty.
import { afterEach, beforeAll, beforeEach, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { cleanUp, render, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { folderPath, itemIdStr } from '../../items/item/item.ts'
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
