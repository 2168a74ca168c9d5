/*
 * Clears the data stored in this browser ([R040]) in the documented order: saved logins, sign-out, saved logins again
 * (which the sign-out may have written), everything else. Then the page is reloaded.
 */
import { limits } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'
import { deleteKey } from '../../core/session/remembered-logins.ts'
import { endSession, sessionStore } from '../../core/session/session.ts'
import { clearBrowser } from '../../core/storage/clear.ts'
import { forgetLogin, savedLogins } from '../../core/storage/logins.ts'

async function clearLogins(): Promise<void> {
  for (const { account } of await savedLogins()) await forgetLogin(account)
}

export async function clearCache(relaunch: () => void = () => location.assign('/doc/login')): Promise<void> {
  const { session } = sessionStore.getState()
  // Revokes the key of the saved login on the server as well.
  if (session !== undefined) await deleteKey(session.account.account)
  await clearLogins()
  try {
    await api.logout2({}, { quiet: true, probe: true, timeoutMs: limits.logoutTimeoutMs })
  } catch {
    // The browser data is cleared even if the server call fails.
  }
  endSession()
  await clearLogins()
  await clearBrowser(session?.account.accountId)
  relaunch()
}
