// The administration of the installation: overview, reports, settings, audit, and the first set-up.
import type { AreaSession, PushReactions } from '../core/area/area.ts'
import { queryClient } from '../core/call/query.ts'
import { watchDrafts } from './settings/setting-drafts.ts'
import { redirectToSetup } from './setup/setup-redirect.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)
export { routes } from './pages.tsx'
export { systemWindows as windows } from './windows.ts'

function fetchAgain(): void {
  void queryClient.invalidateQueries({ queryKey: ['company'] })
  void queryClient.invalidateQueries({ queryKey: ['admin'] })
}

export const pushes = { settingsChanged: fetchAgain } satisfies PushReactions
export const refetch = fetchAgain

export function start({ navigate }: AreaSession): () => void {
  redirectToSetup(navigate)
  return watchDrafts()
}
