// The frame around the areas: its windows and texts, and the pushes that end a session remotely.
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { pushes } from './pushes.ts'
export { appWindows as windows } from './windows.ts'
