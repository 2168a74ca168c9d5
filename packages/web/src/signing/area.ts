// The signing area: sending files to be signed, signing them, and the signatures of a person.
import type { PushReactions } from '../core/area/area.ts'
import { sessionStore } from '../core/session/session.ts'
import { signMenu } from './lists/menu.tsx'
import { signNotices } from './lists/notices.tsx'
import { refetchSigning } from './shared/sign-queries.ts'
import { zh } from './texts.zh.ts'
import { signWindows } from './windows.ts'

export const switchedBy = 'signing'
export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export const windows = signWindows
export const notices = signNotices
export const menu = signMenu
export { routes } from './pages.tsx'
export { refetchSigning as refetch } from './shared/sign-queries.ts'
export const adminPages = () => import('./admin-pages.tsx').then((module) => module.adminPages)

export const pushes = {
  fileSign: refetchSigning,
  signChanged: refetchSigning,
} satisfies PushReactions

/** Signing processes in Ctrl+K. Guests neither launch nor sign (X51). */
export const finder = {
  title: 'sign.find.title',
  find: (keyword: string, most: number) =>
    sessionStore.getState().session?.permission.isGuest === false
      ? import('./find-signings.ts').then(({ findSignings }) => findSignings(keyword, most))
      : Promise.resolve([]),
} as const
