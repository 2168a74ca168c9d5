// Decodes text of unknown encoding. A byte order mark decides first, what is mostly UTF-8 is UTF-8, and everything else
// is GB18030, which contains GBK and GB2312, the long-time encodings of Chinese Windows.

import { nameEncodings } from './document-kinds.ts'

/** Available in Node and in browsers. */
declare class TextDecoder {
  constructor(encoding: string, options?: { readonly fatal?: boolean })
  decode(bytes: Uint8Array, options?: { readonly stream?: boolean }): string
}

/** Maximum bytes of a text that are shown. */
export const maxPreviewTextBytes = 1024 * 1024

/** The encodings that a text may be read in. */
export const textEncodings = [...nameEncodings, 'utf-16le', 'utf-16be'] as const
export type TextEncodingName = (typeof textEncodings)[number]

/** A decoded text. */
export interface DecodedText {
  /** What cannot be decoded is U+FFFD. */
  readonly text: string
  readonly encoding: TextEncodingName
  /** Some bytes cannot be decoded. */
  readonly hasErrors: boolean
  /** Other encodings may be tried: not all bytes are ASCII, and they are neither marked nor evidently UTF-8. */
  readonly isGuess: boolean
}

/**
 * Decodes a text in an encoding, the detected one by default. With `cut` the bytes may end inside a character; the
 * partial character is left out.
 */
export function decodeText(bytes: Uint8Array, cut: boolean, encoding?: TextEncodingName): DecodedText {
  const detected = markedEncoding(bytes)
  const used = encoding ?? detected ?? guessedEncoding(bytes, cut)
  const isGuess = detected === undefined && !isEvident(bytes, cut)
  const text = new TextDecoder(used).decode(bytes, { stream: cut })
  return { text, encoding: used, hasErrors: hasErrors(used, bytes, cut), isGuess }
}

function hasErrors(encoding: TextEncodingName, bytes: Uint8Array, cut: boolean): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cut })
    return false
  } catch {
    return true
  }
}

/** Returns whether bytes are ASCII, or UTF-8 with characters of three bytes, which other encodings do not happen on. */
function isEvident(bytes: Uint8Array, cut: boolean): boolean {
  if (bytes.includes(0)) return false
  const { good, long, bad } = countUtf8(bytes, cut)
  return bad === 0 && (good === 0 || long > 0)
}

/** The bytes of U+FEFF, with which a file may start. */
export const byteOrderMarks: Readonly<Partial<Record<TextEncodingName, readonly number[]>>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  gb18030: [0x84, 0x31, 0x95, 0x33],
}

const markedEncoding = (bytes: Uint8Array): TextEncodingName | undefined =>
  textEncodings.find((encoding) => byteOrderMarks[encoding]?.every((byte, i) => bytes[i] === byte))

/**
 * Returns the encoding of bytes without a mark. All of them count, so that a few bad bytes do not make another
 * encoding of a text. UTF-8 has at least as many characters of three bytes as bad bytes, which hardly occurs in GB18030;
 * characters of two bytes do, so these count only where the bytes are no GB18030 either.
 */
function guessedEncoding(bytes: Uint8Array, cut: boolean): TextEncodingName {
  const zeros = [0, 0]
  for (const [i, byte] of bytes.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  // In UTF-16 every second byte of ASCII is zero, and few others are.
  if (Math.max(even, odd) * 20 > bytes.length && (cut || bytes.length % 2 === 0)) {
    if (odd > even * 4) return 'utf-16le'
    if (even > odd * 4) return 'utf-16be'
  }
  const { good, long, bad } = countUtf8(bytes, cut)
  if (long >= bad) return 'utf-8'
  return good >= bad * 3 && hasErrors('gb18030', bytes, cut) ? 'utf-8' : 'gb18030'
}

/** Counts the bytes beyond ASCII that are in whole characters of UTF-8 and those that are not, and the long characters. */
function countUtf8(
  bytes: Uint8Array,
  cut: boolean,
): { readonly good: number; readonly long: number; readonly bad: number } {
  let [good, long, bad] = [0, 0, 0]
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i] ?? 0
    if (lead < 0x80) {
      i++
      continue
    }
    const length = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    // The first byte that follows is limited, so that each character has one form and surrogates have none.
    const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
    const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
    let read = 1
    while (read < length) {
      const byte = bytes[i + read]
      if (byte === undefined || byte < (read === 1 ? least : 0x80) || byte > (read === 1 ? most : 0xbf)) break
      read++
    }
    if (length > 0 && read === length) {
      good += length
      if (length > 2) long++
    } else if (cut && length > 0 && i + read === bytes.length) break
    else bad += read
    i += read
  }
  return { good, long, bad }
}
