// Adds the texts of this folder when its page is loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { antivirusPageEn } from './texts.en.ts'
import { antivirusPageZh } from './texts.zh.ts'

type AntivirusPageTexts = typeof antivirusPageZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends AntivirusPageTexts {}
}

addTexts(antivirusPageZh, antivirusPageEn)
