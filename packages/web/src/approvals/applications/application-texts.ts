// Texts of the windows and pages of applications. They are loaded with those, to keep the first page small.
import { addTexts } from '../../core/i18n/i18n.ts'
import { applicationTextsEn } from './application-texts.en.ts'
import { applicationTextsZh } from './application-texts.zh.ts'

type ApplicationTexts = typeof applicationTextsZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends ApplicationTexts {}
}

addTexts(applicationTextsZh, applicationTextsEn)
