// The two languages ([R002]). Texts are flat tables, one pair per area, joined in app/join-areas.ts, where the type `Texts` is
// filled as well: a key that no table has does not compile, nor does a call that leaves out a value of its text.
import type { Sentence } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { useSyncExternalStore } from 'react'
import { store, stored } from '../storage/storage.ts'
import { isolated } from './isolate.ts'

/** The English texts of a table. If the singular differs from the plural (`n`), it has the key `…_one`. */
export type English<Zh> = Readonly<Record<keyof Zh & string, string>> &
  Readonly<Partial<Record<`${keyof Zh & string}_one`, string>>>

/** Every text by its key, with the Chinese text as its type; app/join-areas.ts extends it by those of the areas. */
export interface Texts {}

export type TextKey = keyof Texts

type Holes<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never
type Values<K extends TextKey> = [Holes<Texts[K]>] extends [never]
  ? []
  : [values: Readonly<Record<Holes<Texts[K]>, string | number>>]

/** The keys of texts without parameters. */
export type PlainTextKey = { [K in TextKey]: [Holes<Texts[K]>] extends [never] ? K : never }[TextKey]

/** Returns a text in the current language. */
export type Translate = <K extends TextKey>(key: K, ...values: Values<K>) => string

const storageKey = 'locale'
const htmlLang: Readonly<Record<Locale, string>> = { zh: 'zh-CN', en: 'en' }

/** The chosen language, Chinese before anybody has chosen, whatever the browser's language is. index.html does the same. */
const localeOf = (chosen: string | undefined): Locale => (chosen === 'en' ? 'en' : 'zh')

let shown = localeOf(stored(storageKey))
/** The language chosen last. It is shown as soon as its texts are loaded. */
let wanted: Locale | undefined
const listeners = new Set<() => void>()
const tables: Readonly<Record<Locale, Map<string, string>>> = { zh: new Map(), en: new Map() }

function addTable(locale: Locale, texts: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(texts)) tables[locale].set(key, text)
}

/**
 * The text in the given language, or in another language that has it. `many` selects the English singular if there is
 * one.
 */
function textOf(locale: Locale, key: string, many: string | number | undefined): string {
  for (const one of [locale, 'en', 'zh'] as const) {
    const text = (one === 'en' && many === 1 ? tables.en.get(`${key}_one`) : undefined) ?? tables[one].get(key)
    if (text !== undefined) return text
  }
  return key
}

/** The English texts of an area, or a function that loads them. */
export type EnglishOf<K extends string> = Readonly<Record<K, string>> | (() => Promise<Readonly<Record<K, string>>>)

/** English tables that have not been loaded. */
const unread = new Set<() => Promise<Readonly<Record<string, string>>>>()

/**
 * Adds the texts of an area; both languages have every key. English is loaded only if it is the current language, or
 * the one that the page is switching to.
 */
export function addTexts<K extends string>(zh: Readonly<Record<K, string>>, en: EnglishOf<NoInfer<K>>): void {
  addTable('zh', zh)
  if (typeof en === 'function') unread.add(en)
  else addTable('en', en)
}

/** Loads the English tables, also those that are added meanwhile. */
async function loadEnglish(): Promise<void> {
  while (unread.size > 0)
    await Promise.all(
      Array.from(unread, async (load) => {
        const texts = await load()
        if (unread.delete(load)) addTable('en', texts)
      }),
    )
}

/** Resolves when all added texts are loaded in the chosen language. */
export async function textsLoaded(): Promise<void> {
  if ((wanted ?? currentLocale()) === 'en') await loadEnglish()
}

type Given = Readonly<Record<string, string | number | undefined>>

/** The text with its values: numbers as the language writes them, right-to-left words isolated. */
function filled(locale: Locale, text: string, values: Given): string {
  const written = (value: string | number | undefined): string =>
    typeof value === 'number' ? value.toLocaleString(locale) : isolated(value ?? '')
  return text.replace(/\{(\w+)\}/g, (_hole, name: string) => written(values[name]))
}

const translate =
  (locale: Locale): Translate =>
  (key, ...[given]) => {
    const values: Given = { ...given }
    return filled(locale, textOf(locale, key, values['n']), values)
  }
const translators: Readonly<Record<Locale, Translate>> = { zh: translate('zh'), en: translate('en') }

/** The current language. */
export function currentLocale(): Locale {
  return shown
}

/** Returns a text outside components. In components use `useT`, which follows a change of language. */
export const t: Translate = (key, ...values) => translators[currentLocale()](key, ...values)

/** Returns a sentence that the contract declares in both languages, in the current language. */
export function inLocale(sentence: Sentence): string {
  const locale = currentLocale()
  return filled(locale, sentence[locale], sentence.values ?? {})
}

/** Switches the language of the page as soon as its texts are loaded, and stores the choice. */
export async function setLocale(locale: Locale): Promise<void> {
  store(storageKey, locale)
  await showLocale(locale)
}

async function showLocale(locale: Locale): Promise<void> {
  wanted = locale
  if (locale === 'en' && unread.size > 0) await loadEnglish()
  // Another language was chosen while the texts were loading.
  if (wanted !== locale) return
  document.documentElement.lang = htmlLang[locale]
  shown = locale
  for (const changed of listeners) changed()
}

/** Follows a language change in another tab. */
export function followLocale(): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === storageKey) void showLocale(localeOf(event.newValue ?? undefined))
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** The current language. The component renders again when it changes. */
export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, currentLocale)
}

/** The translator of the current language; a new function after each change. */
export function useT(): Translate {
  return translators[useLocale()]
}
