// Texts of addresses and certificates, loaded with their page to keep the first load small.
import { addTexts } from '../../core/i18n/i18n.ts'
import { addressEn } from './texts.en.ts'
import { addressZh } from './texts.zh.ts'

type AddressTexts = typeof addressZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends AddressTexts {}
}

addTexts(addressZh, addressEn)
