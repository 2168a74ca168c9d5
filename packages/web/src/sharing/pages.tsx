// The pages of sharing.
import { Link20Regular } from '@fluentui/react-icons'
import type { AdminPage, AreaRoute } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

const loadLists = () => import('./links/link-pages.tsx')

export const routes: readonly AreaRoute[] = [
  { path: 'share/link-creation', page: lazyPage(loadLists, 'LinksMade') },
  { path: 'share/link-shared', page: lazyPage(loadLists, 'LinksForMe') },
]

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
