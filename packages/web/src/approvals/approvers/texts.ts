// Texts of the administration of approvers, loaded with it.
import { addTexts } from '../../core/i18n/i18n.ts'
import { approverTextsEn } from './texts.en.ts'
import { approverTextsZh } from './texts.zh.ts'

type ApproverTexts = typeof approverTextsZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends ApproverTexts {}
}

addTexts(approverTextsZh, approverTextsEn)
