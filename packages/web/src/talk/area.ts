// The talk area: messages between people and in groups. Its pages are loaded when they are opened.
import type { AreaSession, PushReactions } from '../core/area/area.ts'
import { connectRouter } from '../core/page/open-address.ts'
import { sessionStore } from '../core/session/session.ts'
import { keepLocalKeys } from './local-keys.ts'
import { notices as talkNotices } from './notices.tsx'
import { emitTalk, refreshUnread } from './state/events.ts'
import { zh } from './texts.zh.ts'

export const switchedBy = 'talk'
export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const notices = talkNotices
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)
export { talkMenu as menu } from './menu.tsx'
export { rail, routes } from './pages.tsx'
export { talkWindows as windows } from './windows.ts'

export const pushes = {
  messageReceived(message) {
    emitTalk('message', message)
    refreshUnread()
  },
  talkChanged(change) {
    emitTalk('changed', change)
    refreshUnread()
  },
  talkRead(read) {
    emitTalk('read', read)
    refreshUnread()
  },
  talkTyping: (typing) => emitTalk('typing', typing),
} satisfies PushReactions

export function refetch(): void {
  emitTalk('missed', undefined)
  refreshUnread()
}

/** Messages in Ctrl+K. Guests do not chat (X74). */
export const finder = {
  title: 'talk.found',
  find: (keyword: string, most: number) =>
    sessionStore.getState().session?.permission.isGuest === true
      ? Promise.resolve([])
      : import('./find-messages.ts').then(({ findMessages }) => findMessages(keyword, most)),
} as const

export function start({ navigate }: AreaSession): () => void {
  if (sessionStore.getState().session?.permission.isGuest !== true) refreshUnread()
  const stops = [connectRouter(navigate), keepLocalKeys()]
  return () => {
    for (const stop of stops) stop()
  }
}
