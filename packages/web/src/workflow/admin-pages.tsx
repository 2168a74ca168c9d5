// The administration of workflows: the templates and their editor.
import { Branch20Regular } from '@fluentui/react-icons'
import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

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
