// Registers the texts of the previewer. They are loaded with it to keep the files view small.
import { addTexts } from '../../core/i18n/i18n.ts'
import { previewEn } from './texts.en.ts'
import { previewZh } from './texts.zh.ts'

type PreviewTexts = typeof previewZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends PreviewTexts {}
}

addTexts(previewZh, previewEn)
