// The administration of signing: the authority of certificates, and the seals.

import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { Signature20Regular } from '../kit/icons.ts'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'signing',
    group: 'policy',
    order: 50,
    icon: <Signature20Regular />,
    label: 'sign.admin.title',
    power: 'system',
    component: lazyPage(() => import('./admin/signing-page.tsx'), 'SigningPage'),
  },
]
