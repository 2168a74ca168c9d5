// Adds the texts of this folder when its page is loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { webhookPageEn } from './texts.en.ts'
import { webhookPageZh } from './texts.zh.ts'

type WebhookPageTexts = typeof webhookPageZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends WebhookPageTexts {}
}

addTexts(webhookPageZh, webhookPageEn)
