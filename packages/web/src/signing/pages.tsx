// The pages of signing.
import type { AreaRoute } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

const load = () => import('./lists/sign-list.tsx')

export const routes: readonly AreaRoute[] = [
  { path: 'cooperate/sign-review', page: lazyPage(load, 'SignReviews') },
  { path: 'cooperate/sign-creation', page: lazyPage(load, 'SignCreations') },
]
