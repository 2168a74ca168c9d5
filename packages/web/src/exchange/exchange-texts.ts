// Texts of the lists, the windows and the administration of the exchange, loaded with them.
import { addTexts } from '../core/i18n/i18n.ts'
import { exchangeTextsEn } from './exchange-texts.en.ts'
import { exchangeTextsZh } from './exchange-texts.zh.ts'

type ExchangeTexts = typeof exchangeTextsZh
declare module '../core/i18n/i18n.ts' {
  interface Texts extends ExchangeTexts {}
}

addTexts(exchangeTextsZh, exchangeTextsEn)
