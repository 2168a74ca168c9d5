// Pushes about the session itself.
import { limits } from '@cloudoc/domain'
import type { PushReactions } from '../core/area/area.ts'
import { currentLocale, t } from '../core/i18n/i18n.ts'
import { forgetUnlessAutomatic } from '../core/session/remembered-logins.ts'
import { endSession, reloadSettings, sessionStore } from '../core/session/session.ts'
import { messageBox } from '../core/windows/boxes.ts'
import { redirectToLogin } from './login-redirect.ts'

export const pushes = {
  loginElsewhere: ({ time }) => {
    setTimeout(() => void forceOffline(time), limits.otherLoginDelayMs)
  },
  settingsChanged: () => {
    // All open pages receive the push at the same time. A random delay spreads their requests.
    setTimeout(() => void reloadSettings().catch(() => undefined), Math.random() * limits.settingsSpreadMs)
  },
} satisfies PushReactions

/** The account signed in elsewhere at `time`, so this page's session has ended ([R034]). Says what to do about it. */
async function forceOffline(time: number): Promise<void> {
  const account = sessionStore.getState().session?.account.account
  endSession()
  if (account !== undefined) await forgetUnlessAutomatic(account)
  await messageBox({
    title: t('elsewhere.title'),
    icon: 'warning',
    text: t('elsewhere.text'),
    detail: t('elsewhere.more', {
      time: new Date(time).toLocaleTimeString(currentLocale(), { hour: '2-digit', minute: '2-digit' }),
    }),
    locked: true,
    buttons: [{ id: 'again', text: t('elsewhere.again'), kind: 'primary' }],
  })
  redirectToLogin()
}
