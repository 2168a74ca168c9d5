// @vitest-environment happy-dom
// The field in which the access report is given its file or folder.
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { en, zh } from '../../../test/all-texts.ts'
import { fakeApi } from '../../../test/fake-api.ts'
import { act, cleanUp, element, press, render, type, until } from '../../../test/render.tsx'
import { addTexts, setLocale } from '../../core/i18n/i18n.ts'
import { ItemField, type ReportItem } from './item-field.tsx'

addTexts(zh, en)
const onChange = vi.fn<(item: ReportItem | undefined) => void>()
const plans: ReportItem = { fId: 5, fType: 2, fName: '规划', pathString: '市场中心' }
const budget: ReportItem = { fId: 7, fType: 1, fName: '预算.xlsx', pathString: '市场中心/规划' }

function Form(): ReactNode {
  const [item, setItem] = useState<ReportItem>()
  return (
    <ItemField
      item={item}
      onChange={(next) => {
        onChange(next)
        setItem(next)
      }}
    />
  )
}

const options = (): number => document.querySelectorAll('[role=option]').length

beforeEach(() => setLocale('zh'))
afterEach(async () => {
  await cleanUp()
  onChange.mockClear()
  vi.unstubAllGlobals()
})

// [R208] Pressing Enter before a slow server answers names the file or folder found by the typed words.
it('[R208] Enter before the answer is there names what is found by the words, not what was found by those before', async () => {
  let answer: (list: ReportItem[]) => void = () => undefined
  const slow = new Promise<ReportItem[]>((resolve) => {
    answer = resolve
  })
  fakeApi({ findReportItems: async ({ keyword }) => ({ list: keyword === '预算' ? await slow : [plans] }) })
  await render(<Form />)
  await act(async () => element('[role=combobox]').focus())
  await type('文件或文件夹', '规划')
  await until(() => options() === 1)
  await type('文件或文件夹', '预算')
  await press('Enter')
  expect(onChange).not.toHaveBeenCalled()
  await act(async () => answer([budget]))
  await until(() => onChange.mock.calls.length > 0)
  expect(onChange).toHaveBeenLastCalledWith(budget)
})
