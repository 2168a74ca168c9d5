// Toasts ([R390]): short messages at the bottom of the page, only the last few.
import { createStore } from 'zustand/vanilla'

export type Tone = 'info' | 'success' | 'warning' | 'error'

export interface ToastProps {
  readonly text: string
  readonly kind?: Tone
  /** Milliseconds it is shown; 8 s with an action, else 3 s ([R390]). */
  readonly durationMs?: number
  /** Replaces the toast with the same key. */
  readonly key?: string
  readonly action?: { readonly text: string; readonly run: () => void }
  /** A second action, shown before the first. */
  readonly also?: NonNullable<ToastProps['action']>
}

export interface Toast extends ToastProps {
  readonly id: number
}

/** Maximum number of toasts. An older one is removed. */
const mostToasts = 3
let lastToast = 0

/** The shown toasts, oldest first, for the layer that draws them. */
export const toastStore = createStore<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }))

/** Shows a toast. */
export function toast(props: ToastProps): void {
  toastStore.setState(({ toasts }) => {
    const { key } = props
    const before = key === undefined ? undefined : toasts.find((one) => one.key === key)
    if (before !== undefined) return { toasts: toasts.map((one) => (one === before ? { ...props, id: one.id } : one)) }
    return { toasts: [...toasts, { ...props, id: ++lastToast }].slice(-mostToasts) }
  })
}

/** Removes a toast. */
export function dismissToast(id: number): void {
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }))
}

/** Removes the toast with this key, if it is shown. */
export function dismissToastOf(key: string): void {
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.key !== key) }))
}
