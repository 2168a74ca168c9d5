// The menu of the cells of a grid: what goes out of them, into them, and what is taken out of them.
import { t } from '../../core/i18n/i18n.ts'
import { command } from '../../core/menu/edit-menu.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'

interface CellMenuOptions {
  /** Where keys and the clipboard go. */
  readonly field: HTMLTextAreaElement
  readonly isEditable: boolean
  readonly paste: (clip: { readonly text: string; readonly html: string; readonly isPlain: boolean }) => void
  readonly clear: () => void
}

/** What is copied has to be selected in the field, as nothing is copied otherwise; the grid says what it is. */
function fromField(field: HTMLTextAreaElement, what: 'cut' | 'copy'): void {
  field.focus({ preventScroll: true })
  field.value = ' '
  field.select()
  command(what)
  field.value = ''
}

async function clipboardNow(): Promise<{ readonly text: string; readonly html: string }> {
  const [item] = await navigator.clipboard.read()
  const of = async (type: string): Promise<string> =>
    item?.types.includes(type) === true ? await (await item.getType(type)).text() : ''
  const text = await of('text/plain')
  return { text: text.replaceAll('\r\n', '\n'), html: await of('text/html') }
}

/** The entries. */
export function cellEntries({ field, isEditable, paste, clear }: CellMenuOptions): MenuEntry[] {
  const canRead = window.isSecureContext && 'clipboard' in navigator
  const pasting = async (isPlain: boolean): Promise<void> => {
    try {
      paste({ ...(await clipboardNow()), isPlain })
    } catch {
      // The person did not let the page read the clipboard.
    }
    field.focus({ preventScroll: true })
  }
  const byKey = canRead ? {} : { reason: t('edit.pasteByKey') }
  const disabled = !canRead
  const copy = { id: 'copy', label: t('edit.copy'), hint: 'Ctrl+C', run: () => fromField(field, 'copy') }
  // What is read is copied, and no more.
  if (!isEditable) return [copy]
  return [
    { id: 'cut', label: t('edit.cut'), hint: 'Ctrl+X', run: () => fromField(field, 'cut') },
    copy,
    { id: 'paste', label: t('edit.paste'), hint: 'Ctrl+V', disabled, ...byKey, run: () => void pasting(false) },
    {
      id: 'pastePlain',
      label: t('grid.pastePlain'),
      hint: 'Ctrl+Shift+V',
      disabled,
      ...byKey,
      run: () => void pasting(true),
    },
    { separator: true },
    { id: 'clear', label: t('grid.clear'), hint: 'Delete', run: clear },
    { separator: true },
  ]
}
