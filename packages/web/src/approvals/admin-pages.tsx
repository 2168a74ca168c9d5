// The administration pages of approvals. Loaded with the administration; each page is loaded when it is shown.

import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { DocumentSearch20Regular, PeopleCheckmark20Regular, ShieldTask20Regular } from '../kit/icons.ts'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'operations',
    group: 'policy',
    order: 38,
    icon: <ShieldTask20Regular />,
    label: 'company.operations',
    power: 'security',
    component: lazyPage(() => import('./operations/operation-rules-page.tsx'), 'OperationRulesPage'),
  },
  {
    page: 'approvers',
    group: 'policy',
    order: 37,
    icon: <PeopleCheckmark20Regular />,
    label: 'approversPage.title',
    power: 'security',
    component: lazyPage(() => import('./approvers/approvers-page.tsx'), 'ApproversPage'),
  },
  {
    page: 'sensitive',
    group: 'policy',
    order: 40,
    icon: <DocumentSearch20Regular />,
    label: 'company.sensitive',
    power: 'security',
    component: lazyPage(() => import('./sensitive/rules-page.tsx'), 'SensitiveRulesPage'),
  },
]
