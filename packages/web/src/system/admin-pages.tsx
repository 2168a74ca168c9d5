// The administration pages of this area. Loaded with the administration; each page is loaded when it is shown.
import {
  Certificate20Regular,
  ChartMultiple20Regular,
  DatabaseArrowDown20Regular,
  DocumentSearch20Regular,
  DocumentTable20Regular,
  Key20Regular,
  Options20Regular,
  ShieldCheckmark20Regular,
} from '@fluentui/react-icons'
import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

const settings = () => import('./settings/settings-page.tsx')

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
    page: 'reports',
    group: 'operation',
    order: 20,
    icon: <DocumentTable20Regular />,
    label: 'company.reports',
    power: ['system', 'audit'],
    component: lazyPage(() => import('./reports/reports-page.tsx'), 'ReportsPage'),
  },
  {
    page: 'backup',
    group: 'operation',
    order: 30,
    icon: <DatabaseArrowDown20Regular />,
    label: 'backup.title',
    power: 'system',
    component: lazyPage(() => import('./backups/backups-page.tsx'), 'BackupsPage'),
  },
  {
    page: 'addresses',
    group: 'operation',
    order: 35,
    icon: <Certificate20Regular />,
    label: 'admin.page.addresses',
    power: 'system',
    component: lazyPage(() => import('./addresses/addresses-page.tsx'), 'AddressesPage'),
  },
  {
    page: 'licence',
    group: 'operation',
    order: 40,
    icon: <Key20Regular />,
    label: 'company.licence',
    power: ['system', 'security', 'audit'],
    component: lazyPage(() => import('./licence/licence-page.tsx'), 'LicencePage'),
  },
  {
    page: 'safety',
    group: 'policy',
    order: 20,
    icon: <ShieldCheckmark20Regular />,
    label: 'admin.page.safety',
    power: 'security',
    component: lazyPage(settings, 'SafeStrategy'),
  },
  {
    page: 'audit',
    group: 'audit',
    order: 10,
    icon: <DocumentSearch20Regular />,
    label: 'admin.page.audit',
    power: 'audit',
    component: lazyPage(() => import('./audit/audit-page.tsx'), 'AuditPage'),
  },
  {
    page: 'settings',
    group: 'operation',
    order: 10,
    icon: <Options20Regular />,
    label: 'admin.page.settings',
    power: 'system',
    component: lazyPage(settings, 'ServerSettings'),
  },
]
