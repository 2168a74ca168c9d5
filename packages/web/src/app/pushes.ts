// Pushes about the session itself.
import { limits } from '@cloudoc/domain'
import type { PushReactions } from '../core/area/area.ts'
import { currentLocale, t } from '../core/i18n/i18n.ts'
import { userAgentLabel } from '../core/page/user-agent.ts'
import { forgetUnlessAutomatic } from '../core/session/remembered-logins.ts'
import { endSession, reloadSettings, sessionStore } from '../core/session/session.ts'
import { messageBox } from '../core/windows/boxes.ts'
import { redirectToLogin } from './login-redirect.ts'

export const pushes = {
  loginElsewhere: ({ time, agent = '' }) => {
    setTimeout(() => void forceOffline(time, agent), limits.otherLoginDelayMs)
  },
  settingsChanged: () => {
    // All open pages receive the push at the same time. A random delay spreads their requests.
    setTimeout(() => void reloadSettings().catch(() => undefined), Math.random() * limits.settingsSpreadMs)
  },
} satisfies PushReactions

/** The account signed in elsewhere, so this page's session has ended ([R034]). Says what to do about it. */
async function forceOffline(at: number, agent: string): Promise<void> {
  const account = sessionStore.getState().session?.account.account
  endSession()
  if (account !== undefined) await forgetUnlessAutomatic(account)
  const time = new Date(at).toLocaleTimeString(currentLocale(), { hour: '2-digit', minute: '2-digit' })
  const device = userAgentLabel(agent)
  await messageBox({
    title: t('elsewhere.title'),
    icon: 'warning',
    text: t('elsewhere.text'),
    detail: t('elsewhere.more', { time: device === '' ? time : t('elsewhere.device', { time, device }) }),
    locked: true,
    buttons: [{ id: 'again', text: t('elsewhere.again'), kind: 'primary' }],
  })
  redirectToLogin()
}
