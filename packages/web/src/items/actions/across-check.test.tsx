// @vitest-environment happy-dom
// What a copy to another server could not send is shown before it starts ([R123]).
import type { Answer, calls } from '@cloudoc/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { en, zh } from '../../../test/all-texts.ts'
import { button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { addTexts, setLocale } from '../../core/i18n/i18n.ts'
import { AcrossCheck } from './across-check.tsx'

addTexts(zh, en)
beforeEach(() => setLocale('zh'))
afterEach(cleanUp)

type Checked = Answer<typeof calls.checkServerCopy>
const fine: Checked = { files: 2, folders: 1, bytes: 2048, isComplete: true, refused: 0, renamed: 0, problems: [] }

async function shown(check: () => Promise<Checked>): Promise<{ answers: unknown[] }> {
  const answers: unknown[] = []
  const names = { source: '总部', server: '深圳分部', target: '项目', title: '合同' }
  await render(
    <AcrossCheck
      {...names}
      isMove={false}
      check={check}
      close={(answer) => answers.push(answer)}
      setDirty={() => undefined}
    />,
  )
  return { answers }
}

test('[R123] what the target would refuse or rename is listed by item, and the copy starts only when asked', async () => {
  const { answers } = await shown(async () => ({
    ...{ ...fine, refused: 1, renamed: 1 },
    problems: [
      { path: '合同/程序.exe', fType: 1, result: -20, msg: '文件类型受限', name: '程序.exe' },
      { path: '合同', fType: 2, result: -1, msg: '', name: '合同 (2)' },
    ],
  }))
  await until(() => screenText().includes('2 个文件，1 个文件夹'))
  expect(screenText()).toContain('“深圳分部”不会接收（1）')
  expect(screenText()).toContain('合同/程序.exe')
  expect(screenText()).toContain('文件类型受限')
  expect(screenText()).toContain('合同 → 合同 (2)')
  expect(answers).toEqual([])
  await click(button('复制'))
  expect(answers).toEqual([true])
})

test('[R123] if nothing would be taken, the copy cannot be started; if it cannot be checked, it can', async () => {
  await shown(async () => ({
    ...{ ...fine, files: 1, folders: 0, bytes: 0, refused: 1 },
    problems: [{ path: '合同', fType: 1, result: -24, msg: '超出用户空间限制', name: '合同' }],
  }))
  await until(() => screenText().includes('超出用户空间限制'))
  expect(button('复制').disabled).toBe(true)
  await cleanUp()
  await shown(() => Promise.reject(new Error('没有响应')))
  await until(() => screenText().includes('没有响应'))
  expect(button('复制').disabled).toBe(false)
})
