// Characters of symbol fonts in Word documents (`w:sym`).
import { type Element } from '../package/index.ts'
import { symbolOf } from './symbols.ts'

/** The character of a `w:sym` element as Unicode; `▯` if it is not known. */
export function symbolIn(element: Element): string {
  const code = Number.parseInt(element.attributes['w:char'] ?? '', 16)
  const found = symbolOf(element.attributes['w:font'] ?? '', code)
  if (found !== undefined) return found
  const isLetter = code >= 0 && code <= 0x10_ffff && !(code >= 0xe000 && code <= 0xf8ff)
  return isLetter ? String.fromCodePoint(code) : '▯'
}
