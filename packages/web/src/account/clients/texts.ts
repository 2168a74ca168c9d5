// Adds the texts of this folder when its windows are loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { clientsEn } from './texts.en.ts'
import { clientsZh } from './texts.zh.ts'

type ClientsTexts = typeof clientsZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends ClientsTexts {}
}

addTexts(clientsZh, clientsEn)
