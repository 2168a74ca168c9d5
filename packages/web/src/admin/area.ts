// The administration: its frame, and its own pages. Pages of other areas stand in it as well.
import type { AdminPage } from '../core/area/area.ts'
import { en } from './texts.en.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en }
export { rail, routes, sides } from './frame/frame.tsx'

export const adminPages: readonly AdminPage[] = []
