// Adds the texts of this folder when its page is loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { retentionEn } from './texts.en.ts'
import { retentionZh } from './texts.zh.ts'

type RetentionTexts = typeof retentionZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends RetentionTexts {}
}

addTexts(retentionZh, retentionEn)
