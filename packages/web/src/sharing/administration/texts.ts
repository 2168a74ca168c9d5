// Adds the texts of this folder when its pages are loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { linkAdministrationEn } from './texts.en.ts'
import { linkAdministrationZh } from './texts.zh.ts'

type LinkAdministrationTexts = typeof linkAdministrationZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends LinkAdministrationTexts {}
}

addTexts(linkAdministrationZh, linkAdministrationEn)
