// Texts of the first set-up, loaded with their pages to keep the first load small.
import { addTexts } from '../../core/i18n/i18n.ts'
import { setupEn } from './texts.en.ts'
import { setupZh } from './texts.zh.ts'

type SetupTexts = typeof setupZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends SetupTexts {}
}

addTexts(setupZh, setupEn)
