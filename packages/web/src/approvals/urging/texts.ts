// Texts of the windows and pages of urging. They are loaded with those, to keep the first page small.
import { addTexts } from '../../core/i18n/i18n.ts'
import { urgingEn } from './texts.en.ts'
import { urgingZh } from './texts.zh.ts'

type UrgingTexts = typeof urgingZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends UrgingTexts {}
}

addTexts(urgingZh, urgingEn)
