// The notification centre: how notices look, the area says that they come from.
import { type AreaRoute, keepNotices, type PushReactions, type StartedFor } from '../core/area/area.ts'
import { loadNotices, noticeArrived, startCentre } from '../core/notices/notice-centre.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { startTelling } from './desktop-notifier.ts'
import { followCentre } from './panel-state.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
keepNotices(noticeArrived)

export { loadNotices as refetch } from '../core/notices/notice-centre.ts'

/** Something was read here or on another machine. */
export const pushes = { noticesRead: () => loadNotices() } satisfies PushReactions

export const routes: readonly AreaRoute[] = [
  { path: '/notify/list', framed: true, page: lazyPage(() => import('./notice-list-page.tsx'), 'ListPage') },
]

export function start({ accountId, navigate }: StartedFor): () => void {
  const stops = [startCentre(accountId), followCentre(accountId), startTelling(navigate)]
  return () => {
    for (const stop of stops) stop()
  }
}
