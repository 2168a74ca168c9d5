// Adds the texts of this folder when its pages are loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { clientPageEn } from './texts.en.ts'
import { clientPageZh } from './texts.zh.ts'

type ClientPageTexts = typeof clientPageZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends ClientPageTexts {}
}

addTexts(clientPageZh, clientPageEn)
