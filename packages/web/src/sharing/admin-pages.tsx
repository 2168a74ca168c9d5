// The administration pages of sharing. Loaded with the administration; each page is loaded when it is shown.

import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { Link20Regular } from '../kit/icons.ts'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'links',
    group: 'policy',
    order: 30,
    icon: <Link20Regular />,
    label: 'company.links',
    power: ['security', 'audit'],
    component: lazyPage(() => import('./administration/links-page.tsx'), 'LinksPage'),
  },
]
