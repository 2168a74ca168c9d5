// Adds the texts about servers in a list when they are needed, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { serverNotesEn } from './server-texts.en.ts'
import { serverNotesZh } from './server-texts.zh.ts'

type ServerNotesTexts = typeof serverNotesZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends ServerNotesTexts {}
}

addTexts(serverNotesZh, serverNotesEn)
