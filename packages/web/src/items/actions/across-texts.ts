// Adds the texts of copies between servers when they are needed, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { acrossEn } from './across-texts.en.ts'
import { acrossZh } from './across-texts.zh.ts'

type AcrossTexts = typeof acrossZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends AcrossTexts {}
}

addTexts(acrossZh, acrossEn)
