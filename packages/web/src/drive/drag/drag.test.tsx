// @vitest-environment happy-dom
// Dragging items out of a list, and dropping link files into another.
import type { ItemRecord } from '@cloudoc/contract'
import { readCloudLink } from '@cloudoc/domain'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { en, zh } from '../../../test/all-texts.ts'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { addTexts } from '../../core/i18n/i18n.ts'
import { registerWindows } from '../../core/windows/index.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { linkOfDrag, linkOfFiles } from '../../items/link-files/cloud-links.ts'
import { itemsWindows } from '../../items/windows.ts'
import { endDrag, performDrop, startDrag } from './drag.ts'

addTexts(zh, en)
registerWindows(itemsWindows)

const contract = sampleItem({ fId: 12, fName: '合同：2026.docx', itemIdStr: 's0f12' })
const plan = sampleItem({ fId: 13, fName: '计划.xlsx', itemIdStr: 's0f13' })
const target = sampleItem({ fId: 3, fType: 2, fName: '法务' })

const nothing = (): void => undefined

/** A drag of the browser. */
function drag(data: Record<string, string> = {}, files: readonly File[] = []) {
  const dataTransfer = {
    effectAllowed: 'none',
    files,
    items: [],
    get types() {
      return [...Object.keys(data), ...(files.length > 0 ? ['Files'] : [])]
    },
    setData: (type: string, value: string) => void (data[type] = value),
    getData: (type: string) => data[type] ?? '',
    setDragImage: nothing,
  }
  return { dataTransfer, preventDefault: nothing, stopPropagation: nothing } as unknown as React.DragEvent
}

/** The link file that a browser makes of the drag of these items. */
function draggedOut(items: readonly ItemRecord[], lastModified = Date.now()): File {
  const data: Record<string, string> = {}
  startDrag(drag(data), items, document.createElement('div'))
  endDrag()
  const [, name = '', ...address] = (data['DownloadURL'] ?? '').split(':')
  const bytes = Uint8Array.from(atob(address.join(':').split('base64,')[1] ?? ''), (char) => char.charCodeAt(0))
  return Object.assign(new File([bytes], name, { lastModified }), { webkitRelativePath: '' })
}

beforeEach(() => signInAs(7))
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

// [R131] Items that are dragged out of a list become a link file; younger than 20 s it is a link to them, older, of
// another server or beside other files it is a local file.
test('[R131] what is dragged out is a link file, which is a link to its items for 20 s', async () => {
  const file = draggedOut([contract, plan])
  expect(file.name).toBe('合同：2026.docx.dmcd')
  expect(readCloudLink(await file.text())?.items.map(({ fId }) => fId)).toEqual([12, 13])
  const now = file.lastModified
  expect((await linkOfFiles([file], now + 19_000))?.items).toHaveLength(2)
  expect(await linkOfFiles([file], now + 20_000)).toBeUndefined()
  expect(await linkOfFiles([file, new File([''], 'a.txt')], now)).toBeUndefined()
  const other = (await file.text()).replace(location.origin, 'https://other.example.com')
  expect(await linkOfFiles([new File([other], file.name, { lastModified: now })], now)).toBeUndefined()
})

test('[R131] a drag from the list of another window is a link too', () => {
  const data: Record<string, string> = {}
  const event = drag(data)
  startDrag(event, [contract], document.createElement('div'))
  endDrag()
  expect(linkOfDrag(event.dataTransfer)?.items).toEqual([{ serverId: 0, fType: 1, fId: 12, fName: '合同：2026.docx' }])
})

// [R131] The window cloudoc-dmcdFilelist shows the items of a link with what each person may see of them, and those that
// are chosen are copied into the folder.
test('[R068] [R131] dropped on a folder, a link shows its items and copies the chosen ones', async () => {
  const server = fakeApi({
    getFileItemInfo: ({ itemIdStr }: { readonly itemIdStr: string }) =>
      itemIdStr === 's0f12' ? contract : refused('notFound'),
    fileOrFolderCopy: () => [{ id: 'f12', result: -1 }],
  } as never)
  await render(<p>files</p>)
  const file = draggedOut([contract, plan])
  await act(async () => performDrop(drag({}, [file]), { kind: 'upload', target, reason: undefined }))
  await until(() => document.querySelectorAll('.dr-item-line').length === 2)
  expect(screenText()).toContain('计划.xlsx')
  expect(screenText()).toContain('不存在，或无权查看')
  expect(document.querySelectorAll('.dr-item-line input:checked')).toHaveLength(1)
  await click(button('复制（1）'))
  await until(() => server.inputsOf('fileOrFolderCopy').length > 0)
  expect(server.inputsOf('fileOrFolderCopy')).toMatchObject([{ fileIdArray: [12], targetFolderId: 3 }])
})
