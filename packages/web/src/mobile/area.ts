// The mobile area: the pages below /m, made for a thumb ([R375]). They show the same lists, actions and windows as the
// desktop page.
import type { AreaRoute } from '../core/area/area.ts'
import { lazyPage, loadChunk } from '../core/page/chunks.tsx'
import { zh } from './texts.zh.ts'

export const switchedBy = 'mobile'
export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export function start(): () => void {
  if (!location.pathname.startsWith('/m/')) return () => undefined
  let stop: (() => void) | undefined
  let isOver = false
  void loadChunk(() => import('./offline/start.ts')).then(
    (offline) => {
      if (!isOver) stop = offline.startOffline()
    },
    () => undefined,
  )
  return () => {
    isOver = true
    stop?.()
  }
}
export const routes: readonly AreaRoute[] = [{ path: '/m/*', page: lazyPage(() => import('./mobile.tsx'), 'Mobile') }]
