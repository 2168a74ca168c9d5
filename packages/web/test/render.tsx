// Renders a screen as main.tsx does, in the DOM of the test.
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, act as reactAct } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { vi } from 'vitest'
import { joinInitialAreas } from '../src/app/join-areas.ts'
import { queryClient } from '../src/core/call/query.ts'
import { closeMenu } from '../src/core/menu/menu.ts'
import { MenuLayer } from '../src/core/menu/menu-layer.tsx'
import { toastStore } from '../src/core/toast/toast.ts'
import { ToastLayer } from '../src/core/toast/toast-layer.tsx'
import { closeWindow, windowStore } from '../src/core/windows/index.ts'
import { WindowHost } from '../src/core/windows/window-host.tsx'

joinInitialAreas()

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean
}

/**
 * Runs an action of the test, and waits for everything that follows. Events outside it are not part of the act
 * environment.
 */
export async function act(doing: () => Promise<unknown>): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  try {
    await reactAct(async () => void (await doing()))
  } finally {
    globalThis.IS_REACT_ACT_ENVIRONMENT = false
  }
}

let root: Root | undefined

/** Renders a screen with windows, menus and toasts around it. */
export async function render(screen: ReactNode, address = '/'): Promise<void> {
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(element('#root'))
  await act(async () =>
    root?.render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter initialEntries={[address]}>
          <WindowHost>{screen}</WindowHost>
          <MenuLayer />
          <ToastLayer />
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
}

/** Removes everything; for afterEach. */
export async function cleanUp(): Promise<void> {
  await act(async () => {
    for (const { id } of windowStore.getState().open) closeWindow(id)
    closeMenu()
    toastStore.setState({ toasts: [] })
    root?.unmount()
  })
  queryClient.clear()
  root = undefined
}

/** The element for a selector. Fails if there is none. */
export function element(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`nothing on the screen is ${selector}:\n${document.body.innerHTML}`)
  return found
}

/** The text on the screen. */
export function screenText(): string {
  return document.body.textContent
}

/** A button by its text or label. */
export function button(words: string): HTMLButtonElement {
  const all = [...document.querySelectorAll('button')]
  const found = all.find((one) => one.textContent === words || one.getAttribute('aria-label') === words)
  if (found === undefined) throw new Error(`no button says ${words}: ${all.map((one) => one.textContent).join(', ')}`)
  return found
}

/** Types into a field, found by its label. */
export async function type(label: string, text: string): Promise<void> {
  const labels = [...document.querySelectorAll('label')]
  const input =
    labels.find((one) => one.textContent === label)?.control ?? document.querySelector(`input[aria-label="${label}"]`)
  if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement))
    throw new Error(`no field is called ${label}`)
  await act(async () => {
    // As with real input: React reads the value through the native setter of the element.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** Clicks, and waits for everything that follows. */
export async function click(target: HTMLElement): Promise<void> {
  await act(async () => target.click())
}

/** Presses a key on the focused element. */
export async function press(key: string, init: KeyboardEventInit = {}): Promise<void> {
  const target = document.activeElement ?? document.body
  await act(async () => {
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }))
  })
}

/** Waits until a condition holds, while the screen updates. */
export async function until(holds: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      if (!holds()) throw new Error(`that did not come about:\n${screenText()}`)
    },
    { interval: 10, timeout: 60_000 },
  )
}
