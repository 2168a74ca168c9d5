// The pages of this area; each comes when it is shown.
import {
  BoxMultiple20Regular,
  ChartMultiple20Regular,
  DocumentPerson20Regular,
  DocumentTable20Regular,
  Drop20Regular,
  Link20Regular,
  PeopleEdit20Regular,
} from '@fluentui/react-icons'
import type { AdminPage, AreaRoute } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { setupPath } from './setup/lead.ts'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'overview',
    group: 'top',
    order: 10,
    icon: <ChartMultiple20Regular />,
    label: 'company.overview',
    power: ['system', 'security', 'audit'],
    component: lazyPage(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
  },
  {
    page: 'libraries',
    group: 'organisation',
    order: 30,
    icon: <BoxMultiple20Regular />,
    label: 'company.libraries',
    power: 'system',
    component: lazyPage(() => import('../drive/libraries/libraries-page.tsx'), 'LibrariesPage'),
  },
  {
    page: 'links',
    group: 'policy',
    order: 30,
    icon: <Link20Regular />,
    label: 'company.links',
    power: ['security', 'audit'],
    component: lazyPage(() => import('../sharing/administration/links-page.tsx'), 'LinksPage'),
  },
  {
    page: 'watermarks',
    group: 'policy',
    order: 40,
    icon: <Drop20Regular />,
    label: 'company.watermarks',
    power: 'security',
    component: lazyPage(() => import('../viewing/watermarks/watermarks-page.tsx'), 'WatermarksPage'),
  },
  {
    page: 'access',
    group: 'audit',
    order: 20,
    icon: <DocumentPerson20Regular />,
    label: 'company.access',
    power: 'audit',
    component: lazyPage(() => import('../drive/access/access-page.tsx'), 'AccessPage'),
  },
  {
    page: 'reports',
    group: 'operation',
    order: 20,
    icon: <DocumentTable20Regular />,
    label: 'company.reports',
    power: ['system', 'audit'],
    component: lazyPage(() => import('./reports/reports-page.tsx'), 'ReportsPage'),
  },
  {
    page: 'editing',
    group: 'operation',
    order: 30,
    icon: <PeopleEdit20Regular />,
    label: 'company.editing',
    power: 'system',
    component: lazyPage(() => import('../editing/administration/editing-page.tsx'), 'EditingPage'),
  },
]

export const routes: readonly AreaRoute[] = [
  { path: setupPath, page: lazyPage(() => import('./setup/setup-page.tsx'), 'SetupPage') },
]
