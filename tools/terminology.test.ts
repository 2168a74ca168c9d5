// Consistent terminology (docs/words.md): no text of the client, in either language, uses a term listed there under
// "not".
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const web = join(root, 'packages/web/src')

/** The client's texts in a language, each with its file and key. */
function textsOf(language: 'zh' | 'en'): { at: string; text: string }[] {
  return readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(`.${language}.ts`))
    .flatMap((file) => {
      const source = readFileSync(join(web, file), 'utf8')
      const found = source.matchAll(/^ {2}'([\w.-]+)':\s+(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/gm)
      return [...found].map(([, key = '', single, double]) => ({ at: `${file} ${key}`, text: single ?? double ?? '' }))
    })
}

const page = readFileSync(join(root, 'docs/words.md'), 'utf8')
const words = [...page.matchAll(/^\|.*\|([^|]*)\|$/gm)]
  .flatMap(([, cell = '']) => cell.split(','))
  .map((word) => word.trim())
  .filter((word) => word !== '' && word !== 'not' && !/^-+$/.test(word))
const isChinese = (word: string): boolean => /\p{Script=Han}/u.test(word)

/** Texts that the requirements give word for word, which are shown as they stand there (X56). */
const documented: ReadonlySet<string> = new Set([
  // [R297]
  'talk/page-texts.zh.ts im.groupRemoved',
])

test.each(['zh', 'en'] as const)('no text in %s says a thing by another word', (language) => {
  const texts = textsOf(language).filter(({ at }) => !documented.has(at))
  expect(texts.length).toBeGreaterThan(1500)
  const own = words.filter((word) => isChinese(word) === (language === 'zh'))
  expect(own.length).toBeGreaterThan(5)
  const says = (text: string, word: string): boolean =>
    isChinese(word) ? text.includes(word) : new RegExp(String.raw`\b${word}s?\b`, 'i').test(text)
  const found = texts.flatMap(({ at, text }) => own.filter((word) => says(text, word)).map((word) => `${at}: ${word}`))
  expect(found).toEqual([])
})
