// What approvals add to the product: asking for rights, deciding about it, the way of a request.
import type { PushReactions, StartedFor } from '../core/area/area.ts'
import { refetch as refetchLinks } from '../sharing/area.ts'
import { announcedNotices } from './announced/notices.tsx'
import { refetchRequests, tellReply, walkBy } from './authorization/data.ts'
import { notices as requestNotices } from './authorization/notices.tsx'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const notices = { ...requestNotices, ...announcedNotices }
export { refetchRequests as refetch } from './authorization/data.ts'
export { authorizationMenu as menu } from './authorization/menu.tsx'
export { rail, routes } from './pages.tsx'
export { approvalWindows as windows } from './windows.ts'

export const pushes = {
  authorizationApply: refetchRequests,
  operateApplication() {
    refetchRequests()
    refetchLinks()
  },
  // The rules that it tells of come with the exchange of files.
  exchangeRulesChanged: () => undefined,
  authorizationReply(reply) {
    refetchRequests()
    void tellReply(reply)
  },
} satisfies PushReactions

export function start({ navigate }: StartedFor): () => void {
  return walkBy(navigate)
}
