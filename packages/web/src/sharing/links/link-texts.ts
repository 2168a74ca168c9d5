// Texts of the windows and pages of links. They are loaded with those, to keep the first page small.
import { addTexts } from '../../core/i18n/i18n.ts'
import { linkTextsEn } from './link-texts.en.ts'
import { linkTextsZh } from './link-texts.zh.ts'

type LinkTexts = typeof linkTextsZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends LinkTexts {}
}

addTexts(linkTextsZh, linkTextsEn)
