// @vitest-environment happy-dom
import { capabilityNames, codes, ItemStatusBit, Right, rightsGroup } from '@cloudoc/domain'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { toastStore } from '../../core/toast/toast.ts'
import { windowStore } from '../../core/windows/index.ts'
import { idArrays, keyOf } from '../item/item.ts'
import { sampleItem } from '../item/sample-item.ts'
import { compareItems, FolderList } from '../lists/folder-list.ts'
import { type ActionContext, evaluate, rules } from './actions.ts'
import { resolveLink } from './links.ts'
import { move, put } from './operations.ts'

const context: ActionContext = {
  userId: 9,
  secretLevel: 0,
  isGuest: false,
  capabilities: new Set(capabilityNames),
  settings: {
    print_rights: false,
    export_sub_file: false,
    pdf_compression: false,
    download_watermark: false,
    secret_manage: false,
    authorization_menu: false,
    file_folder_comment: false,
    temp_file_folder_notify: false,
    tag: false,
    useGL: false,
    colleague_files: true,
    show_shared_links: true,
    online_edit: true,
    force_unlock_file: true,
    process_level: 2,
    signing: true,
    email: true,
    operation_application: true,
    exchange_file_enabled: true,
  },
  offline: false,
  clipboard: true,
}
const shortcut = { itemStatus: ItemStatusBit.shortcut, fileSize: 0 }
const target = sampleItem({ fId: 7, rights: rightsGroup.preview })
const link = sampleItem({ ...target, ...shortcut, linkId: 40, linkRights: Right.full })
const broken = sampleItem({ ...shortcut, fId: 0, rights: 0, linkId: 41, linkRights: Right.full })

afterEach(() => {
  vi.unstubAllGlobals()
  toastStore.setState({ toasts: [] })
})

describe('[R121] a link', () => {
  test('is known by its own id, beside the item it leads to', () => {
    expect([target, link, broken].map(keyOf)).toEqual(['f7', 'l40', 'l41'])
    expect(idArrays([target, link, broken])).toEqual({ fileIdArray: [7], folderIdArray: [], linkIdArray: [40, 41] })
    const [a, b] = [sampleItem({ ...link, linkId: 41, fId: 1 }), link]
    expect(compareItems({ sort: 'size', order: 'asc' })(a, b)).toBeGreaterThan(0)
  })

  test('is moved, renamed and deleted by its own rights, opened and downloaded by those of its item', () => {
    const may = (action: keyof typeof rules, item = link): boolean => evaluate(rules[action], [item], context).enabled
    expect((['open', 'preview', 'copy', 'cut', 'rename', 'delete', 'link'] as const).filter((one) => may(one))).toEqual(
      ['open', 'preview', 'copy', 'cut', 'rename', 'delete', 'link'],
    )
    expect(may('download')).toBe(false)
    const foreign = sampleItem({ ...link, rights: Right.full, linkRights: rightsGroup.preview })
    expect([may('download', foreign), may('delete', foreign), may('cut', foreign)]).toEqual([true, false, false])
    const signed = sampleItem({ ...link, itemStatus: ItemStatusBit.shortcut | ItemStatusBit.signing })
    expect(may('delete', signed)).toBe(true)
  })

  test('that leads nowhere can be opened, which tells so, and deleted', async () => {
    expect(evaluate(rules.open, [broken], context).enabled).toBe(true)
    expect(evaluate(rules.preview, [broken], context).show).toBe(false)
    expect(evaluate(rules.delete, [broken], context).enabled).toBe(true)
    const server = fakeApi({ getFileInfo: refused('notFound') })
    expect(await resolveLink(broken)).toBeUndefined()
    expect(server.sent).toEqual([])
    expect(await resolveLink(link)).toBeUndefined()
    expect(toastStore.getState().toasts.map((toast) => toast.kind)).toEqual(['error', 'error'])
    server.now({ getFileInfo: target })
    expect(await resolveLink(link)).toMatchObject({ fId: 7 })
  })

  // [R247] The first negative result is shown as an error.
  test('that cannot be made or moved is an error that says the first refusal [R247]', async () => {
    const refused7 = { id: 'f7', fType: 1, name: 'a', result: codes.noPermission.code, msg: '没有权限' } as const
    const refused40 = { id: 'l40', fType: 1, name: 'b', result: codes.notFound.code, msg: '不存在' } as const
    const order = { sort: 'name', order: 'asc' } as const
    const above = { folder: sampleItem({ fId: 3, fType: 2 }), ancestors: [], ...order }
    fakeApi({
      fileOrFolderLink: [refused7, { ...refused40, id: 'f8' }],
      fileOrFolderMove: [refused40],
      getFolderInfo2: () => above,
    })
    const says = { failed: '没有建立', done: String, undone: String, shortcuts: true } as const
    await put(
      [target],
      { fId: 3, fName: '目标' },
      (ids, on) => on.fileOrFolderLink({ ...ids, targetFolderId: 3 }),
      says,
    )
    expect(toastStore.getState().toasts.map(({ text }) => text)).toEqual(['没有建立：没有权限'])
    await move([link], { fId: 3, fName: '目标' })
    expect(toastStore.getState().toasts.at(-1)?.text).toContain('不存在')
    expect(windowStore.getState().open).toEqual([])
  })

  test('is found in a list by what it leads to, as long as it is there', async () => {
    const rows = [target, link]
    const source = {
      page: () => Promise.resolve({ from: 0, list: rows, total: rows.length }),
      item: () => Promise.resolve(undefined),
      search: () => Promise.resolve([]),
    }
    const list = new FolderList(source, { sort: 'name', order: 'asc' })
    await list.refresh()
    expect(list.linksTo(target).map(keyOf)).toEqual(['l40'])
    expect(list.linksTo({ serverId: 0, fId: 7, fType: 2 })).toEqual([])
    list.remove(link)
    expect(list.linksTo(target)).toEqual([])
  })
})
