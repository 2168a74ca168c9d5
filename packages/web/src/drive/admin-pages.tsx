// The drive's pages in the administration. Loaded with the administration; each page is loaded when it is shown.

import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { BoxMultiple20Regular, CalendarClock20Regular, DocumentPerson20Regular, Scales20Regular } from '../kit/icons.ts'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'libraries',
    group: 'organisation',
    order: 30,
    icon: <BoxMultiple20Regular />,
    label: 'company.libraries',
    power: 'system',
    component: lazyPage(() => import('./libraries/libraries-page.tsx'), 'LibrariesPage'),
  },
  {
    page: 'retention',
    group: 'organisation',
    order: 35,
    icon: <CalendarClock20Regular />,
    label: 'retentionPage.title',
    power: 'system',
    component: lazyPage(() => import('./retention/retention-page.tsx'), 'RetentionPage'),
  },
  {
    page: 'access',
    group: 'audit',
    order: 20,
    icon: <DocumentPerson20Regular />,
    label: 'company.access',
    power: 'audit',
    component: lazyPage(() => import('./access/access-page.tsx'), 'AccessPage'),
  },
  {
    page: 'holds',
    group: 'audit',
    order: 30,
    icon: <Scales20Regular />,
    label: 'holdPage.title',
    power: 'audit',
    component: lazyPage(() => import('./holds/holds-page.tsx'), 'HoldsPage'),
  },
]
