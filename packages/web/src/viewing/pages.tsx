// The pages of viewing.
import { Drop20Regular } from '@fluentui/react-icons'
import type { AdminPage, AreaRoute } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

export const routes: readonly AreaRoute[] = [
  {
    path: '/watermark/:url/:options',
    page: lazyPage(() => import('./preview/watermark-page.tsx'), 'WatermarkPage'),
  },
]

export const adminPages: readonly AdminPage[] = [
  {
    page: 'watermarks',
    group: 'policy',
    order: 40,
    icon: <Drop20Regular />,
    label: 'company.watermarks',
    power: 'security',
    component: lazyPage(() => import('./watermarks/watermarks-page.tsx'), 'WatermarksPage'),
  },
]
