// The frame around the areas: its windows and texts, and the pushes that end a session remotely.
import type { AreaSession } from '../core/area/area.ts'
import { connectDesktop } from './desktop.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { pushes } from './pushes.ts'
export { appWindows as windows } from './windows.ts'

export const start = ({ navigate }: AreaSession): (() => void) => connectDesktop(navigate)
