// The keyboard map of the files view.
import type { Action } from '../actions/actions.ts'
import type { ViewMode } from './grid/view-mode.ts'

/** Actions that concern the folder and not what is selected in it. */
export const inFolder: readonly Action[] = ['upload', 'create', 'linkHere', 'paste', 'arrange']

/** What a key of the files view asks for. */
export type KeyAction =
  | Action
  | 'up'
  | 'back'
  | 'forward'
  | 'refresh'
  | 'undo'
  | 'redo'
  | 'filter'
  | 'path'
  | 'panel'
  | ViewMode

/** What the keys of the files view ask for: the keyboard map of the design. */
const keys: Readonly<Record<string, KeyAction>> = {
  Enter: 'open',
  ' ': 'preview',
  F2: 'rename',
  F3: 'filter',
  F5: 'refresh',
  Delete: 'delete',
  'Shift+Delete': 'deleteForGood',
  Backspace: 'back',
  'Shift+Enter': 'download',
  'Ctrl+c': 'copy',
  'Ctrl+x': 'cut',
  'Ctrl+v': 'paste',
  'Ctrl+z': 'undo',
  'Ctrl+Shift+z': 'redo',
  'Ctrl+y': 'redo',
  'Ctrl+l': 'path',
  'Alt+d': 'path',
  'Alt+p': 'panel',
  'Alt+Enter': 'panel',
  'Alt+1': 'list',
  'Alt+2': 'grid',
  'Alt+3': 'gallery',
  'Ctrl+u': 'upload',
  'Ctrl+f': 'filter',
  'Alt+m': 'create',
  'Alt+ArrowUp': 'up',
  'Alt+ArrowLeft': 'back',
  'Alt+ArrowRight': 'forward',
}

/** Those that work wherever the keyboard is, outside of fields and dialogs. */
export const pageActions: readonly KeyAction[] = [
  'up',
  'back',
  'forward',
  'refresh',
  'undo',
  'redo',
  'filter',
  'path',
  'panel',
  'list',
  'grid',
  'gallery',
  'upload',
  'create',
]

type Keys = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** What these keys ask for, if anything. */
export function actionOf({ key, altKey, ctrlKey, metaKey, shiftKey }: Keys): KeyAction | undefined {
  const plain = key.length === 1 ? key.toLowerCase() : key
  return keys[`${altKey ? 'Alt+' : ''}${ctrlKey || metaKey ? 'Ctrl+' : ''}${shiftKey ? 'Shift+' : ''}${plain}`]
}

/** Whether keys are letters there. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}
