// Words in passing ([R390]): the last few stand at the foot of the page.
import { createStore } from 'zustand/vanilla'

export type Tone = 'info' | 'success' | 'warning' | 'error'

export interface ToastProps {
  readonly text: string
  readonly kind?: Tone
  /** Milliseconds it stays; 8 s with an action, else 3 s ([R390]). */
  readonly durationMs?: number
  /** Takes the place of the one with the same key. */
  readonly key?: string
  readonly action?: { readonly text: string; readonly run: () => void }
  /** A second one, which stands before it. */
  readonly also?: NonNullable<ToastProps['action']>
}

export interface Toast extends ToastProps {
  readonly id: number
}

/** Toasts shown at once; an older one makes room. */
const mostToasts = 3
let lastToast = 0

/** The toasts that are shown, oldest first, for the layer that draws them. */
export const toastStore = createStore<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }))

/** Says something in passing. */
export function toast(props: ToastProps): void {
  toastStore.setState(({ toasts }) => {
    const { key } = props
    const before = key === undefined ? undefined : toasts.find((one) => one.key === key)
    if (before !== undefined) return { toasts: toasts.map((one) => (one === before ? { ...props, id: one.id } : one)) }
    return { toasts: [...toasts, { ...props, id: ++lastToast }].slice(-mostToasts) }
  })
}

/** Takes a toast away. */
export function dismissToast(id: number): void {
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }))
}

/** Takes the toast with a key away, if it is there. */
export function dismissToastOf(key: string): void {
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.key !== key) }))
}
