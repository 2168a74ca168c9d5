// The sharing area: external links.
import type { PushReactions } from '../core/area/area.ts'
import { queryClient } from '../core/call/query.ts'
import { refetchLinks } from './links/link-queries.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)
export { refetchLinks as refetch } from './links/link-queries.ts'
export { linkMenu as menu } from './links/menu.tsx'
export { notices } from './links/notices.tsx'
export { routes } from './pages.tsx'
export { sharingWindows as windows } from './windows.ts'

export const pushes = {
  linkVisited: refetchLinks,
  linkReported: () => void queryClient.invalidateQueries({ queryKey: ['company'] }),
} satisfies PushReactions
