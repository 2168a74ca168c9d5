// The contribution of the drive area to the product.
import type { FrameParts, PushReactions } from '../core/area/area.ts'
import { mainServer } from '../core/call/api.ts'
import { queryClient } from '../core/call/query.ts'
import { onCommentsChanged } from './comments/comment-updates.ts'
import { SearchBox } from './search/search-box.tsx'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)
export { menu } from './menu.ts'
export { notices } from './notices.tsx'
export { rail, routes, sides } from './pages.tsx'
export { startLinkedServers as start } from './tree/linked-start.ts'
export { driveWindows as windows } from './windows.ts'

export const frame: FrameParts = { search: SearchBox }

export const pushes = {
  commentsChanged: (item) => onCommentsChanged({ ...mainServer, ...item }),
  spaceRefresh: (space) => queryClient.setQueryData(['drive', 'space'], space),
  downloadAudit: () => void queryClient.invalidateQueries({ queryKey: ['company'] }),
} satisfies PushReactions
