// The pages of sharing.
import type { AreaRoute } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

const loadLists = () => import('./links/link-pages.tsx')

export const routes: readonly AreaRoute[] = [
  { path: 'share/link-creation', page: lazyPage(loadLists, 'LinksMade') },
  { path: 'share/link-shared', page: lazyPage(loadLists, 'LinksForMe') },
]
