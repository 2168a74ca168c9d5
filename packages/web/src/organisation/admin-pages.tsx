// The administration pages of the organisation. Loaded with the administration; each page is loaded when it is shown.

import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import {
  Bot20Regular,
  Fingerprint20Regular,
  Laptop20Regular,
  People20Regular,
  ShieldKeyhole20Regular,
  Tag20Regular,
} from '../kit/icons.ts'
import { useAdministrationScope } from './shared/administration-scope.ts'

const PeoplePage = lazyPage(() => import('./people/people-page.tsx'), 'PeoplePage')
const RolesPage = lazyPage(() => import('./roles/roles-page.tsx'), 'RolesPage')
const ProvidersPage = lazyPage(() => import('./providers/providers-page.tsx'), 'ProvidersPage')
const DevicesPage = lazyPage(() => import('./devices/devices-page.tsx'), 'DevicesPage')
const AccessPage = lazyPage(() => import('./devices/access-page.tsx'), 'AccessPage')
const ProgramsPage = lazyPage(() => import('./programs/programs-page.tsx'), 'ProgramsPage')
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
  {
    page: 'devices',
    group: 'policy',
    order: 26,
    icon: <Laptop20Regular />,
    label: 'org.devices',
    power: 'security',
    component: DevicesPage,
  },
  {
    page: 'access-rules',
    group: 'policy',
    order: 27,
    icon: <ShieldKeyhole20Regular />,
    label: 'org.access',
    power: 'security',
    component: AccessPage,
  },
  {
    page: 'programs',
    group: 'policy',
    order: 28,
    icon: <Bot20Regular />,
    label: 'org.programs',
    power: 'security',
    component: ProgramsPage,
  },
]
