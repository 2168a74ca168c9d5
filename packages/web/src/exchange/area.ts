// The exchange area: sending files to other networks, deciding about it, and picking up what has arrived.
import type { PushReactions } from '../core/area/area.ts'
import { sessionStore } from '../core/session/session.ts'
import { loadExchangeRules, refetchExchange, refetchExchangeRules } from './exchange-queries.ts'
import { exchangeMenu } from './menu.tsx'
import { exchangeNotices } from './notices.tsx'
import { zh } from './texts.zh.ts'
import { exchangeWindows } from './windows.ts'

export const switchedBy = 'exchange'
export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const windows = exchangeWindows
export const notices = exchangeNotices
export const menu = exchangeMenu
export { refetchExchange as refetch } from './exchange-queries.ts'
export { routes, securityPages } from './pages.tsx'
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)

export const pushes = {
  fileExchange: refetchExchange,
  exchangeRulesChanged: refetchExchangeRules,
} satisfies PushReactions

/** The menus of items need the rules, where the company exchanges files. */
export function start(): () => void {
  const loadIfEnabled = (): void => {
    if (sessionStore.getState().session?.setting.exchange_file_enabled === true) loadExchangeRules()
  }
  loadIfEnabled()
  return sessionStore.subscribe(loadIfEnabled)
}
