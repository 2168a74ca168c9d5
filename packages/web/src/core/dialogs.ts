// Message boxes, confirmations and toasts ([R083]). Boxes are windows 500 px wide that veil everything behind them.
import { createStore } from 'zustand/vanilla'
import { MessageBox } from './dialogs/message-box.tsx'
import { t } from './i18n.ts'
import { store, stored } from './storage.ts'
import { openFrame, type WindowDefinition } from './window-manager/index.ts'

export type Tone = 'info' | 'success' | 'warning' | 'error'

export interface BoxButton {
  readonly id: string
  readonly text: string
  readonly kind?: 'primary' | 'danger'
}

export interface BoxProps {
  readonly title?: string
  readonly icon?: Tone | 'question'
  readonly text: string
  /** A second, quieter line. */
  readonly detail?: string
  readonly checkbox?: { readonly label: string; readonly checked?: boolean }
  /** The last one is the one that Enter presses; one OK unless said. */
  readonly buttons?: readonly BoxButton[]
  /** Only its buttons close it. */
  readonly locked?: boolean
}

export interface BoxAnswer {
  /** Undefined when it was closed without one. */
  readonly button: string | undefined
  readonly checked: boolean
}

const boxWindow: WindowDefinition<BoxProps, BoxAnswer> = {
  title: (props) => props.title ?? t('box.notice'),
  size: { width: 500, height: 'auto' },
  resizable: false,
  blocking: true,
  load: () => Promise.resolve(MessageBox),
  sample: { text: '' },
}
const lockedBox: typeof boxWindow = { ...boxWindow, locked: true }

/** Tells or asks; answers with the button pressed and the state of the checkbox. */
export async function messageBox(props: BoxProps): Promise<BoxAnswer> {
  const definition = (props.locked ? lockedBox : boxWindow) as unknown as WindowDefinition
  const answer = (await openFrame('cloudoc-message-box', definition, props)) as BoxAnswer | undefined
  return answer ?? { button: undefined, checked: false }
}

export interface ConfirmProps {
  readonly title?: string
  readonly text: string
  readonly detail?: string
  readonly ok?: string
  readonly cancel?: string
  /** What is confirmed cannot be undone. */
  readonly danger?: boolean
  /** Offers "do not remind me again"; under this name the choice is kept, and the next time counts as a yes. */
  readonly remindKey?: string
}

/** Asks a yes-or-no question; true for yes. */
export async function confirmBox(props: ConfirmProps): Promise<boolean> {
  const { title, text, detail, ok, cancel, danger, remindKey } = props
  const key = `remind:${remindKey}`
  if (remindKey !== undefined && stored(key) === 'never') return true
  const { button, checked } = await messageBox({
    text,
    icon: danger ? 'warning' : 'question',
    ...(title !== undefined && { title }),
    ...(detail !== undefined && { detail }),
    ...(remindKey !== undefined && { checkbox: { label: t('box.dontRemind') } }),
    buttons: [
      { id: 'cancel', text: cancel ?? t('box.cancel') },
      { id: 'ok', text: ok ?? t('box.ok'), kind: danger ? 'danger' : 'primary' },
    ],
  })
  if (button === 'ok' && checked) store(key, 'never')
  return button === 'ok'
}

export interface ToastProps {
  readonly text: string
  readonly kind?: Tone
  /** Milliseconds it stays; 8 s with an action, else 3 s ([R390]). */
  readonly durationMs?: number
  readonly action?: { readonly text: string; readonly run: () => void }
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
  const added: Toast = { ...props, id: ++lastToast }
  toastStore.setState(({ toasts }) => ({ toasts: [...toasts, added].slice(-mostToasts) }))
}

/** Takes a toast away. */
export function dismissToast(id: number): void {
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }))
}
