// Texts of the page of features, loaded with it to keep the first load small.
import { addTexts } from '../../core/i18n/i18n.ts'
import { featuresEn } from './texts.en.ts'
import { featuresZh } from './texts.zh.ts'

type FeatureTexts = typeof featuresZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends FeatureTexts {}
}

addTexts(featuresZh, featuresEn)
