// The mail area: a person's mailboxes, reading and writing mail, sending files by mail ([R289]-[R292]).
import type { PushReactions } from '../core/area/area.ts'
import { sessionStore } from '../core/session/session.ts'
import { refetchMail } from './mail-queries.ts'
import { zh } from './texts.zh.ts'

export const switchedBy = 'mail'
export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { refetchMail as refetch } from './mail-queries.ts'
export { mailMenu as menu } from './menu.tsx'
export { notices } from './notices.tsx'
export { rail, routes, sides } from './pages.tsx'
export { mailWindows as windows } from './windows.ts'

export const pushes = { mailChanged: refetchMail, emailReceived: refetchMail } satisfies PushReactions

/** Mails in Ctrl+K, for who may use the feature: guests have no mailboxes (X51). */
export const finder = {
  title: 'email.rail',
  find: (keyword: string, most: number) => {
    const { session } = sessionStore.getState()
    return session?.permission.isGuest === true || session?.setting.email !== true
      ? Promise.resolve([])
      : import('./find-mails.ts').then(({ findMails }) => findMails(keyword, most))
  },
} as const
