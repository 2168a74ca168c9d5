// Addresses of this installation that are given to others: in copied links, mails and QR codes.
import { t } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { sessionStore } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'

/** Names and addresses of the own machine: nobody else reaches them. */
const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|.*\.localhost)$/

/**
 * Returns the absolute address of a path of this installation: with the public address that the administrator has set,
 * otherwise with the address that this page was opened by.
 */
export function publicAddress(path: string): string {
  const base = sessionStore.getState().session?.setting.web_context ?? ''
  return new URL(path, URL.canParse(base) ? base : location.origin).href
}

/** Whether an address can be opened on this machine alone. */
export const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname)

/** Copies an address for others, or a text with it, and says so if it cannot be opened on other machines. */
export async function copyAddress(url: string, text = url): Promise<void> {
  await copyText(text)
  if (isLoopback(url)) toast({ kind: 'warning', key: 'loopback', durationMs: 8000, text: t('copy.loopback') })
}
