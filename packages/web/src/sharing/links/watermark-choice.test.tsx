// @vitest-environment happy-dom
import { defaultWatermark } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, type, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { queryClient } from '../../core/call/query.ts'
import { WatermarkChoice } from './watermark-choice.tsx'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  queryClient.clear()
  vi.unstubAllGlobals()
})

const look = { text: '{name}', image: '', ...defaultWatermark, onPreview: true, onDownload: true, modifyTime: 1 }
const standard = { ...look, templateId: 1, templateName: '标准', isStandard: true, isOwn: false }
const own = { ...look, templateId: 9, templateName: '对外报价', isStandard: false, isOwn: true }

let chosen = { on: false, templateId: 0 }
const note = (form: typeof chosen): typeof chosen => {
  chosen = form
  return form
}
function Choice(): ReactNode {
  const [form, setForm] = useState(chosen)
  return <WatermarkChoice {...form} onChange={(on, templateId) => setForm(note({ on, templateId }))} />
}

// [R279] Whoever makes a link makes a watermark of their own for it, with a live preview, changes it and deletes it.
it('[R279] a watermark of one’s own is made beside the choice, taken at once, changed and deleted', async () => {
  signInAs(7)
  const server = fakeApi({
    getWatermarkTemplates: { list: [standard] },
    saveOwnWatermark: own,
    deleteOwnWatermark: {},
  })
  await render(<Choice />)
  await click(element('[role=switch]'))
  await until(() => screenText().includes('自定义…'))
  await click(button('自定义…'))
  await until(() => screenText().includes('自定义水印') && document.querySelector('.co-mark-page') !== null)
  await type('名称', '对外报价')
  server.now({ getWatermarkTemplates: { list: [standard, own] } })
  await click(button('保存模板'))
  await until(() => chosen.templateId === own.templateId)
  expect(server.inputsOf('saveOwnWatermark')).toMatchObject([{ templateName: '对外报价' }])
  await until(() => screenText().includes('修改'))
  await click(button('修改'))
  await until(() => document.querySelector('.co-mark-page') !== null)
  server.now({ getWatermarkTemplates: { list: [standard] } })
  await click(button('删除'))
  await until(() => screenText().includes('用它的外链改用标准水印'))
  await click(element('[role=dialog].is-front .is-danger'))
  await until(() => chosen.templateId === 0)
  expect(server.inputsOf('deleteOwnWatermark')).toEqual([{ templateId: own.templateId }])
})
