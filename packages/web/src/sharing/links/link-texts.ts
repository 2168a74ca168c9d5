// The words of the windows and pages of links come with those, so that a first page is not the heavier.
import { addTexts } from '../../core/i18n/i18n.ts'
import { linkWordsEn } from './link-texts.en.ts'
import { linkWordsZh } from './link-texts.zh.ts'

type LinkWords = typeof linkWordsZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends LinkWords {}
}

addTexts(linkWordsZh, linkWordsEn)
