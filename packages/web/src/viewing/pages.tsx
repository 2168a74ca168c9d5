// The pages of viewing.
import type { AreaRoute } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

export const routes: readonly AreaRoute[] = [
  {
    path: '/watermark/:url/:options',
    page: lazyPage(() => import('./watermark/watermark-page.tsx'), 'WatermarkPage'),
  },
]
