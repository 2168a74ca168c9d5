// What a person can do, as one object in its feature's folder: menus, toolbars, keys, Ctrl+K and the help read the same.
import type { ReactNode } from 'react'
import type { PlainTextKey } from '../i18n/i18n.ts'

export interface Action {
  readonly id: string
  /** The lists that offer it. */
  readonly modules: readonly string[]
  readonly label: PlainTextKey
  readonly icon?: ReactNode
  /** What it does cannot be taken back, or is lost at first sight. */
  readonly danger?: true
  /** Its keys as they are written, like "Ctrl+C"; all but the first are alternatives. */
  readonly keys?: readonly string[]
  /** The key that is shown beside it; the first unless said. */
  readonly hint?: string
  /** Its keys work wherever the keyboard is, outside of fields and dialogs. */
  readonly anywhere?: true
  /** Where the help lists its keys: with what is done, or with the ways elsewhere. */
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

/** The keys of a press in one form. */
function keysOf({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyPress): string {
  const plain = key.length === 1 ? key.toLowerCase() : key
  return [altKey && 'Alt', (ctrlKey || metaKey) && 'Ctrl', shiftKey && 'Shift', plain].filter(Boolean).join('+')
}

/** The press that is written like that. */
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

/** The action that these keys ask for, if any. */
export function actionOfKeys<A extends Action>(actions: readonly A[], press: KeyPress): A | undefined {
  const pressed = keysOf(press)
  return actions.find(({ keys = [] }) => keys.some((written) => keysOf(pressOf(written)) === pressed))
}

/** Whether keys are letters there. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}
