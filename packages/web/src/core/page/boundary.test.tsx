// @vitest-environment happy-dom
import { type ReactNode, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { button, cleanUp, click, element, render, screenText } from '../../../test/render.tsx'
import { Boundary } from './boundary.tsx'

function Broken(): ReactNode {
  throw new Error('it broke')
}

function Pages(): ReactNode {
  const [at, setAt] = useState('a')
  return (
    <>
      {['a', 'b', 'broken'].map((to) => (
        <button key={to} type="button" onClick={() => setAt(to)}>
          {`to ${to}`}
        </button>
      ))}
      <Boundary at={at}>{at === 'broken' ? <Broken /> : <p>{`page ${at}`}</p>}</Boundary>
    </>
  )
}

afterEach(cleanUp)

test('what broke is left for another place, and what is the same in both stays in place', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await render(<Pages />)
  const page = element('p')
  await click(button('to b'))
  expect(screenText()).toContain('page b')
  expect(element('p')).toBe(page)
  await click(button('to broken'))
  expect(screenText()).not.toContain('page')
  await click(button('to a'))
  expect(screenText()).toContain('page a')
})
