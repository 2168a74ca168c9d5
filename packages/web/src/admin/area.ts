// The administration: its frame, and its own pages. Pages of other areas stand in it as well.
import type { PushReactions } from '../core/area/area.ts'
import { queryClient } from '../core/call/query.ts'
import { watchDrafts } from '../system/settings/drafts.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { rail, routes, sides } from './frame/frame.tsx'
export { adminPages } from './pages.tsx'

const fetchAgain = (): void => void queryClient.invalidateQueries({ queryKey: ['admin'] })

export const pushes = { settingsChanged: fetchAgain } satisfies PushReactions
export const refetch = fetchAgain
export const start = watchDrafts
