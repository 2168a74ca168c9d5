// The words of the core, joined as those of an area are.
import { zh } from './core.zh.ts'

export const texts = { zh, en: () => import('./core.en.ts').then(({ en }) => en) }
