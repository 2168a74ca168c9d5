// The administration of the installation: overview, reports, settings, audit, and the first set-up.
import type { AreaSession, FrameParts, PushReactions } from '../core/area/area.ts'
import { queryClient } from '../core/call/query.ts'
import { AnnouncementBanner, bannerKey } from './announcements/banner.tsx'
import { systemNotices } from './notices.tsx'
import { watchDrafts } from './settings/setting-drafts.ts'
import { redirectToSetup } from './setup/setup-redirect.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)
export const notices = systemNotices
export { routes } from './pages.tsx'
export { systemWindows as windows } from './windows.ts'

function fetchAgain(): void {
  void queryClient.invalidateQueries({ queryKey: ['company'] })
  void queryClient.invalidateQueries({ queryKey: ['admin'] })
  void queryClient.invalidateQueries({ queryKey: bannerKey })
}

export const frame: FrameParts = { strip: AnnouncementBanner }

export const pushes = {
  settingsChanged: fetchAgain,
  announcementsChanged: () => void queryClient.invalidateQueries({ queryKey: bannerKey }),
} satisfies PushReactions
export const refetch = fetchAgain

export function start({ navigate }: AreaSession): () => void {
  redirectToSetup(navigate)
  return watchDrafts()
}
