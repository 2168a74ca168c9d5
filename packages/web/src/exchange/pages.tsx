// The pages of the exchange: three lists in the module of security ([R053]).

import type { AreaRoute, SecurityPage } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { ArrowSwap20Regular, ClipboardTask20Regular, MailInbox20Regular } from '../kit/icons.ts'

const load = () => import('./exchange-list.tsx')

export const routes: readonly AreaRoute[] = [
  { path: 'security/file-exchange-sent', page: lazyPage(load, 'SentExchanges') },
  { path: 'security/file-exchange-receive', page: lazyPage(load, 'ReceivedExchanges') },
  { path: 'security/file-exchange-review', page: lazyPage(load, 'ReviewedExchanges') },
]

export const securityPages: readonly SecurityPage[] = [
  {
    page: 'file-exchange-sent',
    group: 'exchange.group',
    label: 'exchange.sent',
    icon: <ArrowSwap20Regular />,
    order: 40,
  },
  {
    page: 'file-exchange-receive',
    group: 'exchange.group',
    label: 'exchange.receive',
    icon: <MailInbox20Regular />,
    order: 41,
    counter: { name: 'exchangeReceive', waiting: true },
  },
  {
    page: 'file-exchange-review',
    group: 'exchange.group',
    label: 'exchange.review',
    icon: <ClipboardTask20Regular />,
    order: 42,
    counter: { name: 'exchangeReview', waiting: true },
  },
]
