// The pages of this area in the administration; each comes when it is shown.
import { DocumentSearch20Regular, Options20Regular, ShieldCheckmark20Regular } from '@fluentui/react-icons'
import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

const settings = () => import('../system/settings/settings-page.tsx')

export const adminPages: readonly AdminPage[] = [
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
    component: lazyPage(() => import('../system/audit/audit-page.tsx'), 'AuditPage'),
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
