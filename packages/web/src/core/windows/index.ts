/*
 * Secondary windows: draggable dialogs on the page ([R005], [R071]). An area lists its windows with `win`, app/join-areas.ts
 * joins the lists, and `openWindow(name, props)` answers what the window was closed with, or undefined. Title bar, place,
 * stacking, focus and keys are the business of this folder; a window's component draws only its inside.
 */
import type { ReactNode } from 'react'
import { createStore } from 'zustand/vanilla'
import type { PlainTextKey } from '../i18n/i18n.ts'
import { cascade, centred, clamp, defaultSize, leastSize, type Place, type Size, within } from './geometry.ts'

/** The props of a window's component: its own props, and functions to close and guard the window. */
export type WindowProps<P, R = void> = P & {
  /** Closes the window; openWindow resolves to the result. */
  readonly close: (result?: R) => void
  /** While true, Esc does nothing and the close button asks first. */
  readonly setDirty: (dirty: boolean) => void
}

/** The definition of a window in the catalogue. */
export interface WindowDefinition<P = unknown, R = unknown> {
  readonly title: PlainTextKey | ((props: P) => string)
  /** The initial size. The height can follow the content. Default: 550x480. */
  readonly size?: { readonly width: number; readonly height: number | 'auto' }
  /** The minimum size. Default: the initial size (X2). */
  readonly minSize?: Size
  /** Resizable unless false. */
  readonly resizable?: boolean
  /** A second opening brings the open window to the front ([R072]). */
  readonly single?: boolean
  /** Covers the page and draws its own frame. */
  readonly fullScreen?: boolean
  /** What is behind it shows through its ground ([R079]). */
  readonly transparent?: boolean
  /** Always in front of all other windows, with a backdrop over them: message boxes. */
  readonly blocking?: boolean
  /** Can be closed only by its own buttons. */
  readonly locked?: boolean
  /** The only content of its page (/window/:name), which fills a window of the desktop program. */
  readonly alone?: boolean
  /**
   * Reads its props from the query of /window/:name, and from the server; undefined shows the files instead. Without it
   * the window has no page.
   */
  readonly fromQuery?: (query: URLSearchParams) => P | undefined | Promise<P | undefined>
  /** On a page of its own nobody waits for the result: does what the opener of the window would do with it. */
  readonly afterPage?: (result: R, props: P) => Promise<void>
  readonly load: () => Promise<(props: WindowProps<P, R>) => ReactNode>
  /** Sample props for the gallery. */
  readonly sample: P
  /** Sample props with the maximum content and the longest names. */
  readonly crowded?: () => P
}

/** What a browser copies as it is, apart from plain objects and arrays. */
type Copied = string | number | boolean | bigint | null | undefined | void | Date | Blob | ArrayBuffer | Uint8Array

/**
 * Plain data, which a message to another window can carry. Functions, DOM objects and instances of classes become
 * `never`, because they cannot be copied into a window of the desktop program.
 */
export type Plain<T> = T extends Copied
  ? T
  : T extends (...args: never) => unknown
    ? never
    : T extends ReadonlyMap<infer K, infer V>
      ? ReadonlyMap<Plain<K>, Plain<V>>
      : T extends ReadonlySet<infer V>
        ? ReadonlySet<Plain<V>>
        : T extends object
          ? { [K in keyof T]: Plain<T[K]> }
          : never

/** Declares a window of an area. Props or a result that are not plain data are a compile error. */
export function win<P, R = void>(
  definition: WindowDefinition<P, R> & ([P, R] extends [Plain<P>, Plain<R>] ? unknown : { plain: 'data only' }),
): WindowDefinition<P, R> {
  return definition
}

/** Every window by its name; filled in app/join-areas.ts. */
export interface Windows {}
export type WindowName = keyof Windows

type Parts<D> = D extends WindowDefinition<infer P, infer R> ? { props: P; result: R } : never

/** An open window. */
export interface OpenWindow {
  readonly id: number
  readonly name: string
  readonly definition: WindowDefinition
  readonly props: unknown
  /** Undefined until the height of its content is known. */
  readonly place: Place | undefined
  readonly maximized: boolean
  readonly dirty: boolean
  readonly resolve: (result: unknown) => void
  /** The element that had the focus before, and gets it back. */
  readonly opener: Element | null
}

interface WindowsState {
  /** From back to front. */
  readonly open: readonly OpenWindow[]
}

/** The open windows, for the host that draws them. */
export const windowStore = createStore<WindowsState>(() => ({ open: [] }))

const registry = new Map<string, WindowDefinition>()
/** The last position of each window in this session. */
const lastPositions = new Map<string, Place>()
let lastId = 0

/** Registers the windows of the areas; called by core/area. */
export function registerWindows(windows: Readonly<Record<string, Pick<WindowDefinition, 'size'>>>): void {
  for (const [name, definition] of Object.entries(windows)) registry.set(name, definition as WindowDefinition)
}

/** The definition of a window, by its name. */
export function windowNamed(name: string): WindowDefinition | undefined {
  return registry.get(name)
}

/** The names of all windows, for the gallery. */
export function windowNames(): string[] {
  return [...registry.keys()]
}

/** Opens a window of the catalogue. Resolves when it closes. An unknown name is an error ([R074]). */
export function openWindow<N extends WindowName>(
  name: N,
  props: Parts<Windows[N]>['props'],
): Promise<Parts<Windows[N]>['result'] | undefined> {
  const definition = registry.get(name)
  if (definition === undefined) throw new TypeError(`no window is called ${name}`)
  return openFrame(name, definition, props) as Promise<Parts<Windows[N]>['result'] | undefined>
}

/** Opens a window that need not be in the catalogue (message boxes). */
export function openFrame(name: string, definition: WindowDefinition, props: unknown): Promise<unknown> {
  const already = definition.single ? windowStore.getState().open.find((one) => one.name === name) : undefined
  if (already !== undefined) {
    bringToFront(already.id)
    return new Promise((resolve) => {
      const first = already.resolve
      change(already.id, {
        resolve: (result) => {
          first(result)
          resolve(result)
        },
      })
    })
  }
  // The key that opens a window presses nothing in it: what it does by itself would be done where the focus is by then.
  // oxlint-disable-next-line typescript/no-deprecated -- whoever opens a window does not hand on what made them do it
  const { event } = window
  if (event instanceof KeyboardEvent) event.preventDefault()
  return new Promise((resolve) => {
    const { open } = windowStore.getState()
    const opened: OpenWindow = {
      id: ++lastId,
      name,
      definition,
      props,
      place: firstPlace(name, definition, open),
      maximized: false,
      dirty: false,
      resolve,
      opener: document.activeElement,
    }
    windowStore.setState({ open: inOrder([...open, opened]) })
  })
}

/** The size of the page. */
export function viewport(): Size {
  return { width: window.innerWidth, height: window.innerHeight }
}

function firstPlace(name: string, definition: WindowDefinition, open: readonly OpenWindow[]): Place | undefined {
  const { width, height } = definition.size ?? defaultSize
  if (height === 'auto') return undefined
  const view = viewport()
  const last = lastPositions.get(name)
  const start = last === undefined ? centred({ width, height }, view) : within(last, view)
  return cascade(start, placesOf(open), view)
}

const placesOf = (open: readonly OpenWindow[]): Place[] =>
  open.flatMap(({ place }) => (place === undefined ? [] : [place]))

/** The minimum size of a window (X2). */
export function leastOf({ minSize, size }: WindowDefinition): Size {
  if (minSize !== undefined) return minSize
  return size === undefined || size.height === 'auto' ? leastSize : { width: size.width, height: size.height }
}

/** Blocking windows are always in front of all others. */
function inOrder(open: readonly OpenWindow[]): OpenWindow[] {
  const blocking = (one: OpenWindow): boolean => one.definition.blocking === true
  return [...open.filter((one) => !blocking(one)), ...open.filter(blocking)]
}

function change(id: number, to: Partial<OpenWindow>): void {
  windowStore.setState(({ open }) => ({ open: open.map((one) => (one.id === id ? { ...one, ...to } : one)) }))
}

/** Brings a window in front of the others of its kind. */
export function bringToFront(id: number): void {
  const { open } = windowStore.getState()
  const one = open.find((window) => window.id === id)
  if (one === undefined || open.at(-1) === one) return
  windowStore.setState({ open: inOrder([...open.filter((window) => window !== one), one]) })
}

/** Moves the front window behind the others. */
export function cycleWindows(): void {
  windowStore.setState(({ open }) => {
    const front = open.at(-1)
    return front === undefined ? { open } : { open: inOrder([front, ...open.slice(0, -1)]) }
  })
}

/** Moves or resizes a window. The position is remembered for the session. */
export function placeWindow(id: number, place: Place): void {
  const one = windowStore.getState().open.find((window) => window.id === id)
  if (one === undefined) return
  const kept = clamp(place, viewport())
  if (one.definition.size?.height !== 'auto') lastPositions.set(one.name, kept)
  change(id, { place: kept })
}

/** Maximises or restores a window. */
export function toggleMaximized(id: number): void {
  const one = windowStore.getState().open.find((window) => window.id === id)
  if (one !== undefined && one.definition.resizable !== false) change(id, { maximized: !one.maximized })
}

/** Marks a window as having unsaved changes. */
export function setWindowDirty(id: number, dirty: boolean): void {
  const one = windowStore.getState().open.find((window) => window.id === id)
  if (one !== undefined && one.dirty !== dirty) change(id, { dirty })
}

/** Closes a window and returns the focus to the previous element. */
export function closeWindow(id: number, result?: unknown): void {
  const { open } = windowStore.getState()
  const one = open.find((window) => window.id === id)
  if (one === undefined) return
  windowStore.setState({ open: open.filter((window) => window !== one) })
  one.resolve(result)
}

/** Moves every window into view, including its buttons, after the page became smaller. */
export function keepInView(): void {
  const view = viewport()
  windowStore.setState(({ open }) => ({
    open: open.map((one) => (one.place === undefined ? one : { ...one, place: within(one.place, view) })),
  }))
}
