// The previewer's words come with it, so that the files view is not the heavier for them.
import { addTexts } from '../../core/i18n/i18n.ts'
import { previewEn } from './texts.en.ts'
import { previewZh } from './texts.zh.ts'

type PreviewTexts = typeof previewZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends PreviewTexts {}
}

addTexts(previewZh, previewEn)
