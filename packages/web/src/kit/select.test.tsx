// @vitest-environment happy-dom
import { type ReactNode, useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { act, cleanUp, click, element, press, render } from '../../test/render.tsx'
import { Select, type SelectOption } from './select.tsx'

const fruit: readonly SelectOption<string>[] = [
  { value: 'apple', label: 'Apple' },
  { value: 'apricot', label: 'Apricot' },
  { value: 'banana', label: 'Banana', disabled: true },
  { value: 'cherry', label: 'Cherry' },
]
const onChange = vi.fn<(value: string) => void>()

function Form(): ReactNode {
  const [value, setValue] = useState('apple')
  return (
    <Select
      label="Fruit"
      value={value}
      options={fruit}
      onChange={(next) => {
        onChange(next)
        setValue(next)
      }}
    />
  )
}

const field = (): HTMLElement => element('[role=combobox]')
const options = (): string[] => [...document.querySelectorAll('[role=option]')].map((one) => one.textContent)
const current = (): string | undefined =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent

async function open(): Promise<void> {
  await render(<Form />)
  await act(async () => field().focus())
}

afterEach(async () => {
  await cleanUp()
  onChange.mockClear()
})

describe('a select', () => {
  it('in a bar that leaves the keys where they are it has them while it is open, and gives them back', async () => {
    await render(
      <div onMouseDown={(event) => event.preventDefault()}>
        <Form />
        <textarea />
      </div>,
    )
    const paper = element('textarea')
    await act(async () => paper.focus())
    await click(field())
    expect(document.activeElement).toBe(field())
    await press('ArrowDown')
    await press('Escape')
    expect([options(), document.activeElement, onChange.mock.calls]).toEqual([[], paper, []])
    await click(field())
    await press('ArrowDown')
    await press('Enter')
    expect([document.activeElement, onChange.mock.calls]).toEqual([paper, [['apricot']]])
  })

  it('opens at its value, walks by arrows over what can be chosen, and takes the value with Enter', async () => {
    await open()
    expect(field().getAttribute('aria-expanded')).toBe('false')
    await press('ArrowDown')
    expect([options(), current()]).toEqual([['Apple', 'Apricot', 'Banana', 'Cherry'], 'Apple'])
    await press('ArrowDown')
    await press('ArrowDown')
    expect(current()).toBe('Cherry')
    await press('Enter')
    expect(onChange.mock.calls).toEqual([['cherry']])
    expect([options(), field().textContent]).toEqual([[], 'Cherry'])
    expect(document.activeElement).toBe(field())
  })

  it('goes by letters, to the next one by the same letter again, and is left by Escape as it was', async () => {
    await open()
    await press('a')
    expect(current()).toBe('Apricot')
    await press('a')
    expect(current()).toBe('Apple')
    const heard = vi.fn<() => void>()
    window.addEventListener('keydown', heard)
    await press('Escape')
    window.removeEventListener('keydown', heard)
    expect([options(), onChange.mock.calls, heard.mock.calls]).toEqual([[], [], []])
  })

  it('is chosen from by the pointer without losing the focus, and closes when it leaves', async () => {
    await open()
    await click(field())
    await click(element('[data-at="2"]'))
    expect(onChange).not.toHaveBeenCalled()
    await click(element('[data-at="1"]'))
    expect([onChange.mock.calls, document.activeElement]).toEqual([[['apricot']], field()])
    await click(field())
    await act(async () => field().blur())
    expect(options()).toEqual([])
  })
})
