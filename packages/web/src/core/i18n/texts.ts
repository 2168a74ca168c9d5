// The words of the core, joined as those of an area are.
import { en } from './core.en.ts'
import { zh } from './core.zh.ts'

export const texts = { zh, en }
