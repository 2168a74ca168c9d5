// The texts of the web client by their keys, for journeys that run in both languages.
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Locale = 'zh' | 'en'

const client = join(import.meta.dirname, '../../packages/web/src')

/** A text with its values, or what it looks like where they are not known, also the singular. */
export interface Texts {
  (key: string, values?: Readonly<Record<string, string | number>>): string
  like(key: string): RegExp
}

/** Reads the texts of one language. An unknown key fails. */
export async function readTexts(locale: Locale): Promise<Texts> {
  const known = new Map<string, string>()
  for await (const path of glob(`**/*.${locale}.ts`, { cwd: client })) {
    const module = (await import(pathToFileURL(join(client, path)).href)) as Record<string, Record<string, string>>
    for (const table of Object.values(module)) for (const [key, text] of Object.entries(table)) known.set(key, text)
  }
  const textOf = (key: string): string => {
    const text = known.get(key)
    if (text === undefined) throw new Error(`no text has the key ${key}`)
    return text
  }
  const texts = (key: string, values: Readonly<Record<string, string | number>> = {}): string =>
    textOf(key).replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  const pattern = (text: string): string =>
    text
      .split(/\{\w+\}/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.+')
  const like = (key: string): RegExp => {
    const one = known.get(`${key}_one`)
    return new RegExp(`^(${[textOf(key), ...(one === undefined ? [] : [one])].map(pattern).join('|')})$`)
  }
  return Object.assign(texts, { like })
}
