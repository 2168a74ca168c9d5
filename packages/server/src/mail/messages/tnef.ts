// Reads winmail.dat, in which Outlook packs attachments and the HTML of a mail (TNEF, MS-OXTNEF). Names are in the code
// page that the file states, or in UTF-16.

import { decodeText } from '@cloudoc/domain'

/** What is in a winmail.dat. Texts are empty where it has none. */
export interface Tnef {
  readonly text: string
  readonly html: string
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly content: Uint8Array }[]
}

const signature = 0x223e9f78
const attribute = {
  body: 0x800c,
  attachData: 0x800f,
  attachTitle: 0x8010,
  attachStart: 0x9002,
  messageProperties: 0x9003,
  attachProperties: 0x9005,
  codePage: 0x9007,
} as const
const property = {
  body: 0x1000,
  html: 0x1013,
  content: 0x3701,
  fileName: 0x3704,
  longName: 0x3707,
  type: 0x370e,
} as const
/** Sizes of the property types of fixed length, each padded to four bytes. */
const fixedSizes: Readonly<Record<number, number>> = {
  ...{ 1: 4, 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16 },
}
const type = { text: 0x1e, unicode: 0x1f, object: 0x0d, binary: 0x102, several: 0x1000, named: 0x8000 } as const
const mostValues = 100_000

const charsets: Readonly<Record<number, string>> = {
  ...{ 932: 'shift_jis', 936: 'gb18030', 949: 'euc-kr', 950: 'big5', 54936: 'gb18030', 65001: 'utf-8' },
}

/** Reads a winmail.dat; undefined if it is none. Of a damaged one, what stands before the damage. */
export function readTnef(bytes: Uint8Array): Tnef | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length < 6 || file.readUInt32LE(0) !== signature) return
  let decoder = new TextDecoder('gb18030')
  let text = ''
  let html = ''
  const attachments: { name: string; longName: string; type: string; content: Uint8Array }[] = []
  try {
    for (const [id, data] of attributesOf(file)) {
      const current = attachments.at(-1)
      if (id === attribute.codePage && data.length >= 4) decoder = decoderOf(data.readUInt32LE(0))
      else if (id === attribute.body) text = plain(decoder.decode(data))
      else if (id === attribute.attachStart)
        attachments.push({ name: '', longName: '', type: '', content: new Uint8Array() })
      else if (id === attribute.attachTitle && current !== undefined) current.name = plain(decoder.decode(data))
      else if (id === attribute.attachData && current !== undefined) current.content = data
      else if (id === attribute.messageProperties)
        for (const [name, value] of propertiesOf(data, decoder)) {
          if (name === property.body && typeof value === 'string') text = value
          if (name === property.html) html = typeof value === 'string' ? value : decodeText(value, false).text
        }
      else if (id === attribute.attachProperties && current !== undefined)
        for (const [name, value] of propertiesOf(data, decoder)) {
          if (name === property.longName && typeof value === 'string') current.longName = value
          if (name === property.fileName && typeof value === 'string' && current.name === '') current.name = value
          if (name === property.type && typeof value === 'string') current.type = value
          if (name === property.content && typeof value !== 'string' && current.content.length === 0)
            current.content = value
        }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return {
    text,
    html: plain(html),
    attachments: attachments.map(({ name, longName, type: of, content }) => ({
      ...{ name: longName || name, type: of, content },
    })),
  }
}

/** The attributes of the file, each with its number. */
function* attributesOf(file: Buffer): Generator<readonly [number, Buffer]> {
  for (let at = 6; at + 9 <= file.length; ) {
    const size = file.readUInt32LE(at + 5)
    const end = at + 9 + size
    if (end > file.length) throw new RangeError('the attribute ends behind the file')
    yield [file.readUInt16LE(at + 1), file.subarray(at + 9, end)]
    // A checksum of two bytes follows.
    at = end + 2
  }
}

/** The properties of a block, each with its number: texts decoded, all others as bytes. */
function* propertiesOf(block: Buffer, decoder: TextDecoder): Generator<readonly [number, string | Buffer]> {
  let at = 0
  const take = (size: number): Buffer => {
    if (at + size > block.length) throw new RangeError('the property ends behind its block')
    const taken = block.subarray(at, at + size)
    at += size
    return taken
  }
  const number = (): number => take(4).readUInt32LE(0)
  const padded = (size: number): Buffer => {
    const taken = take(size)
    at += (4 - (size % 4)) % 4
    return taken
  }
  const count = number()
  for (let index = 0; index < Math.min(count, mostValues); index++) {
    const head = number()
    const kind = head & 0xffff & ~type.several
    const id = head >>> 16
    if (id >= type.named) {
      take(16)
      // The name of a named property: a number, or a text with its length.
      if (number() === 0) take(4)
      else padded(number())
    }
    const fixed = fixedSizes[kind]
    const several = (head & type.several) !== 0
    const values = several || fixed === undefined ? number() : 1
    for (let value = 0; value < Math.min(values, mostValues); value++) {
      const bytes = fixed === undefined ? padded(number()) : take(fixed)
      if (kind === type.text) yield [id, plain(decoder.decode(bytes))]
      else if (kind === type.unicode) yield [id, plain(bytes.toString('utf16le'))]
      // An object begins with the number of its kind.
      else yield [id, kind === type.object ? bytes.subarray(16) : bytes]
    }
  }
}

function decoderOf(codePage: number): TextDecoder {
  try {
    return new TextDecoder(charsets[codePage] ?? `windows-${codePage}`)
  } catch {
    return new TextDecoder('gb18030')
  }
}

function plain(value: string): string {
  const end = value.indexOf('\0')
  return end < 0 ? value : value.slice(0, end)
}
