import { t } from '../../core/i18n/i18n.ts'
import { messageBox } from '../../core/windows/boxes.ts'

/**
 * Opens a link in a new page of the browser. A browser that refuses is reported, with what to check ([R230]). The link
 * is served by this installation, so the new page may know its opener; with `noopener` a refusal could not be seen.
 */
export function openLink(url: string): void {
  if (window.open(url, '_blank') === null)
    void messageBox({ title: t('links.open'), icon: 'error', text: t('links.notOpened') })
}
