// Adds the texts of the administration page before it is shown.
import { addTexts, textsLoaded } from '../../core/i18n/i18n.ts'
import type { zh as Zh } from './texts.zh.ts'

type AdminTexts = typeof Zh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends AdminTexts {}
}

let loading: Promise<void> | undefined

async function loadTexts(): Promise<void> {
  const { zh } = await import('./texts.zh.ts')
  addTexts(zh, () => import('./texts.en.ts').then(({ en }) => en))
  await textsLoaded()
}

/** Loads the page together with its texts. */
export async function withAdminTexts<T>(load: () => Promise<T>): Promise<T> {
  loading ??= loadTexts()
  const [part] = await Promise.all([load(), loading])
  return part
}
