// The texts of the core, joined like those of an area.
import { zh } from './core.zh.ts'

export const texts = { zh, en: () => import('./core.en.ts').then(({ en }) => en) }
