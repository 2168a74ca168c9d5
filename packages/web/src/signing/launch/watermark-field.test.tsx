// @vitest-environment happy-dom
import { defaultWatermark } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, type, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { queryClient } from '../../core/call/query.ts'
import { WatermarkField } from './watermark-field.tsx'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  queryClient.clear()
  vi.unstubAllGlobals()
})

const look = { text: '{name}', image: '', ...defaultWatermark, onPreview: true, onDownload: true, modifyTime: 1 }
const standard = { ...look, templateId: 1, templateName: '标准', isStandard: true, isOwn: false }
const own = { ...look, templateId: 9, templateName: '合同', isStandard: false, isOwn: true }

let chosen = 0
function Field(): ReactNode {
  const [templateId, setTemplateId] = useState(chosen)
  return (
    <WatermarkField
      templateId={templateId}
      onChange={(next) => {
        chosen = next
        setTemplateId(next)
      }}
    />
  )
}

// [R279] Whoever sends a file to be signed chooses a saved template or makes one with a live preview.
it('[R279] a launch has no watermark until a template is chosen or made', async () => {
  signInAs(7)
  const server = fakeApi({ getWatermarkTemplates: { list: [standard] }, saveOwnWatermark: own })
  await render(<Field />)
  await until(() => screenText().includes('不加水印'))
  await click(element('[role=combobox]'))
  await until(() => screenText().includes('标准'))
  await click(
    [...document.querySelectorAll('[role=option]')].find((one) => one.textContent.includes('标准')) as HTMLElement,
  )
  expect(chosen).toBe(standard.templateId)
  await until(() => screenText().includes('画在每一页上'))
  await click(button('自定义…'))
  await until(() => document.querySelector('.co-mark-page') !== null)
  await type('名称', '合同')
  server.now({ getWatermarkTemplates: { list: [standard, own] } })
  await click(button('保存模板'))
  await until(() => chosen === own.templateId)
  await until(() => screenText().includes('修改'))
})
