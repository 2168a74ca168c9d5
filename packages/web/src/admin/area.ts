// The frame of the administration, in which pages of all areas stand.
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { rail, routes, sides } from './pages.tsx'
