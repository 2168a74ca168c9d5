// Texts of the administration of rules for downloads and links, loaded with it.
import { addTexts } from '../../core/i18n/i18n.ts'
import { operationTextsEn } from './texts.en.ts'
import { operationTextsZh } from './texts.zh.ts'

type OperationTexts = typeof operationTextsZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends OperationTexts {}
}

addTexts(operationTextsZh, operationTextsEn)
