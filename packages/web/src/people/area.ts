// People: their windows and words. The login page is shown by app, as no area is known before somebody has signed in.
import { en } from './texts.en.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en }
export { FindPassword, findPasswordPath } from './login/find-password.tsx'
export { Login } from './login/login.tsx'
export { SetPassword, setPasswordPath } from './login/set-password.tsx'
export { peopleWindows as windows } from './windows.ts'
