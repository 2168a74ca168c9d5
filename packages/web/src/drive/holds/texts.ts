// Adds the texts of this folder when its page is loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { holdsEn } from './texts.en.ts'
import { holdsZh } from './texts.zh.ts'

type HoldTexts = typeof holdsZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends HoldTexts {}
}

addTexts(holdsZh, holdsEn)
