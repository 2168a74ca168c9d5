// Remote wipe: an administrator has this device delete its stored data ([R047], -50). The next call of the session
// reports the order.
import { api } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { accountOfBrowser } from '../core/session/session.ts'
import { clearBrowser } from '../core/storage/clear.ts'
import { messageBox } from '../core/windows/boxes.ts'
import { loginPath } from './login-redirect.ts'

let wiping = false

/** Deletes all stored data, confirms it to the server, and goes to the login page. */
export async function wipe(): Promise<void> {
  if (wiping) return
  wiping = true
  await clearBrowser(accountOfBrowser())
  // Until the server has received the confirmation, the next page of this browser gets the wipe order again.
  await api.confirmWipe({}, { quiet: true }).catch(() => undefined)
  await messageBox({ icon: 'warning', text: t('wipe.done'), locked: true })
  location.assign(loginPath)
}
