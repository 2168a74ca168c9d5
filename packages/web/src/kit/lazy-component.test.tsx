// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { cleanUp, render } from '../../test/render.tsx'
import { lazyComponent } from './lazy-component.tsx'

afterEach(cleanUp)
const Part = ({ name }: { readonly name: string }) => <b>it is {name}</b>
const shown = (): string => document.body.textContent

test('what was fetched before is drawn at once, without what stands in for it', async () => {
  const load = vi.fn<() => Promise<typeof Part>>(async () => Part)
  const Coming = lazyComponent(load, <i>comes</i>)
  await Coming.fetch()
  const drawn: string[] = []
  await render(<Coming name="here" />)
  drawn.push(shown())
  expect(drawn).toEqual(['it is here'])
  expect(load).toHaveBeenCalledOnce()
})

test('what is wanted first is fetched then, and what stands in for it makes room for all of them', async () => {
  const { promise, resolve: come } = Promise.withResolvers<typeof Part>()
  const Coming = lazyComponent(() => promise, <i>comes</i>)
  await render(
    <>
      <Coming name="one" />
      <Coming name="other" />
    </>,
  )
  expect(shown()).toBe('comescomes')
  come(Part)
  await expect.poll(shown).toBe('it is oneit is other')
})
