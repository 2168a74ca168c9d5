/*
 * Clears what this browser keeps ([R040]), in the documented order: the login records, out, the login records once more (what
 * signing out has written), everything else, and the program begins anew.
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
  // The key of this login ends at the server as well.
  if (session !== undefined) await deleteKey(session.account.account)
  await clearLogins()
  try {
    await api.logout2({}, { quiet: true, probe: true, timeoutMs: limits.logoutTimeoutMs })
  } catch {
    // Whatever the server says, the browser forgets.
  }
  endSession()
  await clearLogins()
  await clearBrowser(session?.account.accountId)
  relaunch()
}
