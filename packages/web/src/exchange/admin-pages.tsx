// The administration pages of the exchange. Loaded with the administration; each page is loaded when it is shown.

import type { AdminPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { ArrowSwap20Regular, ClipboardTextLtr20Regular } from '../kit/icons.ts'

export const adminPages: readonly AdminPage[] = [
  {
    page: 'exchange',
    group: 'policy',
    order: 42,
    icon: <ArrowSwap20Regular />,
    label: 'company.exchange',
    power: 'security',
    component: lazyPage(() => import('./admin-page.tsx'), 'ExchangePage'),
  },
  {
    page: 'exchange-records',
    group: 'audit',
    order: 30,
    icon: <ClipboardTextLtr20Regular />,
    label: 'exchangeRecords.title',
    power: 'audit',
    component: lazyPage(() => import('./records-page.tsx'), 'ExchangeRecordsPage'),
  },
]
