// The pages of messaging and their entry in the rail.

import type { AreaRoute, RailEntry } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { Chat20Filled, Chat20Regular } from '../kit/icons.ts'
import { withTexts } from './page-texts.ts'
import { UnreadBadge } from './parts/unread-badge.tsx'

const TalkPage = lazyPage(() => withTexts(() => import('./page/talk-page.tsx')), 'TalkPage')

export const routes: readonly AreaRoute[] = [
  { path: '/im', framed: true, page: TalkPage },
  { path: '/im/*', framed: true, page: TalkPage },
  { path: '/im/index', framed: true, page: TalkPage },
  {
    path: '/doc/im-download',
    page: lazyPage(() => withTexts(() => import('./page/download-page.tsx')), 'DownloadPage'),
  },
]

export const rail: readonly RailEntry[] = [
  {
    path: '/im/index',
    also: ['/im'],
    label: 'talk.rail',
    icon: <Chat20Regular />,
    current: <Chat20Filled />,
    badge: UnreadBadge,
    place: 20,
    notForGuests: true,
  },
]
