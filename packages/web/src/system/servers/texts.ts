// Adds the texts of this folder when its page is loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { linkedPageEn } from './texts.en.ts'
import { linkedPageZh } from './texts.zh.ts'

type LinkedPageTexts = typeof linkedPageZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends LinkedPageTexts {}
}

addTexts(linkedPageZh, linkedPageEn)
