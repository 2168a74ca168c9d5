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

export {
  activatePath,
  bindingResultPath,
  loginToWebPath,
  phoneTrailPath,
  qrLoginPath,
  signInReturnPath,
  smsLoginPath,
} from './ways/paths.ts'

/** Pages reached from the login page are loaded on demand. */
export const FindPassword = lazy(async () => ({
  default: (await loadChunk(() => import('./login/find-password.tsx'))).FindPassword,
}))
export const SetPassword = lazy(async () => ({
  default: (await loadChunk(() => import('./login/set-password.tsx'))).SetPassword,
}))
export const SmsLogin = lazy(async () => ({
  default: (await loadChunk(() => import('./ways/sms-login.tsx'))).SmsLogin,
}))
export const PhoneTrail = lazy(async () => ({
  default: (await loadChunk(() => import('./ways/phone-trail.tsx'))).PhoneTrail,
}))
export const QrLogin = lazy(async () => ({
  default: (await loadChunk(() => import('./ways/qr-login.tsx'))).QrLogin,
}))
export const QrConfirm = lazy(async () => ({
  default: (await loadChunk(() => import('./ways/qr-login.tsx'))).QrConfirm,
}))
export const SignInReturn = lazy(async () => ({
  default: (await loadChunk(() => import('./ways/arrivals.tsx'))).SignInReturn,
}))
export const Activate = lazy(async () => ({
  default: (await loadChunk(() => import('./ways/activate.tsx'))).Activate,
}))
export const LoginToWeb = lazy(async () => ({
  default: (await loadChunk(() => import('./ways/arrivals.tsx'))).LoginToWeb,
}))
export const BindingResult = lazy(async () => ({
  default: (await loadChunk(() => import('./ways/arrivals.tsx'))).BindingResult,
}))
