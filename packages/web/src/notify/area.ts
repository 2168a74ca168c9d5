// The notification centre. The presentation of a notice is declared by the area it comes from.
import {
  type AreaRoute,
  type AreaSession,
  type FrameParts,
  type PushReactions,
  setNoticeHandler,
} from '../core/area/area.ts'
import { loadNotices, noticeArrived, startCentre } from '../core/notices/notice-centre.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { Bell } from './bell.tsx'
import { startDesktopNotifier } from './desktop-notifier.ts'
import { followCentre } from './panel-state.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
setNoticeHandler(noticeArrived)

export { loadNotices as refetch } from '../core/notices/notice-centre.ts'

export const frame: FrameParts = { button: Bell }

/** Notices were read on this or another device. */
export const pushes = { noticesRead: () => loadNotices() } satisfies PushReactions

export const routes: readonly AreaRoute[] = [
  { path: '/notify/list', framed: true, page: lazyPage(() => import('./notice-list-page.tsx'), 'NoticeListPage') },
]

export function start({ accountId, navigate }: AreaSession): () => void {
  const stops = [startCentre(accountId), followCentre(accountId), startDesktopNotifier(navigate)]
  return () => {
    for (const stop of stops) stop()
  }
}
