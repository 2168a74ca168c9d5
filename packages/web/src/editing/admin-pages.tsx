// The administration pages of editing.

import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { PeopleEdit20Regular } from '../kit/icons.ts'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'editing',
    group: 'operation',
    order: 30,
    icon: <PeopleEdit20Regular />,
    label: 'company.editing',
    power: 'system',
    component: lazyPage(() => import('./administration/editing-page.tsx'), 'EditingPage'),
  },
]
