// Adds the texts of this folder when its pages are loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { sharedEn } from './texts.en.ts'
import { sharedZh } from './texts.zh.ts'

type SharedTexts = typeof sharedZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends SharedTexts {}
}

addTexts(sharedZh, sharedEn)
