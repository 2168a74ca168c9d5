// The mobile area: the pages below /m, made for a thumb ([R375]). They show the same lists, actions and windows as the
// desktop page.
import type { AreaRoute } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { zh } from './texts.zh.ts'

export const switchedBy = 'mobile'
export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const routes: readonly AreaRoute[] = [{ path: '/m/*', page: lazyPage(() => import('./mobile.tsx'), 'Mobile') }]
