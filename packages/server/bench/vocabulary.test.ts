import { extNameOf, itemName } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { textKeys } from '../src/core/text-keys.ts'
import { wordSigns } from '../src/search/items/index.ts'
import { nameOf, random, rareWords, vocabulary } from './vocabulary.ts'

test('a generated name has the keys that the product gives it', () => {
  const next = random(1)
  const names = vocabulary(300, next)
  const stems = [...Array.from({ length: 300 }, () => names.stem()), ...rareWords.map((word) => names.rare(word))]
  for (const [n, stem] of stems.entries()) {
    const made = nameOf(stem, n * 997, n % 5 === 0 ? '' : names.extension())
    const checked = itemName(made.name)
    if ('code' in checked) throw new Error(made.name)
    const keys = textKeys(checked.key)
    expect(made, made.name).toEqual({
      name: checked.name,
      key: checked.key,
      sort: keys.sort,
      text: keys.text,
      ext: n % 5 === 0 ? '' : extNameOf(made.name),
      words: wordSigns(keys.text),
    })
  }
})
