// Adds the texts of this folder when its pages are loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { librariesEn } from './texts.en.ts'
import { librariesZh } from './texts.zh.ts'

type LibrariesTexts = typeof librariesZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends LibrariesTexts {}
}

addTexts(librariesZh, librariesEn)
