// Joins the texts of the areas. The declaration tells the compiler which keys there are; the drive's come with the drive.
import { en as coreEn } from '../core/i18n/core.en.ts'
import { zh as coreZh } from '../core/i18n/core.zh.ts'
import { addTexts } from '../core/i18n/i18n.ts'
import type { zh as driveZh } from '../drive/texts.zh.ts'
import { en as peopleEn } from '../people/texts.en.ts'
import { zh as peopleZh } from '../people/texts.zh.ts'
import { en as appEn } from './texts.en.ts'
import { zh as appZh } from './texts.zh.ts'

type AllTexts = typeof coreZh & typeof peopleZh & typeof driveZh & typeof appZh

declare module '../core/i18n/i18n.ts' {
  interface Texts extends AllTexts {}
}

addTexts(coreZh, coreEn)
addTexts(peopleZh, peopleEn)
addTexts(appZh, appEn)
