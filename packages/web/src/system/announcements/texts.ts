// Adds the texts of this folder when its page is loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { announcePageEn } from './texts.en.ts'
import { announcePageZh } from './texts.zh.ts'

type AnnouncePageTexts = typeof announcePageZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends AnnouncePageTexts {}
}

addTexts(announcePageZh, announcePageEn)
