// Copies a text to the clipboard, also on pages without a secure context and so without the asynchronous clipboard API
// (plain HTTP at an intranet address).

import { t } from '../i18n/i18n.ts'
import { toast } from '../toast/toast.ts'

/** Copies the text, and shows whether it worked. */
export async function copyText(text: string): Promise<void> {
  const done = (await copyByApi(text)) || copyByField(text)
  toast({ kind: done ? 'success' : 'error', text: t(done ? 'copy.done' : 'copy.failed') })
}

async function copyByApi(text: string): Promise<boolean> {
  if (!window.isSecureContext) return false
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

function copyByField(text: string): boolean {
  const active = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position:fixed;opacity:0'
  document.body.append(field)
  field.select()
  // Deprecated, but the only API that works over plain HTTP.
  const copy: unknown = Reflect.get(document, 'execCommand')
  const done = typeof copy === 'function' && Reflect.apply(copy, document, ['copy']) === true
  field.remove()
  if (active instanceof HTMLElement) active.focus({ preventScroll: true })
  return done
}
