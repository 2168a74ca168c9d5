// Adds the texts of this folder when its pages are loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { sensitiveEn } from './texts.en.ts'
import { sensitiveZh } from './texts.zh.ts'

type SensitiveTexts = typeof sensitiveZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends SensitiveTexts {}
}

addTexts(sensitiveZh, sensitiveEn)
