// The words of the editors of documents, tables and presentations come with those, so that a first page is not the heavier.
import { addTexts } from '../../core/i18n/i18n.ts'
import { officeEn } from './office-texts.en.ts'
import { officeZh } from './office-texts.zh.ts'

type Office = typeof officeZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends Office {}
}

addTexts(officeZh, officeEn)
