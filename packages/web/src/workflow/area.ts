// The workflow area: sending documents round, and the templates by which they go.
import type { AreaSession, PushReactions } from '../core/area/area.ts'
import { api } from '../core/call/api.ts'
import { workflowMenu } from './lists/menu.tsx'
import { workflowNotices } from './lists/notices.tsx'
import { setNavigate } from './shared/navigate.ts'
import { refetchWorkflows } from './shared/workflow-queries.ts'
import { zh } from './texts.zh.ts'
import { workflowWindows } from './windows.ts'

export const switchedBy = 'workflow'
export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const windows = workflowWindows
export const notices = workflowNotices
export const menu = workflowMenu
export { routes, sides } from './pages.tsx'
export { refetchWorkflows as refetch } from './shared/workflow-queries.ts'
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)

export const pushes = {
  processPlayer: refetchWorkflows,
  processLauncher({ processId, nodeState }) {
    refetchWorkflows()
    // What was the launcher's to do is done: its reminder goes (X52).
    if (nodeState === 1) void api.delLauncherRemind({ processId }, { quiet: true }).catch(() => undefined)
  },
} satisfies PushReactions

export function start({ navigate }: AreaSession): () => void {
  return setNavigate(navigate)
}
