// The administrator has this device forget what it keeps ([R047], -50): the session that was here says so with its next call.
import { api } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { accountOfBrowser } from '../core/session/session.ts'
import { clearBrowser } from '../core/storage/clear.ts'
import { messageBox } from '../core/windows/boxes.ts'
import { loginPath } from './login-redirect.ts'

let wiping = false

/** Forgets everything, says so to the server, and leads to the login page. */
export async function wipe(): Promise<void> {
  if (wiping) return
  wiping = true
  await clearBrowser(accountOfBrowser())
  // Until the server has heard it, the next page of this browser is told to forget again.
  await api.confirmWipe({}, { quiet: true }).catch(() => undefined)
  await messageBox({ icon: 'warning', text: t('wipe.done'), locked: true })
  location.assign(loginPath)
}
