// The administration pages of the organisation. Loaded with the administration; each page is loaded when it is shown.
import { Fingerprint20Regular, People20Regular, Tag20Regular } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { useAdministrationScope } from './shared/administration-scope.ts'

const PeoplePage = lazyPage(() => import('./people/people-page.tsx'), 'PeoplePage')
const RolesPage = lazyPage(() => import('./roles/roles-page.tsx'), 'RolesPage')
const ProvidersPage = lazyPage(() => import('./providers/providers-page.tsx'), 'ProvidersPage')
const ImportPage = lazyPage(() => import('./sheets/import-page.tsx'), 'ImportPage')

/** The user list, or the import from a table. */
function People(): ReactNode {
  const { whole } = useAdministrationScope()
  return useLocation().pathname.endsWith('/people/import') && whole ? <ImportPage /> : <PeoplePage />
}

export const adminPages: readonly AdminPage[] = [
  {
    page: 'people',
    group: 'organisation',
    order: 10,
    icon: <People20Regular />,
    label: 'org.people',
    power: ['system', 'department'],
    component: People,
  },
  {
    page: 'roles',
    group: 'organisation',
    order: 20,
    icon: <Tag20Regular />,
    label: 'org.roles.page',
    power: ['system', 'security', 'audit'],
    component: RolesPage,
  },
  {
    page: 'providers',
    group: 'policy',
    order: 25,
    icon: <Fingerprint20Regular />,
    label: 'org.providers',
    power: 'security',
    component: ProvidersPage,
  },
]
