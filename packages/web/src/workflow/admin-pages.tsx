// The administration of workflows: the templates and their editor.

import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { Branch20Regular } from '../kit/icons.ts'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'workflow',
    group: 'policy',
    order: 40,
    icon: <Branch20Regular />,
    label: 'workflow.manage.title',
    power: ['system', 'security'],
    component: lazyPage(() => import('./editor/workflow-page.tsx'), 'WorkflowPage'),
  },
]
