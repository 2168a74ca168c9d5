// Adds the texts of this folder when its pages are loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { accessReportEn } from './texts.en.ts'
import { accessReportZh } from './texts.zh.ts'

type AccessReportTexts = typeof accessReportZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends AccessReportTexts {}
}

addTexts(accessReportZh, accessReportEn)
