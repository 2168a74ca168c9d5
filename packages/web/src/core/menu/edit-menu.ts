// The context menu of text fields ([R065]): undo, redo, cut, copy, paste, select all. Select boxes and fields without
// text keep the browser's menu.
import { t } from '../i18n/i18n.ts'
import { type MenuEntry, showMenu } from './menu.ts'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLElement

const textTypes = ['text', 'search', 'url', 'tel', 'email', 'password', 'number']

function fieldAt(target: EventTarget | null): Field | undefined {
  if (!(target instanceof Element)) return undefined
  const field = target.closest('input, textarea, [contenteditable=""], [contenteditable=true]')
  if (field instanceof HTMLInputElement) return textTypes.includes(field.type) && !field.disabled ? field : undefined
  if (field instanceof HTMLTextAreaElement) return field.disabled ? undefined : field
  return field instanceof HTMLElement ? field : undefined
}

/** Deprecated, but the only API that preserves the browser's undo history and works over plain HTTP. */
export function command(name: string, text = ''): boolean {
  const run: unknown = Reflect.get(document, 'execCommand')
  return typeof run === 'function' && Reflect.apply(run, document, [name, false, text]) === true
}

function hasSelection(field: Field): boolean {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    // A number field does not expose its selection.
    return field.selectionStart === null || field.selectionStart !== field.selectionEnd
  }
  return document.getSelection()?.isCollapsed === false
}

async function paste(): Promise<void> {
  try {
    command('insertText', await navigator.clipboard.readText())
  } catch {
    // The user denied access to the clipboard.
  }
}

/** The menu entries for a field in its current state. */
export function editEntries(field: Field): MenuEntry[] {
  const isInput = field instanceof HTMLInputElement
  const fixed = (isInput || field instanceof HTMLTextAreaElement) && field.readOnly
  const secret = isInput && field.type === 'password'
  const selected = hasSelection(field)
  const canRead = window.isSecureContext && 'clipboard' in navigator
  return [
    { id: 'undo', label: t('edit.undo'), hint: 'Ctrl+Z', disabled: fixed, run: () => void command('undo') },
    { id: 'redo', label: t('edit.redo'), hint: 'Ctrl+Y', disabled: fixed, run: () => void command('redo') },
    { separator: true },
    {
      id: 'cut',
      label: t('edit.cut'),
      hint: 'Ctrl+X',
      disabled: fixed || secret || !selected,
      run: () => void command('cut'),
    },
    {
      id: 'copy',
      label: t('edit.copy'),
      hint: 'Ctrl+C',
      disabled: secret || !selected,
      run: () => void command('copy'),
    },
    {
      id: 'paste',
      label: t('edit.paste'),
      hint: 'Ctrl+V',
      disabled: fixed || !canRead,
      ...(!canRead && { reason: t('edit.pasteByKey') }),
      run: () => void paste(),
    },
    { separator: true },
    { id: 'selectAll', label: t('edit.selectAll'), hint: 'Ctrl+A', run: () => void command('selectAll') },
  ]
}

/** Shows the menu for every text field. */
export function offerEditMenu(): void {
  window.addEventListener('contextmenu', (event) => {
    const field = fieldAt(event.target)
    if (field === undefined || event.defaultPrevented) return
    event.preventDefault()
    if (document.activeElement !== field) field.focus()
    void showMenu(editEntries(field), { x: event.clientX, y: event.clientY })
  })
}
