/*
 * A page in any browser engine. Playwright drives Chromium only where it has its own builds, so Firefox and WebKit are
 * driven by what their makers offer, WebDriver BiDi and WebDriver. This is what both can do, and how tests name elements:
 * by role and accessible name, as a person finds them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from '../browser.ts'

/** An element as a person finds it. */
export interface Named {
  /** A role, or a CSS selector for what has none. */
  readonly role?: string
  readonly css?: string
  /** The accessible name; a part of it suffices unless `exact`. */
  readonly name?: string
  readonly exact?: boolean
  /** It has the keyboard focus. */
  readonly focused?: boolean
  /** Inside the first element that this names. */
  readonly within?: Named
}

/** What an engine's driver must be able to do. `E` is its handle of an element. */
export interface Driver<E> {
  goto(url: string): Promise<void>
  url(): Promise<string>
  /** Runs a function in the page and returns its element, if it found one. */
  element(find: (named: Named) => Element | undefined, named: Named): Promise<E | undefined>
  /** Runs a function in the page and returns its answer as JSON. */
  ask<A, R>(answer: (asked: A) => R, asked: A): Promise<R>
  click(element: E, how: 'once' | 'twice' | 'context'): Promise<void>
  /** Types into whatever has the focus. */
  type(text: string): Promise<void>
  /** Presses a key, with Control if wanted. */
  press(key: Key, withControl: boolean): Promise<void>
  chooseFile(element: E, path: string): Promise<void>
  picture(path: string): Promise<void>
  close(): Promise<void>
}

export const keys = ['Enter', 'Escape', 'Delete', 'F2', 'End', 'a', 'k', 's'] as const
export type Key = (typeof keys)[number]

/** Finds the first visible element. It runs in the page, so it stands alone. */
function find(named: Named): Element | undefined {
  const tags: Record<string, string> = {
    button: 'button',
    link: 'a[href]',
    textbox: 'input:not([type]),input[type=text],input[type=search],input[type=password],textarea',
    heading: 'h1,h2,h3,h4',
    row: 'tr',
    checkbox: 'input[type=checkbox]',
    dialog: 'dialog[open]',
    grid: 'none',
  }
  const nameOf = (element: Element): string => {
    const labelled = (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')
      .trim()
    const labels = [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent ?? '').join(' ')
    return (
      [
        element.getAttribute('aria-label'),
        labelled,
        labels,
        element.textContent,
        element.getAttribute('title'),
        element.getAttribute('placeholder'),
      ].find((one) => one !== null && one.trim() !== '') ?? ''
    )
      .replaceAll(/\s+/g, ' ')
      .trim()
  }
  const isShown = (element: Element): boolean =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden'
  const all = (wanted: Named, root: ParentNode): Element[] => {
    const scope = wanted.within === undefined ? root : all(wanted.within, root)[0]
    if (scope === undefined) return []
    const { role, css, name, exact } = wanted
    const selector = css ?? `[role=${role}],${(role && tags[role]) ?? 'none'}`
    return [...scope.querySelectorAll(selector)].filter((element) => {
      const own = element.getAttribute('role')
      if (wanted.focused === true && element !== document.activeElement) return false
      if (css === undefined && own !== null && own !== role) return false
      // File inputs are hidden behind their buttons.
      if (!isShown(element) && (element as HTMLInputElement).type !== 'file') return false
      return name === undefined || (exact ? nameOf(element) === name : nameOf(element).includes(name))
    })
  }
  return all(named, document)[0]
}

/** A page of one person. */
export class Screen<E = unknown> {
  readonly driver: Driver<E>

  constructor(driver: Driver<E>) {
    this.driver = driver
  }

  /** Waits until an element is shown. */
  async shown(named: Named): Promise<E> {
    const found = await this.until(() => this.driver.element(find, named), named)
    return found as E
  }

  /** Waits until no such element is shown. */
  async gone(named: Named): Promise<void> {
    await this.until(async () => (await this.driver.element(find, named)) === undefined, { gone: named })
  }

  async click(named: Named, how: 'once' | 'twice' | 'context' = 'once'): Promise<void> {
    // A page that redraws between finding and clicking leaves a stale element: it is looked for again.
    await this.until(async () => {
      const element = await this.driver.element(find, named)
      if (element === undefined) return false
      return this.driver.click(element, how).then(
        () => true,
        () => false,
      )
    }, named)
  }

  /** Replaces what a field holds. */
  async enter(named: Named, text: string): Promise<void> {
    // A page that still grows may move the field away from under the pointer.
    await this.until(async () => {
      await this.click(named)
      return (await this.driver.element(find, { ...named, focused: true })) !== undefined
    }, named)
    await this.driver.press('a', true)
    await this.driver.type(text)
  }

  async chooseFile(named: Named, path: string): Promise<void> {
    await this.driver.chooseFile(await this.shown(named), path)
  }

  /** Waits for an answer of the page. */
  async until<T>(ask: () => Promise<T>, what: unknown): Promise<T> {
    const end = Date.now() + patienceMs
    while (true) {
      const answer = await ask()
      if (answer !== undefined && answer !== false) return answer
      if (Date.now() > end) throw new Error(`not within ${patienceMs / 1000} s: ${JSON.stringify(what)}`)
      await delay(100)
    }
  }
}
