/*
 * The rule for item names. Every operation that sets a name (upload, create, rename, copy, restore, path lists) uses
 * `itemName`.
 *
 * A name is normalized to Unicode NFC. Surrounding spaces and trailing dots are removed, since Windows would remove
 * them. Illegal (-6): an empty name, `.` and `..`; the characters / \ : * ? " < > |; control characters, line and
 * paragraph separators, lone surrogates and noncharacters; invisible characters (zero width, bidirectional controls,
 * fillers, tags), except variation selectors and a zero width joiner between two emoji; the device names of Windows,
 * with or without an extension. Longer than 255 UTF-16 units is too long (-256).
 *
 * Two names in one folder conflict if their keys are equal. The key folds case and full and half width and ignores
 * invisible characters: `A.txt`, `a.txt` and `Ａ.txt` are one name.
 */

/** Maximum length of an item name in UTF-16 units. */
export const maxNameLength = 255

/** A normalized name with its uniqueness key in the folder, or the code of its refusal. */
export type ItemName =
  | { readonly name: string; readonly key: string }
  | { readonly code: 'illegalName' | 'nameTooLong' }

const forbidden = /[/\\:*?"<>|\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u
const emojiJoiner = /(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic})/gu
const variationSelector = /\p{Variation_Selector}/gu
const unseen = /\p{Default_Ignorable_Code_Point}/u
const everyUnseen = /\p{Default_Ignorable_Code_Point}/gu
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[1-9¹²³])\p{Zs}*(?:\.|$)/iu
const widthForms = /[\u3000\uFF01-\uFFEE]+/g

/** Applies the rule above to an external name. Never throws, and is idempotent. */
export function itemName(raw: string): ItemName {
  // No normalization shortens a text to less than a quarter, and the patterns below are too slow for megabytes.
  if (raw.length > 4 * maxNameLength) return { code: 'nameTooLong' }
  const name = raw
    .normalize('NFC')
    .replace(/^\p{Zs}+/u, '')
    .replace(/[\p{Zs}.]+$/u, '')
  if (forbidden.test(name) || deviceName.test(name)) return { code: 'illegalName' }
  if (unseen.test(name.replace(emojiJoiner, '').replace(variationSelector, ''))) return { code: 'illegalName' }
  const key = keyOf(name)
  if (key === '') return { code: 'illegalName' }
  return name.length > maxNameLength ? { code: 'nameTooLong' } : { name, key }
}

/** Uses the Unicode lower case tables, so the key is the same in every locale. */
function keyOf(name: string): string {
  return name
    .replace(everyUnseen, '')
    .replace(widthForms, (wide) => wide.normalize('NFKC'))
    .toLowerCase()
    .normalize('NFC')
}

const extension = /\.([A-Za-z0-9_+~-]{1,16})$/

/** Splits a file name into base and extension (without the dot); `.profile` and `第1.第二章` have no extension. */
export function splitName(name: string): { readonly base: string; readonly ext: string } {
  const ext = extension.exec(name)?.[1]
  if (ext === undefined || ext.length + 1 === name.length) return { base: name, ext: '' }
  return { base: name.slice(0, -ext.length - 1), ext }
}

/** Returns the extension as in item records: lower case, without the dot, empty if there is none. */
export function extNameOf(name: string): string {
  return splitName(name).ext.toLowerCase()
}

/** Appends a number to make a name unique, `a (2).docx`; for folders at the end of the name. */
export function numberedName(name: string, n: number, options: { readonly isFolder?: boolean } = {}): string {
  const { base, ext } = options.isFolder ? { base: name, ext: '' } : splitName(name)
  const tail = ` (${n})${ext === '' ? '' : `.${ext}`}`
  return `${cut(base, maxNameLength - tail.length)}${tail}`
}

/** Returns at most `length` units from the start, never cutting a character or an emoji sequence. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/\u200D$/, '')
}

/**
 * Returns a name for use in a sentence. A very long name is shortened to its beginning and its end, which includes its
 * number and extension.
 */
export function nameInText(name: string): string {
  const characters = [...name]
  return characters.length <= 40 ? name : `${characters.slice(0, 26).join('')}…${characters.slice(-12).join('')}`
}
