// The administration pages of viewing. Loaded with the administration; each page is loaded when it is shown.

import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { Drop20Regular } from '../kit/icons.ts'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'watermarks',
    group: 'policy',
    order: 40,
    icon: <Drop20Regular />,
    label: 'company.watermarks',
    power: 'security',
    component: lazyPage(() => import('./watermark-templates/watermarks-page.tsx'), 'WatermarksPage'),
  },
]
