// Adds the texts of the page and the windows of mail before they are shown: they are no part of the first load.
import { addTexts, textsLoaded } from '../core/i18n/i18n.ts'
import type { zh as Zh } from './page-texts.zh.ts'

type PageTexts = typeof Zh
declare module '../core/i18n/i18n.ts' {
  interface Texts extends PageTexts {}
}

let loading: Promise<void> | undefined

async function loadTexts(): Promise<void> {
  const { zh } = await import('./page-texts.zh.ts')
  addTexts(zh, () => import('./page-texts.en.ts').then(({ en }) => en))
  await textsLoaded()
}

/** Loads a page or window together with its texts. */
export async function withTexts<T>(load: () => Promise<T>): Promise<T> {
  loading ??= loadTexts()
  const [part] = await Promise.all([load(), loading])
  return part
}
