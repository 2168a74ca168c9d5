// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { act, cleanUp, element, press, render } from '../../../test/render.tsx'
import { type MenuEntry, menuStore, showMenu, tidy } from './menu.ts'

const line: MenuEntry = { separator: true }
const item = (id: string, more = {}): MenuEntry => ({ id, label: id, ...more })
const labels = (): string[] => [...document.querySelectorAll('.menu-label')].map((one) => one.textContent)
const focused = (): string | undefined => (document.activeElement as HTMLElement | null)?.dataset.id

describe('what a menu shows', () => {
  // [R143] A menu shows no hidden entry, no doubled, leading or trailing separator; an empty menu is not shown.
  it('has no hidden entries, no doubled separators and none at its ends [R143]', () => {
    const entries = [line, item('a'), line, item('b', { show: false }), line, item('c'), line]
    expect(tidy(entries)).toEqual([item('a'), line, item('c')])
  })

  it('has no submenu that would be empty', () => {
    expect(tidy([item('a', { children: [item('b', { show: false })] })])).toEqual([])
  })

  it('is nothing when it would be empty', async () => {
    await showMenu([line], { x: 0, y: 0 })
    expect(menuStore.getState().menu).toBeUndefined()
  })
})

describe('an open menu', () => {
  beforeEach(() => render(<button type="button">page</button>))
  afterEach(cleanUp)

  const show = async (entries: MenuEntry[]): Promise<void> => {
    element('button').focus()
    await act(async () => void showMenu(entries, { x: 10, y: 10 }))
  }

  it('lies in a landmark of its own', async () => {
    await show([item('apple')])
    expect(element('[role=menu]').closest('section[aria-label]')?.getAttribute('aria-label')).toBeTruthy()
  })

  it('is walked with the arrow keys, around its ends, and by first letters', async () => {
    await show([item('apple'), item('banana'), item('cherry')])
    await press('ArrowDown')
    expect(focused()).toBe('apple')
    await press('ArrowUp')
    expect(focused()).toBe('cherry')
    await press('b')
    expect(focused()).toBe('banana')
  })

  it('runs the chosen entry once the focus is back where it was', async () => {
    const run = vi.fn<() => unknown>(() => document.activeElement?.textContent)
    await show([item('a', { run })])
    await press('ArrowDown')
    await press('Enter')
    expect(run).toHaveReturnedWith('page')
    expect(labels()).toEqual([])
  })

  it('does not run a disabled entry and gives its reason', async () => {
    const run = vi.fn<() => void>()
    await show([item('a', { run, disabled: true, reason: '没有下载权限' })])
    await press('ArrowDown')
    await press('Enter')
    expect(run).not.toHaveBeenCalled()
    expect(element('.menu-hint').textContent).toBe('没有下载权限')
  })

  it('explains a disabled entry that can say more', async () => {
    const [run, why] = [vi.fn<() => void>(), vi.fn<() => void>()]
    await show([item('a', { run, why, disabled: true, reason: '没有下载权限' })])
    expect(element('[role=menuitem]').textContent).toContain('查看原因')
    await press('ArrowDown')
    await press('Enter')
    expect([run.mock.calls.length, why.mock.calls.length]).toEqual([0, 1])
    expect(labels()).toEqual([])
  })

  it('opens a submenu to the right and closes it to the left', async () => {
    await show([item('skin', { children: [item('red'), item('blue')] })])
    await press('ArrowDown')
    await press('ArrowRight')
    expect(focused()).toBe('red')
    await press('ArrowLeft')
    expect(labels()).toEqual(['skin'])
    expect(focused()).toBe('skin')
  })

  it('closes with Esc and gives the focus back', async () => {
    await show([item('a')])
    await press('Escape')
    expect(labels()).toEqual([])
    expect(document.activeElement?.textContent).toBe('page')
  })
})
