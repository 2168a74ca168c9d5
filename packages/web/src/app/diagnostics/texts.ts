// Adds texts of this folder when its window is loaded, to keep them out of the first load.
import { addTexts } from '../../core/i18n/i18n.ts'
import { diagnosticsEn } from './texts.en.ts'
import { diagnosticsZh } from './texts.zh.ts'

type DiagnosticsTexts = typeof diagnosticsZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends DiagnosticsTexts {}
}

addTexts(diagnosticsZh, diagnosticsEn)
