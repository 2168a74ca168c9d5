// Text files for the editor. A file is decoded in its own encoding and written back in the same one, byte for byte if
// unchanged. A file that cannot be written back exactly is detected before any edit.

import { byteOrderMarks, type DecodedText, decodeText, type TextEncodingName } from './decode-text.ts'

/** Available in Node and in browsers. */
declare class TextDecoder {
  constructor(encoding: string, options?: { readonly fatal?: boolean })
  decode(bytes: Uint8Array): string
}
declare class TextEncoder {
  encode(text: string): Uint8Array
}

/** Maximum bytes of a text edited in the page. */
export const maxEditedTextBytes = 10 * 1024 * 1024
/** Maximum bytes of an office file edited in the page, exclusively or co-edited. */
export const maxEditedOfficeBytes = 20 * 1024 * 1024

/** Encoding of a text file. */
export interface TextEncoding {
  readonly encoding: string
  /** The file starts with a byte order mark. */
  readonly hasMark: boolean
}

/** A decoded text file. */
export interface TextFile extends DecodedText {
  /** The file starts with a byte order mark. */
  readonly hasMark: boolean
  /** True if encoding the unchanged text gives the same bytes. */
  readonly isFaithful: boolean
}

/** Encodings in which every character can be written. */
const writableEncodings: ReadonlySet<string> = new Set(['utf-8', 'gb18030', 'utf-16le', 'utf-16be'])

const marks: Readonly<Record<string, readonly number[]>> = byteOrderMarks

/** Decodes a text file in an encoding, the detected one by default. */
export function readText(bytes: Uint8Array, chosen?: TextEncodingName): TextFile {
  const { text: whole, encoding, hasErrors, isGuess } = decodeText(bytes, false, chosen)
  const mark = marks[encoding] ?? []
  const hasMark = mark.length > 0 && mark.every((byte, i) => bytes[i] === byte)
  // The decoder itself strips exactly one byte order mark.
  const text = hasMark ? decode(encoding, bytes.subarray(mark.length)) : whole
  const again = hasErrors || !writableEncodings.has(encoding) ? undefined : writeText(text, { encoding, hasMark })
  const isFaithful = again?.length === bytes.length && again.every((byte, i) => byte === bytes[i])
  return { text, encoding, hasMark, hasErrors, isGuess, isFaithful }
}

function decode(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes)
}

/** Encodes a text in its original encoding. */
export function writeText(text: string, { encoding, hasMark }: TextEncoding): Uint8Array {
  const mark = hasMark ? (marks[encoding] ?? []) : []
  const body = encode(text, encoding)
  const bytes = new Uint8Array(mark.length + body.length)
  bytes.set(mark)
  bytes.set(body, mark.length)
  return bytes
}

function encode(text: string, encoding: string): Uint8Array {
  if (encoding === 'gb18030') return encodeGb18030(text)
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  if (!writableEncodings.has(encoding)) throw new Error(`no text is written in ${encoding}`)
  const bytes = new Uint8Array(text.length * 2)
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const [high, low] = [unit >> 8, unit & 0xff]
    bytes.set(encoding === 'utf-16le' ? [low, high] : [high, low], i * 2)
  }
  return bytes
}

/** GB18030: the number of four-byte characters in the basic plane, and the index where the other planes start. */
const fourByteBasic = 39_420
const fourByteRest = 189_000

const fourBytes = (pointer: number): number[] => [
  0x81 + Math.floor(pointer / 12_600),
  0x30 + (Math.floor(pointer / 1260) % 10),
  0x81 + (Math.floor(pointer / 10) % 126),
  0x30 + (pointer % 10),
]

let known: ReadonlyMap<string, readonly number[]> | undefined

/**
 * Returns the GB18030 bytes of each character of the basic plane, derived from the decoder because no runtime has an
 * encoder.
 */
function gbBytes(): ReadonlyMap<string, readonly number[]> {
  if (known !== undefined) return known
  const codes: number[][] = []
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) if (trail !== 0x7f) codes.push([lead, trail])
  }
  for (let pointer = 0; pointer < fourByteBasic; pointer++) codes.push(fourBytes(pointer))
  // A line break after each code prevents an invalid one from consuming the next.
  const chars = decode('gb18030', Uint8Array.from(codes.flatMap((code) => [...code, 0x0a]))).split('\n')
  const made = new Map<string, readonly number[]>()
  for (const [i, code] of codes.entries()) {
    const char = chars[i]
    if (char?.length === 1 && char !== '\ufffd' && !made.has(char)) made.set(char, code)
  }
  known = made
  return made
}

function encodeGb18030(text: string): Uint8Array {
  const table = gbBytes()
  const bytes = new Uint8Array(text.length * 4)
  let at = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (code < 0x80) bytes[at++] = code
    else {
      const made = code > 0xffff ? fourBytes(fourByteRest + code - 0x10000) : (table.get(char) ?? [0x3f])
      bytes.set(made, at)
      at += made.length
    }
  }
  return bytes.slice(0, at)
}

/** Returns the lines of a text, and the line endings of all but the last. */
export function splitLines(text: string): { readonly lines: string[]; readonly ends: string[] } {
  return { lines: text.split(/\r\n?|\n/), ends: text.match(/\r\n?|\n/g) ?? [] }
}

/** Returns the most frequent line ending of a text. */
export function commonLineEnd(ends: readonly string[]): string {
  let usual = '\n'
  let most = 0
  for (const end of ['\n', '\r\n', '\r']) {
    const count = ends.filter((one) => one === end).length
    if (count > most) [usual, most] = [end, count]
  }
  return usual
}

/** Returns the differing range of two texts, without their common prefix and suffix. */
export function differenceOf(
  before: string,
  after: string,
): { readonly from: number; readonly to: number; readonly insert: string } {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from++
  let tail = 0
  while (tail < most - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) }
}
