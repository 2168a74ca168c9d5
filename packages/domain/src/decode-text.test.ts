import { describe, expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

declare class TextEncoder {
  encode(text: string): Uint8Array
}
const utf8 = new TextEncoder()

describe('text of unknown encoding', () => {
  test('Chinese in UTF-8, in GBK and with byte order marks reads the same', () => {
    expect(decodeText(utf8.encode('合同'), false)).toEqual({
      ...{ text: '合同', encoding: 'utf-8', hasErrors: false, isGuess: false },
    })
    expect(decodeText(Uint8Array.of(0xba, 0xcf, 0xcd, 0xac), false)).toEqual({
      ...{ text: '合同', encoding: 'gb18030', hasErrors: false, isGuess: true },
    })
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8.encode('合同')), false).text).toBe('合同')
    expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x08, 0x54, 0x0c, 0x54), false).text).toBe('合同')
  })

  test('a text cut inside a character is still UTF-8 and loses only that character', () => {
    const bytes = utf8.encode('合同').slice(0, 5)
    expect(decodeText(bytes, true)).toMatchObject({ text: '合', encoding: 'utf-8', hasErrors: false })
    expect(decodeText(bytes, false).encoding).toBe('gb18030')
  })
})

// [R163] The encoding of a text is decided for the whole file: a bad byte in UTF-8 does not make it GBK.
describe('[R163] a text with bytes that cannot be decoded', () => {
  const words = '2024-03-05 会议纪要\n出席：'
  test.each([0x80, 0xff, 0xe4])('[R163] stays UTF-8 with a bad byte %i, which is shown as a sign of its own', (bad) => {
    const bytes = Uint8Array.of(...utf8.encode(words), bad, ...utf8.encode('\n完成\n'))
    expect(decodeText(bytes, false)).toEqual({
      ...{ text: `${words}\ufffd\n完成\n`, encoding: 'utf-8', hasErrors: true, isGuess: true },
    })
    expect(decodeText(bytes, true, 'gb18030')).toMatchObject({ encoding: 'gb18030' })
  })

  test('[R163] GBK stays GBK, also where some of its bytes look like UTF-8 or are bad', () => {
    // 模小公司: the first two characters are valid UTF-8.
    const gbk = Uint8Array.of(0xc4, 0xa3, 0xd0, 0xa1, 0xb9, 0xab, 0xcb, 0xbe)
    expect(decodeText(gbk, false)).toMatchObject({ text: '模小公司', encoding: 'gb18030', hasErrors: false })
    expect(decodeText(Uint8Array.of(...gbk, 0xff), false)).toMatchObject({ encoding: 'gb18030', hasErrors: true })
  })

  test('[R163] UTF-16 without a mark is known by its zeros, and ASCII leaves nothing to choose', () => {
    const units = [...'会议纪要 abc\r\n第一行'].map((char) => char.charCodeAt(0))
    const [little, big] = [units.flatMap((one) => [one & 255, one >> 8]), units.flatMap((one) => [one >> 8, one & 255])]
    expect(decodeText(Uint8Array.from(little), false)).toMatchObject({ encoding: 'utf-16le', isGuess: true })
    expect(decodeText(Uint8Array.from(big), false).text).toBe('会议纪要 abc\r\n第一行')
    // 模小 in GBK is valid UTF-8.
    expect(decodeText(Uint8Array.of(0xc4, 0xa3, 0xd0, 0xa1), false)).toMatchObject({ encoding: 'utf-8', isGuess: true })
    expect(decodeText(utf8.encode('plain'), false)).toMatchObject({ encoding: 'utf-8', isGuess: false })
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8.encode('合')), false).isGuess).toBe(false)
  })
})
