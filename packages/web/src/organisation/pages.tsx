import { People16Regular } from '@fluentui/react-icons'
import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'people',
    group: 'organisation',
    order: 10,
    icon: <People16Regular />,
    label: 'org.people',
    power: 'system',
    component: lazyPage(() => import('./people/people-page.tsx'), 'PeoplePage'),
  },
]
