// What the licences in the settings permit now: state, seats, libraries (ADR 0269).
import type { InstallationSetting } from '@cloudoc/contract'
import type { CodeName } from '@cloudoc/domain'

const dayMs = 24 * 60 * 60_000

type Settings = Pick<InstallationSetting, 'inner'>
type Licence = InstallationSetting['inner']['licences'][number]

export type LicenceState = 'valid' | 'grace' | 'expired'

/** The state of one licence. One that begins later is not in force yet, which is the same as being over. */
export function stateOf({ from, until, graceDays }: Licence, now: number): LicenceState {
  if (now < from) return 'expired'
  if (until === 0 || now < until) return 'valid'
  return now < until + graceDays * dayMs ? 'grace' : 'expired'
}

/** Why changes are refused now: the licence of the server (-238) or of the company (-46) is over. */
export function expiredLicence({ inner }: Settings, now: number): CodeName | undefined {
  const over = inner.licences.filter((licence) => stateOf(licence, now) === 'expired').map(({ scope }) => scope)
  if (over.includes('system')) return 'systemLicenceExpired'
  return over.includes('company') ? 'licenceExpired' : undefined
}

/** The lowest of several limits, in which 0 means none. */
function lowest(limits: readonly number[]): number {
  const set = limits.filter((limit) => limit > 0)
  return set.length === 0 ? 0 : Math.min(...set)
}

/** How many accounts there may be, by the company's own limit and its licences; 0: any number. */
export function accountLimitOf(settings: Pick<InstallationSetting, 'inner' | 'account_limit'>): number {
  return lowest([settings.account_limit, ...settings.inner.licences.map(({ seats }) => seats)])
}

/** How many shared libraries there may be, by the company's own limit and its licences; 0: any number. */
export function libraryLimitOf(settings: Pick<InstallationSetting, 'inner' | 'workspace_count'>): number {
  return lowest([settings.workspace_count, ...settings.inner.licences.map(({ workspaces }) => workspaces)])
}
