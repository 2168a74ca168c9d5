// The two languages ([R002]). Texts are flat tables, one pair per area, joined in app/join.ts, where the type `Texts` is
// filled as well: a key that no table has does not compile, nor does a call that leaves out a value of its text.
import type { Locale } from '@cloudoc/domain'
import { createInstance } from 'i18next'
import { useSyncExternalStore } from 'react'
import { store, stored } from '../storage/storage.ts'
import { isolated } from './isolate.ts'

/** The English of a table of texts; where one thing is told otherwise than many (`n`), beside it as `…_one`. */
export type English<Zh> = Readonly<Record<keyof Zh & string, string>> &
  Readonly<Partial<Record<`${keyof Zh & string}_one`, string>>>

/** Every text by its key, with the Chinese text as its type; app/join.ts extends it by those of the areas. */
export interface Texts {}

export type TextKey = keyof Texts

type Holes<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never
/** What the library counts by is `n` here; a hole of its own name for that would be filled with it, and takes no value. */
type Values<K extends TextKey> = [Holes<Texts[K]>] extends [never]
  ? []
  : 'count' extends Holes<Texts[K]>
    ? [values: never]
    : [values: Readonly<Record<Holes<Texts[K]>, string | number>>]

/** The keys of texts that have no values. */
export type PlainTextKey = { [K in TextKey]: [Holes<Texts[K]>] extends [never] ? K : never }[TextKey]

/** Resolves a text in the chosen language. */
export type Translate = <K extends TextKey>(key: K, ...values: Values<K>) => string

const storageKey = 'locale'
const htmlLang: Readonly<Record<Locale, string>> = { zh: 'zh-CN', en: 'en' }

/** What was chosen; before that, the browser's language, English for all but Chinese. index.html does the same. */
const localeOf = (chosen: string | undefined): Locale => {
  if (chosen === 'zh' || chosen === 'en') return chosen
  return /^zh\b/i.test(navigator.language) ? 'zh' : 'en'
}

const i18next = createInstance()
void i18next.init({
  lng: localeOf(stored(storageKey)),
  fallbackLng: ['en', 'zh'],
  resources: {},
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
})

/** The English of an area, or how it is loaded. */
export type EnglishOf<K extends string> = Readonly<Record<K, string>> | (() => Promise<Readonly<Record<K, string>>>)

/** English that nobody has needed yet. */
const unread = new Set<() => Promise<Readonly<Record<string, string>>>>()

/** Adds the texts of an area; both languages have every key. English is loaded where it is chosen. */
export function addTexts<K extends string>(zh: Readonly<Record<K, string>>, en: EnglishOf<NoInfer<K>>): void {
  i18next.addResources('zh', 'translation', zh)
  if (typeof en === 'function') unread.add(en)
  else i18next.addResources('en', 'translation', en)
}

async function loadEnglish(): Promise<void> {
  await Promise.all(
    Array.from(unread, async (load) => {
      const texts = await load()
      if (unread.delete(load)) i18next.addResources('en', 'translation', texts)
    }),
  )
}

/** Resolves once every text that was added is there in the chosen language. */
export async function textsRead(): Promise<void> {
  if (currentLocale() === 'en') await loadEnglish()
}

const translate = (locale: Locale): Translate => {
  const fixed: (key: string, values: Record<string, string | number | undefined>) => string = i18next.getFixedT(locale)
  const written = (value: string | number): string =>
    typeof value === 'number' ? value.toLocaleString(locale) : isolated(value)
  return (key, ...[values]) => {
    const all = Object.entries<string | number>({ ...values })
    const many = all.find(([name, value]) => name === 'n' && typeof value === 'number')?.[1]
    return fixed(key, { ...Object.fromEntries(all.map(([name, value]) => [name, written(value)])), count: many })
  }
}
const translators: Readonly<Record<Locale, Translate>> = { zh: translate('zh'), en: translate('en') }

/** The chosen language. */
export function currentLocale(): Locale {
  return localeOf(i18next.language)
}

/** Resolves a text outside of components; inside use `useT`, which follows a change of language. */
export const t: Translate = (key, ...values) => translators[currentLocale()](key, ...values)

/** Switches the language of the page as soon as its texts are there, and keeps the choice. */
export async function setLocale(locale: Locale): Promise<void> {
  store(storageKey, locale)
  await showLocale(locale)
}

let wanted: Locale | undefined

async function showLocale(locale: Locale): Promise<void> {
  wanted = locale
  if (locale === 'en' && unread.size > 0) await loadEnglish()
  // Another was chosen while its texts were on their way.
  if (wanted !== locale) return
  document.documentElement.lang = htmlLang[locale]
  void i18next.changeLanguage(locale)
}

/** Follows the choice made in another tab. */
export function followLocale(): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === storageKey) void showLocale(localeOf(event.newValue ?? undefined))
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

function subscribe(changed: () => void): () => void {
  i18next.on('languageChanged', changed)
  return () => i18next.off('languageChanged', changed)
}

/** The chosen language; the component is drawn again when it changes. */
export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, currentLocale)
}

/** The translator of the chosen language; another function after each change. */
export function useT(): Translate {
  return translators[useLocale()]
}
