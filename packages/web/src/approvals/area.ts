// The approvals area: requesting permissions, deciding on requests, and the request history.
import type { AreaSession, PushReactions } from '../core/area/area.ts'
import { refetch as refetchLinks } from '../sharing/area.ts'
import { applicationMenu } from './applications/menu.tsx'
import { notifyReply } from './authorization/authorization-queries.ts'
import { authorizationMenu } from './authorization/menu.tsx'
import { notices as requestNotices } from './authorization/notices.tsx'
import { downloadNotices } from './downloads/notices.tsx'
import { refetchRequests, setNavigate } from './review/review-queries.ts'
import { sensitiveNotices } from './sensitive/notices.tsx'
import { zh } from './texts.zh.ts'
import { urgeMenu } from './urging/menu.tsx'
import { urgeNotices } from './urging/notices.tsx'

export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)
export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const notices = { ...requestNotices, ...downloadNotices, ...sensitiveNotices, ...urgeNotices }
export const menu = [...authorizationMenu, ...applicationMenu, ...urgeMenu]
export { rail, routes, securityPages, sides } from './pages.tsx'
export { refetchRequests as refetch } from './review/review-queries.ts'
export { approvalWindows as windows } from './windows.ts'

export const pushes = {
  authorizationApply: refetchRequests,
  moreDownloads: refetchRequests,
  urgeRemind: refetchRequests,
  urgeChanged: refetchRequests,
  remindersDue: refetchRequests,
  sensitiveFile: refetchRequests,
  operateApplication() {
    refetchRequests()
    refetchLinks()
  },
  authorizationReply(reply) {
    refetchRequests()
    void notifyReply(reply)
  },
} satisfies PushReactions

export function start({ navigate }: AreaSession): () => void {
  return setNavigate(navigate)
}
