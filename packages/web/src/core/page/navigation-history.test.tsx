// @vitest-environment happy-dom
import { limits } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { BrowserRouter, useNavigate } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { act, button, click, screenText } from '../../../test/render.tsx'
import { goBack, useHistoryPlace, useNavigationHistory } from './navigation-history.ts'

function Page(): ReactNode {
  useNavigationHistory()
  const { canGoBack, canGoForward } = useHistoryPlace()
  const navigate = useNavigate()
  return (
    <>
      <p>{`${canGoBack ? 'back' : 'no back'}, ${canGoForward ? 'forward' : 'no forward'}`}</p>
      <button type="button" onClick={() => void navigate(`/${Math.random()}`)}>
        on
      </button>
      <button type="button" onClick={() => void navigate(`/x${Math.random()}`, { replace: true })}>
        instead
      </button>
    </>
  )
}

let root: Root | undefined
/** A page as opened by the browser, on the browser's own history. */
const open = () =>
  act(async () => {
    const host = document.body.appendChild(document.createElement('main'))
    root = createRoot(host)
    root.render(
      <BrowserRouter>
        <Page />
      </BrowserRouter>,
    )
  })
const leave = () =>
  act(async () => {
    root?.unmount()
    document.body.replaceChildren()
  })
/** Simulates the browser's back step: happy-dom keeps no history, so the event is dispatched as the browser does. */
const stepTo = (idx: number) =>
  act(async () => {
    window.history.replaceState({ idx, key: `k${idx}` }, '', `/step${idx}`)
    window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state as object }))
  })

beforeEach(() => {
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})
afterEach(leave)

test('there is a way forward after going back, until another way is taken', async () => {
  await open()
  expect(screenText()).toContain('no back, no forward')
  await click(button('on'))
  await click(button('on'))
  expect(screenText()).toContain('back, no forward')
  await stepTo(1)
  expect(screenText()).toContain('back, forward')
  await click(button('instead'))
  expect(screenText()).toContain('back, forward')
  await leave()
  await open()
  expect(screenText()).toContain('back, forward')
  await click(button('on'))
  expect(screenText()).toContain('back, no forward')
})

// [R061] A hundred places are stored; the oldest is removed first.
// [R390] The history of places holds 100.
test('a hundred places are kept, and the oldest is let go for the next [R061] [R390]', async () => {
  await open()
  for (let place = 1; place < limits.navigationHistory + 10; place++) await click(button('on'))
  let back = 0
  // More steps than history entries would mean an endless loop.
  while (!screenText().includes('no back') && back < 2 * limits.navigationHistory) {
    await act(async () => goBack())
    back += 1
  }
  expect(back).toBe(99)
})
