/*
 * Which characters the shipped font can draw. One function for stamps, evidence and courses: what is missing there, as
 * rare characters of names are, is written as its code point, which says more than a box and does not stop a proof.
 */
import fontkit from '@cantoo/fontkit'
import { fontBytes } from './font.ts'

let known: ReadonlySet<number> | undefined

function isKnown(character: string): boolean {
  if (known === undefined) {
    const font = fontkit.create(fontBytes())
    known = new Set('characterSet' in font ? font.characterSet : [])
  }
  return character === '\n' || known.has(character.codePointAt(0) ?? 0)
}

/** The characters of a text that cannot be drawn, each once. */
export const unprintable = (text: string): string[] => [...new Set(text)].filter((one) => !isKnown(one))

const codePointOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** A text as it can be drawn. */
export const printable = (text: string): string =>
  [...text].map((one) => (isKnown(one) ? one : codePointOf(one))).join('')
