// @vitest-environment happy-dom
// Opening an encrypted download from the disk.
import { Right } from '@cloudoc/domain'
import { Encrypter, Stanza } from 'age-encryption'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { en, zh } from '../../../test/all-texts.ts'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { addTexts } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { registerWindows } from '../../core/windows/index.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { itemsWindows } from '../../items/windows.ts'
import * as saving from './browser-download.ts'
import { openEncryptedFile } from './encrypted-files.ts'

addTexts(zh, en)
registerWindows(itemsWindows)

const contract = sampleItem({ fId: 12, fName: '合同.docx', rights: Right.preview + Right.display + Right.download })

/** An encrypted download, and its key. */
async function encrypted(text: string): Promise<{ file: File; key: string }> {
  let key = ''
  const encrypter = new Encrypter()
  encrypter.addRecipient({
    wrapFileKey(fileKey) {
      key = btoa(String.fromCharCode(...fileKey))
      return [new Stanza(['cloudoc', '1', 'A-B', 'fi_12', '3'], new Uint8Array(44))]
    },
  })
  const bytes = await encrypter.encrypt(text)
  return { file: new File([new Uint8Array(bytes)], '合同.docx.cld'), key }
}

beforeEach(async () => {
  signInAs(7)
  sessionStore.setState(({ session }) => ({
    session: session && { ...session, setting: { ...session.setting, encryption_download: true } },
  }))
  await render(<p>transfers</p>)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

// [R132] [R205] An encrypted download lists its items, which the server shows; whoever may have them in plain saves the
// original with the key that the server gives.
test('[R132] [R205] an encrypted download lists its items, and its original is saved by whom the server gives the key', async () => {
  const saved = vi.spyOn(saving, 'saveBlob').mockReturnValue()
  const { file, key } = await encrypted('第一条')
  const server = fakeApi({ getFileItemInfo: contract, getEncryptedKey: { key } })
  await act(async () => void openEncryptedFile(file))
  await until(() => screenText().includes('合同.docx'))
  expect(server.inputsOf('getFileItemInfo')).toEqual([{ itemIdStr: 's0f12' }])
  await click(button('另存原文件'))
  await until(() => saved.mock.calls.length > 0)
  const [blob, name] = saved.mock.calls[0] ?? []
  expect([await blob?.text(), name]).toEqual(['第一条', '合同.docx'])
  expect(server.inputsOf('getEncryptedKey')).toMatchObject([{ files: 'fi_12' }])
})

test('[R205] on Windows it is read alone; another file is none', async () => {
  vi.spyOn(navigator, 'platform', 'get').mockReturnValue('Win32')
  fakeApi({ getFileItemInfo: refused('notFound') })
  const { file } = await encrypted('第一条')
  await act(async () => void openEncryptedFile(file))
  await until(() => screenText().includes('不存在，或无权查看'))
  expect(screenText()).not.toContain('另存原文件')
  await act(async () => openEncryptedFile(new File(['text'], 'a.cld')))
  expect(screenText()).toContain('“a.cld”不是加密下载的文件，或已损坏')
})
