// Pushes about the session itself.
import { limits } from '@cloudoc/domain'
import type { PushReactions } from '../core/area/area.ts'
import { t } from '../core/i18n/i18n.ts'
import { forgetUnlessAutomatic } from '../core/session/remembered-logins.ts'
import { endSession, reloadSettings, sessionStore } from '../core/session/session.ts'
import { messageBox } from '../core/windows/boxes.ts'
import { redirectToLogin } from './login-redirect.ts'

export const pushes = {
  loginElsewhere: () => {
    setTimeout(() => void forceOffline(), limits.otherLoginDelayMs)
  },
  settingsChanged: () => {
    // All open pages receive the push at the same time. A random delay spreads their requests.
    setTimeout(() => void reloadSettings().catch(() => undefined), Math.random() * limits.settingsSpreadMs)
  },
} satisfies PushReactions

/** The account signed in elsewhere, so this page's session has ended ([R034]). */
async function forceOffline(): Promise<void> {
  const account = sessionStore.getState().session?.account.account
  endSession()
  if (account !== undefined) await forgetUnlessAutomatic(account)
  await messageBox({
    title: t('elsewhere.title'),
    icon: 'warning',
    text: t('elsewhere.text'),
    locked: true,
    buttons: [{ id: 'again', text: t('elsewhere.again'), kind: 'primary' }],
  })
  redirectToLogin()
}
