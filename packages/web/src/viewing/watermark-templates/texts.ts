// Adds the texts of this folder when its pages are loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { watermarkPageEn } from './texts.en.ts'
import { watermarkPageZh } from './texts.zh.ts'

type WatermarkPageTexts = typeof watermarkPageZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends WatermarkPageTexts {}
}

addTexts(watermarkPageZh, watermarkPageEn)
