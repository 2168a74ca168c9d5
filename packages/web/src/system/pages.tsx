// The pages of this area; each is loaded when it is shown.
import type { AreaRoute } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { setupPath } from './setup/setup-redirect.ts'

export const routes: readonly AreaRoute[] = [
  { path: setupPath, page: lazyPage(() => import('./setup/setup-page.tsx'), 'SetupPage') },
]
