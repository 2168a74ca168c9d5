/*
 * The grams of a folded text (core/folding.ts), which the index stores: pairs of adjacent characters, and for
 * non-Chinese text also triples. A substring has no gram that the text does not have.
 */
import { gramSign, wordSign } from './index-signs.ts'

const run = /[\p{L}\p{N}]{2,}/gu
const han = /\p{Script=Han}/u

/** The signs of the grams of a folded text. */
export function grams(text: string): Set<number> {
  const signs = new Set<number>()
  for (const [word] of text.matchAll(run)) {
    const letters = [...word]
    let [two, one] = ['', letters[0] ?? '']
    for (const letter of letters.slice(1)) {
      signs.add(wordSign(one + letter))
      if (two !== '' && !han.test(two + one + letter)) signs.add(gramSign(two + one + letter))
      two = one
      one = letter
    }
  }
  return signs
}
