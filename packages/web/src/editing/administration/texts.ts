// Adds the texts of this folder when its pages are loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { editingPageEn } from './texts.en.ts'
import { editingPageZh } from './texts.zh.ts'

type EditingPageTexts = typeof editingPageZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends EditingPageTexts {}
}

addTexts(editingPageZh, editingPageEn)
