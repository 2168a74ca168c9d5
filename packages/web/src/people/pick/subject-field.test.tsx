// @vitest-environment happy-dom
// The field in which people, departments and roles are chosen, by keys and by pointer.
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { act, cleanUp, click, element, press, render, type, until } from '../../../test/render.tsx'
import { setLocale } from '../../core/i18n/i18n.ts'
import type { Subject } from './subject.ts'
import { SubjectField } from './subject-field.tsx'

const onChange = vi.fn<(chosen: readonly Subject[]) => void>()
const market: Subject = { type: 'group', id: 5, name: '市场中心' }
const wang: Subject = { type: 'user', id: 7, name: '王敏', groupName: '市场中心' }
const lin: Subject = { type: 'user', id: 8, name: '林夏' }

function Form({ types, suggested }: { types?: 'user' | 'all'; suggested?: readonly Subject[] }): ReactNode {
  const [chosen, setChosen] = useState<readonly Subject[]>([])
  return (
    <SubjectField
      label="对象"
      chosen={chosen}
      {...(types && { types })}
      {...(suggested && { suggested })}
      onChange={(next) => {
        onChange(next)
        setChosen(next)
      }}
    />
  )
}

const options = (): (string | null)[] => [...document.querySelectorAll('[role=option]')].map((one) => one.textContent)
const field = (): HTMLElement => element('[role=combobox]')

beforeEach(() => setLocale('zh'))
afterEach(async () => {
  await cleanUp()
  onChange.mockClear()
  vi.unstubAllGlobals()
})

it('finds by words and chooses by keys; the last one goes by Backspace [R348]', async () => {
  const server = fakeApi({ searchItem2: { list: [market, wang] } })
  await render(<Form />)
  await act(async () => field().focus())
  await type('对象', 'sc')
  await until(() => options().length === 2)
  expect(server.inputsOf('searchItem2').at(-1)).toMatchObject({ searchType: 'all', keyword: 'sc' })
  await press('ArrowDown')
  await press('Enter')
  expect(onChange).toHaveBeenLastCalledWith([wang])
  await press('Backspace')
  expect(onChange).toHaveBeenLastCalledWith([])
})

it('offers those of before first, then the company; a department is a way to its people', async () => {
  fakeApi({
    getSubItemList: ({ parentId }) => ({ list: Number(parentId) === 5 ? [wang] : [market] }),
  })
  await render(<Form types="user" suggested={[lin]} />)
  await click(field())
  await until(() => options().length === 2)
  expect(options()[0]).toContain('林夏')
  await click(element('[data-at="1"]'))
  await until(() => options().some((text) => text?.includes('王敏') === true))
  expect(options()[0]).toContain('市场中心')
  await act(async () => field().focus())
  await press('ArrowDown')
  await press('Enter')
  expect(onChange).toHaveBeenLastCalledWith([wang])
})

// [R348] Pressing Enter before a slow server answers takes the person found by the typed words.
it('[R348] Enter before the answer is there takes who is found by the words, not who was found by those before', async () => {
  let answer: (list: (typeof lin)[]) => void = () => undefined
  const slow = new Promise<(typeof lin)[]>((resolve) => {
    answer = resolve
  })
  fakeApi({ searchItem2: async ({ keyword }) => ({ list: keyword === 'lx' ? await slow : [wang] }) })
  await render(<Form />)
  await act(async () => field().focus())
  await type('对象', 'wm')
  await until(() => options().length === 1)
  await type('对象', 'lx')
  await press('Enter')
  expect(onChange).not.toHaveBeenCalled()
  await act(async () => answer([lin]))
  await until(() => onChange.mock.calls.length > 0)
  expect(onChange).toHaveBeenLastCalledWith([lin])
})
