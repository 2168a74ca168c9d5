// A user action, as one object in its feature's folder. Menus, toolbars, shortcuts, Ctrl+K and the help all use it.
import type { ReactNode } from 'react'
import type { PlainTextKey } from '../i18n/i18n.ts'

export interface Action {
  readonly id: string
  /** The lists that offer the action. */
  readonly modules: readonly string[]
  readonly label: PlainTextKey
  readonly icon?: ReactNode
  /** The action is destructive, or removes the item from view. */
  readonly danger?: true
  /** Its shortcuts, written like "Ctrl+C". All but the first are alternatives. */
  readonly keys?: readonly string[]
  /** The shortcut shown next to it. Default: the first. */
  readonly hint?: string
  /** Its shortcuts work wherever the focus is, except in fields and dialogs. */
  readonly anywhere?: true
  /** The help group of its shortcuts: actions or navigation. */
  readonly help?: 'acts' | 'ways'
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

const named: Readonly<Record<string, string>> = {
  Space: ' ',
  Del: 'Delete',
  Esc: 'Escape',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
}

/** The normalised form of a key press. */
function keysOf({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyPress): string {
  const plain = key.length === 1 ? key.toLowerCase() : key
  return [altKey && 'Alt', (ctrlKey || metaKey) && 'Ctrl', shiftKey && 'Shift', plain].filter(Boolean).join('+')
}

/** The key press for a written shortcut. */
export function pressOf(written: string): KeyPress {
  const parts = written.split('+')
  const last = parts.at(-1) ?? ''
  return {
    key: named[last] ?? last,
    altKey: parts.includes('Alt'),
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    metaKey: false,
  }
}

/** The action with this shortcut, if any. */
export function actionOfKeys<A extends Action>(actions: readonly A[], press: KeyPress): A | undefined {
  const pressed = keysOf(press)
  return actions.find(({ keys = [] }) => keys.some((written) => keysOf(pressOf(written)) === pressed))
}

/** Whether the target takes text input. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}
