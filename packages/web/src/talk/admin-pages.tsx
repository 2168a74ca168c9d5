// The administration page of messaging. Loaded with the administration; the page itself when it is shown.

import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { Chat20Regular } from '../kit/icons.ts'
import { withAdminTexts } from './admin/texts.ts'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'talk',
    group: 'policy',
    order: 45,
    icon: <Chat20Regular />,
    label: 'talk.admin',
    power: ['security', 'audit', 'system'],
    component: lazyPage(() => withAdminTexts(() => import('./admin/talk-admin.tsx')), 'TalkAdminPage'),
  },
]
