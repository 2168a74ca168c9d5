// @vitest-environment happy-dom
import { OperateType } from '@cloudoc/domain'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signInAs } from '../../../test/session.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { setLocalFlag } from '../../core/session/local-state.ts'
import { toastStore } from '../../core/toast/toast.ts'
import './texts.ts'
import { type FileChange, noticeChangesOf, onFileChange } from './file-changes.ts'

const edited: FileChange = {
  ...{ serverId: 0, fId: 5, fType: 1, fName: '方案.docx', operateType: OperateType.edit },
  ...{ operatorId: 8, operatorName: '王敏' },
}
const shownTexts = () => toastStore.getState().toasts.map(({ text }) => text)
let leave: () => void
let loaded = 0

beforeEach(async () => {
  await setLocale('zh')
  signInAs(7)
  setLocalFlag('fileChangeNotice', true)
  loaded = 0
  leave = noticeChangesOf({ serverId: 0, fId: 5, fName: '方案.docx', showNewest: () => void (loaded += 1) })
})
afterEach(() => {
  leave()
  toastStore.setState({ toasts: [] })
})

// [R314] Push 7: lists refresh, and whoever has the file open in the previewer gets a notice of the change at once. Who
// follows it finds push 6 in the notification centre.
test('[R314] whoever looks at a file is told by push 7 that somebody changed it, and may see the newest version', () => {
  onFileChange(edited)
  expect(shownTexts()).toEqual(['王敏更新了“方案.docx”'])
  toastStore.getState().toasts[0]?.action?.run()
  expect(loaded).toBe(1)
  // A later change replaces the notice of the one before.
  onFileChange({ ...edited, operateType: OperateType.rename, fName: '终稿.docx' })
  expect(shownTexts()).toEqual(['王敏把“方案.docx”重命名为“终稿.docx”'])
  onFileChange({ ...edited, operateType: OperateType.delete, fName: '' })
  expect(shownTexts()).toEqual(['王敏删除了“方案.docx”'])
})

test('[R314] nobody is told of what they did themselves, of other files, after closing, or with the notices off', () => {
  onFileChange({ ...edited, operatorId: 7 })
  onFileChange({ ...edited, fId: 6 })
  onFileChange({ ...edited, serverId: 2 })
  onFileChange({ ...edited, fType: 2 })
  setLocalFlag('fileChangeNotice', false)
  onFileChange(edited)
  setLocalFlag('fileChangeNotice', true)
  leave()
  onFileChange(edited)
  expect(shownTexts()).toEqual([])
})
