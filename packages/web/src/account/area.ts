// The user's own settings: application settings stored in this browser, and account settings.
import type { AreaRoute, PushReactions } from '../core/area/area.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { followPreferences } from '../core/storage/preferences.ts'
import { forgetOnline, userOnline } from './presence.ts'
import { followAppearance } from './settings/apply-appearance.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { accountWindows as windows } from './windows.ts'

export const pushes = { userOnline } satisfies PushReactions
export { forgetOnline as refetch } from './presence.ts'

export const routes: readonly AreaRoute[] = [
  { path: '/doc/personal-setting', framed: true, page: lazyPage(() => import('./pages.tsx'), 'PersonalPage') },
  { path: '/doc/improve-information', page: lazyPage(() => import('./pages.tsx'), 'ImproveInformation') },
  { path: '/doc/module-select-page', page: lazyPage(() => import('./pages.tsx'), 'ModuleSelect') },
]

export function start(): () => void {
  const stops = [followPreferences(), followAppearance(), forgetOnline]
  return () => {
    for (const stop of stops) stop()
  }
}
