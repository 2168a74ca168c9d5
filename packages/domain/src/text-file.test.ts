import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonLineEnd, differenceOf, readText, splitLines, writeText } from './text-file.ts'

const encodings = ['utf-8', 'gb18030', 'utf-16le', 'utf-16be'] as const
const words = fc.string({
  unit: fc.constantFrom('合', '同', '㐀', 'ä', '€', '😀', 'a', '\r\n', '\n', ',', '\u{20000}'),
})

// [R198] Texts: untouched content is written back byte for byte, with its encoding, byte order mark and line ends.
test('[R198] a text is written back byte for byte in the encoding that it was read in, mark and line ends too', () => {
  fc.assert(
    fc.property(words, fc.constantFrom(...encodings), fc.boolean(), (some, encoding, marked) => {
      // UTF-16 cannot be detected without a byte order mark, and pure ASCII in GB18030 is detected as UTF-8.
      const hasMark = marked || encoding.startsWith('utf-16')
      const text = `合同${some}`
      const bytes = writeText(text, { encoding, hasMark })
      const read = readText(bytes)
      expect(read).toMatchObject({ text, encoding, hasMark, isFaithful: true })
      expect(writeText(read.text, read)).toEqual(bytes)
    }),
    { numRuns: 60 },
  )
})

test('[R198] what cannot be written back as it is says so', () => {
  expect(readText(Uint8Array.of(0xba, 0xcf, 0xff, 0x41)).isFaithful).toBe(false)
  expect(readText(Uint8Array.of(0xff, 0xfe, 0x08)).isFaithful).toBe(false)
  expect(readText(new Uint8Array()).isFaithful).toBe(true)
  // UTF-8 with a bad byte that would be reversible as GB18030.
  const mixed = Uint8Array.of(...writeText('会议纪要', { encoding: 'utf-8', hasMark: false }), 0x80)
  expect(readText(mixed)).toMatchObject({ text: '会议纪要\ufffd', encoding: 'utf-8', isFaithful: false })
  // No character set but these holds everything that may be typed.
  expect(readText(Uint8Array.of(0xa6, 0x58), 'big5')).toMatchObject({ text: '合', isFaithful: false })
  expect(() => writeText('合', { encoding: 'big5', hasMark: false })).toThrow('big5')
})

test('lines are told from their ends, the usual one is that of most', () => {
  expect(splitLines('a\r\nb\nc\r')).toEqual({ lines: ['a', 'b', 'c', ''], ends: ['\r\n', '\n', '\r'] })
  expect(commonLineEnd(['\n', '\r\n', '\r\n'])).toBe('\r\n')
  expect(commonLineEnd([])).toBe('\n')
})

test('the difference of two texts makes one of the other', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b') }),
      fc.string({ unit: fc.constantFrom('a', 'b') }),
      (a, b) => {
        const { from, to, insert } = differenceOf(a, b)
        expect(a.slice(0, from) + insert + a.slice(to)).toBe(b)
      },
    ),
  )
})
