// The pages of workflows, and the column beside them.
import type { AreaRoute, Side } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

const load = () => import('./lists/process-list.tsx')

export const routes: readonly AreaRoute[] = [
  { path: 'cooperate/workflow-creation', page: lazyPage(load, 'CreationList') },
  { path: 'cooperate/workflow-pending', page: lazyPage(load, 'PendingList') },
  { path: 'cooperate/workflow-circulating', page: lazyPage(load, 'CirculatingList') },
  { path: 'cooperate/workflow-archived', page: lazyPage(load, 'ArchivedList') },
]

const pane = lazyPage(() => import('./lists/pane.tsx'), 'WorkflowPane')

/** One column beside all lists of the module, with those of signing, follow-ups and requests. */
export const sides: readonly Side[] = [
  '/doc/folder/cooperate/workflow-',
  '/doc/folder/cooperate/sign-',
  '/doc/folder/cooperate/urge-',
  '/doc/folder/share/auth-',
  '/doc/folder/share/download-',
].map((path) => ({ path, label: 'workflow.pane', pane }))
