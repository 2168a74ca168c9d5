// Leads the administrator of a new installation to the first set-up, once per visit, and never away from a requested
// address.
import { sessionStore } from '../../core/session/session.ts'

export const setupPath = '/doc/setup'
const postponedKey = 'setup-left'

/** Whether the signed-in user should set up the installation. */
export function isSetupDue(): boolean {
  const { session } = sessionStore.getState()
  return session !== undefined && session.serverSetting.setup_open && session.permission.powers.includes('system')
}

export function redirectToSetup(navigate: (path: string) => void): void {
  if (!isSetupDue() || sessionStorage.getItem(postponedKey) !== null) return
  if (location.pathname.startsWith('/doc/folder')) navigate(setupPath)
}

/** Postpones the set-up until the next visit. */
export function postponeSetup(): void {
  sessionStorage.setItem(postponedKey, '1')
}
