// Editable delimited tables: content that was not edited is written back unchanged.
import { describe, expect, it } from 'vitest'
import { delimiterOf, fieldOf, fieldText, readDelimited, writeDelimited } from './delimited.ts'

const again = (text: string, ext = 'csv'): string => {
  const delimiter = delimiterOf(text, ext)
  return writeDelimited(readDelimited(text, delimiter), delimiter)
}
const says = (text: string): string[][] => readDelimited(text, ',').map(({ fields }) => fields.map(fieldText))

describe('tables as text', () => {
  it.each([
    '',
    'a',
    'a,b',
    'a,b\n',
    'a,b\r\n\r\n"c ""d""\r\ne",f\r\ng',
    '\n\n',
    ',\n,',
    'a,"not closed\nb,c',
    'a,"b"c,d\n"x"" y",z',
    '"',
    '""',
    'a\rb\r',
    'sep=;\na;b',
    ' "a",b\n',
  ])('[R171] [R198] are written back as they were: %j', (text) => {
    expect(again(text)).toBe(text)
    expect(again(text, 'tsv')).toBe(text)
  })

  // [R171] Any table as text is written back unchanged.
  it('[R171] are written back as they were, whatever letters there are in whatever order', () => {
    const letters = [...'a,";\t|\r\n 字']
    let seed = 7
    const random = (n: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % n
    }
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: random(24) }, () => letters[random(letters.length)]).join('')
      expect(again(text)).toBe(text)
    }
  })

  it('say what is in quotes, over several lines too', () => {
    expect(says('a,"b,1"\r\n"say ""hi""\nyou",c\n')).toEqual([
      ['a', 'b,1'],
      ['say "hi"\nyou', 'c'],
    ])
    expect(says('a,"not closed\nb,c')).toEqual([
      ['a', '"not closed'],
      ['b', 'c'],
    ])
    for (const text of ['a', 'a,b', '"', 'x"y', 'a\nb', '', ' a ', '""']) {
      expect(fieldText(fieldOf(text, ','))).toBe(text)
      expect(says(`${fieldOf(text, ',')},x`)).toEqual([[text, 'x']])
    }
    expect(fieldOf('a', ',', '"b"')).toBe('"a"')
  })

  it('have the delimiter that their lines have alike', () => {
    expect(delimiterOf('a;b;c\n1,5;2,5;3\n', 'csv')).toBe(';')
    expect(delimiterOf('a\tb\nc\td', 'csv')).toBe('\t')
    expect(delimiterOf('a,b;c\nd,e', 'csv')).toBe(',')
    expect(delimiterOf('one\ntwo', 'csv')).toBe(',')
    expect(delimiterOf('one\ntwo', 'tsv')).toBe('\t')
    expect(delimiterOf('sep=|\na,b|c', 'csv')).toBe('|')
  })
})
