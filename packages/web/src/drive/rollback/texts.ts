// Adds the texts of this folder when its window is loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { rollbackEn } from './texts.en.ts'
import { rollbackZh } from './texts.zh.ts'

type RollbackTexts = typeof rollbackZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends RollbackTexts {}
}

addTexts(rollbackZh, rollbackEn)
