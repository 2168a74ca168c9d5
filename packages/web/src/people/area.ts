// People: their windows and words. The login page is shown by app, as no area is known before somebody has signed in.
import { lazy } from 'react'
import { loadChunk } from '../core/page/chunks.tsx'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { Login } from './login/login.tsx'
export { findPasswordPath, setPasswordPath } from './login/password-paths.ts'
export { peopleWindows as windows } from './windows.ts'

/** What the login page leads to comes when it is asked for. */
export const FindPassword = lazy(async () => ({
  default: (await loadChunk(() => import('./login/find-password.tsx'))).FindPassword,
}))
export const SetPassword = lazy(async () => ({
  default: (await loadChunk(() => import('./login/set-password.tsx'))).SetPassword,
}))
