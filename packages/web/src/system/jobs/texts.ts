// Adds the texts of this folder when its page is loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { jobsEn } from './texts.en.ts'
import { jobsZh } from './texts.zh.ts'

type JobsTexts = typeof jobsZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends JobsTexts {}
}

addTexts(jobsZh, jobsEn)
