import { describe, expect, test } from 'vitest'
import { decodeText, parseTable } from './decode-text.ts'

declare class TextEncoder {
  encode(text: string): Uint8Array
}
const utf8 = new TextEncoder()

describe('text of unknown encoding', () => {
  test('Chinese in UTF-8, in GBK and with byte order marks reads the same', () => {
    expect(decodeText(utf8.encode('合同'), false)).toEqual({ text: '合同', encoding: 'utf-8' })
    expect(decodeText(Uint8Array.of(0xba, 0xcf, 0xcd, 0xac), false)).toEqual({ text: '合同', encoding: 'gb18030' })
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8.encode('合同')), false).text).toBe('合同')
    expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x08, 0x54, 0x0c, 0x54), false).text).toBe('合同')
  })

  test('a text cut inside a character is still UTF-8 and loses only that character', () => {
    const bytes = utf8.encode('合同').slice(0, 5)
    expect(decodeText(bytes, true)).toEqual({ text: '合', encoding: 'utf-8' })
    expect(decodeText(bytes, false).encoding).toBe('gb18030')
  })
})

describe('tables', () => {
  test('quotes hold separators, line ends and quotes', () => {
    expect(parseTable('a,"b,1"\r\n"say ""hi""\nyou",c\n', ',', 10)).toEqual([
      ['a', 'b,1'],
      ['say "hi"\nyou', 'c'],
    ])
  })

  test('reads no further than the rows that are shown', () => {
    expect(parseTable('1\n2\n3\n4', ',', 2)).toEqual([['1'], ['2']])
  })
})
