// The frame around the areas: its windows and texts, those of the core, and what ends a session from afar.
import { en as coreEn } from '../core/i18n/core.en.ts'
import { zh as coreZh } from '../core/i18n/core.zh.ts'
import { en } from './texts.en.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh: { ...coreZh, ...zh }, en: { ...coreEn, ...en } }
export { pushes } from './pushes.ts'
export { appWindows as windows } from './windows.ts'
