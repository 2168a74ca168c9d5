// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { button, cleanUp, click, element, render } from '../../test/render.tsx'
import { FilterChips, RemovableChip } from './chips.tsx'
import { CursorPager, PagePager } from './pager.tsx'

afterEach(cleanUp)

it('filter chips show the chosen filter, and choose another', async () => {
  const onChange = vi.fn<(value: string) => void>()
  const options = ['all', 'open'].map((value) => ({ value, label: value }))
  await render(<FilterChips label="State" value="all" options={options} onChange={onChange} />)
  expect(button('all').getAttribute('aria-pressed')).toBe('true')
  await click(button('open'))
  expect([onChange.mock.calls, element('[role=group]').getAttribute('aria-label')]).toEqual([[['open']], 'State'])
})

it('a removable chip has a named button', async () => {
  const onRemove = vi.fn<() => void>()
  await render(<RemovableChip text="Anna" removeLabel="Remove Anna" onRemove={onRemove} />)
  await click(button('Remove Anna'))
  expect(onRemove).toHaveBeenCalledOnce()
})

it('a pager moves between pages within their number, and shows nothing for a single one', async () => {
  const onPage = vi.fn<(page: number) => void>()
  const labels = { previousLabel: 'Previous', nextLabel: 'Next', onPage }
  await render(<PagePager page={0} pages={3} {...labels} />)
  expect([button('Previous').disabled, button('Next').disabled]).toEqual([true, false])
  await click(button('Next'))
  expect(onPage).toHaveBeenCalledWith(1)
  await render(<PagePager page={2} pages={3} {...labels} />)
  expect([button('Previous').disabled, button('Next').disabled]).toEqual([false, true])
  await render(<PagePager page={0} pages={1} {...labels} />)
  expect(document.querySelector('.k-pager')).toBeNull()
})

it('a cursor pager reads on until the end', async () => {
  const onNext = vi.fn<() => void>()
  await render(<CursorPager hasNext onNext={onNext} label="More" />)
  await click(button('More'))
  expect(onNext).toHaveBeenCalledOnce()
  await render(<CursorPager hasNext={false} onNext={onNext} label="More" />)
  expect(document.querySelector('button')).toBeNull()
})
