// The pages of viewing.
import { Drop20Regular } from '@fluentui/react-icons'
import type { AdminPage, AreaRoute } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

export const routes: readonly AreaRoute[] = [
  {
    path: '/watermark/:url/:options',
    page: lazyPage(() => import('./watermark/watermark-page.tsx'), 'WatermarkPage'),
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
    component: lazyPage(() => import('./watermark-templates/watermarks-page.tsx'), 'WatermarksPage'),
  },
]
