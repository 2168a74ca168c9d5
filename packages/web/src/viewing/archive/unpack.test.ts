// @vitest-environment happy-dom
// An archive that is unpacked, as its person sees it.
import { codes } from '@cloudoc/domain'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { until } from '../../../test/render.tsx'
import { loadSignedIn } from '../../app/join-areas.ts'
import { addTexts } from '../../core/i18n/i18n.ts'
import { toastStore } from '../../core/toast/toast.ts'
import { windowStore } from '../../core/windows/index.ts'
import { previewEn } from '../shared/texts.en.ts'
import { previewZh } from '../shared/texts.zh.ts'
import { unpackTo } from './unpack.ts'

const texts = (): string[] => toastStore.getState().toasts.map(({ text }) => text)

addTexts(previewZh, previewEn)
beforeAll(loadSignedIn)
afterEach(() => vi.unstubAllGlobals())

test('[R163] what an archive became is taken back by its toast, and what was left out is listed with the reasons', async () => {
  const left = [
    { path: '合同/锁.pdf', result: codes.sourceEncrypted.code },
    { path: '../名.txt', result: codes.illegalName.code },
  ]
  const api = fakeApi({
    unpackArchive: {
      folderId: 70,
      fName: '资料',
      parentFolderId: 3,
      version: 0,
      createTime: 1,
      modifyTime: 1,
      files: 5,
      leftOut: 300,
      left,
    },
    fileOrFolderDelete: [{ id: 'f-70', fType: 2, name: '资料', result: codes.success.code, msg: '' }],
    getCopyProgress: { copied: 0 },
  })
  await unpackTo({ serverId: 0, fId: 5, fName: '资料.zip' }, { fId: 3, fName: '归档' }, () => undefined)
  expect(texts()).toEqual(['已解压“资料.zip”到“归档”，共 5 个文件'])
  const [list] = windowStore.getState().open
  expect(list?.props).toMatchObject({
    total: 305,
    failed: 300,
    rows: [
      { name: '合同/锁.pdf', text: '有密码' },
      { name: '../名.txt', text: '名称不合法' },
    ],
  })
  toastStore.getState().toasts[0]?.action?.run()
  await until(() => texts().includes('已删除解压出来的“资料.zip”'))
  expect(api.inputsOf('fileOrFolderDelete')).toMatchObject([{ folderIdArray: [70] }])
})
