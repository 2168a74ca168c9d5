// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { act, button, cleanUp, click, element, render, screenText } from '../../../test/render.tsx'
import { type ToastProps, toast } from './toast.ts'

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await render(<p>page</p>)
})
afterEach(async () => {
  vi.useRealTimers()
  await cleanUp()
})

const say = (props: ToastProps): Promise<void> => act(async () => toast(props))
const after = (milliseconds: number): Promise<void> => act(async () => vi.advanceTimersByTime(milliseconds))

describe('a toast', () => {
  it('goes by itself after 3 s, with an offer after 8 s [R390]', async () => {
    await say({ text: '已复制' })
    await say({ text: '已删除', action: { text: '撤销', run: () => undefined } })
    await after(2999)
    expect(screenText()).toContain('已复制')
    await after(1)
    expect(screenText()).not.toContain('已复制')
    await after(4999)
    expect(screenText()).toContain('已删除')
    await after(1)
    expect(screenText()).not.toContain('已删除')
  })

  it('stays while the pointer or the focus is on it', async () => {
    await say({ text: '已删除', durationMs: 100 })
    await act(async () => element('.toast-close').focus())
    await after(1000)
    expect(screenText()).toContain('已删除')
    await act(async () => element('.toast-close').blur())
    await after(100)
    expect(screenText()).not.toContain('已删除')
  })

  it('runs its action once and goes', async () => {
    const run = vi.fn<() => void>()
    await say({ text: '已删除', action: { text: '撤销', run } })
    await click(button('撤销'))
    expect(run).toHaveBeenCalledOnce()
    expect(screenText()).not.toContain('已删除')
  })

  it('makes room when there are more than three', async () => {
    for (const text of ['一', '二', '三', '四']) await say({ text: `第${text}条` })
    expect(document.querySelectorAll('.toast')).toHaveLength(3)
    expect(screenText()).not.toContain('第一条')
  })
})
