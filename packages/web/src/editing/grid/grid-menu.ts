// The context menu of grid cells: copy, cut, paste, clear.
import { t } from '../../core/i18n/i18n.ts'
import { command } from '../../core/menu/edit-menu.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'

interface CellMenuOptions {
  /** The field that receives keyboard and clipboard events. */
  readonly field: HTMLTextAreaElement
  readonly isEditable: boolean
  readonly paste: (clip: { readonly text: string; readonly html: string; readonly isPlain: boolean }) => void
  readonly clear: () => void
}

/** The browser copies only if the field has a selection; the grid provides the data in the copy event. */
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

export function cellEntries({ field, isEditable, paste, clear }: CellMenuOptions): MenuEntry[] {
  const canRead = window.isSecureContext && 'clipboard' in navigator
  const pasting = async (isPlain: boolean): Promise<void> => {
    try {
      paste({ ...(await clipboardNow()), isPlain })
    } catch {
      // The user has denied clipboard access.
    }
    field.focus({ preventScroll: true })
  }
  const byKey = canRead ? {} : { reason: t('edit.pasteByKey') }
  const disabled = !canRead
  const copy = { id: 'copy', label: t('edit.copy'), hint: 'Ctrl+C', run: () => fromField(field, 'copy') }
  // A read-only grid can only be copied.
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
