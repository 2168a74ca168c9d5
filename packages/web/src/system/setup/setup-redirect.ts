// Leads the administrator of a new installation to the first set-up, once per visit, and never away from a requested
// address.
import { sessionStore } from '../../core/session/session.ts'

export const setupPath = '/doc/setup'
const postponedKey = 'setup-left'

/** Whether the signed-in user may set up the installation, or do the steps that were left for later. */
export function isSetupDue(): boolean {
  const { session } = sessionStore.getState()
  if (session === undefined || !session.permission.powers.includes('system')) return false
  return session.serverSetting.setup_open || session.serverSetting.setup_skipped.length > 0
}

export function redirectToSetup(navigate: (path: string) => void): void {
  const isOpen = sessionStore.getState().session?.serverSetting.setup_open === true
  if (!isSetupDue() || !isOpen || sessionStorage.getItem(postponedKey) !== null) return
  if (location.pathname.startsWith('/doc/folder')) navigate(setupPath)
}

/** Postpones the set-up until the next visit. */
export function postponeSetup(): void {
  sessionStorage.setItem(postponedKey, '1')
}
