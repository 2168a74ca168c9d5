// @vitest-environment happy-dom
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { act, button, cleanUp, click, element, press, render, screenText, until } from '../../../test/render.tsx'
import { confirmBox, messageBox } from './boxes.ts'
import {
  keepInView,
  leastOf,
  openFrame,
  openWindow,
  type WindowDefinition,
  type WindowProps,
  win,
  windowStore,
} from './index.ts'
import type { BoxAnswer } from './message-box.tsx'

function Note({ text, close, setDirty }: WindowProps<{ text: string }, string>): ReactNode {
  return (
    <>
      <p>{text}</p>
      <input aria-label="first" />
      <button type="button" onClick={() => setDirty(true)}>
        write
      </button>
      <button type="button" onClick={() => close('kept')}>
        keep
      </button>
    </>
  )
}

const note = (more: Partial<WindowDefinition<{ text: string }, string>> = {}): WindowDefinition =>
  win<{ text: string }, string>({
    title: ({ text }) => `Note ${text}`,
    load: () => Promise.resolve(Note),
    sample: { text: '' },
    ...more,
  }) as unknown as WindowDefinition

const open = async (name: string, text: string, more = {}): Promise<{ result: Promise<unknown> }> => {
  let result: Promise<unknown> = Promise.resolve()
  await act(async () => {
    result = openFrame(name, note(more), { text })
  })
  return { result }
}
const dialogs = (): string[] => windowStore.getState().open.map(({ props }) => (props as { text: string }).text)

beforeEach(() => render(<button type="button">page</button>))
afterEach(cleanUp)

describe('a window', () => {
  // [R005] Secondary windows are draggable dialogs on the page.
  // [R071] Windows are moved by the title bar, can be resized, and are not closed by a click outside.
  it('is a dialog on the page, named by its title bar; the page behind is inert [R005] [R071]', async () => {
    await open('a', 'one')
    const dialog = element('[role=dialog]')
    expect(document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent).toBe('Note one')
    expect(element('.page').hasAttribute('inert')).toBe(true)
  })

  it('answers what it was closed with', async () => {
    const { result } = await open('a', 'one')
    await click(button('keep'))
    await expect(result).resolves.toBe('kept')
    expect(document.querySelector('[role=dialog]')).toBeNull()
  })

  it('is not closed by a click outside, but by its close button and by Esc [R071]', async () => {
    const { result } = await open('a', 'one')
    await click(element('.window-layer'))
    expect(dialogs()).toEqual(['one'])
    await press('Escape')
    await expect(result).resolves.toBeUndefined()
  })

  // [R390] On a page of 480 pixels or less, windows of a fixed size fill the page.
  it('fills a narrow page, and has its place again on a wider one [R390]', async () => {
    await open('a', 'one')
    const { innerWidth } = window
    const isFilling = (): boolean => element('[role=dialog]').classList.contains('is-filling')
    const resizeTo = async (width: number): Promise<void> => {
      Object.assign(window, { innerWidth: width })
      await act(async () => keepInView())
    }
    try {
      await resizeTo(480)
      expect([isFilling(), document.querySelector('.window-edge')]).toEqual([true, null])
      await resizeTo(481)
      expect(isFilling()).toBe(false)
    } finally {
      Object.assign(window, { innerWidth })
    }
  })

  // [R390] Windows move into view 100 ms after the page was last resized.
  it('moves into view 100 ms after the last change of the size of the page [R390]', async () => {
    await open('a', 'one')
    const place = { left: 5000, top: 40, width: 400, height: 300 }
    windowStore.setState(({ open: all }) => ({ open: all.map((of) => ({ ...of, place })) }))
    const at = (): number | undefined => windowStore.getState().open[0]?.place?.left
    vi.useFakeTimers()
    try {
      window.dispatchEvent(new Event('resize'))
      await act(() => vi.advanceTimersByTimeAsync(60))
      window.dispatchEvent(new Event('resize'))
      await act(() => vi.advanceTimersByTimeAsync(99))
      expect(at()).toBe(5000)
      await act(() => vi.advanceTimersByTimeAsync(1))
      expect(at()).toBeLessThan(window.innerWidth)
    } finally {
      vi.useRealTimers()
    }
  })

  it('ignores the Esc that ends a composition', async () => {
    await open('a', 'one')
    await press('Escape', { isComposing: true })
    expect(dialogs()).toEqual(['one'])
  })

  it('asks before it discards what is not saved', async () => {
    await open('a', 'one')
    await click(button('write'))
    await press('Escape')
    expect(dialogs()).toEqual(['one'])
    await click(button('关闭'))
    await until(() => screenText().includes('放弃未保存的内容？'))
    await click(button('放弃'))
    expect(dialogs()).toEqual([])
  })

  it('gives the focus back to where it was', async () => {
    button('page').focus()
    await open('a', 'one')
    expect(element('[role=dialog]').contains(document.activeElement)).toBe(true)
    await click(button('keep'))
    expect(document.activeElement).toBe(button('page'))
  })

  // [R072] A single-instance window, as the settings, the detail of a workflow and the updater of the editor plug-in are,
  // is brought to the front instead of opened again.
  it('of which there is only one comes to the front when it is opened again [R072]', async () => {
    const first = await open('single', 'one', { single: true })
    await open('other', 'two')
    const again = await open('single', 'three', { single: true })
    expect(dialogs()).toEqual(['two', 'one'])
    await act(async () => button('keep').click())
    await expect(Promise.all([first.result, again.result])).resolves.toEqual(['kept', 'kept'])
  })

  it('stands 24 px beside the one it would hide, and cycles with Ctrl+`', async () => {
    await open('a', 'one')
    await open('b', 'two')
    const [one, two] = windowStore.getState().open.map(({ place }) => place)
    expect(two).toEqual({ ...one, left: (one?.left ?? 0) + 24, top: (one?.top ?? 0) + 24 })
    await press('`', { ctrlKey: true })
    expect(dialogs()).toEqual(['two', 'one'])
  })

  // [R069] A window without a declared size opens at 550x480 with a minimum of 350x250; any other window has its
  // declared minimum or its own size as minimum (X2).
  // [R070] No resizable window gets smaller than 350x250.
  it('can be made no smaller than it says, than it opens, or than 350x250 [R069] [R070] [X2]', () => {
    expect(leastOf(note({ minSize: { width: 1, height: 2 } }))).toEqual({ width: 1, height: 2 })
    expect(leastOf(note({ size: { width: 938, height: 580 } }))).toEqual({ width: 938, height: 580 })
    expect(leastOf(note())).toEqual({ width: 350, height: 250 })
  })

  // [R074] Opening a window that is not in the catalogue is an error.
  it('that no catalogue names is an error [R074]', () => {
    expect(() => openWindow('nothing' as 'cloudoc-app-version', {})).toThrow('no window is called nothing')
  })

  // [R073] The spinner shows only after 300 ms.
  it('shows a spinner only when loading takes longer than 300 ms [R073]', async () => {
    await open('slow', 'one', { load: () => new Promise(() => undefined) })
    expect(screenText()).not.toContain('正在打开')
    await until(() => screenText().includes('正在打开'))
  })

  // [R066] A code chunk that fails to load shows a message and offers a reload, after 120 s at the latest.
  it('whose program part did not come says so and offers to reload [R066]', async () => {
    await open('gone', 'one', { load: () => Promise.reject(new Error('Unable to preload CSS for /assets/x.css')) })
    await until(() => screenText().includes('Loading chunk failed (CSS_CHUNK_LOAD_FAILED)'))
    expect(button('立即刷新')).toBeTruthy()
  })
})

describe('a message box', () => {
  // [R083] The message box: 500 px, icon, text, checkbox, buttons; "do not remind me again".
  it('is 500 px wide, stands before everything and answers button and checkbox [R083]', async () => {
    await open('a', 'one')
    let answer: Promise<BoxAnswer> | undefined
    await act(async () => {
      answer = messageBox({ text: '磁盘已满', checkbox: { label: '记住' } })
    })
    await until(() => screenText().includes('磁盘已满'))
    const box = element('[role=dialog][data-window].is-front')
    expect(box.style.width).toBe('500px')
    await open('b', 'two')
    expect(windowStore.getState().open.at(-1)?.name).toBe('cloudoc-message-box')
    await click(element('.is-front input[type=checkbox]'))
    await click(button('确定'))
    await expect(answer).resolves.toEqual({ button: 'ok', checked: true })
  })

  it('that asked not to remind counts as a yes the next time [R083]', async () => {
    localStorage.clear()
    const ask = (): Promise<boolean> => confirmBox({ text: '真的？', remindKey: 'test' })
    let answer: Promise<boolean> | undefined
    await act(async () => {
      answer = ask()
    })
    await until(() => screenText().includes('不再提示'))
    await click(element('.is-front input[type=checkbox]'))
    await click(button('确定'))
    await expect(answer).resolves.toBe(true)
    await expect(ask()).resolves.toBe(true)
  })
})

it('takes plain data only: functions, DOM objects and instances of classes do not compile', () => {
  const rest = { title: 'box.ok', load: () => Promise.resolve(() => null) } as const
  win<{ names: readonly string[]; content?: Uint8Array | Blob }>({ ...rest, sample: { names: [] } })
  // @ts-expect-error -- a function
  win<{ save: () => void }>({ ...rest, sample: { save: () => undefined } })
  // @ts-expect-error -- a DOM object
  win<{ at?: HTMLElement }>({ ...rest, sample: {} })
  // @ts-expect-error -- an instance of a class
  win<{ abort?: { signal: AbortSignal } }>({ ...rest, sample: {} })
  // @ts-expect-error -- a result that is a function
  win<object, () => void>({ ...rest, sample: {} })
})
