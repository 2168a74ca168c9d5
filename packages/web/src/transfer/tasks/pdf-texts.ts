// Adds the texts of downloads as PDF when they are needed, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { pdfEn } from './pdf-texts.en.ts'
import { pdfZh } from './pdf-texts.zh.ts'

type PdfTexts = typeof pdfZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends PdfTexts {}
}

addTexts(pdfZh, pdfEn)
