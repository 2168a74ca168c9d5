// Registers the texts of the office editors. They are loaded with the editors to keep the first page small.
import { addTexts } from '../../core/i18n/i18n.ts'
import { officeEn } from './office-texts.en.ts'
import { officeZh } from './office-texts.zh.ts'

type Office = typeof officeZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends Office {}
}

addTexts(officeZh, officeEn)
