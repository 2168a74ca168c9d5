// Start-up before the first page, in named phases: appearance, joins, session. Then, if a user is signed in, the parts
// that need a session.
import { connectApi, unknownCallText } from '../core/call/api.ts'
import { followLocale, t } from '../core/i18n/i18n.ts'
import { offerEditMenu } from '../core/menu/edit-menu.ts'
import { loadChunk } from '../core/page/chunks.tsx'
import { connectionStore } from '../core/push/connection.ts'
import type { Channel } from '../core/push/push-client.ts'
import { registerSignIn, signedInServers, unregisterSignIn } from '../core/session/local-state.ts'
import { deleteKey } from '../core/session/remembered-logins.ts'
import {
  accountOfBrowser,
  connectSession,
  isTakenByAnother,
  renewFactor,
  renewPassword,
  renewSession,
  type Session,
  sessionStore,
} from '../core/session/session.ts'
import { followDensity } from '../core/theme/density.ts'
import { followSkin } from '../core/theme/theme.ts'
import { toast } from '../core/toast/toast.ts'
import { messageBox } from '../core/windows/boxes.ts'
import { openWindow } from '../core/windows/index.ts'
import { showUncaught } from './errors.ts'
import { blockSideButtons } from './history-buttons.ts'
import { joinInitialAreas, loadSignedIn } from './join-areas.ts'
import { homePath, loginPath, redirectToLogin } from './login-redirect.ts'
import { maintenanceStore } from './maintenance-store.ts'
import { wipe } from './wipe.ts'

const offlineData = () => loadChunk(() => import('./offline/visited-folders.ts'))

/** The push channel, opened when a session needs it. */
let channel: Promise<Channel | undefined> | undefined

/**
 * Schemas are checked without compiled functions, which the page's policy forbids: Firefox reports each try as an error.
 * Read by zod when it is loaded, after the first page, so that `z.config` would come too late or bring it here.
 */
const withoutCompiling = (): void => void Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

/** Appearance and joins. Needs no server. */
export function prepare(): void {
  withoutCompiling()
  joinInitialAreas()
  followSkin()
  followDensity()
  followLocale()
  showUncaught()
  blockSideButtons()
  offerEditMenu()
  connectApi({
    renewSession,
    renewPassword,
    renewFactor,
    redirecting: () => void messageBox({ icon: 'warning', text: t('api.redirecting') }),
    unknownCall: (name) => toast({ kind: 'error', text: unknownCallText(name) }),
    wiped: () => void wipe(),
    maintained: (message) => maintenanceStore.setState({ message }),
    reached: (reached) => connectionStore.setState({ reached }),
    slow: (by) => connectionStore.setState(({ slow }) => ({ slow: slow + by })),
  })
  connectSession({
    askPassword: async ({ account }) => {
      const answered = (await openWindow('cloudoc-session-expired', { account, another: isTakenByAnother() })) === true
      if (answered) void channel?.then((open) => open?.reopen())
      return answered
    },
    changePassword: async (account) => (await openWindow('cloudoc-change-password', { account, due: true })) === true,
    setUpSecondFactor: async () => {
      await loadSignedIn()
      return (await openWindow('cloudoc-second-factor', {})) === true
    },
    signingOut: async ({ account, accountId }) => {
      unregisterSignIn(location.origin)
      const { forgetAllOf } = await offlineData()
      await Promise.all([deleteKey(account), forgetAllOf(accountId)])
    },
    lost: (accountId) => void offlineData().then((data) => data.forgetAllOf(accountId)),
    leave: ({ reason, page }) => void leave(reason, page),
  })
  sessionStore.subscribe(({ session, ended }, before) => {
    if (session !== undefined && session !== before.session) void takeUp(session)
    if (ended && !before.ended) void channel?.then((open) => open?.close())
  })
  // Loads the signed-in parts in parallel with the session request. A failed load is repeated when it is needed.
  if (accountOfBrowser() !== undefined) loadSignedIn().catch(() => undefined)
}

async function leave(reason: 'expired' | 'another' | 'signedOut', page: string): Promise<void> {
  if (reason === 'another') return location.assign(homePath)
  if (reason === 'signedOut') return location.assign(page === '' ? loginPath : page)
  await messageBox({ icon: 'warning', text: t('expired.left'), locked: true })
  redirectToLogin()
}

async function takeUp(session: Session): Promise<void> {
  const { accountId, accountName } = session.account
  const before = signedInServers().find(({ address }) => address === location.origin)
  registerSignIn({ address: location.origin, accountId })
  if (before !== undefined && before.accountId !== accountId) toast({ text: t('app.nowAs', { name: accountName }) })
  const { openChannel } = await loadSignedIn()
  channel ??= openChannel(session)
}
