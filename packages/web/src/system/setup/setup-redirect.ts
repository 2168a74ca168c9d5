// Leads the administrator of a new installation to the first set-up, once for each visit, and never away from an address
// that they asked for.
import { sessionStore } from '../../core/session/session.ts'

export const setupPath = '/doc/setup'
const postponedKey = 'setup-left'

/** Whether the installation is still to be set up, by who is signed in. */
export function isSetupDue(): boolean {
  const { session } = sessionStore.getState()
  return session !== undefined && session.serverSetting.setup_open && session.permission.powers.includes('system')
}

export function redirectToSetup(navigate: (path: string) => void): void {
  if (!isSetupDue() || sessionStorage.getItem(postponedKey) !== null) return
  if (location.pathname.startsWith('/doc/folder')) navigate(setupPath)
}

/** It is gone on with later: not before the next visit. */
export function postponeSetup(): void {
  sessionStorage.setItem(postponedKey, '1')
}
