// The people area: its windows and texts. The app shows the login page, because no area is loaded before sign-in.
import { lazy } from 'react'
import type { FrameParts } from '../core/area/area.ts'
import { loadChunk } from '../core/page/chunks.tsx'
import { FrameLogo } from './company-logo.tsx'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { Login } from './login/login.tsx'
export { findPasswordPath, setPasswordPath } from './login/password-paths.ts'
export { peopleWindows as windows } from './windows.ts'

export const frame: FrameParts = { logo: FrameLogo }

/** Pages reached from the login page are loaded on demand. */
export const FindPassword = lazy(async () => ({
  default: (await loadChunk(() => import('./login/find-password.tsx'))).FindPassword,
}))
export const SetPassword = lazy(async () => ({
  default: (await loadChunk(() => import('./login/set-password.tsx'))).SetPassword,
}))
