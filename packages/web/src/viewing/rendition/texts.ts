// Registers the texts of this folder. They are loaded with what renders documents.
import { addTexts } from '../../core/i18n/i18n.ts'
import { renditionEn } from './texts.en.ts'
import { renditionZh } from './texts.zh.ts'

type RenditionTexts = typeof renditionZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends RenditionTexts {}
}

addTexts(renditionZh, renditionEn)
